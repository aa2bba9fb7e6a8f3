// Requests to speak, pure (Sources/Calls/CALLS.md): messages and the time (milliseconds) go in, messages to everybody
// and changes of state come out.

export const APPLY = 10000, CANCEL = 10001, ACCEPT = 10002, REJECT = 10003;
const WAITS_FOR = 60000;

// One of the audience who asks. States: idle, applied, speaking.
export class SpeakSession {
  state = "idle";
  requestID = null;
  #deadline = null;
  #outputs = [];

  get nextDeadline() { return this.#deadline; }

  // {send: type, requestID} | {state, by, reason}
  takeOutputs() {
    const outputs = this.#outputs;
    this.#outputs = [];
    return outputs;
  }

  apply(requestID, now) {
    if (this.state !== "idle") return;
    this.requestID = requestID;
    this.#deadline = now + WAITS_FOR;
    this.#send(APPLY);
    this.#become("applied", null, "asked");
  }

  // Takes the application back, or stops speaking.
  cancel() {
    if (this.state === "idle") return;
    this.#send(CANCEL);
    this.#become("idle", null, "cancelled");
  }

  // What a host said to us.
  receive(type, requestID, host) {
    if (this.state === "idle" || requestID !== this.requestID) return;
    if (type === ACCEPT && this.state === "applied") this.#become("speaking", host, "accepted");
    else if (type === REJECT) this.#become("idle", host, this.state === "speaking" ? "ended" : "rejected");
  }

  advance(now) {
    if (this.#deadline === null || now < this.#deadline) return;
    this.#send(CANCEL);
    this.#become("idle", null, "timedOut");
  }

  // The room is lost or left: nobody remembers what we asked for.
  reset(reason) {
    if (this.state === "applied" || this.state === "speaking" && reason !== "lost") this.#become("idle", null, reason);
  }

  #send(type) { this.#outputs.push({ send: type, requestID: this.requestID }); }

  #become(state, by, reason) {
    if (state !== "applied") this.#deadline = null;
    const before = this.state;
    this.state = state;
    this.#outputs.push({ state, before, by, reason });
  }
}

// A host's lists: who asks, in the order in which they came, and who speaks.
export class SpeakDesk {
  pending = [];
  speaking = new Map();

  // Of anybody, to everybody. receiver: whom a host's decision concerns.
  receive(type, requestID, from, receiver) {
    const id = type === ACCEPT || type === REJECT ? receiver : from;
    const isKnown = this.pending.some((one) => one.id === id && one.requestID === requestID);
    if (type === APPLY && !isKnown) {
      this.withdraw(id);
      this.pending = [...this.pending, { id, requestID }];
    } else if (type === ACCEPT && isKnown) {
      this.accept(id);
    } else if (type === REJECT || type === CANCEL) {
      if (isKnown || this.speaking.get(id) === requestID) this.withdraw(id);
    }
  }

  // The request id to answer with, or null when nobody asks under that id any more.
  accept(id) {
    const found = this.pending.find((one) => one.id === id);
    if (!found) return null;
    this.withdraw(id);
    this.speaking.set(id, found.requestID);
    return found.requestID;
  }

  // Of an application or of one who speaks.
  reject(id) {
    const requestID = this.speaking.get(id) ?? this.pending.find((one) => one.id === id)?.requestID ?? null;
    this.withdraw(id);
    return requestID;
  }

  withdraw(id) {
    this.pending = this.pending.filter((one) => one.id !== id);
    this.speaking.delete(id);
  }

  clear() {
    this.pending = [];
    this.speaking.clear();
  }
}
