// Requests to speak and commands between participants (Sources/Calls/CALLS.md): what we ask of others, and what we do
// for them.

import { ACCEPT, APPLY, CANCEL, REJECT, SpeakDesk, SpeakSession } from "./speaking.js";

const DONE = 10900, REFUSED = 10901;
const ANSWER_WITHIN = 5000;
const LONGEST_TEXT = 200;

// One entry for each command: its number, what is said when the other side has done it, what is said when somebody had it
// done here, and what this page does when it is asked to; that gives the words of a refusal, or nothing. No command turns
// a microphone or camera on.
const COMMANDS = {
  mute: {
    number: 10100, done: "is muted now.", here: "muted your microphone.",
    run: ({ media }) => media.setMicrophone(false) && "",
  },
  cameraOff: {
    number: 10101, done: "has its camera off now.", here: "turned your camera off.",
    run: ({ media }) => media.setCamera(false) && "",
  },
  switchCamera: {
    number: 10102, done: "shows its next camera now.", here: "switched your camera.",
    run: ({ media }) => {
      if (media.cameras.length < 2 || !media.isCameraOn) return "there is no other camera";
      media.switchCamera();
      return "";
    },
  },
  removeParticipant: {
    number: 10103, done: "has removed the participant.",
    run: ({ room }, { participant_id: id, text }) => {
      if (id === room.me.id) {
        // The answer goes out first.
        setTimeout(() => room.removed(text));
        return "";
      }
      if (!room.peers.has(id)) return "nobody here has that id";
      if (!room.canKick) return "this page may not remove anybody";
      room.kick(id, text).catch(() => {});
      return "";
    },
  },
  openRelay: { number: 10104, done: "has opened the door.", run: () => "a browser has no door" },
  showText: {
    number: 10105, done: "shows the text.",
    run: ({ show, name }, { text, seconds }) => {
      if (typeof text !== "string" || !text) return "there is no text";
      const duration = Math.min(Math.max(Number(seconds) || 10, 1), 3600);
      show(`${name}: ${[...text].slice(0, LONGEST_TEXT).join("")}`, 1000 * duration);
      return "";
    },
  },
  setVolume: {
    number: 10106, done: "has changed its loudness.", here: "changed how loud it is here.",
    run: ({ tiles }, { percent }) => {
      if (!(percent >= 0 && percent <= 100)) return "the loudness must be 0 … 100";
      tiles.volume = percent / 100;
      return "";
    },
  },
};

// Events: "change", "announce" ({words, milliseconds}).
export class Requests extends EventTarget {
  #room;
  #media;
  #tiles;
  #$;
  #speak = new SpeakSession();
  #desk = new SpeakDesk();
  #timer = 0;
  // By request id: {id, command, timer} of what we asked and is not answered yet.
  #asked = new Map();
  // Whose commands dialog is open.
  #subject = null;

  #isPartner;

