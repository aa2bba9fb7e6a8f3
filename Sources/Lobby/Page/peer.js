// One participant: the connection to it by perfect negotiation, and what it publishes.

import { Health } from "./health.js";
import { farEnd, isOtherFarEnd, naming, newAssociation } from "./sdp.js";

const INTERRUPTED_FOR = 4000;
const RETRY_EVERY = 8000;
const OFFER_WAIT = 10000;
const ROLE_WAIT = 400;
// ICE restarts in a row without success, before a new connection is made.
const MOST_RESTARTS = 2;
const MAXIMUM_VIDEO_BITRATE = 1_200_000;

// Events: "change" after anything that a tile shows has changed.
export class Peer extends EventTarget {
  streams = new Map();
  // "waiting" until there is a connection, then its connectionState.
  state = "waiting";
  connection = null;
  quality = "unknown";
  // The lobby has lost this participant; its sound and picture may go on.
  isLost = false;
  // Whether it is to get our sound and picture.
  isServed = true;
  #me;
  #media;
  #iceServers;
  #send;
  #isMakingOffer = false;
  #isIgnoringOffer = false;
  // Offers would not reach the other side: one of us is not in the room.
  #isHeld = false;
  #own = { audio: null, video: null };
  // Both ends of the connection's DTLS association. A browser drops what names it from the descriptions it shows.
  #association = "";
  #farEnd = null;
  #streamOfTrack = new WeakMap();
  #queue = Promise.resolve();
  #timer = 0;
  #offerTimer = 0;
  #restarts = 0;
  #health = new Health();

  // send: carries a signal to this participant.
  constructor({ me, participant, media, iceServers, send }) {
    super();
    this.#me = me;
    this.participant = participant;
    this.#media = media;
    this.#iceServers = iceServers;
    this.#send = (signal) => send({ type: "signal", to: this.id, session: this.participant.session, ...signal });
  }

  get id() { return this.participant.id; }
  get name() { return this.participant.name || this.participant.id; }
  get #isPolite() { return this.#me.id < this.id; }
  get #sends() { return this.#me.canPublish && this.participant.canSubscribe; }
  get #receives() { return this.#me.canSubscribe && this.participant.canPublish; }

  // Makes the offer: what a newcomer does to everybody who is there.
  start() {
    if (!this.#sends && !this.#receives) return;
    this.#connect();
    for (const kind of ["audio", "video"]) this.#addLine(kind);
  }

  // Waits for the newcomer's offer, but not for ever.
  wait() {
    clearTimeout(this.#offerTimer);
    this.#offerTimer = setTimeout(() => this.#enqueue(() => this.#offer()), OFFER_WAIT);
  }

  // The other side, or we, lost the lobby: what is half agreed upon is taken back, and the connection goes on.
  interrupt() {
    this.#isHeld = true;
    this.#health.startWatch();
    clearTimeout(this.#offerTimer);
    return this.#enqueue(async () => {
      const connection = this.connection;
      if (!connection || connection.signalingState === "stable" || connection.signalingState === "closed") return;
      if (connection.currentRemoteDescription) await connection.setLocalDescription({ type: "rollback" });
      else this.#disconnect();
    });
  }

  // Both are in the room again. A connection that lives is kept: who came back makes an offer on it.
  resume({ me, participant, iceServers, offers }) {
    this.#me = me;
    this.participant = participant;
    this.#iceServers = iceServers;
    this.#isHeld = false;
    if (!offers) this.wait();
    return this.#enqueue(async () => {
      if (!this.#isWorthKeeping) this.#disconnect();
      if (offers) await this.#offer();
    });
  }

