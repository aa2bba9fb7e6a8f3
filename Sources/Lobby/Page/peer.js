// One participant: the connection to it by perfect negotiation, and what it publishes.

const INTERRUPTED_FOR = 4000;
const RETRY_EVERY = 8000;
const OFFER_WAIT = 10000;
const MAXIMUM_VIDEO_BITRATE = 1_200_000;

// Events: "change" after anything that a tile shows has changed.
export class Peer extends EventTarget {
  streams = new Map();
  // "waiting" until there is a connection, then its connectionState.
  state = "waiting";
  connection = null;
  quality = "unknown";
  #me;
  #media;
  #iceServers;
  #send;
  #isMakingOffer = false;
  #isIgnoringOffer = false;
  #own = { audio: null, video: null };
  #streamOfTrack = new WeakMap();
  #queue = Promise.resolve();
  #timer = 0;
  #before = null;

  // send: carries a signal to this participant.
  constructor({ me, participant, media, iceServers, send }) {
    super();
    this.#me = me;
    this.participant = participant;
    this.#media = media;
    this.#iceServers = iceServers;
    this.#send = (signal) => send({ type: "signal", to: participant.id, session: participant.session, ...signal });
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
    this.#timer = setTimeout(() => { if (!this.connection) this.start(); }, OFFER_WAIT);
  }

  // Signals are handled in order, one after the other.
  receive(signal) {
    this.#queue = this.#queue.then(() => this.#handle(signal)).catch((error) => {
      if (this.state !== "closed") console.warn("callbox: a signal was not usable:", error.message);
    });
    return this.#queue;
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

  // Judges the connection from what was lost since the last call and from the round-trip time.
  async measure() {
    if (this.state !== "connected") return;
    let lost = 0, received = 0, roundTrip = 0;
    for (const report of (await this.connection.getStats()).values()) {
      if (report.type === "inbound-rtp") {
        lost += Math.max(0, report.packetsLost ?? 0);
        received += report.packetsReceived ?? 0;
      } else if (report.type === "candidate-pair" && report.nominated) {
        roundTrip = report.currentRoundTripTime ?? 0;
      }
    }
    const before = this.#before ?? { lost, received };
    this.#before = { lost, received };
    const newlyLost = Math.max(0, lost - before.lost);
    const all = newlyLost + received - before.received;
    const share = all > 0 ? newlyLost / all : 0;
    let quality = "good";
    if (all <= 0) quality = "unknown";
    else if (share > 0.1 || roundTrip > 0.8) quality = "bad";
    else if (share > 0.03 || roundTrip > 0.4) quality = "medium";
    if (quality !== this.quality) {
      this.quality = quality;
      this.#changed();
    }
  }

  close() {
    clearTimeout(this.#timer);
    this.connection?.close();
    this.state = "closed";
  }

  #connect() {
    clearTimeout(this.#timer);
    const connection = new RTCPeerConnection({ iceServers: this.#iceServers, bundlePolicy: "max-bundle" });
    this.connection = connection;
    connection.onnegotiationneeded = async () => {
      try {
        this.#isMakingOffer = true;
        await connection.setLocalDescription();
        this.#send({ description: { type: connection.localDescription.type, sdp: connection.localDescription.sdp } });
      } catch (error) {
        if (this.state !== "closed") console.warn("callbox: no offer could be made:", error.message);
      } finally {
        this.#isMakingOffer = false;
      }
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
    if (state === "connected") this.#limitBitrate();
    this.#changed();
  }

  #restart() {
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
      if (!this.connection) this.#connect();
      const connection = this.connection;
      const collides = description.type === "offer" && (this.#isMakingOffer || connection.signalingState !== "stable");
      this.#isIgnoringOffer = collides && !this.#isPolite;
      if (this.#isIgnoringOffer) return;
      await connection.setRemoteDescription(description);
      if (description.type === "offer") {
        await this.#answerLines();
        await connection.setLocalDescription();
        this.#send({ description: { type: connection.localDescription.type, sdp: connection.localDescription.sdp } });
      }
    } else if (candidate && this.connection) {
      try {
        await this.connection.addIceCandidate(candidate);
      } catch (error) {
        if (!this.#isIgnoringOffer) throw error;
      }
    }
  }

  #addLine(kind) {
    const direction = this.#sends ? (this.#receives ? "sendrecv" : "sendonly") : "recvonly";
    this.#own[kind] = this.connection.addTransceiver(this.#trackOf(kind) ?? kind, {
      direction, streams: this.#sends ? [this.#media.stream] : [],
    });
  }

  // Sends our tracks on the lines that the other side offered, instead of asking for lines of our own.
  async #answerLines() {
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
    if (!this.#sends) return null;
    return kind === "audio" ? this.#media.microphone : this.#media.camera;
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
