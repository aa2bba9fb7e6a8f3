// The browser page of a Callbox lobby: join a room, see and hear everyone in it, steer the call.

import { keepToken, readAddress, roomAddress } from "./address.js";
import { makeChooser } from "./chooser.js";
import { LocalMedia, recall, remember } from "./devices.js";
import { Lobby } from "./lobby.js";
import { Meter } from "./meter.js";
import { Peer } from "./peer.js";
import { Tiles } from "./tiles.js";
import { clock, deviceWords, leftWords, lobbyErrorWords } from "./words.js";

const $ = (id) => document.getElementById(id);
const media = new LocalMedia();
const tiles = new Tiles($("grid"), $("tile"), $("self"));
const meter = new Meter($("meter"));
const choose = makeChooser($("devices"), media, (id) => tiles.useSpeaker(id));
const peers = new Map();

// idle, joining, joined, reconnecting
let state = "idle";
let lobby = null;
let me = null;
let room = "";
let token = "";
let joinedAt = 0;
let published = "";
let lastError = null;
let tickTimer = 0;
let wakeLock = null;
const participantID = `web-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;

// ---- Joining and leaving

function join() {
  if (state !== "idle") return;
  say("");
  state = "joining";
  joinedAt = 0;
  published = "";
  lobby = new Lobby(() => ({
    room, role: "host",
    // With a token the token says who we are.
    participant: token ? { name: $("name").value.trim() } : { id: participantID, name: $("name").value.trim() },
    ...(token ? { token } : {}),
  }));
  lobby.addEventListener("joined", ({ detail }) => joined(detail));
  lobby.addEventListener("message", ({ detail }) => receive(detail));
  lobby.addEventListener("lost", ({ detail }) => lost(detail));
  lobby.addEventListener("refused", ({ detail }) => {
    if (detail.code === "refusedToken") $("token-details").open = true;
    ended(lobbyErrorWords(detail.code, detail.text), detail.code);
  });
  lobby.addEventListener("ended", ({ detail }) => ended(detail.words, `closed${detail.code}`));
  showCall();
  // Nobody waits for the devices: the call begins, and picture and sound follow.
  media.open();
  lobby.start();
  keepAwake();
}

function leave() {
  lobby?.stop();
  ended("You left the room.", null);
}

// code: null when the person wanted it.
function ended(words, code) {
  if (state === "idle") return;
  if (code) remembered({ code, text: words });
  state = "idle";
  lobby = null;
  me = null;
  for (const peer of peers.values()) peer.close();
  peers.clear();
  tiles.show([]);
  media.close();
  wakeLock?.release().catch(() => {});
  wakeLock = null;
  clearInterval(tickTimer);
  showJoin(words);
  $("join-notice").classList.toggle("calm", !code);
}

function joined(reply) {
  const isReturn = state === "reconnecting";
  state = "joined";
  me = reply.participant;
  joinedAt ||= Date.now();
  published = "";
  banner("");
  // Connections to the others' former sessions are of no use; tiles keep the last picture until the new one comes.
  const before = new Map(peers);
  for (const peer of before.values()) peer.close();
  peers.clear();
  for (const participant of reply.participants) {
    const peer = addPeer(participant, reply.iceServers);
    for (const [id, stream] of before.get(participant.id)?.streams ?? []) {
      peer.streams.set(id, { ...stream, isOld: true });
    }
    peer.start();
  }
  // What the lobby did not announce again is gone.
  setTimeout(() => {
    for (const peer of peers.values()) {
      for (const [id, stream] of peer.streams) if (stream.isOld) peer.streams.delete(id);
    }
    render();
  }, 2000);
  lobby.iceServers = reply.iceServers;
  publish();
  render();
  announce(isReturn ? "Back in the room." : `You joined ${room}.`);
}

function lost({ words, retryIn }) {
  const isFirst = state === "joining";
  state = isFirst ? "joining" : "reconnecting";
  remembered({ code: "lost", text: words });
  const hope = retryIn < 3000 ? "Trying again…" : `Trying again in ${Math.round(retryIn / 1000)} s.`;
  banner(`${words} ${hope}`, "Try now", () => lobby?.retry());
  render();
}

// ---- The room

function addPeer(participant, iceServers) {
  const peer = new Peer({ me, participant, media, iceServers, send: (message) => lobby?.send(message) });
  peer.addEventListener("change", () => renderSoon());
  peers.set(participant.id, peer);
  return peer;
}

function receive(message) {
  const peer = peers.get(message.from ?? message.participant?.id ?? message.participant ?? message.stream?.participant);
  switch (message.type) {
    case "participantJoined":
      peer?.close();
      addPeer(message.participant, lobby.iceServers).wait();
      announce(`${message.participant.name || message.participant.id} joined.`);
      break;
    case "participantLeft":
      if (!peer || peer.participant.session !== message.session) return;
      peer.close();
      peers.delete(peer.id);
      if (message.reason !== "joinedElsewhere") announce(leftWords(peer.name, message.reason));
      break;
    case "streamAdded": case "streamChanged":
      peer?.streams.set(message.stream.id, message.stream);
      break;
    case "streamRemoved":
      peer?.streams.delete(message.stream);
      break;
    case "signal":
      if (peer && message.session === peer.participant.session) peer.receive(message);
      return;
    case "message":
      if (typeof message.body?.text === "string") announce(`${peer?.name ?? message.from}: ${message.body.text}`);
      return;
    case "kicked":
      lobby.stop();
      ended(message.reason === "joinedElsewhere" ? "You joined this room somewhere else."
        : `You were removed from the room.${message.text ? ` “${message.text}”` : ""}`, message.reason);
      return;
    case "error":
      remembered(message);
      return;
    default:
      return;
  }
  render();
}

// Tells the lobby what we publish; only when that has changed.
async function publish() {
  if (state !== "joined" || !me.canPublish) return;
  const hasAudio = !!media.microphone || media.wanted.audio === false && !media.problems.audio;
  const hasVideo = media.cameras.length > 0 || !!media.camera;
  const stream = {
    id: media.stream.id, hasAudio, hasVideo, audioMuted: !media.isMicrophoneOn, videoMuted: !media.isCameraOn,
  };
  const text = JSON.stringify(stream);
  if (text === published || !hasAudio && !hasVideo) return;
  const before = published ? JSON.parse(published) : {};
  const isNew = before.hasAudio !== hasAudio || before.hasVideo !== hasVideo;
  published = text;
  try {
    const { id, audioMuted, videoMuted } = stream;
    await lobby.request(
      isNew ? { type: "publish", stream } : { type: "change", stream: { id, audioMuted, videoMuted } });
  } catch (error) {
    if (published === text) published = "";
    if (error.code === "lost" || error.code === "notConnected") return;
    remembered(error);
    banner(lobbyErrorWords(error.code, error.text));
  }
}

media.addEventListener("change", () => {
  for (const peer of peers.values()) peer.sendTracks();
  publish();
  renderSoon();
});

// ---- What is shown

let renderTimer = 0;

function renderSoon() {
  renderTimer ||= requestAnimationFrame(render);
}

function render() {
  cancelAnimationFrame(renderTimer);
  renderTimer = 0;
  renderOwn();
  if (state === "idle") return;
  tiles.show([...peers.values()]);
  $("count").textContent = String(peers.size + 1);
  $("alone").hidden = state !== "joined" || peers.size > 0;
  document.title = `${peers.size ? `(${peers.size + 1}) ` : ""}${room} · Callbox`;
  tick();
}

function renderOwn() {
  const hasPicture = media.isCameraOn;
  for (const [video, box] of [[$("preview"), $("preview").parentElement], [$("self-video"), $("self")]]) {
    const track = hasPicture ? media.camera : null;
    if ((video.srcObject?.getVideoTracks()[0] ?? null) !== track) {
      video.srcObject = track ? new MediaStream([track]) : null;
    }
    box.classList.toggle("without-picture", !hasPicture);
    // A camera that looks away from the person must not be mirrored.
    box.classList.toggle("mirrored", track?.getSettings().facingMode !== "environment");
  }
  const inCall = state !== "idle";
  label("microphone", media.wanted.audio && !media.problems.audio, "microphone", ["Mute", "Unmute"]);
  label("camera", media.wanted.video && !media.problems.video, "camera", ["Stop camera", "Start camera"]);
  label("join-microphone", media.wanted.audio, "microphone", ["Microphone on", "Microphone off"]);
  label("join-camera", media.wanted.video, "camera", ["Camera on", "Camera off"]);
  $("switch").hidden = media.cameras.length < 2;
  const isMuted = !media.isMicrophoneOn;
  $("self-words").textContent = hasPicture ? "You" : "You · camera off";
  const facts = ["You", isMuted ? "muted" : "", hasPicture ? "" : "camera off"];
  $("self").setAttribute("aria-label", facts.filter(Boolean).join(", "));
  $("self").classList.toggle("muted", isMuted);
  $("preview-start").hidden = !!media.microphone || !!media.camera || !media.wanted.audio && !media.wanted.video;
  $("preview-words").textContent = !media.wanted.video ? "Your camera is off."
    : deviceWords({ video: media.problems.video }) || "Your camera starts when you join.";
  const problem = deviceWords({
    audio: media.wanted.audio ? media.problems.audio : null,
    video: media.wanted.video && inCall ? media.problems.video : null,
  });
  $("join-hint").textContent = inCall ? "" : problem;
  if (inCall) trouble(problem);
  meter.show(inCall || !media.isMicrophoneOn ? null : media.microphone);
}

function label(id, isOn, icon, words) {
  const button = $(id);
  button.classList.toggle("off", !isOn);
  button.querySelector("use").setAttribute("href", `#i-${icon}${isOn ? "" : "-off"}`);
  button.querySelector("span").textContent = isOn ? words[0] : words[1];
  // On a phone there is only room for the short word.
  button.setAttribute("aria-label", isOn ? words[0] : words[1]);
}

