// The browser page of a Callbox lobby: join a room, see and hear everyone in it, call them and be called.

import { keepToken, readAddress, roomAddress } from "./address.js";
import { Calling } from "./calling.js";
import { makeChooser } from "./chooser.js";
import { LocalMedia, recall, remember } from "./devices.js";
import { Meter } from "./meter.js";
import { Requests } from "./requests.js";
import { Ringing } from "./ringing.js";
import { Room } from "./room.js";
import { Tiles } from "./tiles.js";
import { announce, banner, byID as $, showOwn, showStatus, trouble } from "./view.js";

const media = new LocalMedia();
const room = new Room(media);
const tiles = new Tiles($("grid"), $("tile"), $("self"));
const meter = new Meter($("meter"));
const ringing = new Ringing();
const calling = new Calling({ room, ringing, byID: $, pictureOf });
const requests = new Requests({ room, media, tiles, byID: $, isPartner: (id) => calling.partner === id });
const choose = makeChooser($("devices"), media, (id) => {
  tiles.useSpeaker(id);
  ringing.useSpeaker(id);
});

let roomName = "";
let token = "";
// auto: publish at once; on-call: only while a call is up; listen: audience.
let mode = "auto";
let lastError = null;
let tickTimer = 0;
let wakeLock = null;
const participantID = `web-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;

// ---- Joining and leaving

function join() {
  if (room.state !== "idle") return;
  say("");
  mode = $("mode").value;
  room.serve(mode === "on-call" ? (id) => calling.partner === id && calling.state === "inCall" : () => true);
  if (mode === "on-call" && "Notification" in window && Notification.permission === "default") {
    Notification.requestPermission().catch(() => {});
  }
  room.join(roomName, () => ({
    // A role that was given by a host is kept when the lobby was lost.
    role: room.me?.role ?? (mode === "listen" ? "audience" : "host"),
    // With a token the token says who we are.
    participant: token ? { name: $("name").value.trim() } : { id: participantID, name: $("name").value.trim() },
    ...(token ? { token } : {}),
  }));
  showRoom();
  // Nobody waits for the devices: picture and sound follow.
  if (mode === "auto") media.open();
  else useDevices(false);
  keepAwake();
}

// Opens microphone and camera for a call, or closes them after it.
function useDevices(isOn) {
  media.wanted = { audio: isOn, video: isOn };
  return isOn ? media.open() : media.close();
}

function changeRole(role) {
  room.changeRole(role).catch(() => announce("The lobby does not let you speak."));
}

function leave() {
  calling.leaveRoom();
  room.leave();
}

room.addEventListener("joined", ({ detail }) => {
  banner("");
  announce(detail.isReturn ? "Back in the room." : `You joined ${roomName}.`);
});
room.addEventListener("lost", ({ detail: { words, retryIn } }) => {
  remembered({ code: "lost", text: words });
  const hope = retryIn < 3000 ? "Trying again…" : `Trying again in ${Math.round(retryIn / 1000)} s.`;
  banner(`${words} ${hope}`, "Try now", () => room.retry());
});
// code: null when the person wanted it.
room.addEventListener("ended", ({ detail: { words, code } }) => {
  if (code) remembered({ code, text: words });
  if (code === "refusedToken") $("token-details").open = true;
  tiles.show([]);
  media.close();
  if (mode !== "auto") media.wanted = { audio: true, video: true };
  wakeLock?.release().catch(() => {});
  wakeLock = null;
  clearInterval(tickTimer);
  showJoin(words);
  $("join-notice").classList.toggle("calm", !code);
});
room.addEventListener("announce", ({ detail }) => announce(detail.words));
room.addEventListener("trouble", ({ detail: { words, error } }) => {
  remembered(error);
  if (words) banner(words);
});
room.addEventListener("message", ({ detail: { from, body } }) => {
  if (typeof body?.text === "string") announce(`${room.nameOf(from)}: ${body.text}`);
});
room.addEventListener("roleChanged", ({ detail: { id } }) => {
  if (id !== room.me.id) return;
  if (room.me.canPublish) announce("You may speak now.");
  useDevices(room.me.canPublish);
});
for (const source of [room, media, calling, requests]) source.addEventListener("change", renderSoon);

// ---- Calls

// A call in the mode on-call is between two. One of the audience speaks in a call with a host.
calling.addEventListener("started", () => {
  if (mode === "on-call") useDevices(true);
  if (mode === "listen" && !room.me.canPublish) changeRole("host");
});
calling.addEventListener("ended", () => {
  if (mode === "on-call") useDevices(false);
  if (mode === "listen" && requests.summary.state !== "speaking") changeRole("audience");
});
calling.addEventListener("change", () => {
  if (mode === "on-call") room.serve((id) => calling.partner === id && calling.state === "inCall");
});
calling.addEventListener("announce", ({ detail }) => announce(detail.words));
requests.addEventListener("announce", ({ detail }) => announce(detail.words, detail.milliseconds));
tiles.mayCall = (peer) => calling.state === "idle" && room.state === "joined" && !!room.me?.canPublish && !peer.isLost;
tiles.hears = (peer) => mode !== "on-call" || calling.state === "inCall" && calling.partner === peer.id;
tiles.mayCommand = (peer) => requests.mayCommand(peer);
tiles.addEventListener("call", ({ detail }) => calling.call([detail]));
tiles.addEventListener("command", ({ detail }) => requests.openCommands(detail));
for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => ringing.unlock());

function pictureOf(id) {
  const peer = room.peers.get(id);
  const shows = [...(peer?.streams.values() ?? [])].some((stream) => stream.hasVideo && !stream.videoMuted);
  const track = shows ? peer.track("video", undefined) : null;
  return track && !track.muted ? track : null;
}

// ---- What is shown

let renderTimer = 0;

function renderSoon() {
  // A hidden page gets no animation frames, but its title must tell of a call.
  if (document.hidden) render();
  else renderTimer ||= requestAnimationFrame(render);
}

function render() {
  cancelAnimationFrame(renderTimer);
  renderTimer = 0;
  const inRoom = room.state !== "idle";
  const problem = showOwn(media, { inRoom, canPublish: room.me?.canPublish ?? mode !== "listen", meter });
  if (!inRoom) return;
  if (trouble(problem) && problem) remembered({ code: "device", text: problem });
  tiles.partner = calling.state === "inCall" ? calling.partner : null;
  const { peers } = room;
  tiles.show([...peers.values()]);
  $("count").textContent = String(peers.size + 1);
  $("alone").hidden = room.state !== "joined" || peers.size > 0;
  calling.title = `${peers.size ? `(${peers.size + 1}) ` : ""}${roomName} · Callbox`;
  showStatus(room);
}

function showJoin(words = "") {
  $("call-view").hidden = true;
  $("join-view").hidden = false;
  $("hear").hidden = true;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  const address = readAddress();
  ({ room: roomName, token } = address);
  $("room-field").hidden = !!roomName;
  $("room").value = roomName;
  $("room").required = !roomName;
  $("join-title").textContent = roomName ? `Join ${roomName}` : "Join a room";
  document.title = roomName ? `${roomName} · Callbox` : "Callbox";
  $("name").value ||= address.name || recall("name");
  if (address.mode) $("mode").value = address.mode;
  $("token").value = token;
  say(words);
  banner("");
  trouble("");
  render();
  $("announcer").classList.remove("shown");
  if (words) $("join-title").focus();
  return address;
}

function showRoom() {
  $("join-view").hidden = true;
  $("call-view").hidden = false;
  $("room-name").textContent = roomName;
  $("link").textContent = `${location.origin}${roomAddress(roomName)}`;
  tickTimer = setInterval(tick, 250);
  render();
  $("call-view").focus({ preventScroll: true });
}

let ticks = 0;

function tick() {
  showStatus(room);
  tiles.showLevels();
  calling.tick();
  if (++ticks % 8 === 0) for (const peer of room.peers.values()) peer.measure().catch(() => {});
}

function say(words) {
  $("join-notice").textContent = words;
  $("join-notice").hidden = !words;
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
  if (wanted !== roomName) history.replaceState(null, "", roomAddress(wanted));
  roomName = wanted;
  token = typed;
  keepToken(roomName, token);
  join();
});
$("microphone").onclick = () => media.setMicrophone(!media.isMicrophoneOn);
$("camera").onclick = () => media.setCamera(!media.isCameraOn);
$("join-microphone").onclick = () => preset("audio");
$("join-camera").onclick = () => preset("video");
$("preview-start").onclick = () => media.open();
$("settings").onclick = choose;
$("switch").onclick = () => media.switchCamera();
$("leave").onclick = leave;
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

addEventListener("hashchange", () => { if (room.state === "idle") showJoin(); });
addEventListener("pagehide", () => {
  calling.leaveRoom();
  room.farewell();
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && room.state !== "idle") keepAwake();
});

// ---- For automated tests and for a look from the browser's console

window.callbox = {
  get state() { return room.state; },
  get room() { return roomName; },
  get me() { return room.me; },
  get lastError() { return lastError; },
  get streamID() { return media.stream.id; },
  get microphoneOn() { return media.isMicrophoneOn; },
  get cameraOn() { return media.isCameraOn; },
  get call() {
    const { state, partner, callID, targets, lastEnd } = calling;
    return { state, partner, callID, targets, lastEnd, tone: ringing.playing };
  },
  get speaking() { return requests.summary; },
  get peers() {
    return [...room.peers.values()].map((peer) => ({
      id: peer.id, name: peer.name, session: peer.participant.session, state: peer.state, quality: peer.quality,
      role: peer.participant.role, isLost: peer.isLost, level: peer.level(), streams: [...peer.streams.values()],
    }));
  },
  // The elements and tracks of one participant, for reading pixels and samples.
  videoOf: (id) => tiles.videoOf(id),
  trackOf: (id, kind) => room.peers.get(id)?.track(kind, undefined) ?? null,
  connectionOf: (id) => room.peers.get(id)?.connection ?? null,
  // Per participant: the browser's own reports of what is sent and received.
  async stats() {
    const all = {};
    for (const peer of room.peers.values()) {
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
    if (values.mode !== undefined) $("mode").value = values.mode;
    if (!roomName) throw new Error("no room");
    join();
  },
  leave,
  startCall: (...ids) => calling.call(ids),
  answer: () => calling.answer(),
  decline: () => calling.decline(),
  hangUp: () => calling.hangUp(),
  command: (id, command, data) => requests.command(id, command, data),
  setMicrophone: (isOn) => media.setMicrophone(isOn),
  setCamera: (isOn) => media.setCamera(isOn),
  switchCamera: () => media.switchCamera(),
};

const address = showJoin();
if (address.joins && roomName) {
  join();
} else if (matchMedia("(hover: hover)").matches) {
  // Elsewhere a keyboard would cover half of the page at once.
  $(!roomName ? "room" : $("name").value ? "join-button" : "name").focus();
}
// Where the browser need not ask any more, the preview starts by itself.
Promise.all(["camera", "microphone"].map((name) => navigator.permissions.query({ name })))
  .then((answers) => {
    if (room.state === "idle" && $("mode").value === "auto" && answers.every((answer) => answer.state === "granted")) {
      media.open();
    }
  })
  .catch(() => {});
