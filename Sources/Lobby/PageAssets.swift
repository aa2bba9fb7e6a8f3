// swift-format-ignore-file
// Made by Tools/embed-page from the files in Sources/Lobby/Page; change those, then run it.

/// The browser page's files, as they are in Sources/Lobby/Page.
enum PageAssets {
    static let files: [PageFile] = [
        PageFile(
            path: "/", contentType: "text/html; charset=utf-8",
            text: #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark">
<meta name="theme-color" content="#0d1216">
<title>Callbox</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="page.css">
<script type="module" src="page.js"></script>
</head>
<body>
<noscript><p class="noscript">This page needs JavaScript to make calls.</p></noscript>

<svg class="symbols" aria-hidden="true" focusable="false">
  <symbol id="i-microphone" viewBox="0 0 24 24"><rect x="9" y="3" width="6" height="11" rx="3"/><path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3"/></symbol>
  <symbol id="i-microphone-off" viewBox="0 0 24 24"><path d="M15 10.5V6a3 3 0 0 0-5.7-1.3M9 9v2a3 3 0 0 0 4.6 2.5M5.5 11.5a6.5 6.5 0 0 0 10.6 5M18.5 11.5c0 .8-.1 1.5-.4 2.2M12 18v3M4 3l16 18"/></symbol>
  <symbol id="i-camera" viewBox="0 0 24 24"><rect x="3" y="6.5" width="12.5" height="11" rx="2.5"/><path d="m15.5 10.7 5-2.700v8l-5-2.7"/></symbol>
  <symbol id="i-camera-off" viewBox="0 0 24 24"><path d="M10 6.500h3a2.5 2.5 0 0 1 2.5 2.500v3M15.5 10.700l5-2.700v8l-3-1.600M13.8 17.400c-.3.1-.5.1-.8.100H5.500A2.5 2.5 0 0 1 3 15V9c0-1.2.9-2.2 2-2.400M4 3l16 18"/></symbol>
  <symbol id="i-switch" viewBox="0 0 24 24"><path d="M4.5 10.500A7.7 7.7 0 0 1 18.6 8M19.5 13.500A7.7 7.7 0 0 1 5.4 16M19 3.800V8.200h-4.400M5 20.200V15.800h4.4"/></symbol>
  <symbol id="i-settings" viewBox="0 0 24 24"><path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/></symbol>
  <symbol id="i-hang-up" viewBox="0 0 24 24"><path class="solid" d="M12 8.500c-3.7 0-7 1-9 2.7-.8.7-1 1.7-.6 2.700l.7 1.900c.3.8 1.2 1.2 2 1l3-.9c.7-.2 1.1-.8 1.2-1.500l.2-1.700c1.6-.4 3.4-.4 5 0l.2 1.700c.1.7.5 1.3 1.2 1.500l3 .9c.8.2 1.7-.2 2-1l.7-1.900c.4-1 .2-2-.6-2.7-2-1.7-5.3-2.7-9-2.700Z"/></symbol>
  <symbol id="i-person" viewBox="0 0 24 24"><circle cx="12" cy="8.5" r="3.7"/><path d="M4.8 20a7.3 7.3 0 0 1 14.4 0"/></symbol>
  <symbol id="i-enlarge" viewBox="0 0 24 24"><path d="M4 9.500V5.500A1.5 1.5 0 0 1 5.5 4h4M14.5 4h4A1.5 1.5 0 0 1 20 5.500v4M20 14.500v4a1.5 1.5 0 0 1-1.5 1.500h-4M9.5 20h-4A1.5 1.5 0 0 1 4 18.500v-4"/></symbol>
  <symbol id="i-speaker" viewBox="0 0 24 24"><path d="M4 9.500v5h3.500L12 18.500v-13L7.5 9.500ZM15.5 9a4.2 4.2 0 0 1 0 6M18 6.500a7.8 7.8 0 0 1 0 11"/></symbol>
</svg>

<div class="announcer" id="announcer" role="status" aria-live="polite"></div>

<main class="join" id="join-view" aria-labelledby="join-title">
  <div class="join-card">
    <header class="join-head">
      <p class="brand"><img src="icon.svg" alt="" width="28" height="28">Callbox</p>
      <h1 id="join-title" tabindex="-1">Join a room</h1>
      <p class="notice" id="join-notice" role="alert" hidden></p>
    </header>
    <section class="preview" aria-label="Your camera and microphone">
      <div class="preview-picture">
        <video id="preview" muted autoplay playsinline aria-label="Your camera picture"></video>
        <div class="preview-empty" id="preview-empty">
          <svg class="icon" aria-hidden="true"><use href="#i-camera-off"/></svg>
          <p id="preview-words">Your camera starts when you join.</p>
          <button class="quiet" id="preview-start" type="button">Try camera and microphone</button>
        </div>
        <div class="meter" id="meter" role="img" aria-label="Microphone level" hidden><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i></div>
      </div>
      <div class="preview-controls">
        <button class="control" id="join-microphone" type="button"><svg class="icon" aria-hidden="true"><use href="#i-microphone"/></svg><span>Microphone on</span></button>
        <button class="control" id="join-camera" type="button"><svg class="icon" aria-hidden="true"><use href="#i-camera"/></svg><span>Camera on</span></button>
      </div>
    </section>
    <form class="join-form" id="join-form" autocomplete="on">
      <label class="field" id="room-field">Room
        <input id="room" name="room" required maxlength="64" autocapitalize="none" spellcheck="false" placeholder="reception">
      </label>
      <label class="field">Your name
        <input id="name" name="name" maxlength="64" autocomplete="name" placeholder="So that others know who is calling">
      </label>
      <details id="token-details">
        <summary>I have an access token</summary>
        <label class="field">Access token
          <input id="token" name="token" type="password" autocomplete="off" spellcheck="false">
        </label>
      </details>
      <button class="primary" id="join-button" type="submit">Join</button>
      <p class="hint" id="join-hint"></p>
    </form>
  </div>
</main>

<main class="call" id="call-view" aria-label="Call" tabindex="-1" hidden>
  <header class="bar">
    <p class="where"><img src="icon.svg" alt="" width="24" height="24"><span id="room-name"></span></p>
    <p class="status" id="status" role="status" aria-live="polite"><i class="dot" aria-hidden="true"></i><span id="status-words">Joining…</span></p>
    <p class="count"><svg class="icon" aria-hidden="true"><use href="#i-person"/></svg><span id="count">1</span><span class="unseen"> in the room</span></p>
  </header>

  <div class="banner" id="banner" role="alert" hidden><span id="banner-words"></span><button class="quiet" id="banner-button" type="button" hidden></button></div>
  <button class="hear" id="hear" type="button" hidden><svg class="icon" aria-hidden="true"><use href="#i-speaker"/></svg>Tap to hear everyone</button>

  <div class="stage" id="stage">
    <div class="grid" id="grid">
      <div class="tile self" id="self">
        <video id="self-video" muted autoplay playsinline aria-label="Your own picture"></video>
        <div class="stand-in" aria-hidden="true"><svg class="icon"><use href="#i-person"/></svg></div>
        <p class="label"><svg class="icon muted-mark" aria-hidden="true"><use href="#i-microphone-off"/></svg><span class="name" id="self-words">You</span></p>
      </div>
    </div>
    <div class="alone" id="alone" hidden>
      <p class="alone-title">Nobody else is here yet</p>
      <p>Whoever opens this link joins the same room:</p>
      <p class="link"><span id="link"></span><button class="quiet" id="copy" type="button">Copy link</button></p>
    </div>
  </div>

  <footer class="controls" role="toolbar" aria-label="Call controls">
    <button class="control" id="microphone" type="button"><svg class="icon" aria-hidden="true"><use href="#i-microphone"/></svg><span>Mute</span></button>
    <button class="control" id="camera" type="button"><svg class="icon" aria-hidden="true"><use href="#i-camera"/></svg><span class="long">Stop camera</span><span class="short">Camera</span></button>
    <button class="control" id="switch" type="button" hidden><svg class="icon" aria-hidden="true"><use href="#i-switch"/></svg><span>Switch</span></button>
    <button class="control" id="settings" type="button"><svg class="icon" aria-hidden="true"><use href="#i-settings"/></svg><span>Devices</span></button>
    <button class="control hang-up" id="hang-up" type="button"><svg class="icon" aria-hidden="true"><use href="#i-hang-up"/></svg><span>Hang up</span></button>
  </footer>
</main>

<dialog id="devices" aria-labelledby="devices-title">
  <form method="dialog">
    <h2 id="devices-title">Devices</h2>
    <label class="field">Microphone <select id="choose-audioinput"></select></label>
    <label class="field">Camera <select id="choose-videoinput"></select></label>
    <label class="field" id="speaker-field">Speaker <select id="choose-audiooutput"></select></label>
    <button class="primary" type="submit">Done</button>
  </form>
</dialog>

<template id="tile">
  <article class="tile">
    <video muted autoplay playsinline></video>
    <audio autoplay></audio>
    <div class="stand-in" aria-hidden="true"><span class="initials"></span></div>
    <p class="tile-state"></p>
    <button class="enlarge" type="button"><svg class="icon" aria-hidden="true"><use href="#i-enlarge"/></svg></button>
    <p class="label"><svg class="icon muted-mark" aria-hidden="true"><use href="#i-microphone-off"/></svg><span class="name"></span><span class="unseen details"></span></p>
  </article>
</template>
</body>
</html>

"""#),
        PageFile(
            path: "/page.css", contentType: "text/css; charset=utf-8",
            text: #"""
:root {
  color-scheme: dark;
  --ground: #0d1216;
  --surface: #151c22;
  --raised: #1e272f;
  --line: #2c3842;
  --text: #e8eef2;
  --soft: #a9b7c2;
  --accent: #4cc2a8;
  --accent-deep: #1d7f6e;
  --warn: #f0b95a;
  --bad: #ff7d74;
  --hang-up: #d3372f;
  --radius: 16px;
  --gap: 12px;
  --left: max(16px, env(safe-area-inset-left));
  --right: max(16px, env(safe-area-inset-right));
  font: 16px/1.45 system-ui, "Segoe UI", Roboto, Ubuntu, Cantarell, "Noto Sans", "DejaVu Sans", sans-serif;
}

*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; overscroll-behavior: none; }
body { background: var(--ground); color: var(--text); -webkit-text-size-adjust: 100%; }
p, h1, h2 { margin: 0; }
button, input, select { font: inherit; color: inherit; }
button { cursor: pointer; touch-action: manipulation; -webkit-tap-highlight-color: transparent; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.symbols { position: absolute; width: 0; height: 0; }
.icon { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; flex: none; }
.icon .solid, .solid { fill: currentColor; stroke: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.noscript { padding: 24px; }

/* Buttons and fields */

.primary {
  min-height: 52px; padding: 0 24px; border: 0; border-radius: 12px; background: var(--accent); color: #06231d; font-weight: 650; font-size: 17px;
  transition: background .15s;
}
.primary:hover { background: #66d3bb; }
.primary:active { background: #3fae96; }
.quiet { flex: none; min-height: 44px; padding: 0 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); color: var(--text); font-weight: 550; }
.quiet:hover { background: #27323b; }
.field { display: grid; gap: 6px; font-size: 14px; color: var(--soft); }
.field input, .field select {
  width: 100%; min-height: 48px; padding: 0 14px; border: 1px solid #4a5a66; border-radius: 10px; background: var(--ground); color: var(--text); font-size: 16px;
}
.field input::placeholder { color: #7d8c98; }
.field input:focus, .field select:focus { outline: 2px solid var(--accent); outline-offset: 0; border-color: var(--accent); }

.control {
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 4px; min-width: 84px; min-height: 64px; padding: 8px 10px;
  border: 1px solid transparent; border-radius: 14px; background: var(--raised); font-size: 13px; line-height: 1.2; white-space: nowrap; transition: background .15s;
}
.control:hover { background: #2a353f; }
.control.off { background: #3a2a22; border-color: #6d4c33; color: #ffd9a8; }
.control.off:hover { background: #493529; }
.short { display: none; }
.control.hang-up { background: var(--hang-up); color: #fff; }
.control.hang-up:hover { background: #e2453d; }

/* Joining */

.join {
  min-height: 100%; display: grid; place-items: center;
  padding: max(16px, env(safe-area-inset-top)) var(--right) max(16px, env(safe-area-inset-bottom)) var(--left);
  background: radial-gradient(80rem 40rem at 50% -10rem, #17262a 0, transparent 70%);
}
.join-card { width: 100%; max-width: 960px; display: grid; gap: 24px; }
.join-head { display: grid; gap: 14px; }
.join-form { display: grid; gap: 18px; }
.brand { display: flex; align-items: center; gap: 10px; color: var(--soft); font-weight: 600; }
.join h1:focus { outline: none; }
.join h1 { font-size: 30px; line-height: 1.15; font-weight: 680; letter-spacing: -.01em; overflow-wrap: anywhere; }
.notice { padding: 12px 16px; border-radius: 10px; background: #33271a; border: 1px solid #6d4c33; color: #ffdfb5; }
.notice.calm { background: var(--surface); border-color: var(--line); color: var(--text); }
.hint { min-height: 1.45em; font-size: 14px; color: var(--warn); }
.hint:empty { display: none; }
details summary { padding: 10px 0; color: var(--soft); font-size: 14px; cursor: pointer; border-radius: 8px; }
details[open] { margin-bottom: 6px; }
.preview { display: grid; gap: 12px; align-content: center; }
.preview-picture { position: relative; aspect-ratio: 4 / 3; border-radius: var(--radius); overflow: hidden; background: var(--surface); border: 1px solid var(--line); }
.preview-picture video { width: 100%; height: 100%; object-fit: cover; display: block; }
.preview-empty { position: absolute; inset: 0; display: none; place-content: center; justify-items: center; gap: 14px; padding: 24px; text-align: center; color: var(--soft); }
.without-picture > .preview-empty { display: grid; }
.preview-empty .icon { width: 40px; height: 40px; opacity: .7; }
.preview-controls { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.preview-controls .control { flex-direction: row; gap: 10px; min-height: 52px; font-size: 15px; }
.meter { position: absolute; left: 14px; bottom: 14px; display: flex; gap: 4px; padding: 8px 10px; border-radius: 10px; background: rgb(8 12 15 / .7); }
.meter i { width: 5px; height: 16px; border-radius: 3px; background: #4a5863; }
.meter i.lit { background: var(--accent); }

@media (min-width: 760px) {
  .join-card { grid-template: "preview head" auto "preview form" 1fr / 1.15fr 1fr; column-gap: 56px; row-gap: 22px; }
  .preview { grid-area: preview; }
  .join-head { grid-area: head; align-self: end; padding-top: 20px; }
  .join-form { grid-area: form; align-content: start; }
}

/* In the call */

.call {
  height: 100vh; height: 100dvh; outline: none; display: grid; grid-template-rows: auto auto 1fr auto; overflow: hidden;
  padding: max(10px, env(safe-area-inset-top)) 0 0;
}
.bar { display: grid; grid-template-columns: 1fr auto 1fr; align-items: center; gap: 16px; padding: 4px var(--right) 10px var(--left); }
.where { display: flex; align-items: center; gap: 10px; min-width: 0; font-weight: 640; font-size: 17px; }
.where span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.where img { flex: none; }
.status {
  display: flex; align-items: center; gap: 9px; padding: 6px 14px; border-radius: 999px; background: var(--surface); border: 1px solid var(--line);
  font-size: 14px; font-variant-numeric: tabular-nums; white-space: nowrap;
}
.dot { width: 9px; height: 9px; border-radius: 50%; background: var(--soft); }
[data-mood="good"] .dot { background: var(--accent); }
[data-mood="bad"] .dot { background: var(--bad); }
[data-mood="busy"] .dot { background: var(--warn); animation: breathe 1.4s ease-in-out infinite; }
@keyframes breathe { 50% { opacity: .25; } }
.count { justify-self: end; display: flex; align-items: center; gap: 6px; color: var(--soft); font-size: 15px; font-variant-numeric: tabular-nums; }
.count .icon { width: 20px; height: 20px; }

.banner {
  display: flex; align-items: center; justify-content: space-between; gap: 16px; margin: 0 var(--right) 10px var(--left); padding: 10px 10px 10px 16px;
  border-radius: 12px; background: #33271a; border: 1px solid #6d4c33; color: #ffdfb5; font-size: 15px;
}
.banner span { padding: 4px 0; }
.hear {
  position: fixed; z-index: 5; left: 50%; bottom: calc(112px + env(safe-area-inset-bottom)); transform: translateX(-50%); display: flex; align-items: center; gap: 10px;
  min-height: 56px; padding: 0 26px; border: 0; border-radius: 999px; background: var(--accent); color: #06231d; font-weight: 650; font-size: 17px;
  white-space: nowrap; box-shadow: 0 8px 32px rgb(0 0 0 / .5);
}

.stage { position: relative; grid-row: 3; min-height: 0; margin: 0 var(--right) 0 var(--left); }
.grid { position: absolute; inset: 0; display: flex; flex-wrap: wrap; gap: var(--gap); align-content: center; justify-content: center; }
/* Rows are as wide as the layout says, however the pictures would flow. */
.grid:not(.has-pinned) { padding-inline: max(0px, calc((100% - var(--row-width, 100%)) / 2)); }
.tile {
  position: relative; width: var(--tile-width); height: var(--tile-height); border-radius: var(--radius); overflow: hidden; background: #05080a;
  box-shadow: inset 0 0 0 1px var(--line); isolation: isolate;
}
.tile video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.tile::after { content: ""; position: absolute; inset: 0; border-radius: inherit; pointer-events: none; box-shadow: inset 0 0 0 1px rgb(255 255 255 / .07); transition: box-shadow .2s; }
.tile.speaking::after { box-shadow: inset 0 0 0 3px var(--accent); }
.tile.without-picture { background: var(--surface); }
.tile.without-picture video { visibility: hidden; }
.tile.interrupted video { filter: saturate(.4) brightness(.55); }
.stand-in { position: absolute; inset: 0; display: none; place-items: center; }
.without-picture .stand-in { display: grid; }
.initials {
  display: grid; place-items: center; width: clamp(56px, 34%, 128px); aspect-ratio: 1; border-radius: 50%; background: #24424a; color: #cfe9e4;
  font-size: clamp(22px, 3.4vmin, 44px); font-weight: 600; letter-spacing: .02em;
}
.label {
  position: absolute; left: 10px; bottom: 10px; max-width: calc(100% - 20px); display: flex; align-items: center; gap: 7px; padding: 5px 11px; border-radius: 9px;
  background: rgb(6 10 13 / .74); font-size: 14px; font-weight: 550;
}
.name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.muted-mark { display: none; width: 17px; height: 17px; color: var(--bad); }
.muted .muted-mark { display: block; }
.listening .label::after { content: "listening"; color: var(--soft); font-weight: 450; }
.tile-state {
  position: absolute; left: 50%; top: 50%; transform: translate(-50%, -50%); max-width: calc(100% - 24px); padding: 8px 16px; border-radius: 999px;
  background: rgb(6 10 13 / .8); font-size: 15px; text-align: center;
}
.tile-state:empty { display: none; }
.without-picture .tile-state { top: auto; bottom: 54px; transform: translateX(-50%); background: none; padding: 0; color: var(--soft); }
.tile:not(.interrupted, .without-picture) .tile-state { top: 12px; bottom: auto; transform: translateX(-50%); font-size: 13px; padding: 4px 12px; color: var(--warn); }
.enlarge {
  position: absolute; right: 8px; top: 8px; width: 44px; height: 44px; display: grid; place-items: center; border: 0; border-radius: 10px; background: rgb(6 10 13 / .6);
  opacity: 0; transition: opacity .15s;
}
.tile:hover .enlarge, .enlarge:focus-visible, .tile:focus-within .enlarge { opacity: 1; }
@media (hover: none) { .enlarge { opacity: 1; background: none; filter: drop-shadow(0 0 3px #000); } }
.enlarge .icon { width: 20px; height: 20px; }
/* A small picture is one button. */
.has-pinned .tile:not(.pinned) .enlarge { inset: 0; width: auto; height: auto; border-radius: inherit; background: none; }
.has-pinned .tile:not(.pinned) .enlarge .icon { display: none; }
.has-pinned .tile:not(.pinned) .label { left: 6px; bottom: 6px; max-width: calc(100% - 12px); padding: 3px 9px; font-size: 13px; }

/* One picture large, the others in a row below */
.has-pinned { flex-wrap: nowrap; align-items: end; overflow-x: auto; }
.has-pinned .tile { width: 176px; height: 116px; flex: none; }
.has-pinned .tile.pinned { position: absolute; inset: 0 0 128px; width: auto; height: auto; }

.self { background: var(--surface); }
.self video { object-fit: cover; }
.mirrored > video { transform: scaleX(-1); }
.self .stand-in .icon { width: clamp(40px, 30%, 72px); height: auto; color: var(--soft); }
.self.over { position: absolute; z-index: 2; right: 0; bottom: 0; width: 176px; height: 132px; border-radius: 12px; box-shadow: 0 0 0 1px var(--line), 0 8px 28px rgb(0 0 0 / .5); }
.self.over .label { left: 6px; bottom: 6px; max-width: calc(100% - 12px); padding: 3px 9px; font-size: 13px; }
.self.over.without-picture { height: auto; min-height: 40px; width: auto; }
.self.over.without-picture .stand-in { display: none; }
.self.over.without-picture .label { position: static; background: none; padding: 10px 14px; max-width: none; }
.self.muted .name { color: #ffd9a8; }

.alone { position: absolute; inset: 0; display: grid; align-content: center; justify-items: center; gap: 10px; padding: 16px; text-align: center; color: var(--soft); }
.alone-title { color: var(--text); font-size: 22px; font-weight: 620; }
.link { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 12px; margin-top: 8px; }
.link span { padding: 10px 14px; border-radius: 10px; border: 1px solid var(--line); background: var(--surface); color: var(--text); font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 14px; overflow-wrap: anywhere; user-select: all; }

.controls {
  grid-row: 4; display: flex; justify-content: center; gap: 10px;
  padding: 14px var(--right) max(16px, env(safe-area-inset-bottom)) var(--left);
}
.hang-up { margin-left: 14px; }

.announcer {
  position: fixed; z-index: 6; left: 50%; top: var(--announce-at, 64px); transform: translate(-50%, -8px); max-width: calc(100vw - 32px); padding: 9px 18px; border-radius: 999px;
  background: #24313a; border: 1px solid var(--line); font-size: 15px; opacity: 0; pointer-events: none; transition: opacity .25s, transform .25s;
}
.announcer.shown { opacity: 1; transform: translate(-50%, 0); }

dialog { width: min(440px, calc(100vw - 32px)); padding: 24px; border: 1px solid var(--line); border-radius: 18px; background: var(--surface); color: var(--text); }
dialog::backdrop { background: rgb(4 7 9 / .65); }
dialog form { display: grid; gap: 18px; }
dialog h2 { font-size: 20px; }

@media (max-width: 620px) {
  :root { --gap: 8px; --left: max(10px, env(safe-area-inset-left)); --right: max(10px, env(safe-area-inset-right)); --radius: 14px; }
  .join-card { gap: 20px; max-width: 460px; }
  .join h1 { font-size: 26px; }
  .bar { grid-template-columns: 1fr auto; }
  .count { display: none; }
  .status { padding: 5px 12px; }
  .controls { gap: 6px; padding-top: 10px; }
  .control { flex: 1 1 0; min-width: 0; min-height: 62px; padding: 8px 2px; font-size: 12px; }
  .hang-up { margin-left: 0; }
  .long { display: none; }
  .short { display: inline; }
  .self.over { width: 108px; height: 144px; }
  .has-pinned .tile { width: 132px; height: 92px; }
  .has-pinned .tile.pinned { inset: 0 0 100px; }
}

@media (max-height: 480px) {
  .call { padding-top: max(4px, env(safe-area-inset-top)); }
  .bar { padding-bottom: 4px; }
  .control { min-height: 48px; flex-direction: row; gap: 8px; padding: 4px 12px; }
  .controls { padding-top: 6px; padding-bottom: max(8px, env(safe-area-inset-bottom)); }
}

@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; }
}

@media (forced-colors: active) {
  .control, .primary, .quiet, .tile { border: 1px solid ButtonText; }
  .tile.speaking { outline: 3px solid Highlight; }
}

"""#),
        PageFile(
            path: "/address.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// The address of the page: #/ROOM, #/ROOM?name=…&token=…&join=1. A token is kept for as long as the tab lives.

export function roomAddress(room) {
  return `${location.pathname}${location.search}#/${encodeURIComponent(room)}`;
}

export function readAddress() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  let room = path;
  try {
    room = decodeURIComponent(path);
  } catch {
    // Then the room is called as it stands there.
  }
  const values = new URLSearchParams(query ?? "");
  if (values.get("token")) {
    // A secret must not stay where everybody who sees the screen can read it.
    keepToken(room, values.get("token"));
    history.replaceState(null, "", roomAddress(room));
  }
  return { room, token: keptToken(room), name: values.get("name") ?? "", joins: values.get("join") === "1" };
}

// Storage may be forbidden: then the token lives as long as the page.
const tokens = new Map();

export function keepToken(room, token) {
  tokens.set(room, token);
  try {
    if (token) sessionStorage.setItem(`callbox.token.${room}`, token);
    else sessionStorage.removeItem(`callbox.token.${room}`);
  } catch {
    // It is asked for again after a reload.
  }
}

function keptToken(room) {
  try {
    return sessionStorage.getItem(`callbox.token.${room}`) ?? tokens.get(room) ?? "";
  } catch {
    return tokens.get(room) ?? "";
  }
}

"""#),
        PageFile(
            path: "/chooser.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// The dialog in which microphone, camera and speaker are chosen.

import { recall, remember } from "./devices.js";

const WORDS = { audioinput: "Microphone", videoinput: "Camera", audiooutput: "Speaker" };

// useSpeaker: called with the id of the chosen speaker.
export function makeChooser(dialog, media, useSpeaker) {
  const select = (kind) => dialog.querySelector(`#choose-${kind}`);
  select("audioinput").onchange = (event) => media.choose("audio", event.target.value);
  select("videoinput").onchange = (event) => media.choose("video", event.target.value);
  select("audiooutput").onchange = (event) => {
    remember("speaker", event.target.value);
    useSpeaker(event.target.value);
  };
  useSpeaker(recall("speaker"));
  return async () => {
    await fill(media, select);
    dialog.querySelector("#speaker-field").hidden = !("setSinkId" in HTMLMediaElement.prototype);
    dialog.showModal();
  };
}

async function fill(media, select) {
  const devices = await media.list();
  const used = {
    audioinput: media.microphone?.getSettings().deviceId,
    videoinput: media.camera?.getSettings().deviceId,
    audiooutput: recall("speaker"),
  };
  for (const [kind, word] of Object.entries(WORDS)) {
    const options = devices
      .filter((device) => device.kind === kind && device.deviceId)
      .map((device, index) =>
        new Option(device.label || `${word} ${index + 1}`, device.deviceId, false, device.deviceId === used[kind]));
    select(kind).replaceChildren(...(options.length ? options : [new Option(`No ${word.toLowerCase()} found`, "")]));
    select(kind).disabled = options.length === 0;
  }
}

"""#),
        PageFile(
            path: "/devices.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// The local microphone and camera, and the one stream that is published.

const AUDIO = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
const VIDEO = { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 30, max: 30 } };

// Events: "change" after anything below changed.
export class LocalMedia extends EventTarget {
  // The stream's id is the stream's id in the lobby; its tracks come and go.
  stream = new MediaStream();
  // Why there is no microphone or camera although it is wanted; null when there is.
  problems = { audio: null, video: null };
  wanted = { audio: true, video: true };
  cameras = [];
  #chosen = { audio: recall("microphone"), video: recall("camera") };
  #facing = "user";
  #busy = Promise.resolve();

  constructor() {
    super();
    navigator.mediaDevices?.addEventListener("devicechange", () => {
      this.#count();
      for (const kind of ["audio", "video"]) {
        if (this.wanted[kind] && this.problems[kind]) this.#enqueue(() => this.#open(kind));
      }
    });
  }

  get microphone() { return this.stream.getAudioTracks()[0] ?? null; }
  get camera() { return this.stream.getVideoTracks()[0] ?? null; }
  get isMicrophoneOn() { return this.wanted.audio && !!this.microphone; }
  get isCameraOn() { return this.wanted.video && !!this.camera; }

  // Starts what is wanted and not running. One question to the person where the browser can ask for both at once.
  open() {
    return this.#enqueue(async () => {
      const kinds = ["audio", "video"].filter((kind) => this.wanted[kind] && !this.#track(kind));
      if (kinds.length === 2 && !(await this.#openBoth())) for (const kind of kinds) await this.#open(kind);
      else if (kinds.length === 1) await this.#open(kinds[0]);
    });
  }

  // The microphone stays open while muted, so that it comes back at once.
  setMicrophone(isOn) {
    return this.#enqueue(async () => {
      this.wanted.audio = isOn;
      if (isOn && !this.microphone) await this.#open("audio");
      if (this.microphone) this.microphone.enabled = isOn;
      this.#changed();
    });
  }

  // The camera is really closed while it is off: its light goes dark.
  setCamera(isOn) {
    return this.#enqueue(async () => {
      this.wanted.video = isOn;
      if (isOn && !this.camera) await this.#open("video");
      if (!isOn) this.#drop("video");
      this.#changed();
    });
  }

  switchCamera() {
    return this.#enqueue(async () => {
      const ids = this.cameras.map((camera) => camera.deviceId);
      const position = ids.indexOf(this.camera?.getSettings().deviceId ?? this.#chosen.video);
      this.#facing = this.#facing === "user" ? "environment" : "user";
      this.#choose("video", ids[(position + 1) % ids.length] ?? "");
      this.wanted.video = true;
      await this.#reopen("video");
    });
  }

  choose(kind, deviceId) {
    return this.#enqueue(async () => {
      this.#choose(kind, deviceId);
      if (this.wanted[kind]) await this.#reopen(kind);
    });
  }

  async list() {
    try {
      return await navigator.mediaDevices.enumerateDevices();
    } catch {
      return [];
    }
  }

  close() {
    return this.#enqueue(async () => {
      this.#drop("audio");
      this.#drop("video");
      this.#changed();
    });
  }

  // Devices are opened and closed one after the other: a browser may refuse a camera that it is still closing.
  #enqueue(job) {
    this.#busy = this.#busy.then(job, job);
    return this.#busy;
  }

  #choose(kind, deviceId) {
    this.#chosen[kind] = deviceId;
    remember(kind === "audio" ? "microphone" : "camera", deviceId);
  }

  #track(kind) { return kind === "audio" ? this.microphone : this.camera; }

  #constraints(kind) {
    const id = this.#chosen[kind];
    if (kind === "audio") return id ? { ...AUDIO, deviceId: { ideal: id } } : AUDIO;
    return id ? { ...VIDEO, deviceId: { ideal: id } } : { ...VIDEO, facingMode: this.#facing };
  }

  async #openBoth() {
    try {
      const opened = await media({ audio: this.#constraints("audio"), video: this.#constraints("video") });
      for (const track of opened.getTracks()) this.#adopt(track);
      this.problems = { audio: null, video: null };
      await this.#count();
      return true;
    } catch {
      // Which of the two it was is found by asking for each alone.
      return false;
    }
  }

  async #open(kind) {
    if (this.#track(kind)) return;
    try {
      const opened = await media({ [kind]: this.#constraints(kind) });
      this.problems[kind] = null;
      for (const track of opened.getTracks()) this.#adopt(track);
    } catch (error) {
      this.problems[kind] = error;
    }
    await this.#count();
  }

  async #reopen(kind) {
    this.#drop(kind);
    await this.#open(kind);
  }

  #adopt(track) {
    if (track.kind === "audio") track.enabled = this.wanted.audio;
    this.stream.addTrack(track);
    track.onended = () => this.#enqueue(async () => {
      // Unplugged or taken away by the browser; it is taken back when it returns.
      this.stream.removeTrack(track);
      this.problems[track.kind] = new DOMException("", "NotReadableError");
      this.#changed();
    });
    this.#changed();
  }

  #drop(kind) {
    const track = this.#track(kind);
    if (!track) return;
    track.onended = null;
    track.stop();
    this.stream.removeTrack(track);
  }

  async #count() {
    const devices = await this.list();
    this.cameras = devices.filter((device) => device.kind === "videoinput");
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

async function media(constraints) {
  if (!navigator.mediaDevices?.getUserMedia) throw new DOMException("", "SecurityError");
  return navigator.mediaDevices.getUserMedia(constraints);
}

// Storage may be forbidden: then nothing is remembered.
export function recall(key) {
  try {
    return localStorage.getItem(`callbox.${key}`) ?? "";
  } catch {
    return "";
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`callbox.${key}`, value);
  } catch {
    // Not remembered.
  }
}

"""#),
        PageFile(
            path: "/lobby.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// The connection to the lobby (Sources/LobbyProtocol/PROTOCOL.md): join, requests, keep-alive, coming back by itself.

import { closeWords } from "./words.js";

const PING_EVERY = 4000;
const SILENT_FOR = 10000;

// Events: "joined" (detail: the reply), "message" (detail: the message), "refused" ({code, text}: joining was refused
// for good), "lost" ({words, retryIn}: trying again by itself), "ended" ({words, code}: not trying again).
export class Lobby extends EventTarget {
  #join;
  #socket = null;
  #requests = new Map();
  #nextRequest = 1;
  #retryTimer = 0;
  #pingTimer = 0;
  #lastHeard = 0;
  #lostSince = 0;
  #attempts = 0;
  #wasJoined = false;
  #isStopped = false;
  #retryNow = () => { if (this.#retryTimer) this.retry(); };

  // join: a function that returns the fields of the join message; asked again for each attempt.
  constructor(join) {
    super();
    this.#join = join;
    window.addEventListener("online", this.#retryNow);
  }

  start() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = 0;
    const url = new URL("ws", document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url, "callbox-lobby");
    this.#socket = socket;
    this.#lastHeard = performance.now();
    clearInterval(this.#pingTimer);
    this.#pingTimer = setInterval(() => this.#keepAlive(socket), PING_EVERY);
    socket.onopen = () => {
      this.request({ type: "join", protocol: 1, ...this.#join() }).then(
        (reply) => {
          this.#wasJoined = true;
          this.#attempts = 0;
          this.#lostSince = 0;
          this.#emit("joined", reply);
        },
        (error) => this.#refused(socket, error));
    };
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => this.#closed(socket, event.code);
  }

  // Sends a message that needs no answer; false when there is no connection.
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  // Sends a message and gives its answer; fails with {code, text}.
  request(message) {
    return new Promise((resolve, reject) => {
      const request = this.#nextRequest++;
      if (!this.send({ ...message, request })) {
        reject({ code: "notConnected", text: "no connection to the lobby" });
        return;
      }
      this.#requests.set(request, { resolve, reject });
    });
  }

  retry() {
    this.#attempts = 0;
    this.start();
  }

  stop() {
    this.#isStopped = true;
    window.removeEventListener("online", this.#retryNow);
    clearTimeout(this.#retryTimer);
    clearInterval(this.#pingTimer);
    this.send({ type: "leave" });
    this.#socket?.close(1000);
  }

  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #receive(text) {
    this.#lastHeard = performance.now();
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    const waiting = this.#requests.get(message.inReplyTo);
    if (waiting) {
      this.#requests.delete(message.inReplyTo);
      if (message.type === "error") waiting.reject(message);
      else waiting.resolve(message);
    } else {
      this.#emit("message", message);
    }
  }

  #keepAlive(socket) {
    if (socket !== this.#socket) return;
    if (performance.now() - this.#lastHeard > SILENT_FOR) {
      // close() waits for the other side, which is silent: do not wait with it.
      socket.onclose = null;
      socket.close();
      this.#closed(socket, 1006);
    } else {
      this.send({ type: "ping" });
    }
  }

  #refused(socket, error) {
    if (socket !== this.#socket || error.code === "notConnected" || error.code === "lost") return;
    const isTemporary = error.code === "roomFull" || error.code === "lobbyFull";
    if (this.#wasJoined && isTemporary) {
      socket.close(4000);
    } else {
      this.#end();
      this.#emit("refused", error);
    }
  }

  #closed(socket, code) {
    if (socket !== this.#socket) return;
    for (const { reject } of this.#requests.values()) reject({ code: "lost", text: "the connection was lost" });
    this.#requests.clear();
    if (this.#isStopped) return;
    const { words, retry } = closeWords(code);
    if (retry === "never") {
      this.#end();
      this.#emit("ended", { words, code });
      return;
    }
    clearInterval(this.#pingTimer);
    const retryIn = this.#delay(retry);
    this.#emit("lost", { words, retryIn });
    this.#retryTimer = setTimeout(() => this.start(), retryIn);
  }

  // Quick during the first seconds, so that a restart is hardly noticed; then ever more slowly and at random, so that
  // many pages do not storm a lobby together.
  #delay(retry) {
    if (retry === "slowly") return 20000 + Math.random() * 10000;
    this.#lostSince ||= performance.now();
    if (performance.now() - this.#lostSince < 15000) return 250 + Math.random() * 750;
    this.#attempts += 1;
    return 1000 + Math.random() * Math.min(29000, 1000 * 2 ** this.#attempts);
  }

  #end() {
    this.#isStopped = true;
    window.removeEventListener("online", this.#retryNow);
    clearInterval(this.#pingTimer);
    this.#socket.onclose = null;
    this.#socket.close();
  }
}

"""#),
        PageFile(
            path: "/meter.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// Shows how loud the microphone is, before joining.

export class Meter {
  #element;
  #running = null;

  constructor(element) {
    this.#element = element;
  }

  // track: the microphone, or null to stop.
  show(track) {
    if ((this.#running?.track ?? null) === track) return;
    if (this.#running) {
      clearInterval(this.#running.timer);
      this.#running.context.close();
      this.#running = null;
    }
    this.#element.hidden = !track;
    if (!track) return;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 512;
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const bars = [...this.#element.children];
    const timer = setInterval(() => {
      if (context.state === "suspended") context.resume().catch(() => {});
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      const level = Math.max(0, 1 + Math.log10(power + 1e-9) / 5);
      bars.forEach((bar, index) => bar.classList.toggle("lit", level * bars.length > index + 0.5));
    }, 80);
    this.#running = { track, context, timer };
  }
}

"""#),
        PageFile(
            path: "/page.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
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

"""#),
        PageFile(
            path: "/peer.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
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

"""#),
        PageFile(
            path: "/tiles.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// The pictures of the others: one tile for each stream, or for a participant who publishes none.

import { connectionWords, initials } from "./words.js";

const LOUD = 0.02;
const GAP = 12;

// Events: "silenced" when the browser wants a tap before it plays sound.
export class Tiles extends EventTarget {
  #grid;
  #template;
  #tiles = new Map();
  #self;
  #pinned = null;
  #speaker = "";

  // self: the tile with our own picture. It lies over a single other's picture and stands in the row of several.
  constructor(grid, template, self) {
    super();
    this.#grid = grid;
    this.#template = template;
    this.#self = self;
    new ResizeObserver(() => this.layOut()).observe(grid);
  }

  get count() { return this.#tiles.size; }

  // Brings the tiles in line with the peers; elements that stay are not touched, so that nothing flickers.
  show(peers) {
    const wanted = new Map();
    for (const peer of peers) {
      const streams = [...peer.streams.values()];
      if (streams.length === 0) wanted.set(peer.id, { peer, stream: null });
      for (const stream of streams) wanted.set(`${peer.id} ${stream.id}`, { peer, stream });
    }
    for (const [key, tile] of this.#tiles) {
      if (wanted.has(key)) continue;
      tile.element.remove();
      this.#tiles.delete(key);
      if (this.#pinned === key) this.#pinned = null;
    }
    for (const [key, { peer, stream }] of wanted) {
      if (!this.#tiles.has(key)) this.#tiles.set(key, this.#make(key));
      this.#update(this.#tiles.get(key), peer, stream);
    }
    this.layOut();
  }

  // Marks who speaks.
  showLevels() {
    for (const tile of this.#tiles.values()) {
      const isLoud = tile.hasAudio && !tile.isMuted && tile.peer.level() > LOUD;
      if (isLoud) tile.loudUntil = performance.now() + 600;
      tile.element.classList.toggle("speaking", performance.now() < (tile.loudUntil ?? 0));
    }
  }

  // Plays what the browser held back; call it from a tap.
  playAll() {
    for (const tile of this.#tiles.values()) this.#play(tile);
  }

  async useSpeaker(deviceId) {
    this.#speaker = deviceId;
    for (const tile of this.#tiles.values()) await this.#route(tile);
  }

  videoOf(id) {
    return [...this.#tiles.values()].find((tile) => tile.peer.id === id)?.video ?? null;
  }

  #make(key) {
    const element = this.#template.content.firstElementChild.cloneNode(true);
    const part = (name) => element.querySelector(name);
    const tile = {
      element, key, video: part("video"), audio: part("audio"), initials: part(".initials"),
      state: part(".tile-state"), name: part(".name"), details: part(".details"), enlarge: part(".enlarge"),
      peer: null, hasAudio: false, isMuted: false,
    };
    tile.video.onresize = () => this.layOut();
    tile.enlarge.onclick = () => {
      this.#pinned = this.#pinned === key ? null : key;
      this.layOut();
    };
    this.#grid.insertBefore(element, this.#self);
    this.#route(tile);
    return tile;
  }

  #update(tile, peer, stream) {
    tile.peer = peer;
    const audio = peer.track("audio", stream?.id);
    const video = stream?.hasVideo !== false ? peer.track("video", stream?.id) : null;
    this.#attach(tile, tile.audio, audio);
    this.#attach(tile, tile.video, video);
    tile.hasAudio = !!audio;
    tile.isMuted = !stream?.hasAudio || stream.audioMuted;
    const hidesPicture = !stream || !stream.hasVideo || stream.videoMuted;
    const hasPicture = !hidesPicture && !!tile.video.srcObject;
    const state = connectionWords(peer.state);
    const onlyListens = !stream && (peer.participant.role === "audience" || !peer.participant.canPublish);
    const weak = peer.quality === "bad" ? "Weak connection" : "";
    tile.element.dataset.participant = peer.id;
    tile.element.classList.toggle("without-picture", !hasPicture);
    tile.element.classList.toggle("muted", !!stream && tile.isMuted);
    tile.element.classList.toggle("listening", onlyListens);
    tile.element.classList.toggle("interrupted", !!state);
    tile.initials.textContent = initials(peer.name);
    tile.name.textContent = peer.name;
    tile.state.textContent = state || weak || (stream?.hasVideo && stream.videoMuted ? "Camera off" : "");
    const facts = [
      onlyListens ? "listening only" : stream && tile.isMuted ? "muted" : "",
      stream?.hasVideo && stream.videoMuted ? "camera off" : "",
      state || weak,
    ].filter(Boolean);
    tile.details.textContent = facts.length ? `, ${facts.join(", ")}` : "";
    tile.element.setAttribute("aria-label", [peer.name, ...facts].join(", "));
    tile.video.setAttribute("aria-label", `Picture of ${peer.name}`);
  }

  // The last picture stays while a track is being replaced.
  #attach(tile, element, track) {
    const current = element.srcObject?.getTracks()[0] ?? null;
    if (track === current || !track) return;
    element.srcObject = new MediaStream([track]);
    this.#play(tile);
  }

  #play(tile) {
    // Not one after the other: a picture that never comes must not hold back the sound.
    return Promise.all([tile.video, tile.audio].filter((element) => element.srcObject).map(async (element) => {
      try {
        await element.play();
      } catch (error) {
        if (error.name === "NotAllowedError") this.dispatchEvent(new Event("silenced"));
      }
    }));
  }

  async #route(tile) {
    try {
      if (this.#speaker || tile.audio.sinkId) await tile.audio.setSinkId?.(this.#speaker);
    } catch {
      // That speaker is gone; the usual one is used.
    }
  }

  // Finds the number of columns that gives the largest pictures.
  layOut() {
    const shown = [...this.#tiles.values()];
    const isOver = shown.length < 2;
    const count = shown.length + (isOver ? 0 : 1);
    this.#self.classList.toggle("over", isOver);
    const pinned = shown.length > 1 ? this.#tiles.get(this.#pinned) : undefined;
    this.#grid.classList.toggle("has-pinned", !!pinned);
    for (const tile of shown) {
      tile.element.classList.toggle("pinned", tile === pinned);
      tile.enlarge.hidden = shown.length < 2;
      const words = tile === pinned ? "Show everyone at the same size" : `Enlarge ${tile.peer?.name ?? ""}`;
      tile.enlarge.setAttribute("aria-label", words);
    }
    if (pinned || shown.length === 0) return;
    const width = this.#grid.clientWidth, height = this.#grid.clientHeight;
    const aspect = this.#aspect(shown);
    let best = { columns: 1, width: 0 };
    for (let columns = 1; columns <= count; columns++) {
      const rows = Math.ceil(count / columns);
      const tileWidth = Math.min(
        (width - GAP * (columns - 1)) / columns, ((height - GAP * (rows - 1)) / rows) * aspect);
      if (tileWidth > best.width) best = { columns, width: tileWidth };
    }
    const tileWidth = Math.max(80, Math.floor(best.width));
    this.#grid.style.setProperty("--tile-width", `${tileWidth}px`);
    this.#grid.style.setProperty("--tile-height", `${Math.floor(tileWidth / aspect)}px`);
    this.#grid.style.setProperty("--row-width", `${best.columns * tileWidth + GAP * (best.columns - 1)}px`);
  }

  // The middle of the pictures' shapes, within reason; so one door station's picture fills its tile.
  #aspect(shown) {
    const shapes = shown.map(({ video }) => video.videoWidth / video.videoHeight).filter((shape) => shape > 0);
    if (shapes.length === 0) return 4 / 3;
    shapes.sort((a, b) => a - b);
    return Math.min(16 / 9, Math.max(3 / 4, shapes[Math.floor(shapes.length / 2)]));
  }
}

"""#),
        PageFile(
            path: "/words.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// Everything that is said to people, in one place and in plain words.

// problems: {audio, video}, each an exception or nothing. Empty when there is no problem.
export function deviceWords({ audio, video }) {
  if (audio && video && (audio.name === video.name || !window.isSecureContext)) {
    return problemWords("microphone and camera", audio, true);
  }
  return [audio && problemWords("microphone", audio), video && problemWords("camera", video)].filter(Boolean).join(" ");
}

function problemWords(thing, error, areTwo = false) {
  if (!window.isSecureContext) {
    return `The browser only gives the ${thing} to pages opened by https or on this computer itself.`;
  }
  switch (error.name) {
    case "NotAllowedError":
    case "SecurityError":
      return `The browser was not allowed to use the ${thing}. `
        + `Allow it beside the address, then turn ${areTwo ? "them" : "it"} on here.`;
    case "NotFoundError":
    case "OverconstrainedError":
      return areTwo ? "There is no microphone and no camera on this device." : `There is no ${thing} on this device.`;
    case "NotReadableError":
    case "AbortError":
      return `The ${thing} ${areTwo ? "are" : "is"} busy: another program uses ${areTwo ? "them" : "it"}.`;
    default:
      return `The ${thing} could not be started.`;
  }
}

export function lobbyErrorWords(code, text) {
  const known = {
    refusedToken: "The access token was refused. It may have expired or be meant for another room.",
    roomFull: "The room is full.",
    lobbyFull: "The lobby is full: it has as many rooms as it can hold.",
    notPermitted: "Your access token does not allow that.",
    streamIDTaken: "Your stream is published by somebody else already.",
    badMessage: "The lobby did not understand this page. Reload it.",
  };
  return known[code] ?? `The lobby refused: ${text || code}.`;
}

// What a closed connection means: the words, and whether trying again by itself makes sense.
export function closeWords(code) {
  switch (code) {
    case 1000: return { words: "You left the room.", retry: "never" };
    case 1001: return { words: "The lobby is restarting.", retry: "soon" };
    case 1003: case 1007: case 1009:
      return { words: "The lobby did not understand this page. Reload it.", retry: "never" };
    case 4400: return { words: "The lobby closed the connection.", retry: "slowly" };
    case 4401: return { words: "The access token was refused.", retry: "never" };
    case 4403: return { words: "You were removed from the room.", retry: "never" };
    case 4409: return { words: "You joined this room somewhere else.", retry: "never" };
    case 4429: return { words: "The lobby has too much to do.", retry: "slowly" };
    default: return { words: "The lobby cannot be reached.", retry: "soon" };
  }
}

// What a participant's tile says while there is nothing better to show; empty when all is well.
export function connectionWords(state) {
  switch (state) {
    case "waiting": case "new": case "connecting": return "Connecting…";
    case "disconnected": return "Connection interrupted…";
    case "failed": return "No connection. Trying again…";
    case "closed": return "Disconnected";
    default: return "";
  }
}

export function leftWords(name, reason) {
  switch (reason) {
    case "kicked": return `${name} was removed from the room.`;
    case "connectionLost": case "timedOut": return `${name} lost the connection.`;
    default: return `${name} left.`;
  }
}

export function initials(name) {
  const parts = name.trim().split(/\s+/).filter(Boolean);
  const letters = parts.length > 1 ? [parts[0], parts[parts.length - 1]] : parts;
  return letters.map((part) => [...part][0]).join("").toUpperCase() || "?";
}

export function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  return (hours ? `${hours}:` : "") + `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

"""#),
        PageFile(
            path: "/icon.svg", contentType: "image/svg+xml",
            text: #"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d7f6e"/><circle cx="16" cy="13" r="4.5" fill="none" stroke="#fff" stroke-width="2.5"/><path d="M9.5 5.800a9.7 9.7 0 0 0 0 14.400M22.5 5.800a9.7 9.7 0 0 1 0 14.4" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="2" stroke-linecap="round"/><rect x="10" y="24" width="12" height="2.5" rx="1.25" fill="#fff"/></svg>

"""#),
    ]
}