function statusWords() {
  if (state === "joining") return ["busy", "Joining…"];
  if (state === "reconnecting") return ["busy", "Reconnecting…"];
  const states = [...peers.values()].map((peer) => peer.state);
  if (peers.size === 0) return ["calm", "Waiting for others"];
  if (states.includes("connected")) return ["good", `In the call · ${clock(Date.now() - joinedAt)}`];
  if (states.includes("failed")) return ["bad", "No connection to the others"];
  return ["busy", "Connecting…"];
}

function tick() {
  const [mood, words] = statusWords();
  $("status").dataset.mood = mood;
  // The seconds are for the eyes: a screen reader is only told when the state changes.
  $("status").setAttribute("aria-live", mood === "good" ? "off" : "polite");
  if ($("status-words").textContent !== words) $("status-words").textContent = words;
}

function showJoin(words = "") {
  $("call-view").hidden = true;
  $("join-view").hidden = false;
  $("hear").hidden = true;
  if ($("devices").open) $("devices").close();
  const address = readAddress();
  ({ room, token } = address);
  $("room-field").hidden = !!room;
  $("room").value = room;
  $("room").required = !room;
  $("join-title").textContent = room ? `Join ${room}` : "Join a room";
  document.title = room ? `${room} · Callbox` : "Callbox";
  $("name").value ||= address.name || recall("name");
  $("token").value = token;
  say(words);
  banner("");
  trouble("");
  render();
  $("announcer").classList.remove("shown");
  if (words) $("join-title").focus();
  return address;
}