  // A role has changed. Who changed its own makes the offer; the other one answers it, and makes one itself when none
  // comes: an endpoint may begin to send without another negotiation.
  changeRoles({ me, participant }, offers) {
    this.#me = me;
    this.participant = participant;
    clearTimeout(this.#offerTimer);
    if (!offers && this.connection && (this.#sends || this.#receives)) {
      this.#offerTimer = setTimeout(() => this.#enqueue(() => this.#useRoles()), ROLE_WAIT);
      return;
    }
    this.#enqueue(async () => {
      if (!this.#sends && !this.#receives) this.#disconnect();
      else if (offers && this.connection) await this.#useRoles();
      else if (offers) await this.#offer();
    });
  }

  // For a participant whom the lobby has lost: whether anything still comes from it.
  async lives() {
    if (!this.connection || this.connection.connectionState === "closed") return false;
    const sends = [...this.streams.values()].some((stream) =>
      stream.hasAudio && !stream.audioMuted || stream.hasVideo && !stream.videoMuted);
    return this.#health.lives(this.connection, sends);
  }

  // Signals are handled in order, one after the other.
  receive(signal) {
    return this.#enqueue(() => this.#handle(signal));
  }

  // Sends the tracks that there are now; needs a new offer only for a kind that was never there before.
  async sendTracks() {
    for (const kind of ["audio", "video"]) {
      const line = this.#own[kind];
      const track = this.#trackOf(kind);
      if (!line && track && this.connection?.currentRemoteDescription) this.#addLine(kind);
      if (line && line.sender.track !== track && line.sender.transport?.state !== "closed") {
        try {
          await line.sender.replaceTrack(track);
        } catch {
          // The connection was closed meanwhile.
        }
      }
    }
  }

  // Everything that arrives, as {track, streamID}.
  tracks() {
    return (this.connection?.getTransceivers() ?? [])
      .filter((line) => line.currentDirection?.includes("recv") && line.receiver.track.readyState === "live")
      .map(({ receiver }) => (
        { track: receiver.track, receiver, streamID: this.#streamOfTrack.get(receiver.track) ?? "" }));
  }

  track(kind, streamID) {
    const tracks = this.tracks().filter(({ track }) => track.kind === kind);
    const match = tracks.find((entry) => entry.streamID === streamID);
    return (match ?? (this.streams.size < 2 ? tracks[0] : undefined))?.track ?? null;
  }

  // How loud the participant is, 0 … 1.
  level() {
    let level = 0;
    for (const { track, receiver } of this.tracks()) {
      if (track.kind !== "audio") continue;
      for (const source of receiver.getSynchronizationSources?.() ?? []) {
        level = Math.max(level, source.audioLevel ?? 0);
      }
    }
    return level;
  }

  async measure() {
    if (this.state !== "connected") return;
    const quality = await this.#health.quality(this.connection);
    if (quality === this.quality) return;
    this.quality = quality;
    this.#changed();
  }

  close() {
    clearTimeout(this.#timer);
    clearTimeout(this.#offerTimer);
    this.connection?.close();
    this.state = "closed";
  }

  #enqueue(job) {
    this.#queue = this.#queue.then(job).catch((error) => {
      if (this.state !== "closed") console.warn("callbox: a connection could not be negotiated:", error.message);
    });
    return this.#queue;
  }

  get #isWorthKeeping() {
    const { connection } = this;
    if (!connection?.currentRemoteDescription || !["connected", "disconnected"].includes(connection.connectionState)) {
      return false;
    }
    // A far end that says farewell closes the transport below a connection which still looks well.
    return connection.getTransceivers().every(({ receiver }) => receiver.transport?.state !== "closed");
  }

  // The tracks of a connection that ends leave their last picture behind.
  #disconnect() {
    if (!this.connection) return;
    clearTimeout(this.#timer);
    this.connection.onconnectionstatechange = this.connection.onnegotiationneeded = null;
    this.connection.onicecandidate = this.connection.ontrack = null;
    this.connection.close();
    this.connection = null;
    this.#own = { audio: null, video: null };
    this.#health = new Health();
    this.#restarts = 0;
    this.#isMakingOffer = false;
    this.state = "waiting";
    this.#changed();
  }

  async #offer() {
    const { connection } = this;
    if (this.state === "closed") return;
    if (!connection) {
      this.start();
    } else if (connection.connectionState === "connected") {
      await this.#describe(connection);
    } else {
      // The browser asks for a negotiation by itself.
      connection.restartIce();
      if (connection.signalingState === "stable") await this.#describe(connection);
    }
  }

  async #describe(connection) {
    try {
      this.#isMakingOffer = true;
      await connection.setLocalDescription();
      if (connection !== this.connection) return;
      this.#sendDescription();
    } finally {
      this.#isMakingOffer = false;
    }
  }