  // isPartner: whether we are in a call with this participant.
  constructor({ room, media, tiles, byID, isPartner }) {
    super();
    this.#isPartner = isPartner;
    this.#room = room;
    this.#media = media;
    this.#tiles = tiles;
    this.#$ = byID;
    const on = (type, handler) => room.addEventListener(type, ({ detail }) => handler(detail));
    on("message", ({ from, body }) => { if (Number.isInteger(body?.room_request_type)) this.#receive(from, body); });
    on("participantLeft", ({ id }) => {
      this.#desk.withdraw(id);
      if (this.#subject === id) byID("commands").close();
      this.#changed();
    });
    on("lost", () => this.#settle(() => { this.#speak.reset("lost"); this.#desk.clear(); }));
    on("ended", () => this.#settle(() => { this.#speak.reset("left"); this.#desk.clear(); }));
    on("roleChanged", () => this.#changed());
    on("joined", () => this.#changed());
    byID("speak").onclick = () => this.#toggleApplication();
    for (const button of byID("commands").querySelectorAll("[data-command]")) {
      button.onclick = () => this.#press(button.dataset.command);
    }
    byID("command-volume").onchange = (event) => {
      this.command(this.#subject, "setVolume", { percent: Number(event.target.value) });
    };
  }

  get summary() {
    return {
      state: this.#speak.state, applications: this.#desk.pending.map(({ id }) => id),
      speakers: [...this.#desk.speaking.keys()],
    };
  }

  get #isHost() { return this.#room.me?.role === "host"; }

  mayCommand(peer) {
    return (this.#isHost || this.#isPartner(peer.id)) && this.#room.state === "joined" && !peer.isLost;
  }

  openCommands(id) {
    const peer = this.#room.peers.get(id);
    if (!peer) return;
    this.#subject = id;
    this.#$("commands-title").textContent = peer.name;
    const button = (command) => this.#$("commands").querySelector(`[data-command=${command}]`);
    button("remove").hidden = !this.#room.canKick;
    button("endSpeaking").hidden = !this.#desk.speaking.has(id);
    this.#$("command-text").value = "";
    this.#$("commands").showModal();
  }

  // Asks a participant to do something; the answer is announced.
  command(id, command, data = {}) {
    const requestID = newID();
    if (!this.#tell(id, COMMANDS[command].number, requestID, id, data)) {
      this.#announce("There is no connection to the lobby just now.");
      return;
    }
    const timer = setTimeout(() => {
      this.#asked.delete(requestID);
      this.#announce(`${this.#room.nameOf(id)} did not answer.`);
    }, ANSWER_WITHIN);
    this.#asked.set(requestID, { id, command, timer });
  }

  #press(command) {
    const id = this.#subject, name = this.#room.nameOf(id);
    this.#$("commands").close();
    if (command === "remove") {
      this.#room.kick(id).catch(() => this.#announce(`You may not remove ${name}.`));
    } else if (command === "endSpeaking") {
      this.#decide(id, false);
    } else if (command === "showText") {
      const text = this.#$("command-text").value.trim();
      if (text) this.command(id, command, { text, seconds: 15 });
    } else {
      this.command(id, command);
    }
  }

  // to: null for everybody, as all that concerns speaking.
  #tell(to, type, requestID, receiver, data) {
    return this.#room.tell(to, {
      room_request_type: type, request_id: requestID, sender_id: this.#room.me.id, receiver_id: receiver,
      ...(data && Object.keys(data).length ? { extended_data: data } : {}),
    });
  }

  #receive(from, body) {
    const { room_request_type: type, request_id: requestID, sender_id: sender, receiver_id: receiver } = body;
    const data = body.extended_data ?? {};
    // Nobody speaks in another one's name.
    if (sender !== from || typeof requestID !== "string" || !this.#room.me) return;
    if (receiver !== "" && receiver !== this.#room.me.id && type !== ACCEPT && type !== REJECT) return;
    const isFromHost = this.#room.peers.get(from)?.participant.role === "host";
    if (type === DONE || type === REFUSED) {
      this.#answered(from, requestID, type, data);
    } else if (type === APPLY || type === CANCEL || (type === ACCEPT || type === REJECT) && isFromHost) {
      if (receiver === this.#room.me.id) this.#settle(() => this.#speak.receive(type, requestID, from));
      this.#desk.receive(type, requestID, from, receiver);
      this.#changed();
    } else if (type !== ACCEPT && type !== REJECT) {
      this.#obey(from, type, requestID, data);
    }
  }

  #obey(from, type, requestID, data) {
    const command = Object.values(COMMANDS).find(({ number }) => number === type);
    const peer = this.#room.peers.get(from);
    let refusal = "this command is not known here";
    if (command && peer?.participant.role !== "host" && !this.#isPartner(from)) refusal = "only a host may ask for that";
    else if (command) {
      const tools = {
        room: this.#room, media: this.#media, tiles: this.#tiles, name: this.#room.nameOf(from),
        show: (words, milliseconds) => this.#announce(words, milliseconds),
      };
      refusal = command.run(tools, data) || "";
    }
    if (!refusal && command.here) this.#announce(`${this.#room.nameOf(from)} ${command.here}`);
    this.#tell(from, refusal ? REFUSED : DONE, requestID, from, refusal ? { text: refusal } : {});
  }

  #answered(from, requestID, type, { text }) {
    const asked = this.#asked.get(requestID);
    if (asked?.id !== from) return;
    clearTimeout(asked.timer);
    this.#asked.delete(requestID);
    const name = this.#room.nameOf(from);
    this.#announce(type === DONE ? `${name} ${COMMANDS[asked.command].done}`
      : `${name} refused${typeof text === "string" && text ? `: ${text}` : ""}.`);
  }

  // ---- Requests to speak

  #toggleApplication() {
    this.#settle(() => {
      if (this.#speak.state !== "idle") this.#speak.cancel();
      else if (this.#room.state === "joined") this.#speak.apply(newID(), performance.now());
    });
  }

  #decide(id, accepts) {
    const requestID = accepts ? this.#desk.accept(id) : this.#desk.reject(id);
    if (requestID) this.#tell(null, accepts ? ACCEPT : REJECT, requestID, id);
    this.#changed();
  }

  #settle(work) {
    work();
    for (const output of this.#speak.takeOutputs()) {
      if (output.send) this.#tell(null, output.send, output.requestID, "");
      else this.#speakChanged(output);
    }
    clearTimeout(this.#timer);
    if (this.#speak.nextDeadline !== null) {
      const wait = this.#speak.nextDeadline - performance.now() + 1;
      this.#timer = setTimeout(() => this.#settle(() => this.#speak.advance(performance.now())), wait);
    }
    this.#changed();
  }

  #speakChanged({ state, before, by, reason }) {
    const words = {
      asked: "You asked to speak.", rejected: `${this.#room.nameOf(by)} does not let you speak now.`,
      timedOut: "Nobody answered your request to speak.", ended: `${this.#room.nameOf(by)} ended your speaking.`,
    }[reason];
    if (words) this.#announce(words);
    if (state !== "speaking" && before !== "speaking" || this.#room.state !== "joined") return;
    this.#room.changeRole(state === "speaking" ? "host" : "audience").catch(() => {
      this.#announce("The lobby does not let you speak.");
      if (state === "speaking") this.#settle(() => this.#speak.cancel());
    });
  }

  #announce(words, milliseconds) {
    this.dispatchEvent(new CustomEvent("announce", { detail: { words, milliseconds } }));
  }

  #changed() {
    const button = this.#$("speak"), { state } = this.#speak;
    button.hidden = !this.#room.me || this.#room.me.canPublish && state === "idle";
    button.classList.toggle("off", state === "applied");
    const words = { idle: "Ask to speak", applied: "Take back", speaking: "Just listen" }[state];
    button.querySelector("span").textContent = words;
    button.setAttribute("aria-label", state === "applied" ? "Take back the request to speak" : words);
    this.#showApplications();
    this.dispatchEvent(new Event("change"));
  }

  #showApplications() {
    const list = this.#$("applications");
    const pending = this.#isHost ? this.#desk.pending : [];
    list.hidden = pending.length === 0;
    const shown = new Map([...list.children].map((item) => [item.dataset.participant, item]));
    for (const [id, item] of shown) if (!pending.some((one) => one.id === id)) item.remove();
    for (const { id } of pending) {
      if (shown.has(id)) continue;
      const item = this.#$("application").content.firstElementChild.cloneNode(true);
      item.dataset.participant = id;
      item.querySelector(".application-words").textContent = `${this.#room.nameOf(id)} wants to speak`;
      item.querySelector(".accept").onclick = () => this.#decide(id, true);
      item.querySelector(".reject").onclick = () => this.#decide(id, false);
      list.append(item);
    }
  }
}

function newID() {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(16).padStart(8, "0")).join("");
}