function showCall() {
  $("join-view").hidden = true;
  $("call-view").hidden = false;
  $("room-name").textContent = room;
  $("link").textContent = `${location.origin}${roomAddress(room)}`;
  tickTimer = setInterval(tickAll, 250);
  render();
  $("call-view").focus({ preventScroll: true });
}

let ticks = 0;

function tickAll() {
  tick();
  tiles.showLevels();
  if (++ticks % 8 === 0) for (const peer of peers.values()) peer.measure().catch(() => {});
}

function say(words) {
  $("join-notice").textContent = words;
  $("join-notice").hidden = !words;
}

let bannerAction = null;
let shownBanner = "";
let shownTrouble = "";

function banner(words, button = "", action = null) {
  shownBanner = words;
  bannerAction = action;
  $("banner-button").textContent = button;
  $("banner-button").hidden = !button;
  showBanner();
}

// What is wrong with the devices; a banner about the lobby goes before it.
function trouble(words) {
  if (shownTrouble === words) return;
  shownTrouble = words;
  if (words) remembered({ code: "device", text: words });
  showBanner();
}

function showBanner() {
  const words = shownBanner || shownTrouble;
  $("banner").hidden = !words;
  if ($("banner-words").textContent !== words) $("banner-words").textContent = words;
  if (!shownBanner) $("banner-button").hidden = true;
}

let announceTimer = 0;

function announce(words) {
  $("announcer").textContent = words;
  // Below whatever banner there is.
  $("announcer").style.setProperty("--announce-at", `${Math.round($("stage").getBoundingClientRect().top) + 10}px`);
  $("announcer").classList.add("shown");
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => $("announcer").classList.remove("shown"), 4000);
}

