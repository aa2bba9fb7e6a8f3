// One call at a time, pure: messages, what people do, and the time (milliseconds) go in; messages to send, changes of
// state and ends come out. The rules and the messages are those of Sources/Calls/CALLS.md.

const RING_TIME = 30000;
// The callee's own timer runs after the caller's, whose word counts.
const CALLEE_GRACE = 5000;
const LOST_TIME = 10000;
const REMEMBERED_CALLS = 64;
const ANSWERS_AT_ONCE = 20, ANSWER_TIME = 500;
// From the most telling one: why a call to several ended when nobody answered.
const TELLING = ["declined", "busy", "timedOut", "lost", "offline"];
const REASONS = [...TELLING, "hungUp", "cancelled", "answeredElsewhere"];
const IF_MISSING = { decline: "declined", busy: "busy", cancel: "cancelled", hang_up: "hungUp", ended: "lost" };
const EVENTS = ["invite", "ringing", "accept", "decline", "busy", "cancel", "hang_up", "resume", "ended"];

export class CallError extends Error {
  // code: busy, nobodyToCall, roomNotJoined, noCall
  constructor(code) {
    super(code);
    this.code = code;
  }
}

export class CallSession {
  ownID;
  // idle, calling, ringing, inCall
  state = "idle";
  callID = null;
  // In a call the other one, while it rings the caller, while we call nobody until one answers.
  partner = null;
  wasIncoming = false;
  #ringTime;
  #lostTime;
  #autoAnswer;
  // Those whom the call concerns: whether it rings there, why it ended there, and when it is lost.
  #parties = new Map();
  #ringDeadline = null;
  // Calls that we ended as the callee, until the caller has said why they ended: by call id.
  #closing = new Map();
  // Why the last calls ended, by call id and the other side.
  #ended = new Map();
  #isJoined = false;
  #present = new Set();
  #flowing = new Set();
  // When the budget of answers will be whole again.
  #wholeAt = 0;
  #outputs = [];

  constructor(ownID, { ringTime = RING_TIME, lostTime = LOST_TIME, autoAnswer = [] } = {}) {
    this.ownID = ownID;
    this.#ringTime = ringTime;
    this.#lostTime = lostTime;
    this.#autoAnswer = new Set(autoAnswer);
  }

