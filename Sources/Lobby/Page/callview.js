// What a call looks like: the strip above the controls, and the question whether to answer.

import { clock, initials } from "./words.js";

// How long the strip says how a call ended.
const ENDED_FOR = 8000;
// A key that was meant for something else must not answer a call that has just popped up.
const DEAF_FOR = 600;
const BLINK_EVERY = 1000;

// actions: {answer, decline, hangUp, callAgain, silence}
export class CallView {
  #$;
  #actions;
  #endTimer = 0;
  #blinkTimer = 0;
  #title = "";
  #blinks = "";
  #shownAt = 0;
  #since = 0;
  #focusBefore = null;
  #isAsking = false;
  #notification = null;

  constructor(byID, actions) {
    this.#$ = byID;
    this.#actions = actions;
    const guarded = (action) => () => { if (performance.now() - this.#shownAt > DEAF_FOR) action(); };
    byID("answer").onclick = guarded(actions.answer);
    byID("decline").onclick = guarded(actions.decline);
    byID("hang-up").onclick = actions.hangUp;
    byID("call-again").onclick = actions.callAgain;
    byID("strip-close").onclick = () => this.showNothing();
    // Escape only silences the bell: it is too easily hit to turn somebody away.
    byID("incoming").addEventListener("cancel", (event) => {
      event.preventDefault();
      actions.silence();
    });
    // A browser may close it all the same, as by the second back gesture: it still rings.
    byID("incoming").addEventListener("close", () => { if (this.#isAsking) byID("incoming").showModal(); });
    byID("incoming").addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        actions.silence();
      }
    });
  }

  // The page's title; while it rings the title alternates with who calls.
  set title(words) {
    this.#title = words;
    if (!this.#blinkTimer) document.title = words;
  }

  showNothing() {
    clearTimeout(this.#endTimer);
    this.hideIncoming();
    this.#strip("idle", "");
  }

  showCalling(names, isRinging) {
    this.hideIncoming();
    this.#strip("calling", isRinging ? `Ringing at ${names}…` : `Calling ${names}…`);
  }

  showInCall(name, isInterrupted, since) {
    this.hideIncoming();
    this.#since = since;
    const words = `In a call with ${name}`;
    this.#strip("inCall", isInterrupted ? `${words}, who lost the connection…` : words);
    this.tick();
  }

  // again: whether it makes sense to call once more.
  showEnded(words, again) {
    this.hideIncoming();
    this.#strip("ended", words);
    this.#$("call-again").hidden = !again;
    this.#endTimer = setTimeout(() => this.showNothing(), ENDED_FOR);
  }

  showIncoming(name) {
    const dialog = this.#$("incoming");
    this.#$("incoming-title").textContent = name;
    this.#$("caller-initials").textContent = initials(name);
    this.#strip("ringing", "");
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#shownAt = performance.now();
    this.#focusBefore = document.activeElement;
    dialog.showModal();
    this.#$("answer").focus();
    this.#blinks = `${name} is calling`;
    const blink = () => {
      document.title = document.title === this.#blinks ? this.#title : this.#blinks;
    };
    blink();
    this.#blinkTimer = setInterval(blink, BLINK_EVERY);
    navigator.vibrate?.([400, 200, 400]);
    if (document.hidden) this.#notify(this.#blinks);
  }

  // For who looks at another page just now.
  #notify(words) {
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    try {
      this.#notification = new Notification(words, { tag: "call", icon: "icon.svg", requireInteraction: true });
      this.#notification.onclick = () => {
        window.focus();
        this.#notification?.close();
      };
    } catch {
      // Some browsers only show them from a service worker; the bell and the title must do.
    }
  }

  // The caller's picture as it comes, and whether the bell is held back.
  showCaller(track, isSilent) {
    const video = this.#$("caller-video");
    this.#$("caller").classList.toggle("without-picture", !track);
    this.#$("incoming-silent").hidden = !isSilent;
    if ((video.srcObject?.getTracks()[0] ?? null) === track) return;
    video.srcObject = track ? new MediaStream([track]) : null;
    if (track) video.play().catch(() => {});
  }

  hideIncoming() {
    const dialog = this.#$("incoming");
    if (!this.#isAsking) return;
    this.#isAsking = false;
    clearInterval(this.#blinkTimer);
    this.#blinkTimer = 0;
    document.title = this.#title;
    this.#notification?.close();
    this.#notification = null;
    this.showCaller(null, false);
    dialog.close();
    if (this.#focusBefore?.isConnected) this.#focusBefore.focus();
  }

  // Shows how long the call has lasted.
  tick() {
    const words = this.#$("strip").dataset.state === "inCall" ? clock(Date.now() - this.#since) : "";
    if (this.#$("strip-time").textContent !== words) this.#$("strip-time").textContent = words;
  }

  #strip(state, words) {
    clearTimeout(this.#endTimer);
    const isOn = state === "calling" || state === "inCall";
    this.#$("strip").hidden = !isOn && state !== "ended";
    this.#$("strip").dataset.state = state;
    if (this.#$("strip-words").textContent !== words) this.#$("strip-words").textContent = words;
    this.#$("hang-up").hidden = !isOn;
    this.#$("hang-up-words").textContent = state === "calling" ? "Cancel" : "Hang up";
    this.#$("call-again").hidden = true;
    this.#$("strip-close").hidden = state !== "ended";
    this.tick();
  }
}
