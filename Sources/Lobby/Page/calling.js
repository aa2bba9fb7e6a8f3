// Ties a call (calls.js) to the room that carries its messages, to the clock, the bell and what is shown.

import { CallSession } from "./calls.js";
import { CallView } from "./callview.js";
import { callEndWords, callErrorWords } from "./words.js";

// Events: "change" after the state or the partner changed; "started" when microphone and camera are needed from now on,
// "ended" when they are not any more; "announce" ({words}).
export class Calling extends EventTarget {
  lastEnd = null;
  #room;
  #ringing;
  #view;
  #session = null;
  #timer = 0;
  #since = 0;
  // The calls that the person here ended.
  #mine = new Set();
  #pictureOf;
  #again = [];
  #isSilenced = false;

  // pictureOf: the video track of a participant, or null.
  constructor({ room, ringing, byID, pictureOf }) {
    super();
    this.#room = room;
    this.#ringing = ringing;
    this.#pictureOf = pictureOf;
    this.#view = new CallView(byID, {
      answer: () => this.answer(), decline: () => this.decline(), hangUp: () => this.hangUp(),
      callAgain: () => this.call(this.#again),
      silence: () => { this.#isSilenced = true; this.#sound(); },
    });
    const on = (type, handler) => room.addEventListener(type, ({ detail }) => handler(detail));
    on("joined", ({ participants }) => this.#joined(participants));
    on("lost", () => this.#do((session, now) => session.roomLost(now)));
    on("ended", () => this.#left());
    on("participantJoined", ({ id }) => this.#do((session, now) => session.participantJoined(id, now)));
    on("participantLeft", ({ id, isLost }) => this.#do((session, now) => session.participantLeft(id, isLost, now)));
    on("message", ({ from, body }) => {
      if (typeof body?.call_event === "string") this.#do((session, now) => session.receive(body, from, now));
    });
    on("life", ({ id, lives }) => this.#do((session, now) => session.mediaChanged(id, lives, now)));
    on("change", () => this.#showPicture());
  }

  get state() { return this.#session?.state ?? "idle"; }
  get partner() { return this.#session?.partner ?? null; }
  get callID() { return this.#session?.callID ?? null; }
  get targets() { return this.#session?.targets ?? []; }
  set title(words) { this.#view.title = words; }

  call(targets) {
    const callID = [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(16).padStart(8, "0")).join("");
    this.#again = targets;
    this.#act((session, now) => session.call(targets, callID, now));
  }

  answer() { this.#act((session, now) => session.answer(now)); }

  decline() { this.#act((session, now) => session.decline(now)); }

  hangUp() {
    this.#mine.add(this.callID);
    this.#act((session, now) => session.hangUp(now));
  }

  // Call it before the room is left, so that the other side hears of it.
  leaveRoom() { this.#do((session, now) => session.leaveRoom(now)); }

  tick() {
    this.#view.tick();
    if (this.state === "ringing") this.#showPicture();
  }

  #joined(participants) {
    const id = this.#room.me.id;
    if (!this.#session || this.#session.ownID !== id) this.#session = new CallSession(id);
    this.#do((session, now) => session.roomJoined(new Set(participants), now));
  }

  #left() {
    clearTimeout(this.#timer);
    this.#since = 0;
    this.#mine.clear();
    this.#session = null;
    this.#ringing.play(null);
    this.#view.showNothing();
    this.#emit("change");
  }

  // What the person does; an error is told.
  #act(work) {
    try {
      this.#do(work);
    } catch (error) {
      this.#emit("announce", { words: callErrorWords(error.code) });
    }
  }

  #do(work) {
    if (!this.#session) return;
    try {
      work(this.#session, performance.now());
    } finally {
      this.#settle();
    }
  }

  #settle() {
    const session = this.#session;
    for (const output of session.takeOutputs()) {
      if (output.send) this.#room.tell(output.to, output.send);
      else if (output.ended) this.#ended(output.ended);
      else this.#stateChanged();
    }
    clearTimeout(this.#timer);
    const deadline = session.nextDeadline;
    if (deadline === null) return;
    this.#timer = setTimeout(
      () => this.#do((session, now) => session.advance(now)), Math.max(0, deadline - performance.now()));
  }

  #stateChanged() {
    const { state, partner, targets } = this.#session;
    if (state === "inCall" && !this.#since) {
      this.#since = Date.now();
      this.#emit("started");
    }
    if (state === "ringing") this.#isSilenced = false;
    this.#sound();
    switch (state) {
      case "calling": this.#view.showCalling(this.#names(targets), this.#session.isRinging); break;
      case "ringing": this.#view.showIncoming(this.#room.nameOf(partner)); break;
      case "inCall":
        this.#view.showInCall(this.#room.nameOf(partner), this.#session.isInterrupted, this.#since);
        break;
      // How it ended follows.
      default: this.#view.showNothing();
    }
    if (state === "idle" && this.#since) {
      this.#since = 0;
      this.#emit("ended");
    }
    this.#showPicture();
    this.#emit("change");
  }

  #ended({ callID, partner, reason, wasIncoming, targets }) {
    const name = partner ? this.#room.nameOf(partner) : this.#names(targets);
    const isMine = this.#mine.delete(callID) && reason === "hungUp";
    const words = isMine ? "You hung up." : callEndWords(name, reason, wasIncoming);
    this.lastEnd = { callID, reason, partner, incoming: wasIncoming };
    // One who was turned away as busy changes nothing of what is shown.
    if (this.#session.state !== "idle") {
      this.#emit("announce", { words });
      return;
    }
    this.#ringing.play(!wasIncoming && reason === "busy" ? "busy" : null);
    if (wasIncoming && partner) this.#again = [partner];
    const isSettled = isMine || reason === "answeredElsewhere" || reason === (wasIncoming ? "declined" : "cancelled");
    this.#view.showEnded(words, !isSettled && this.#again.some((id) => this.#room.peers.has(id)));
    this.#emit("change");
  }

  #sound() {
    const { state } = this.#session;
    if (state === "ringing") this.#ringing.play(this.#isSilenced ? null : "ring");
    else if (state === "calling") this.#ringing.play(this.#session.isRinging ? "ringBack" : null);
    else if (this.#ringing.playing !== "busy" || state !== "idle") this.#ringing.play(null);
  }

  #showPicture() {
    if (this.state === "ringing") this.#view.showCaller(this.#pictureOf(this.partner), this.#ringing.isHeldBack);
  }

  #names(ids) { return ids.map((id) => this.#room.nameOf(id)).join(", "); }

  #emit(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}