  // Who is being called and has not turned us away.
  get targets() {
    return this.state === "calling" ? [...this.#parties].filter(([, party]) => !party.reason).map(([id]) => id) : [];
  }

  // Whether it rings at any of those whom we call.
  get isRinging() { return this.targets.some((id) => this.#parties.get(id).rings); }

  // In a call with somebody who is neither in the room nor heard.
  get isInterrupted() { return this.state === "inCall" && this.#parties.get(this.partner).lostAt !== null; }

  get nextDeadline() {
    const times = [this.#ringDeadline, ...[...this.#parties.values()].map((party) => party.lostAt),
      ...[...this.#closing.values()].map((call) => call.deadline)].filter((time) => time !== null);
    return times.length ? Math.min(...times) : null;
  }

  // {send, to} | {state, partner} | {ended: {callID, partner, reason, wasIncoming, targets}}
  takeOutputs() {
    const outputs = this.#outputs;
    this.#outputs = [];
    return outputs;
  }

  // ---- What people do

  call(targets, callID, now) {
    if (this.state !== "idle") throw new CallError("busy");
    if (!this.#isJoined) throw new CallError("roomNotJoined");
    const others = [...new Set(targets)].filter((id) => id !== this.ownID);
    if (others.length === 0) throw new CallError("nobodyToCall");
    this.#begin("calling", callID, false, others);
    for (const id of others) {
      if (this.#shows(id)) {
        this.#send(id, "invite");
      } else {
        this.#parties.get(id).reason = "offline";
        this.#remember(callID, id, "offline");
      }
    }
    if (this.targets.length === 0) {
      this.#end(this.#mostTelling());
      return;
    }
    this.#ringDeadline = now + this.#ringTime;
    this.#changed();
  }

  answer(now) {
    if (this.state !== "ringing") throw new CallError("noCall");
    this.#accept(now);
  }

  decline(now) {
    if (this.state !== "ringing") throw new CallError("noCall");
    this.#close("decline", "declined", now);
  }

  // Cancels while calling, declines while ringing.
  hangUp(now) {
    switch (this.state) {
      case "calling": this.#giveUp("cancelled"); break;
      case "ringing": this.#close("decline", "declined", now); break;
      case "inCall":
        if (this.wasIncoming) {
          this.#close("hang_up", "hungUp", now);
        } else {
          const isTold = this.#shows(this.partner);
          if (isTold) this.#send(this.partner, "hang_up", "hungUp");
          this.#end(isTold ? "hungUp" : "lost");
        }
        break;
      default: throw new CallError("noCall");
    }
  }

  // We are about to leave the room: send what comes out, and then leave.
  leaveRoom(now) {
    if (this.state !== "idle") this.hangUp(now);
    for (const [callID, { reason }] of [...this.#closing]) this.#settle(callID, reason);
    this.#isJoined = false;
    this.#present.clear();
  }

  // ---- Messages

  receive({ call_event: event, call_id: callID, reason: given }, from, now) {
    if (!EVENTS.includes(event) || typeof callID !== "string" || !/^[!-~]{1,64}$/.test(callID)) return;
    if (!this.#shows(from) || from === this.ownID || given !== undefined && !REASONS.includes(given)) return;
    const reason = given ?? IF_MISSING[event];
    const closing = this.#closing.get(callID);
    if (callID === this.callID && this.#parties.has(from)) this.#aboutCall(event, reason, from, now);
    else if (closing?.partner === from) this.#aboutClosing(event, reason, callID, closing, now);
    // The id of a call with somebody else: overheard.
    else if (!this.#isKnown(callID, from) && this.#isInUse(callID)) return;
    else if (event === "invite" && !this.#isKnown(callID, from)) this.#invited(callID, from, now);
    // Neither of these waits for an answer.
    else if (event !== "ended" && event !== "cancel") this.#answerEnded(callID, from, now);
  }

  #isKnown(callID, from) { return this.#ended.has(`${callID} ${from}`); }

  #isInUse(callID) {
    return callID === this.callID || this.#closing.has(callID)
      || [...this.#ended.keys()].some((key) => key.startsWith(`${callID} `));
  }

  #aboutCall(event, reason, from, now) {
    const party = this.#parties.get(from);
    // What the callee says to end a call, and what the caller says; each only listens to the other's words.
    const isOver = (this.wasIncoming ? ["cancel", "hang_up", "ended"] : ["decline", "busy", "hang_up", "ended"])
      .includes(event);
    if (this.state === "calling") {
      if (party.reason) {
        if (event !== "ended" && event !== "cancel") this.#answerEnded(this.callID, from, now, party.reason);
      } else if (event === "accept" || event === "resume") {
        this.#accepted(from);
      } else if (event === "ringing") {
        if (party.rings) return;
        party.rings = true;
        this.#changed();
      } else if (isOver) {
        // The caller's word counts, so a callee that ends a call is told that it was heard.
        if (event !== "ended") this.#send(from, "ended", reason);
        this.#turnedAway(from, reason);
      }
    } else if (this.state === "ringing") {
      if (event === "invite") this.#send(from, "ringing");
      else if (isOver) this.#end(reason);
    } else if (from !== this.partner) {
      // Called in vain while another one answered.
      if (event !== "ended" && event !== "cancel") this.#answerEnded(this.callID, from, now, party.reason);
    } else if (event === "invite" && this.wasIncoming) {
      this.#send(from, "accept");
    } else if (isOver) {
      if (!this.wasIncoming && event !== "ended") this.#send(from, "ended", reason);
      this.#end(reason);
    }
  }

  // A call that we ended as the callee: the caller says why it ended, or asks again.
  #aboutClosing(event, reason, callID, closing, now) {
    if (event === "invite" || event === "resume") this.#repeatEnd(callID, closing, now);
    else if (event === "ended" || event === "cancel" || event === "hang_up") this.#settle(callID, reason);
  }

  #invited(callID, from, now) {
    if (this.state === "calling" && this.targets.includes(from)) {
      // Both call each other: the call of the smaller id counts.
      if (this.ownID < from) return;
      this.#cancelOthers(from);
      this.#remember(this.callID, from, "cancelled");
      this.#begin("ringing", callID, true, [from]);
      this.#accept(now);
    } else if (this.state !== "idle") {
      if (!this.#mayAnswer(now)) return;
      this.#tell(from, "busy", callID, "busy");
      this.#closing.set(callID, { partner: from, event: "busy", reason: "busy", deadline: now + this.#lostTime });
    } else {
      this.#begin("ringing", callID, true, [from]);
      if (this.#autoAnswer.has(from)) {
        this.#accept(now);
        return;
      }
      this.#ringDeadline = now + this.#ringTime + CALLEE_GRACE;
      this.#send(from, "ringing");
      this.#changed();
    }
  }

  #accept(now) {
    this.#ringDeadline = null;
    this.state = "inCall";
    if (this.#shows(this.partner)) this.#send(this.partner, "accept");
    this.#watch(now);
    this.#changed();
  }

  #accepted(from) {
    this.#cancelOthers(from);
    this.#ringDeadline = null;
    this.state = "inCall";
    this.partner = from;
    this.#changed();
  }

  // One has got the call: the other targets stop ringing.
  #cancelOthers(one) {
    for (const [id, party] of this.#parties) {
      if (id === one || party.reason) continue;
      const canTell = this.#shows(id);
      if (canTell) this.#send(id, "cancel", "answeredElsewhere");
      Object.assign(party, { lostAt: null, reason: canTell ? "answeredElsewhere" : "lost" });
      this.#remember(this.callID, id, party.reason);
    }
  }

  #turnedAway(id, reason) {
    Object.assign(this.#parties.get(id), { reason, lostAt: null });
    this.#remember(this.callID, id, reason);
    if (this.targets.length === 0) this.#end(this.#mostTelling());
    else this.#changed();
  }

  // ---- The room

  participantJoined(id, now) {
    this.#present.add(id);
    if (this.#isJoined) this.#sayWhereItStands(id, now);
    this.#watch(now);
  }

  // isLost: it may come back; else it is gone for good.
  participantLeft(id, isLost, now) {
    this.#present.delete(id);
    for (const call of this.#closing.values()) if (call.partner === id) call.deadline = now + this.#lostTime;
    if (!isLost) {
      this.#flowing.delete(id);
      for (const [callID, call] of [...this.#closing]) if (call.partner === id) this.#settle(callID, "lost");
      this.#partyLost(id);
    }
    this.#watch(now);
  }

  roomLost(now) {
    this.#isJoined = false;
    this.#present.clear();
    for (const call of this.#closing.values()) call.deadline = now + this.#lostTime;
    this.#watch(now);
  }

  roomJoined(participants, now) {
    this.#isJoined = true;
    this.#present = new Set(participants);
    for (const id of participants) this.#sayWhereItStands(id, now);
    this.#watch(now);
  }

  // Whether sound or pictures come from a participant; counts while the room does not show it.
  mediaChanged(id, flows, now) {
    if (flows) this.#flowing.add(id);
    else this.#flowing.delete(id);
    this.#watch(now);
  }

  advance(now) {
    if (this.#ringDeadline !== null && now >= this.#ringDeadline) {
      this.#ringDeadline = null;
      if (this.state === "calling") this.#giveUp("timedOut");
      else if (this.state === "ringing") this.#close("decline", "timedOut", now);
    }
    for (const [id, { lostAt }] of [...this.#parties]) if (lostAt !== null && now >= lostAt) this.#partyLost(id);
    for (const [callID, { partner, reason, deadline }] of [...this.#closing]) {
      if (now >= deadline) this.#settle(callID, this.#shows(partner) ? reason : "lost");
    }
  }

  // Said once to whoever is back, or to whom we came back.
  #sayWhereItStands(id, now) {
    for (const [callID, call] of this.#closing) if (call.partner === id) this.#repeatEnd(callID, call, now);
    if (this.state === "calling" && this.targets.includes(id)) this.#send(id, "invite");
    if (this.state === "ringing" && this.partner === id) this.#send(id, "ringing");
    if (this.state === "inCall" && this.partner === id) this.#send(id, "resume");
  }

  #repeatEnd(callID, call, now) {
    call.deadline = now + this.#lostTime;
    if (this.#mayAnswer(now)) this.#tell(call.partner, call.event, callID, call.reason);
  }

  #partyLost(id) {
    const party = this.#parties.get(id);
    if (!party || party.reason) return;
    if (this.state === "calling") this.#turnedAway(id, "lost");
    else this.#end("lost");
  }

  // Who is neither shown by the room nor, in a call, heard, is lost after a while.
  #watch(now) {
    let hasChanged = false;
    for (const [id, party] of this.#parties) {
      const isHeld = party.reason || this.#shows(id) || this.state === "inCall" && this.#flowing.has(id);
      if (isHeld && party.lostAt !== null || !isHeld && party.lostAt === null) hasChanged = true;
      party.lostAt = isHeld ? null : party.lostAt ?? now + this.#lostTime;
    }
    if (hasChanged && this.state === "inCall") this.#changed();
  }

  #shows(id) { return this.#isJoined && this.#present.has(id); }

  // ---- Beginning and ending

  #begin(state, callID, wasIncoming, ids) {
    this.state = state;
    this.callID = callID;
    this.wasIncoming = wasIncoming;
    this.partner = wasIncoming ? ids[0] : null;
    this.#ringDeadline = null;
    this.#parties = new Map(ids.map((id) => [id, { rings: false, reason: null, lostAt: null }]));
  }

  // The caller stops ringing.
  #giveUp(reason) {
    let isTold = false;
    for (const id of this.targets) {
      const canTell = this.#shows(id);
      if (canTell) this.#send(id, "cancel", reason);
      this.#parties.get(id).reason = canTell ? reason : "lost";
      isTold ||= canTell;
    }
    this.#end(isTold && reason !== "timedOut" ? reason : this.#mostTelling());
  }

  // The callee ends the call: it is free at once, and the caller's word settles the reason.
  #close(event, reason, now) {
    const { callID, partner } = this;
    const canTell = this.#shows(partner);
    if (canTell) this.#send(partner, event, reason);
    const call = { partner, event, reason: canTell ? reason : "lost", deadline: now + this.#lostTime };
    this.#closing.set(callID, call);
    this.#clear();
  }

  #settle(callID, reason) {
    const { partner } = this.#closing.get(callID);
    this.#closing.delete(callID);
    this.#remember(callID, partner, reason);
    this.#outputs.push({ ended: { callID, partner, reason, wasIncoming: true, targets: [] } });
  }

  #end(reason) {
    const { callID, wasIncoming } = this;
    const targets = [...this.#parties.keys()];
    const partner = this.partner ?? (targets.length === 1 ? targets[0] : null);
    for (const [id, party] of this.#parties) this.#remember(callID, id, party.reason ?? reason);
    this.#clear();
    this.#outputs.push({ ended: { callID, partner, reason, wasIncoming, targets } });
  }

  #clear() {
    Object.assign(this, { state: "idle", callID: null, partner: null, wasIncoming: false });
    this.#parties = new Map();
    this.#ringDeadline = null;
    this.#changed();
  }

  #mostTelling() {
    const reasons = [...this.#parties.values()].map((party) => party.reason);
    return REASONS.find((reason) => reasons.includes(reason));
  }

  #remember(callID, id, reason) {
    const key = `${callID} ${id}`;
    this.#ended.delete(key);
    this.#ended.set(key, reason);
    if (this.#ended.size > REMEMBERED_CALLS) this.#ended.delete(this.#ended.keys().next().value);
  }

  // ---- Sending

  #send(to, event, reason) { this.#tell(to, event, this.callID, reason); }

  #tell(to, event, callID, reason) {
    this.#outputs.push({ to, send: { call_event: event, call_id: callID, ...(reason ? { reason } : {}) } });
  }

  #answerEnded(callID, to, now, known = null) {
    const reason = known ?? this.#ended.get(`${callID} ${to}`) ?? "lost";
    if (this.#mayAnswer(now)) this.#tell(to, "ended", callID, reason);
  }

  // Nobody can make us send more than a little about calls that are not on.
  #mayAnswer(now) {
    const start = Math.max(this.#wholeAt, now);
    if (start - now > (ANSWERS_AT_ONCE - 1) * ANSWER_TIME) return false;
    this.#wholeAt = start + ANSWER_TIME;
    return true;
  }

  #changed() {
    this.#outputs.push({ state: this.state, partner: this.partner });
  }
}