  #sendDescription() {
    const { type, sdp } = this.connection.localDescription;
    // An answer names our association when the offer named theirs.
    const isNaming = type === "offer" || !!this.#farEnd?.association;
    this.#send({ description: { type, sdp: isNaming ? naming(this.#association, sdp) : sdp } });
  }

  #connect() {
    clearTimeout(this.#timer);
    const connection = new RTCPeerConnection({ iceServers: this.#iceServers, bundlePolicy: "max-bundle" });
    this.connection = connection;
    this.#association = newAssociation();
    this.#farEnd = null;
    connection.onnegotiationneeded = () => {
      // What is held back is offered when both are in the room again.
      if (this.#isHeld || connection !== this.connection) return;
      this.#describe(connection).catch((error) => {
        if (this.state !== "closed") console.warn("callbox: no offer could be made:", error.message);
      });
    };
    connection.onicecandidate = ({ candidate }) => {
      if (!candidate || !candidate.candidate) {
        if (!candidate) this.#send({ endOfCandidates: true });
        return;
      }
      const { candidate: text, sdpMid, sdpMLineIndex } = candidate;
      this.#send({ candidate: { candidate: text, sdpMid, sdpMLineIndex } });
    };
    connection.ontrack = ({ track, streams }) => {
      this.#streamOfTrack.set(track, streams[0]?.id ?? "");
      for (const event of ["mute", "unmute", "ended"]) track.addEventListener(event, () => this.#changed());
      this.#changed();
    };
    connection.onsignalingstatechange = () => this.#changed();
    connection.onconnectionstatechange = () => this.#stateChanged(connection.connectionState);
    this.#stateChanged(connection.connectionState);
  }

  #stateChanged(state) {
    if (this.state === "closed") return;
    this.state = state;
    clearTimeout(this.#timer);
    if (state === "disconnected") this.#timer = setTimeout(() => this.#restart(), INTERRUPTED_FOR);
    if (state === "failed") this.#restart();
    if (state === "connected") {
      this.#restarts = 0;
      this.#limitBitrate();
    }
    this.#changed();
  }

  // The connection is mended where that is possible, and made anew where it is not.
  #restart() {
    if (!this.#isHeld && this.#restarts++ >= MOST_RESTARTS) {
      this.#enqueue(async () => {
        this.#disconnect();
        this.start();
      });
      return;
    }
    this.connection.restartIce();
    this.#timer = setTimeout(() => this.#restart(), RETRY_EVERY);
  }

  async #limitBitrate() {
    const sender = this.#own.video?.sender;
    const parameters = sender?.getParameters();
    if (!parameters?.encodings?.length) return;
    parameters.encodings[0].maxBitrate = MAXIMUM_VIDEO_BITRATE;
    try {
      await sender.setParameters(parameters);
    } catch {
      // Then the browser's own limit holds.
    }
  }

  async #handle({ description, candidate }) {
    if (this.state === "closed") return;
    if (description) {
      clearTimeout(this.#offerTimer);
      const isOffer = description.type === "offer";
      const collides = isOffer && this.connection
        && (this.#isMakingOffer || this.connection.signalingState !== "stable");
      this.#isIgnoringOffer = collides && !this.#isPolite;
      if (this.#isIgnoringOffer) return;
      const far = farEnd(description.sdp);
      if (this.connection && this.#farEnd && isOtherFarEnd(this.#farEnd, far)) {
        this.#disconnect();
        // It answered from a connection of which we know nothing: begin anew as well.
        if (!isOffer) return this.start();
      }
      if (!this.connection) this.#connect();
      const connection = this.connection;
      await connection.setRemoteDescription(description);
      if (connection !== this.connection) return;
      this.#farEnd = { ...far, association: far.association || this.#farEnd?.association || "" };
      if (isOffer) {
        await this.#answerLines();
        await connection.setLocalDescription();
        this.#sendDescription();
      }
    } else if (candidate && this.connection) {
      try {
        await this.connection.addIceCandidate(candidate);
      } catch (error) {
        if (!this.#isIgnoringOffer) throw error;
      }
    }
  }

  get #direction() {
    return this.#sends ? (this.#receives ? "sendrecv" : "sendonly") : this.#receives ? "recvonly" : "inactive";
  }

  #addLine(kind) {
    this.#own[kind] = this.connection.addTransceiver(this.#trackOf(kind) ?? kind, {
      direction: this.#direction, streams: this.#sends ? [this.#media.stream] : [],
    });
  }

  // The lines that we send or receive by, in line with what both may do now.
  async #useRoles() {
    for (const line of Object.values(this.#own)) {
      if (!line || line.direction === "stopped" || line.direction === this.#direction) continue;
      line.direction = this.#direction;
      line.sender.setStreams(...(this.#sends ? [this.#media.stream] : []));
    }
    await this.sendTracks();
  }

  // Sends our tracks on the lines that the other side offered, instead of asking for lines of our own.
  async #answerLines() {
    await this.#useRoles();
    if (!this.#sends) return;
    for (const kind of ["audio", "video"]) {
      const own = this.#own[kind];
      if (own && own.mid !== null && own.direction !== "stopped") continue;
      const offered = this.connection.getTransceivers().find((line) =>
        line !== own && line.mid !== null && line.direction === "recvonly" && line.receiver.track.kind === kind);
      if (!offered) continue;
      // Our own offer was taken back in favour of this one; its line is not needed any more.
      own?.stop();
      this.#own[kind] = offered;
      offered.direction = this.#receives ? "sendrecv" : "sendonly";
      offered.sender.setStreams(this.#media.stream);
      await offered.sender.replaceTrack(this.#trackOf(kind));
    }
    for (const kind of ["audio", "video"]) if (!this.#own[kind] && this.#trackOf(kind)) this.#addLine(kind);
  }

  #trackOf(kind) {
    if (!this.#sends || !this.isServed) return null;
    return kind === "audio" ? this.#media.microphone : this.#media.camera;
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
