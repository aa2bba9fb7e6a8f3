// The room as we are in it: the lobby's connection, the others with their streams, and what we publish.

import { Lobby } from "./lobby.js";
import { Peer } from "./peer.js";
import { leftWords, lobbyErrorWords } from "./words.js";

// What the lobby does not announce again after a loss is gone.
const ANNOUNCED_WITHIN = 2000;
const WATCH_EVERY = 300;
// The streams of a participant who is lost are taken away one by one before that is said.
const STREAM_GRACE = 300;

// Events: "change" (something shown has changed), "joined" ({isReturn, participants}: the ids), "lost" ({words,
// retryIn}), "ended" ({words, code}), "announce" ({words}), "trouble" ({words, error}), "message" ({from, body}),
// "participantJoined" ({id}), "participantLeft" ({id, isLost}), "roleChanged" ({id}), "life" ({id, lives}: whether
// anything comes from one whom the room does not show just now).
export class Room extends EventTarget {
  name = "";
  // idle, joining, joined, reconnecting
  state = "idle";
  me = null;
  joinedAt = 0;
  canKick = false;
  // Who gets our sound and picture: a function of an id.
  #serves = () => true;
  peers = new Map();
  #media;
  #lobby = null;
  #iceServers = [];
  #published = "";
  // Also of those who have left: how a call ended is told after it.
  #names = new Map();
  #watchTimer = 0;

  constructor(media) {
    super();
    this.#media = media;
    media.addEventListener("change", () => {
      for (const peer of this.peers.values()) peer.sendTracks();
      this.#publish();
      this.#emit("change");
    });
  }

