// Tests of the page's pure parts. runPageTests(load, seed, trace) gives a list of {name, problem}; load imports one of the
// page's files, trace is Tests/Fixtures/calls/trace.jsonl: what the endpoint's call machine does about random inputs.

async function runPageTests(load, seed, trace) {
  const { CallSession } = await load("calls.js");
  const { SpeakSession, SpeakDesk, APPLY, CANCEL, ACCEPT, REJECT } = await load("speaking.js");
  const { farEnd, isOtherFarEnd, naming, newAssociation } = await load("sdp.js");
  const results = [];

  function expect(found, wanted, what = "") {
    const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (a !== b) throw new Error(`${what} is ${a}, ${b} expected`);
  }

  function test(name, body) {
    try {
      body();
      results.push({ name, problem: null });
    } catch (error) {
      results.push({ name, problem: String(error.message ?? error) });
    }
  }

  // Participants in one room in virtual time; messages between two of them arrive in order.
  class World {
    now = 0;
    members = new Map();
    inRoom = new Set();
    hears = new Set();
    queues = new Map();
    ends = [];

    constructor(ids, options = {}) {
      for (const id of ids) this.members.set(id, new CallSession(id, options[id]));
      for (const id of ids) this.join(id);
    }

    session(id) { return this.members.get(id); }

    do(id, work) {
      const session = this.members.get(id);
      try {
        work(session);
      } catch (error) {
        if (!error.code) throw error;
      }
      this.collect(id);
    }

    collect(id) {
      for (const output of this.members.get(id).takeOutputs()) {
        if (output.ended) this.ends.push({ id, ...output.ended });
        if (output.send && this.inRoom.has(id) && this.inRoom.has(output.to)) {
          const key = `${id} ${output.to}`;
          if (!this.queues.has(key)) this.queues.set(key, []);
          this.queues.get(key).push(output.send);
        }
      }
    }

    join(id) {
      this.inRoom.add(id);
      this.do(id, (session) => session.roomJoined(new Set([...this.inRoom].filter((other) => other !== id)), this.now));
      for (const other of this.inRoom) if (other !== id) this.do(other, (session) => session.participantJoined(id, this.now));
    }

    lose(id) {
      this.inRoom.delete(id);
      for (const key of [...this.queues.keys()]) if (key.split(" ").includes(id)) this.queues.delete(key);
      this.do(id, (session) => session.roomLost(this.now));
      for (const other of this.inRoom) this.do(other, (session) => session.participantLeft(id, true, this.now));
    }

    // Delivers one message; false when there is none.
    deliver(pick = 0) {
      const keys = [...this.queues.keys()].filter((key) => this.queues.get(key).length);
      if (keys.length === 0) return false;
      const key = keys[pick % keys.length];
      const [from, to] = key.split(" ");
      const message = this.queues.get(key).shift();
      this.do(to, (session) => session.receive(message, from, this.now));
      return true;
    }

    deliverAll() { while (this.deliver()); }

    // Messages take no time: whatever is under way arrives before a timer fires.
    pass(milliseconds) {
      this.deliverAll();
      const end = this.now + milliseconds;
      for (;;) {
        const times = [...this.members.values()].map((session) => session.nextDeadline).filter((time) => time !== null);
        const next = Math.min(...times, end);
        this.now = Math.max(this.now, next);
        for (const [id, session] of this.members) {
          if (session.nextDeadline !== null && session.nextDeadline <= this.now) {
            this.do(id, () => session.advance(this.now));
            if (session.nextDeadline !== null && session.nextDeadline <= this.now) throw new Error(`${id} is late at ${this.now}`);
          }
        }
        this.deliverAll();
        if (this.now >= end) return;
      }
    }

    states() { return [...this.members.values()].map((session) => session.state).join(" "); }

    reasons() { return this.ends.map(({ id, reason }) => `${id} ${reason}`).sort().join(", "); }
  }

  function called(world, ...targets) {
    world.do("a", (session) => session.call(targets, "c-1", world.now));
    world.deliverAll();
    return world;
  }

  test("a call is answered and hung up by the caller", () => {
    const world = called(new World(["a", "b"]), "b");
    expect(world.states(), "calling ringing");
    expect(world.session("a").isRinging, true);
    world.do("b", (session) => session.answer(0));
    world.deliverAll();
    expect(world.states(), "inCall inCall");
    world.do("a", (session) => session.hangUp(0));
    world.deliverAll();
    expect([world.states(), world.reasons()], ["idle idle", "a hungUp, b hungUp"]);
  });

  test("a call is hung up by the callee", () => {
    const world = called(new World(["a", "b"], { b: { autoAnswer: ["a"] } }), "b");
    expect(world.states(), "inCall inCall");
    world.do("b", (session) => session.hangUp(0));
    expect(world.session("b").state, "idle");
    world.deliverAll();
    expect(world.reasons(), "a hungUp, b hungUp");
  });

  test("declined, cancelled, timed out, offline and nobody to call", () => {
    let world = called(new World(["a", "b"]), "b");
    world.do("b", (session) => session.decline(0));
    world.deliverAll();
    expect(world.reasons(), "a declined, b declined");
    world = called(new World(["a", "b"]), "b");
    world.do("a", (session) => session.hangUp(0));
    world.deliverAll();
    expect(world.reasons(), "a cancelled, b cancelled");
    world = called(new World(["a", "b"]), "b");
    world.pass(40000);
    expect([world.reasons(), world.states()], ["a timedOut, b timedOut", "idle idle"]);
    world = called(new World(["a", "b"]), "nobody");
    expect([world.reasons(), world.states()], ["a offline", "idle idle"]);
    let code = null;
    try {
      world.session("a").call(["a"], "c-2", 0);
    } catch (error) {
      code = error.code;
    }
    expect(code, "nobodyToCall");
  });

  test("the callee's shorter ring time counts too", () => {
    const world = called(new World(["a", "b"], { b: { ringTime: 2000 } }), "b");
    world.pass(8000);
    expect(world.reasons(), "a timedOut, b timedOut");
  });

  test("who is in a call is busy, and stays in its call", () => {
    const world = called(new World(["a", "b", "c"]), "b");
    world.do("b", (session) => session.answer(0));
    world.deliverAll();
    world.do("c", (session) => session.call(["b"], "c-2", 0));
    world.deliverAll();
    expect([world.states(), world.reasons()], ["inCall inCall idle", "b busy, c busy"]);
  });

  test("calls that cross become one, by the smaller id's invite", () => {
    for (const first of ["a", "b"]) {
      const world = new World(["a", "b"]);
      for (const id of first === "a" ? ["a", "b"] : ["b", "a"]) {
        world.do(id, (session) => session.call([id === "a" ? "b" : "a"], `c-${id}`, 0));
      }
      world.deliverAll();
      expect([world.states(), world.session("a").callID, world.session("b").callID], ["inCall inCall", "c-a", "c-a"]);
      expect(world.ends, []);
    }
  });

  test("of a list the first who answers gets the call", () => {
    const world = called(new World(["a", "b", "c"]), "b", "c");
    world.do("c", (session) => session.answer(0));
    world.deliverAll();
    expect([world.states(), world.reasons()], ["inCall idle inCall", "b answeredElsewhere"]);
  });

  test("of a list the most telling reason counts", () => {
    const world = called(new World(["a", "b", "c"]), "nobody", "b", "c");
    world.do("b", (session) => session.decline(0));
    world.deliverAll();
    expect(world.states(), "calling idle ringing");
    world.pass(40000);
    expect(world.reasons(), "a declined, b declined, c timedOut");
  });

  test("two who answer at once: one gets the call, the other is told", () => {
    const world = called(new World(["a", "b", "c"]), "b", "c");
    for (const id of ["b", "c"]) world.do(id, (session) => session.answer(0));
    world.deliverAll();
    expect(world.states().split(" ").filter((state) => state === "inCall").length, 2);
    expect(world.ends.map(({ reason }) => reason), ["answeredElsewhere"]);
  });

  test("a call outlives the loss of the room", () => {
    const world = called(new World(["a", "b"]), "b");
    world.do("b", (session) => session.answer(0));
    world.deliverAll();
    world.lose("a");
    world.pass(9000);
    expect(world.states(), "inCall inCall");
    expect(world.session("b").isInterrupted, true);
    world.join("a");
    world.pass(20000);
    expect([world.states(), world.ends], ["inCall inCall", []]);
    expect(world.session("b").isInterrupted, false);
  });

  test("a call whose other side stays away is lost, unless it is heard", () => {
    for (const flows of [false, true]) {
      const world = called(new World(["a", "b"]), "b");
      world.do("b", (session) => session.answer(0));
      world.deliverAll();
      world.do("b", (session) => session.mediaChanged("a", flows, 0));
      world.lose("a");
      world.pass(11000);
      expect(world.session("b").state, flows ? "inCall" : "idle", `flows ${flows}`);
      expect(world.session("a").state, "idle");
    }
  });

  test("an accept that the loss swallowed is said again", () => {
    const world = called(new World(["a", "b"]), "b");
    world.do("b", (session) => session.answer(0));
    world.lose("b");
    world.join("b");
    world.deliverAll();
    expect(world.states(), "inCall inCall");
  });

  test("late, double, unknown and malformed messages change nothing", () => {
    const world = called(new World(["a", "b", "c"]), "b");
    const before = world.states();
    for (const message of [{}, { call_event: "accept" }, { call_event: "accept", call_id: "c-9" }, { call_event: "sing", call_id: "c-1" },
      { call_event: "ringing", call_id: "c-1" }, { call_event: "hang_up", call_id: 7 }, { call_event: "ended", call_id: "c-9" },
      { call_event: "cancel", call_id: "c 1" }, { call_event: "decline", call_id: "c-1", reason: "bored" }]) {
      for (const from of ["b", "c", "stranger"]) world.do("a", (session) => session.receive(message, from, 0));
    }
    expect(world.states(), before);
  });

  test("a stranger to the room cannot ring", () => {
    const world = new World(["a", "b"]);
    world.do("a", (session) => session.receive({ call_event: "invite", call_id: "c-5" }, "stranger", 0));
    expect(world.states(), "idle idle");
  });

  test("answers about calls that are not on are limited", () => {
    const world = new World(["a", "b"]);
    for (let i = 0; i < 100; i++) world.do("a", (session) => session.receive({ call_event: "accept", call_id: `c-${i}` }, "b", 0));
    expect(world.queues.get("a b").length, 20);
  });

  test("random walks end with everybody idle and of one mind", () => {
    let state = seed;
    const random = (limit) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor(state / 2 ** 32 * limit);
    };
    for (let walk = 0; walk < 300; walk++) {
      const ids = ["a", "b", "c"];
      const world = new World(ids);
      let calls = 0;
      for (let step = 0; step < 60; step++) {
        const id = ids[random(3)], others = ids.filter((other) => other !== id);
        switch (random(9)) {
          case 0: world.do(id, (session) => session.call(random(2) ? others : [others[random(2)]], `c-${walk}-${++calls}`, world.now)); break;
          case 1: world.do(id, (session) => session.answer(world.now)); break;
          case 2: world.do(id, (session) => session.decline(world.now)); break;
          case 3: world.do(id, (session) => session.hangUp(world.now)); break;
          case 4: if (world.inRoom.has(id) && random(3) === 0) world.lose(id); break;
          case 5: if (!world.inRoom.has(id)) world.join(id); break;
          case 6: world.pass(random(4000)); break;
          default: world.deliver(random(6));
        }
      }
      for (const id of ids) if (!world.inRoom.has(id)) world.join(id);
      world.pass(60000);
      // Whoever is in a call is in it with the other one.
      for (const id of ids) {
        const session = world.session(id);
        if (session.state === "inCall") expect(world.session(session.partner).callID, session.callID, `seed ${seed} walk ${walk}`);
        else expect(session.state, "idle", `seed ${seed} walk ${walk}`);
      }
      for (const id of ids) world.do(id, (session) => session.hangUp(world.now));
      world.pass(60000);
      expect(world.states(), "idle idle idle", `seed ${seed} walk ${walk}`);
      const byCall = new Map();
      for (const end of world.ends) {
        const key = end.wasIncoming ? `${end.callID} of ${end.id}` : `${end.callID} by ${end.id}`;
        expect(byCall.has(key), false, `seed ${seed} walk ${walk}: a second end of ${key}`);
        byCall.set(key, end.reason);
      }
      // A call to one: both sides give the same reason, but for who was away for so long that nothing could be told.
      for (const { callID, reason, targets } of world.ends.filter((end) => !end.wasIncoming && end.targets.length === 1)) {
        const other = byCall.get(`${callID} of ${targets[0]}`);
        if (other === undefined || other === "lost" || reason === "lost") continue;
        expect(other, reason, `seed ${seed} walk ${walk} ${callID}: the callee's reason`);
      }
    }
  });

  test("who asks to speak may speak when a host accepts, until a host ends it", () => {
    const speak = new SpeakSession(), desk = new SpeakDesk();
    speak.apply("r-1", 0);
    expect(speak.takeOutputs().filter((output) => output.send), [{ send: APPLY, requestID: "r-1" }]);
    for (let i = 0; i < 2; i++) desk.receive(APPLY, "r-1", "hall", "");
    expect(desk.pending, [{ id: "hall", requestID: "r-1" }]);
    expect(desk.accept("hall"), "r-1");
    speak.receive(ACCEPT, "r-0", "desk");
    expect(speak.state, "applied");
    speak.receive(ACCEPT, "r-1", "desk");
    expect(speak.state, "speaking");
    expect(desk.reject("hall"), "r-1");
    speak.receive(REJECT, "r-1", "desk");
    expect([speak.state, desk.pending, desk.speaking.size], ["idle", [], 0]);
  });

  test("an application that nobody answers is taken back after a minute", () => {
    const speak = new SpeakSession();
    speak.apply("r-1", 0);
    speak.advance(59999);
    expect(speak.state, "applied");
    speak.takeOutputs();
    speak.advance(60000);
    expect([speak.state, speak.takeOutputs()[0]], ["idle", { send: CANCEL, requestID: "r-1" }]);
  });

  test("what another host decides leaves the list", () => {
    const desk = new SpeakDesk();
    desk.receive(APPLY, "r-1", "hall", "");
    desk.receive(APPLY, "r-2", "yard", "");
    desk.receive(ACCEPT, "r-1", "desk", "hall");
    desk.receive(CANCEL, "r-9", "yard", "");
    expect([desk.pending, [...desk.speaking]], [[{ id: "yard", requestID: "r-2" }], [["hall", "r-1"]]]);
  });

  test("a far end is known by its fingerprint and its tls-id", () => {
    const sdp = (fingerprint, id) => {
      const named = id ? `a=tls-id:${id}\r\n` : "";
      return `v=0\r\na=fingerprint:sha-256 ${fingerprint}\r\n${named}m=audio 9\r\na=fingerprint:sha-256 ${fingerprint}\r\n`;
    };
    const isOther = (before, now) => isOtherFarEnd(farEnd(sdp(...before)), farEnd(sdp(...now)));
    expect(isOther(["AA:BB", "x"], ["aa:bb", "x"]), false);
    expect(isOther(["AA:BB", "x"], ["AA:BB", "y"]), true);
    expect(isOther(["AA:BB", "x"], ["AA:BC", "x"]), true);
    // An answer to an offer without one has none; the next offer may have one.
    expect([isOther(["AA:BB"], ["AA:BB", "x"]), isOther(["AA:BB", "x"], ["AA:BB"])], [false, false]);
    expect(isOther(["AA:BB"], ["AA:BC", "x"]), true);
  });

  test("each connection names its association in every media section", () => {
    const id = newAssociation();
    expect([/^[0-9a-f]{32}$/.test(id), id === newAssociation()], [true, false]);
    const sent = naming(id, "v=0\r\nm=audio 9\r\na=setup:actpass\r\na=mid:0\r\nm=video 9\r\na=setup:actpass\r\n");
    expect(sent, `v=0\r\nm=audio 9\r\na=setup:actpass\r\na=tls-id:${id}\r\na=mid:0\r\nm=video 9\r\na=setup:actpass\r\na=tls-id:${id}\r\n`);
  });

  test("the page's call machine does what the endpoint's does", () => {
    let session;
    for (const [number, line] of trace.trim().split("\n").entries()) {
      const step = JSON.parse(line);
      if (step.op === "new") {
        session = new CallSession("m", { ringTime: 3000, lostTime: 2000, autoAnswer: ["b"] });
        continue;
      }
      let refusal = "-";
      try {
        replay(session, step);
      } catch (error) {
        if (!error.code) throw error;
        refusal = error.code;
      }
      const outputs = [];
      for (const { to, send, ended } of session.takeOutputs()) {
        if (send) outputs.push(`send ${send.call_event} ${send.call_id} ${send.reason ?? "-"} ${to}`);
        if (ended) outputs.push(`ended ${ended.callID} ${ended.partner ?? "-"} ${ended.reason} ${ended.wasIncoming}`);
      }
      const { state, partner, callID, nextDeadline } = session;
      expect([refusal, outputs.sort(), state, partner ?? "-", callID ?? "-", nextDeadline ?? -1], step.then,
        `line ${number + 1} of the trace, ${line.slice(0, line.indexOf(',"then"'))}}:`);
    }
  });

  function replay(session, { op, targets, id, all, who, is, event, reason, now }) {
    switch (op) {
      case "call": session.call(targets, id, now); break;
      case "roomJoined": session.roomJoined(new Set(all), now); break;
      case "participantJoined": session.participantJoined(who, now); break;
      case "participantLeft":
      case "mediaChanged": session[op](who, is, now); break;
      case "receive":
        session.receive({ call_event: event, call_id: id, ...(reason ? { reason } : {}) }, who, now);
        break;
      // answer, decline, hangUp, leaveRoom, roomLost, advance
      default: session[op](now);
    }
  }

  return results;
}
