// Small things that are shown: our own picture, the buttons' states, banners and passing words.

import { clock, deviceWords } from "./words.js";

export const byID = (id) => document.getElementById(id);
const $ = byID;

export function showOwn(media, { inRoom, canPublish, meter }) {
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
  label("microphone", media.wanted.audio && !media.problems.audio, "microphone", ["Mute", "Unmute"]);
  label("camera", media.wanted.video && !media.problems.video, "camera", ["Stop camera", "Start camera"]);
  label("join-microphone", media.wanted.audio, "microphone", ["Microphone on", "Microphone off"]);
  label("join-camera", media.wanted.video, "camera", ["Camera on", "Camera off"]);
  for (const id of ["microphone", "camera", "settings"]) $(id).hidden = inRoom && !canPublish;
  $("switch").hidden = media.cameras.length < 2 || inRoom && !canPublish;
  const isMuted = !media.isMicrophoneOn;
  $("self-words").textContent = !canPublish ? "You · listening" : hasPicture ? "You" : "You · camera off";
  const facts = ["You", isMuted ? "muted" : "", hasPicture ? "" : "camera off"];
  $("self").setAttribute("aria-label", facts.filter(Boolean).join(", "));
  $("self").classList.toggle("muted", isMuted && canPublish);
  $("preview-start").hidden = !!media.microphone || !!media.camera || !media.wanted.audio && !media.wanted.video;
  $("preview-words").textContent = !media.wanted.video ? "Your camera is off."
    : deviceWords({ video: media.problems.video }) || "Your camera starts when you join.";
  const problem = deviceWords({
    audio: media.wanted.audio ? media.problems.audio : null,
    video: media.wanted.video && inRoom ? media.problems.video : null,
  });
  $("join-hint").textContent = inRoom ? "" : problem;
  meter.show(inRoom || !media.isMicrophoneOn ? null : media.microphone);
  return problem;
}

function label(id, isOn, icon, words) {
  const button = $(id);
  button.classList.toggle("off", !isOn);
  button.querySelector("use").setAttribute("href", `#i-${icon}${isOn ? "" : "-off"}`);
  button.querySelector("span").textContent = isOn ? words[0] : words[1];
  // On a phone there is only room for the short word.
  button.setAttribute("aria-label", isOn ? words[0] : words[1]);
}

export function showStatus(room) {
  const [mood, words] = statusWords(room);
  $("status").dataset.mood = mood;
  // The seconds are for the eyes: a screen reader is only told when the state changes.
  $("status").setAttribute("aria-live", mood === "good" ? "off" : "polite");
  if ($("status-words").textContent !== words) $("status-words").textContent = words;
}

function statusWords({ state, peers, joinedAt }) {
  if (state === "joining") return ["busy", "Joining…"];
  if (state === "reconnecting") return ["busy", "Reconnecting…"];
  const states = [...peers.values()].map((peer) => peer.state);
  if (peers.size === 0) return ["calm", "Waiting for others"];
  if (states.includes("connected")) return ["good", `In the room · ${clock(Date.now() - joinedAt)}`];
  if (states.includes("failed")) return ["bad", "No connection to the others"];
  if (states.every((one) => one === "waiting")) return ["calm", "In the room"];
  return ["busy", "Connecting…"];
}

let bannerAction = null;
let shownBanner = "";
let shownTrouble = "";

// What is wrong with the lobby, with a button for what can be done.
export function banner(words, button = "", action = null) {
  shownBanner = words;
  bannerAction = action;
  $("banner-button").textContent = button;
  $("banner-button").hidden = !button;
  showBanner();
}

// What is wrong with the devices; a banner about the lobby goes before it. True when it is news.
export function trouble(words) {
  if (shownTrouble === words) return false;
  shownTrouble = words;
  showBanner();
  return true;
}

function showBanner() {
  const words = shownBanner || shownTrouble;
  $("banner").hidden = !words;
  if ($("banner-words").textContent !== words) $("banner-words").textContent = words;
  if (!shownBanner) $("banner-button").hidden = true;
}

let announceTimer = 0;

// Words that pass by.
export function announce(words, milliseconds = 4000) {
  $("announcer").textContent = words;
  // Below whatever banner there is.
  $("announcer").style.setProperty("--announce-at", `${Math.round($("stage").getBoundingClientRect().top) + 10}px`);
  $("announcer").classList.add("shown");
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => $("announcer").classList.remove("shown"), milliseconds);
}

$("banner-button").onclick = () => bannerAction?.();

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