  // credentials: a function that gives {participant, role, token} for each attempt.
  join(name, credentials) {
    this.name = name;
    this.state = "joining";
    this.joinedAt = 0;
    this.#published = "";
    this.#lobby = new Lobby(() => ({ room: name, ...credentials() }));
    const on = (type, handler) => this.#lobby.addEventListener(type, ({ detail }) => handler(detail));
    on("joined", (reply) => this.#joined(reply));
    on("message", (message) => this.#receive(message));
    on("lost", (detail) => this.#lost(detail));
    on("refused", (error) => this.end(lobbyErrorWords(error.code, error.text), error.code));
    on("ended", ({ words, code }) => this.end(words, `closed${code}`));
    this.#watchTimer = setInterval(() => this.#watch(), WATCH_EVERY);
    this.#lobby.start();
  }

  leave() {
    this.#lobby?.stop();
    this.end("You left the room.", null);
  }

  // Somebody does not want us here.
  removed(text) {
    this.#lobby?.stop();
    this.end(`You were removed from the room.${typeof text === "string" && text ? ` “${text}”` : ""}`, "kicked");
  }

  // A page that goes away says farewell.
  farewell() { this.#lobby?.stop(); }

  retry() { this.#lobby?.retry(); }

  // code: null when the person wanted it.
  end(words, code) {
    if (this.state === "idle") return;
    clearInterval(this.#watchTimer);
    this.state = "idle";
    this.#lobby = null;
    this.me = null;
    for (const peer of this.peers.values()) peer.close();
    this.peers.clear();
    this.#emit("ended", { words, code });
  }

  // A JSON object to one participant, or with null to everybody; false when it could not be sent.
  tell(id, body) {
    return this.state === "joined" && !!this.#lobby?.send({ type: "message", ...(id === null ? {} : { to: id }), body });
  }

  // From now on only those for whom serves(id) holds get our sound and picture; nothing is negotiated for it.
  serve(serves) {
    this.#serves = serves;
    for (const peer of this.peers.values()) {
      peer.isServed = serves(peer.id);
      peer.sendTracks();
    }
  }

  kick(id, text) { return this.#request({ type: "kick", participant: id, ...(text ? { text } : {}) }); }

  changeRole(role) { return this.#request({ type: "role", role }); }

  nameOf(id) { return this.#names.get(id) ?? id; }

  #request(message) {
    return this.#lobby ? this.#lobby.request(message) : Promise.reject({ code: "notConnected" });
  }

  #emit(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  #joined(reply) {
    const isReturn = this.state === "reconnecting";
    this.state = "joined";
    this.me = reply.participant;
    this.canKick = reply.canKick === true;
    this.joinedAt ||= Date.now();
    this.#published = "";
    this.#iceServers = reply.iceServers;
    const present = new Set(reply.participants.map(({ id }) => id));
    for (const participant of reply.participants) {
      const peer = this.peers.get(participant.id);
      for (const stream of peer?.streams.values() ?? []) stream.isOld = true;
      if (peer) this.#resume(peer, participant, true);
      else this.#add(participant).start();
    }
    // Whoever has not come back yet may still be heard and seen.
    for (const peer of this.peers.values()) peer.isLost = !present.has(peer.id);
    setTimeout(() => this.#forgetOldStreams(), ANNOUNCED_WITHIN);
    this.#publish();
    this.#emit("joined", { isReturn, participants: [...present] });
    this.#emit("change");
  }

  #lost({ words, retryIn }) {
    if (this.state !== "joining") this.state = "reconnecting";
    for (const peer of this.peers.values()) peer.interrupt();
    this.#emit("lost", { words, retryIn });
    this.#emit("change");
  }

  #add(participant) {
    const peer = new Peer({
      me: this.me, participant, media: this.#media, iceServers: this.#iceServers,
      send: (message) => this.#lobby?.send(message),
    });
    peer.isServed = this.#serves(peer.id);
    peer.addEventListener("change", () => this.#emit("change"));
    this.peers.set(participant.id, peer);
    this.#names.set(peer.id, peer.name);
    return peer;
  }

  #remove(peer) {
    peer.close();
    if (this.peers.get(peer.id) === peer) this.peers.delete(peer.id);
  }

  #resume(peer, participant, offers) {
    peer.isLost = false;
    peer.resume({ me: this.me, participant, iceServers: this.#iceServers, offers });
  }

  #receive(message) {
    const id = message.from ?? message.participant?.id ?? message.participant ?? message.stream?.participant;
    const peer = this.peers.get(id);
    switch (message.type) {
      case "participantJoined": this.#participantJoined(message.participant); break;
      case "participantLeft": this.#participantLeft(peer, message); break;
      case "participantChanged": this.#participantChanged(message.participant); break;
      case "streamAdded": case "streamChanged": peer?.streams.set(message.stream.id, message.stream); break;
      case "streamRemoved": this.#streamRemoved(peer, message.stream); return;
      case "signal":
        if (peer && message.session === peer.participant.session) peer.receive(message);
        return;
      case "message": this.#emit("message", message); return;
      case "kicked": this.#kicked(message); return;
      case "error": this.#emit("trouble", { words: "", error: message }); return;
      default: return;
    }
    this.#emit("change");
  }

  #participantJoined(participant) {
    const peer = this.peers.get(participant.id);
    if (peer) {
      for (const stream of peer.streams.values()) stream.isOld = true;
      this.#resume(peer, participant, false);
      setTimeout(() => this.#forgetOldStreams(), ANNOUNCED_WITHIN);
    } else {
      this.#add(participant).wait();
    }
    this.#emit("announce", { words: `${participant.name || participant.id} ${peer ? "is back" : "joined"}.` });
    this.#emit("participantJoined", { id: participant.id });
  }

  #participantLeft(peer, { session, reason }) {
    if (!peer || peer.participant.session !== session) return;
    // Who joined elsewhere is mostly the same one on a new connection to the lobby, sooner than the lobby saw the loss.
    const isLost = ["connectionLost", "timedOut", "joinedElsewhere"].includes(reason);
    if (isLost && peer.state === "connected") {
      // Only the lobby has lost it: sound and picture may go on.
      peer.isLost = true;
      peer.interrupt();
    } else {
      this.#remove(peer);
    }
    if (reason !== "joinedElsewhere") this.#emit("announce", { words: leftWords(peer.name, reason) });
    this.#emit("participantLeft", { id: peer.id, isLost });
  }

  #participantChanged(participant) {
    const isMe = participant.id === this.me.id;
    if (isMe) this.me = participant;
    for (const peer of this.peers.values()) {
      if (!isMe && peer.id !== participant.id) continue;
      peer.changeRoles({ me: this.me, participant: isMe ? peer.participant : participant }, isMe);
    }
    if (isMe) this.#publish();
    this.#emit("roleChanged", { id: participant.id });
  }

  #streamRemoved(peer, id) {
    const stream = peer?.streams.get(id);
    if (!stream) return;
    stream.isOld = true;
    setTimeout(() => { if (!peer.isLost) this.#forgetOldStreams(); }, STREAM_GRACE);
  }

  #forgetOldStreams() {
    for (const peer of this.peers.values()) {
      if (peer.isLost) continue;
      for (const [id, stream] of peer.streams) if (stream.isOld) peer.streams.delete(id);
    }
    this.#emit("change");
  }

  #kicked({ reason, text }) {
    if (reason !== "joinedElsewhere") {
      this.removed(text);
      return;
    }
    this.#lobby.stop();
    this.end("You joined this room somewhere else.", reason);
  }

  // Those whom the lobby has lost, or all while it is lost to us, stay for as long as anything comes from them.
  async #watch() {
    if (this.state === "idle" || this.state === "joining") return;
    for (const peer of [...this.peers.values()]) {
      const isUnseen = () => peer.isLost || this.state === "reconnecting";
      if (!isUnseen()) continue;
      const lives = await peer.lives();
      if (!isUnseen() || this.peers.get(peer.id) !== peer) continue;
      this.#emit("life", { id: peer.id, lives });
      if (lives || !peer.isLost) continue;
      this.#remove(peer);
      this.#emit("change");
    }
  }

  // Tells the lobby what we publish; only when that has changed.
  async #publish() {
    if (this.state !== "joined" || !this.me.canPublish) return;
    const media = this.#media;
    const hasAudio = !!media.microphone || media.wanted.audio === false && !media.problems.audio;
    const hasVideo = media.cameras.length > 0 || !!media.camera;
    const stream = {
      id: media.stream.id, hasAudio, hasVideo, audioMuted: !media.isMicrophoneOn, videoMuted: !media.isCameraOn,
    };
    const text = JSON.stringify(stream);
    if (text === this.#published || !hasAudio && !hasVideo) return;
    const before = this.#published ? JSON.parse(this.#published) : {};
    const isNew = before.hasAudio !== hasAudio || before.hasVideo !== hasVideo;
    this.#published = text;
    try {
      const { id, audioMuted, videoMuted } = stream;
      await this.#request(
        isNew ? { type: "publish", stream } : { type: "change", stream: { id, audioMuted, videoMuted } });
    } catch (error) {
      if (this.#published === text) this.#published = "";
      if (error.code === "lost" || error.code === "notConnected") return;
      this.#emit("trouble", { words: lobbyErrorWords(error.code, error.text), error });
    }
  }
}