function remembered(error) {
  lastError = { code: error.code, text: error.text, at: Date.now() };
}

async function keepAwake() {
  try {
    wakeLock = await navigator.wakeLock?.request("screen") ?? null;
  } catch {
    // The screen may go dark then.
  }
}

// ---- Controls

$("join-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = $("room").value.trim();
  if (!wanted) return;
  const typed = $("token").value.trim();
  remember("name", $("name").value.trim());
  if (wanted !== room) history.replaceState(null, "", roomAddress(wanted));
  room = wanted;
  token = typed;
  keepToken(room, token);
  join();
});
$("microphone").onclick = () => media.setMicrophone(!media.isMicrophoneOn);
$("camera").onclick = () => media.setCamera(!media.isCameraOn);
$("join-microphone").onclick = () => preset("audio");
$("join-camera").onclick = () => preset("video");
$("preview-start").onclick = () => media.open();
$("settings").onclick = choose;
$("switch").onclick = () => media.switchCamera();
$("hang-up").onclick = leave;
$("banner-button").onclick = () => bannerAction?.();
$("hear").onclick = () => {
  $("hear").hidden = true;
  tiles.playAll();
};
tiles.addEventListener("silenced", () => { $("hear").hidden = false; });

// Before joining, a switch only opens a device when another one is open already: the question comes once.
function preset(kind) {
  const isOn = !media.wanted[kind];
  if (kind === "audio") media.wanted.audio = isOn;
  else media.wanted.video = isOn;
  if (kind === "audio" && (media.microphone || media.camera)) media.setMicrophone(isOn);
  else if (kind === "video" && (media.microphone || media.camera || !isOn)) media.setCamera(isOn);
  render();
}

$("copy").onclick = async () => {
  try {
    await navigator.clipboard.writeText($("link").textContent);
    $("copy").textContent = "Copied";
  } catch {
    getSelection().selectAllChildren($("link"));
    $("copy").textContent = "Press Ctrl+C";
  }
  setTimeout(() => { $("copy").textContent = "Copy link"; }, 3000);
};

addEventListener("hashchange", () => { if (state === "idle") showJoin(); });
addEventListener("pagehide", () => lobby?.stop());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && state !== "idle") keepAwake();
});

// ---- For automated tests and for a look from the browser's console

window.callbox = {
  get state() { return state; },
  get room() { return room; },
  get me() { return me; },
  get lastError() { return lastError; },
  get streamID() { return media.stream.id; },
  get microphoneOn() { return media.isMicrophoneOn; },
  get cameraOn() { return media.isCameraOn; },
  get peers() {
    return [...peers.values()].map((peer) => ({
      id: peer.id, name: peer.name, session: peer.participant.session, state: peer.state, quality: peer.quality,
      level: peer.level(), streams: [...peer.streams.values()],
    }));
  },
  // The elements and tracks of one participant, for reading pixels and samples.
  videoOf: (id) => tiles.videoOf(id),
  trackOf: (id, kind) => peers.get(id)?.track(kind, undefined) ?? null,
  connectionOf: (id) => peers.get(id)?.connection ?? null,
  // Per participant: the browser's own reports of what is sent and received.
  async stats() {
    const all = {};
    for (const peer of peers.values()) {
      const reports = peer.connection ? [...(await peer.connection.getStats()).values()] : [];
      all[peer.id] = reports.filter((report) => /rtp$|^candidate-pair$/.test(report.type));
    }
    return all;
  },
  join(values = {}) {
    if (values.room) {
      history.replaceState(null, "", roomAddress(values.room));
      showJoin();
    }
    if (values.name !== undefined) $("name").value = values.name;
    if (values.token !== undefined) token = values.token;
    if (!room) throw new Error("no room");
    join();
  },
  leave,
  setMicrophone: (isOn) => media.setMicrophone(isOn),
  setCamera: (isOn) => media.setCamera(isOn),
  switchCamera: () => media.switchCamera(),
};

const address = showJoin();
if (address.joins && room) {
  join();
} else if (matchMedia("(hover: hover)").matches) {
  // Elsewhere a keyboard would cover half of the page at once.
  $(!room ? "room" : $("name").value ? "join-button" : "name").focus();
}
// Where the browser need not ask any more, the preview starts by itself.
Promise.all(["camera", "microphone"].map((name) => navigator.permissions.query({ name })))
  .then((answers) => { if (state === "idle" && answers.every((answer) => answer.state === "granted")) media.open(); })
  .catch(() => {});
