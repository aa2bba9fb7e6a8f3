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
  <symbol id="i-phone" viewBox="0 0 24 24"><path class="solid" d="M7.300 3.300c-.5-.7-1.400-.9-2.200-.5L3.600 3.700c-.9.5-1.300 1.500-1.100 2.500.9 4 2.700 7.400 5.300 10s6 4.400 10 5.300c1 .2 2-.2 2.500-1.100l.9-1.500c.4-.8.2-1.700-.5-2.200l-2.700-1.900c-.6-.4-1.400-.4-2 .1l-1.300 1.100c-1.500-.8-2.700-2-3.600-3.600l1.200-1.300c.5-.6.5-1.400.1-2Z"/></symbol>
  <symbol id="i-leave" viewBox="0 0 24 24"><path d="M10 4H6.500A1.500 1.500 0 0 0 5 5.500v13A1.500 1.500 0 0 0 6.500 20H10M14.500 8l4 4-4 4M18 12H9.500"/></symbol>
  <symbol id="i-hand" viewBox="0 0 24 24"><path d="M8 12.500V6.300a1.400 1.400 0 0 1 2.800 0V11M10.800 10.500V4.700a1.400 1.400 0 0 1 2.800 0v5.800M13.600 10.500V5.900a1.400 1.400 0 0 1 2.800 0v6.600M16.400 12V9a1.300 1.300 0 0 1 2.600 0v5.500c0 3.900-2.500 6.500-6 6.500-2.800 0-4.500-1.200-5.800-3.400l-2.700-4.500a1.500 1.500 0 0 1 2.400-1.700L8 13.500"/></symbol>
  <symbol id="i-more" viewBox="0 0 24 24"><circle class="solid" cx="5.500" cy="12" r="1.800"/><circle class="solid" cx="12" cy="12" r="1.800"/><circle class="solid" cx="18.500" cy="12" r="1.800"/></symbol>
  <symbol id="i-open" viewBox="0 0 24 24"><path d="M6 20.500V5.500A1.500 1.500 0 0 1 7.500 4h9A1.500 1.500 0 0 1 18 5.500v15M3.500 20.500h17M14.300 12.300v.4"/></symbol>
  <symbol id="i-text" viewBox="0 0 24 24"><path d="M5 5h14a1.500 1.500 0 0 1 1.500 1.500v9A1.500 1.500 0 0 1 19 17h-8l-4.500 3.500V17H5a1.500 1.500 0 0 1-1.500-1.500v-9A1.500 1.500 0 0 1 5 5ZM7.500 9h9M7.500 12.500h6"/></symbol>
  <symbol id="i-remove" viewBox="0 0 24 24"><circle cx="10" cy="8.500" r="3.700"/><path d="M3 20a7.100 7.100 0 0 1 11.500-5.600M16 16l5 5M21 16l-5 5"/></symbol>
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
      <label class="field">How you take part
        <select id="mode">
          <option value="auto">Join the conversation</option>
          <option value="on-call">Wait for calls, camera and microphone off</option>
          <option value="listen">Only listen</option>
        </select>
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
  <ul class="applications" id="applications" aria-label="Requests to speak" aria-live="polite" hidden></ul>

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

  <section class="strip" id="strip" aria-label="Call" hidden>
    <p class="strip-words" id="strip-words" role="status" aria-live="polite"></p>
    <p class="strip-time" id="strip-time" role="timer" aria-live="off"></p>
    <button class="answer small" id="call-again" type="button" hidden><svg class="icon" aria-hidden="true"><use href="#i-phone"/></svg><span>Call again</span></button>
    <button class="hang-up small" id="hang-up" type="button"><svg class="icon" aria-hidden="true"><use href="#i-hang-up"/></svg><span id="hang-up-words">Hang up</span></button>
    <button class="quiet small" id="strip-close" type="button" hidden>Close</button>
  </section>

  <footer class="controls" role="toolbar" aria-label="Controls">
    <button class="control" id="speak" type="button" hidden><svg class="icon" aria-hidden="true"><use href="#i-hand"/></svg><span>Ask to speak</span></button>
    <button class="control" id="microphone" type="button"><svg class="icon" aria-hidden="true"><use href="#i-microphone"/></svg><span>Mute</span></button>
    <button class="control" id="camera" type="button"><svg class="icon" aria-hidden="true"><use href="#i-camera"/></svg><span class="long">Stop camera</span><span class="short">Camera</span></button>
    <button class="control" id="switch" type="button" hidden><svg class="icon" aria-hidden="true"><use href="#i-switch"/></svg><span>Switch</span></button>
    <button class="control" id="settings" type="button"><svg class="icon" aria-hidden="true"><use href="#i-settings"/></svg><span>Devices</span></button>
    <button class="control leave" id="leave" type="button"><svg class="icon" aria-hidden="true"><use href="#i-leave"/></svg><span>Leave</span></button>
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

<dialog class="incoming" id="incoming" role="alertdialog" aria-labelledby="incoming-title" aria-describedby="incoming-words">
  <div class="caller without-picture" id="caller">
    <video id="caller-video" muted autoplay playsinline aria-hidden="true"></video>
    <div class="stand-in" aria-hidden="true"><span class="initials" id="caller-initials"></span></div>
  </div>
  <h2 id="incoming-title"></h2>
  <p id="incoming-words">is calling you</p>
  <p class="quiet-words" id="incoming-silent" hidden>The browser plays no ring tone before you have touched the page.</p>
  <div class="incoming-buttons">
    <button class="hang-up" id="decline" type="button"><svg class="icon" aria-hidden="true"><use href="#i-hang-up"/></svg><span>Decline</span></button>
    <button class="answer" id="answer" type="button"><svg class="icon" aria-hidden="true"><use href="#i-phone"/></svg><span>Answer</span></button>
  </div>
</dialog>

<dialog class="commands" id="commands" aria-labelledby="commands-title">
  <form method="dialog">
    <h2 id="commands-title"></h2>
    <div class="command-list">
      <button class="command" type="button" data-command="mute"><svg class="icon" aria-hidden="true"><use href="#i-microphone-off"/></svg>Mute the microphone</button>
      <button class="command" type="button" data-command="cameraOff"><svg class="icon" aria-hidden="true"><use href="#i-camera-off"/></svg>Turn the camera off</button>
      <button class="command" type="button" data-command="switchCamera"><svg class="icon" aria-hidden="true"><use href="#i-switch"/></svg>Switch to the next camera</button>
      <button class="command" type="button" data-command="openRelay"><svg class="icon" aria-hidden="true"><use href="#i-open"/></svg>Open the door</button>
    </div>
    <label class="field">Loudness of its speaker
      <input id="command-volume" type="range" min="0" max="100" step="5" value="60">
    </label>
    <div class="field-row">
      <label class="field">Text on its screen
        <input id="command-text" maxlength="200" autocomplete="off" placeholder="Please come to gate 2">
      </label>
      <button class="quiet" type="button" data-command="showText">Show</button>
    </div>
    <button class="command" type="button" data-command="endSpeaking" hidden><svg class="icon" aria-hidden="true"><use href="#i-hand"/></svg>End the speaking</button>
    <button class="command bad" type="button" data-command="remove"><svg class="icon" aria-hidden="true"><use href="#i-remove"/></svg>Remove from the room</button>
    <button class="quiet" type="submit">Close</button>
  </form>
</dialog>

<template id="application">
  <li><span class="application-words"></span><button class="quiet accept" type="button">Let speak</button><button class="quiet reject" type="button">Reject</button></li>
</template>

<template id="tile">
  <article class="tile">
    <video muted autoplay playsinline></video>
    <audio autoplay></audio>
    <div class="stand-in" aria-hidden="true"><span class="initials"></span></div>
    <p class="tile-state"></p>
    <button class="answer call-button" type="button" hidden><svg class="icon" aria-hidden="true"><use href="#i-phone"/></svg><span>Call</span></button>
    <button class="corner more" type="button" hidden><svg class="icon" aria-hidden="true"><use href="#i-more"/></svg></button>
    <button class="corner enlarge" type="button"><svg class="icon" aria-hidden="true"><use href="#i-enlarge"/></svg></button>
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
  --answer: #1c834e;
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
.control.leave { color: #ffb9b3; }
.answer, .hang-up {
  display: flex; align-items: center; justify-content: center; gap: 10px; min-height: 56px; padding: 0 24px; border: 0; border-radius: 999px; color: #fff;
  font-weight: 650; font-size: 17px; white-space: nowrap; transition: background .15s;
}
.answer { background: var(--answer); }
.answer:hover { background: #229a5c; }
.hang-up { background: var(--hang-up); }
.hang-up:hover { background: #e2453d; }
.small { min-height: 44px; padding: 0 18px; font-size: 15px; }
.small .icon { width: 20px; height: 20px; }

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
  height: 100vh; height: 100dvh; outline: none; display: flex; flex-direction: column; overflow: hidden;
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

.stage { position: relative; flex: 1 1 0; min-height: 0; margin: 0 var(--right) 0 var(--left); }
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
.tile:not(.interrupted, .without-picture) .tile-state { top: auto; bottom: 52px; transform: translateX(-50%); font-size: 13px; padding: 4px 12px; color: var(--warn); }
.call-button { position: absolute; left: 10px; top: 10px; min-height: 44px; padding: 0 18px 0 14px; gap: 8px; font-size: 15px; box-shadow: 0 2px 10px rgb(0 0 0 / .4); }
.call-button .icon { width: 20px; height: 20px; }
.tile.in-call::after { box-shadow: inset 0 0 0 3px #2f9e6a; }
.corner {
  position: absolute; right: 8px; top: 8px; width: 44px; height: 44px; display: grid; place-items: center; border: 0; border-radius: 10px; background: rgb(6 10 13 / .6);
  transition: opacity .15s;
}
.corner .icon { width: 22px; height: 22px; }
.more { right: 58px; }
.tile:has(.enlarge[hidden]) .more { right: 8px; }
.enlarge { opacity: 0; }
.tile:hover .enlarge, .enlarge:focus-visible, .tile:focus-within .enlarge { opacity: 1; }
@media (hover: none) { .enlarge { opacity: 1; } }
/* A small picture is one button. */
.has-pinned .tile:not(.pinned) .enlarge { inset: 0; width: auto; height: auto; border-radius: inherit; background: none; }
.has-pinned .tile:not(.pinned) :is(.enlarge .icon, .more, .call-button) { display: none; }
.has-pinned .tile:not(.pinned, .interrupted) .tile-state { display: none; }
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
  display: flex; justify-content: center; gap: 10px;
  padding: 14px var(--right) max(16px, env(safe-area-inset-bottom)) var(--left);
}
.leave { margin-left: 14px; }

/* The call: a strip above the controls, and the question to answer */

.strip {
  display: flex; align-items: center; gap: 14px; align-self: center; width: min(720px, calc(100% - 2 * var(--left))); margin: 12px 0 0; padding: 10px 10px 10px 20px;
  border-radius: 18px; background: #14302a; border: 1px solid #27594c;
}
.strip[data-state="ended"] { background: var(--surface); border-color: var(--line); }
.strip-words { flex: 1; min-width: 0; font-weight: 580; overflow-wrap: anywhere; line-height: 1.3; }
.strip[data-state="calling"] .strip-words::before {
  content: ""; display: inline-block; width: 10px; height: 10px; margin-right: 12px; border-radius: 50%; background: var(--accent); animation: breathe 1.4s ease-in-out infinite;
}
.strip-time { font-variant-numeric: tabular-nums; color: #bfe3d9; }
.strip-time:empty { display: none; }
.incoming { width: min(420px, calc(100vw - 32px)); text-align: center; padding: 28px 24px; box-shadow: 0 24px 80px rgb(0 0 0 / .6); }
.incoming[open] { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; justify-items: center; }
.incoming h2 { font-size: 26px; line-height: 1.2; margin-top: 10px; overflow-wrap: anywhere; }
.incoming p { color: var(--soft); }
.incoming .quiet-words { color: var(--warn); font-size: 14px; }
.caller { position: relative; width: 100%; aspect-ratio: 4 / 3; border-radius: 14px; overflow: hidden; background: #05080a; }
.caller.without-picture { width: 128px; aspect-ratio: 1; border-radius: 50%; overflow: visible; background: none; }
.caller.without-picture::before, .caller.without-picture::after {
  content: ""; position: absolute; inset: 0; border-radius: 50%; border: 2px solid var(--accent); animation: ring 1.8s ease-out infinite;
}
.caller.without-picture::after { animation-delay: .9s; }
@keyframes ring { from { opacity: .8; transform: scale(1); } to { opacity: 0; transform: scale(1.55); } }
.caller video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.caller.without-picture video { visibility: hidden; }
.caller .initials { width: 100%; font-size: 44px; }
.incoming-buttons { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; width: 100%; margin-top: 18px; }
.incoming-buttons button { padding: 0 8px; }

/* Requests to speak, and what a host may ask of a participant */

.applications { list-style: none; margin: 0 var(--right) 10px var(--left); padding: 0; display: grid; gap: 8px; }
.applications li { display: flex; align-items: center; gap: 10px; padding: 8px 8px 8px 16px; border-radius: 12px; background: var(--surface); border: 1px solid var(--line); }
.application-words { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.accept { border-color: #27594c; background: #14302a; }
.accept:hover { background: #1b4037; }
.command-list { display: grid; gap: 8px; }
.command {
  display: flex; align-items: center; gap: 14px; min-height: 52px; padding: 0 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); text-align: left;
}
.command:hover { background: #27323b; }
.command.bad { color: #ffb9b3; }
.field-row { display: grid; grid-template-columns: 1fr auto; gap: 10px; align-items: end; }
.field-row .quiet { min-height: 48px; }
.field input[type="range"] { padding: 0; border: 0; background: none; accent-color: var(--accent); min-height: 44px; }

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
  .leave { margin-left: 0; }
  .strip { padding-left: 16px; gap: 10px; margin-top: 8px; }
  .applications li { flex-wrap: wrap; padding-left: 14px; }
  .application-words { flex-basis: 100%; }
  .applications .quiet { flex: 1; }
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
// The address of the page: #/ROOM, #/ROOM?name=…&token=…&mode=…&join=1; role=audience means mode=listen. A token is kept
// for as long as the tab lives.

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
  // Before the # it is as good: links are written by hand.
  const asked = (key) => values.get(key) ?? new URLSearchParams(location.search).get(key);
  const mode = asked("role") === "audience" ? "listen" : asked("mode");
  return {
    room, token: keptToken(room), name: values.get("name") ?? "", joins: values.get("join") === "1",
    mode: ["auto", "on-call", "listen"].includes(mode) ? mode : "",
  };
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
            path: "/calling.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// Ties a call (calls.js) to the room that carries its messages, to the clock, the bell and what is shown.

import { CallSession } from "./calls.js";
import { CallView } from "./callview.js";
import { callEndWords, callErrorWords } from "./words.js";

// Events: "change" after the state or the partner changed; "started" when microphone and camera are needed from now on,
// "ended" when they are not any more; "announce" ({words}).
export class Calling extends EventTarget {
  lastEnd = null;
  #room;
  #ringing;
  #view;
  #session = null;
  #timer = 0;
  #since = 0;
  // The calls that the person here ended.
  #mine = new Set();
  #pictureOf;
  #again = [];
  #isSilenced = false;

  // pictureOf: the video track of a participant, or null.
  constructor({ room, ringing, byID, pictureOf }) {
    super();
    this.#room = room;
    this.#ringing = ringing;
    this.#pictureOf = pictureOf;
    this.#view = new CallView(byID, {
      answer: () => this.answer(), decline: () => this.decline(), hangUp: () => this.hangUp(),
      callAgain: () => this.call(this.#again),
      silence: () => { this.#isSilenced = true; this.#sound(); },
    });
    const on = (type, handler) => room.addEventListener(type, ({ detail }) => handler(detail));
    on("joined", ({ participants }) => this.#joined(participants));
    on("lost", () => this.#do((session, now) => session.roomLost(now)));
    on("ended", () => this.#left());
    on("participantJoined", ({ id }) => this.#do((session, now) => session.participantJoined(id, now)));
    on("participantLeft", ({ id, isLost }) => this.#do((session, now) => session.participantLeft(id, isLost, now)));
    on("message", ({ from, body }) => {
      if (typeof body?.call_event === "string") this.#do((session, now) => session.receive(body, from, now));
    });
    on("life", ({ id, lives }) => this.#do((session, now) => session.mediaChanged(id, lives, now)));
    on("change", () => this.#showPicture());
  }

  get state() { return this.#session?.state ?? "idle"; }
  get partner() { return this.#session?.partner ?? null; }
  get callID() { return this.#session?.callID ?? null; }
  get targets() { return this.#session?.targets ?? []; }
  set title(words) { this.#view.title = words; }

  call(targets) {
    const callID = [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(16).padStart(8, "0")).join("");
    this.#again = targets;
    this.#act((session, now) => session.call(targets, callID, now));
  }

  answer() { this.#act((session, now) => session.answer(now)); }

  decline() { this.#act((session, now) => session.decline(now)); }

  hangUp() {
    this.#mine.add(this.callID);
    this.#act((session, now) => session.hangUp(now));
  }

  // Call it before the room is left, so that the other side hears of it.
  leaveRoom() { this.#do((session, now) => session.leaveRoom(now)); }

  tick() {
    this.#view.tick();
    if (this.state === "ringing") this.#showPicture();
  }

  #joined(participants) {
    const id = this.#room.me.id;
    if (!this.#session || this.#session.ownID !== id) this.#session = new CallSession(id);
    this.#do((session, now) => session.roomJoined(new Set(participants), now));
  }

  #left() {
    clearTimeout(this.#timer);
    this.#since = 0;
    this.#mine.clear();
    this.#session = null;
    this.#ringing.play(null);
    this.#view.showNothing();
    this.#emit("change");
  }

  // What the person does; an error is told.
  #act(work) {
    try {
      this.#do(work);
    } catch (error) {
      this.#emit("announce", { words: callErrorWords(error.code) });
    }
  }

  #do(work) {
    if (!this.#session) return;
    try {
      work(this.#session, performance.now());
    } finally {
      this.#settle();
    }
  }

  #settle() {
    const session = this.#session;
    for (const output of session.takeOutputs()) {
      if (output.send) this.#room.tell(output.to, output.send);
      else if (output.ended) this.#ended(output.ended);
      else this.#stateChanged();
    }
    clearTimeout(this.#timer);
    const deadline = session.nextDeadline;
    if (deadline === null) return;
    this.#timer = setTimeout(
      () => this.#do((session, now) => session.advance(now)), Math.max(0, deadline - performance.now()));
  }

  #stateChanged() {
    const { state, partner, targets } = this.#session;
    if (state === "inCall" && !this.#since) {
      this.#since = Date.now();
      this.#emit("started");
    }
    if (state === "ringing") this.#isSilenced = false;
    this.#sound();
    switch (state) {
      case "calling": this.#view.showCalling(this.#names(targets), this.#session.isRinging); break;
      case "ringing": this.#view.showIncoming(this.#room.nameOf(partner)); break;
      case "inCall":
        this.#view.showInCall(this.#room.nameOf(partner), this.#session.isInterrupted, this.#since);
        break;
      // How it ended follows.
      default: this.#view.showNothing();
    }
    if (state === "idle" && this.#since) {
      this.#since = 0;
      this.#emit("ended");
    }
    this.#showPicture();
    this.#emit("change");
  }

  #ended({ callID, partner, reason, wasIncoming, targets }) {
    const name = partner ? this.#room.nameOf(partner) : this.#names(targets);
    const isMine = this.#mine.delete(callID) && reason === "hungUp";
    const words = isMine ? "You hung up." : callEndWords(name, reason, wasIncoming);
    this.lastEnd = { callID, reason, partner, incoming: wasIncoming };
    // One who was turned away as busy changes nothing of what is shown.
    if (this.#session.state !== "idle") {
      this.#emit("announce", { words });
      return;
    }
    this.#ringing.play(!wasIncoming && reason === "busy" ? "busy" : null);
    if (wasIncoming && partner) this.#again = [partner];
    const isSettled = isMine || reason === "answeredElsewhere" || reason === (wasIncoming ? "declined" : "cancelled");
    this.#view.showEnded(words, !isSettled && this.#again.some((id) => this.#room.peers.has(id)));
    this.#emit("change");
  }

  #sound() {
    const { state } = this.#session;
    if (state === "ringing") this.#ringing.play(this.#isSilenced ? null : "ring");
    else if (state === "calling") this.#ringing.play(this.#session.isRinging ? "ringBack" : null);
    else if (this.#ringing.playing !== "busy" || state !== "idle") this.#ringing.play(null);
  }

  #showPicture() {
    if (this.state === "ringing") this.#view.showCaller(this.#pictureOf(this.partner), this.#ringing.isHeldBack);
  }

  #names(ids) { return ids.map((id) => this.#room.nameOf(id)).join(", "); }

  #emit(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}

"""#),
        PageFile(
            path: "/calls.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
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

"""#),
        PageFile(
            path: "/callview.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// What a call looks like: the strip above the controls, and the question whether to answer.

import { clock, initials } from "./words.js";

// How long the strip says how a call ended.
const ENDED_FOR = 8000;
// A key that was meant for something else must not answer a call that has just popped up.
const DEAF_FOR = 600;
const BLINK_EVERY = 1000;

// actions: {answer, decline, hangUp, callAgain, silence}
export class CallView {
  #$;
  #actions;
  #endTimer = 0;
  #blinkTimer = 0;
  #title = "";
  #blinks = "";
  #shownAt = 0;
  #since = 0;
  #focusBefore = null;
  #isAsking = false;
  #notification = null;

  constructor(byID, actions) {
    this.#$ = byID;
    this.#actions = actions;
    const guarded = (action) => () => { if (performance.now() - this.#shownAt > DEAF_FOR) action(); };
    byID("answer").onclick = guarded(actions.answer);
    byID("decline").onclick = guarded(actions.decline);
    byID("hang-up").onclick = actions.hangUp;
    byID("call-again").onclick = actions.callAgain;
    byID("strip-close").onclick = () => this.showNothing();
    // Escape only silences the bell: it is too easily hit to turn somebody away.
    byID("incoming").addEventListener("cancel", (event) => {
      event.preventDefault();
      actions.silence();
    });
    // A browser may close it all the same, as by the second back gesture: it still rings.
    byID("incoming").addEventListener("close", () => { if (this.#isAsking) byID("incoming").showModal(); });
    byID("incoming").addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        actions.silence();
      }
    });
  }

  // The page's title; while it rings the title alternates with who calls.
  set title(words) {
    this.#title = words;
    if (!this.#blinkTimer) document.title = words;
  }

  showNothing() {
    clearTimeout(this.#endTimer);
    this.hideIncoming();
    this.#strip("idle", "");
  }

  showCalling(names, isRinging) {
    this.hideIncoming();
    this.#strip("calling", isRinging ? `Ringing at ${names}…` : `Calling ${names}…`);
  }

  showInCall(name, isInterrupted, since) {
    this.hideIncoming();
    this.#since = since;
    const words = `In a call with ${name}`;
    this.#strip("inCall", isInterrupted ? `${words}, who lost the connection…` : words);
    this.tick();
  }

  // again: whether it makes sense to call once more.
  showEnded(words, again) {
    this.hideIncoming();
    this.#strip("ended", words);
    this.#$("call-again").hidden = !again;
    this.#endTimer = setTimeout(() => this.showNothing(), ENDED_FOR);
  }

  showIncoming(name) {
    const dialog = this.#$("incoming");
    this.#$("incoming-title").textContent = name;
    this.#$("caller-initials").textContent = initials(name);
    this.#strip("ringing", "");
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#shownAt = performance.now();
    this.#focusBefore = document.activeElement;
    dialog.showModal();
    this.#$("answer").focus();
    this.#blinks = `${name} is calling`;
    const blink = () => {
      document.title = document.title === this.#blinks ? this.#title : this.#blinks;
    };
    blink();
    this.#blinkTimer = setInterval(blink, BLINK_EVERY);
    navigator.vibrate?.([400, 200, 400]);
    if (document.hidden) this.#notify(this.#blinks);
  }

  // For who looks at another page just now.
  #notify(words) {
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    try {
      this.#notification = new Notification(words, { tag: "call", icon: "icon.svg", requireInteraction: true });
      this.#notification.onclick = () => {
        window.focus();
        this.#notification?.close();
      };
    } catch {
      // Some browsers only show them from a service worker; the bell and the title must do.
    }
  }

  // The caller's picture as it comes, and whether the bell is held back.
  showCaller(track, isSilent) {
    const video = this.#$("caller-video");
    this.#$("caller").classList.toggle("without-picture", !track);
    this.#$("incoming-silent").hidden = !isSilent;
    if ((video.srcObject?.getTracks()[0] ?? null) === track) return;
    video.srcObject = track ? new MediaStream([track]) : null;
    if (track) video.play().catch(() => {});
  }

  hideIncoming() {
    const dialog = this.#$("incoming");
    if (!this.#isAsking) return;
    this.#isAsking = false;
    clearInterval(this.#blinkTimer);
    this.#blinkTimer = 0;
    document.title = this.#title;
    this.#notification?.close();
    this.#notification = null;
    this.showCaller(null, false);
    dialog.close();
    if (this.#focusBefore?.isConnected) this.#focusBefore.focus();
  }

  // Shows how long the call has lasted.
  tick() {
    const words = this.#$("strip").dataset.state === "inCall" ? clock(Date.now() - this.#since) : "";
    if (this.#$("strip-time").textContent !== words) this.#$("strip-time").textContent = words;
  }

  #strip(state, words) {
    clearTimeout(this.#endTimer);
    const isOn = state === "calling" || state === "inCall";
    this.#$("strip").hidden = !isOn && state !== "ended";
    this.#$("strip").dataset.state = state;
    if (this.#$("strip-words").textContent !== words) this.#$("strip-words").textContent = words;
    this.#$("hang-up").hidden = !isOn;
    this.#$("hang-up-words").textContent = state === "calling" ? "Cancel" : "Hang up";
    this.#$("call-again").hidden = true;
    this.#$("strip-close").hidden = state !== "ended";
    this.tick();
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
      await this.#count();
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
            path: "/health.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// How a connection does, read from the browser's reports.

// Without any packet for this long a participant whom the lobby has lost is gone: while it sends sound or pictures, and
// while only the connection's own checks keep it alive.
const SILENT_MEDIA = 1500;
const SILENT_CHECKS = 7000;

export class Health {
  #before = null;
  #bytes = 0;
  #heardAt = 0;

  // From what was lost since the last call and from the round-trip time: good, medium, bad or unknown.
  async quality(connection) {
    let lost = 0, received = 0, roundTrip = 0;
    for (const report of (await connection.getStats()).values()) {
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
    if (all <= 0) return "unknown";
    if (share > 0.1 || roundTrip > 0.8) return "bad";
    return share > 0.03 || roundTrip > 0.4 ? "medium" : "good";
  }

  // The time counts from here.
  startWatch() {
    this.#heardAt = performance.now();
  }

  // Whether anything came lately. sends: the other side says that it sends sound or pictures.
  async lives(connection, sends) {
    let bytes = 0;
    for (const report of (await connection.getStats()).values()) {
      if (report.type === "transport") bytes += report.bytesReceived ?? 0;
    }
    const now = performance.now();
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#heardAt = now;
    }
    return now - this.#heardAt < (sends ? SILENT_MEDIA : SILENT_CHECKS);
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
// The same rule as an endpoint's: quick for a while, then ever more slowly; reset after a healthy time.
const QUICK_PHASE = 15000;
const SHORTEST_DELAY = 250;
const QUICK_LIMIT = 1000;
const LONGEST_DELAY = 30000;
const HEALTHY_TIME = 60000;

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
  #joinedAt = 0;
  #limit = QUICK_LIMIT;
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
          this.#joinedAt = performance.now();
          this.#emit("joined", reply);
        },
        (error) => this.#refused(socket, error));
    };
    socket.onmessage = (event) => { if (socket === this.#socket) this.#receive(event.data); };
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
    this.#limit = QUICK_LIMIT;
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
    const now = performance.now();
    if (this.#joinedAt && now - this.#joinedAt >= HEALTHY_TIME) {
      this.#lostSince = 0;
      this.#limit = QUICK_LIMIT;
    }
    this.#joinedAt = 0;
    if (retry === "slowly") return 20000 + Math.random() * 10000;
    this.#lostSince ||= now;
    if (now - this.#lostSince >= QUICK_PHASE) this.#limit = Math.min(2 * this.#limit, LONGEST_DELAY);
    return SHORTEST_DELAY + Math.random() * (this.#limit - SHORTEST_DELAY);
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

"""#),
        PageFile(
            path: "/peer.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
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

"""#),
        PageFile(
            path: "/requests.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// Requests to speak and commands between participants (Sources/Calls/CALLS.md): what we ask of others, and what we do
// for them.

import { ACCEPT, APPLY, CANCEL, REJECT, SpeakDesk, SpeakSession } from "./speaking.js";

const DONE = 10900, REFUSED = 10901;
const ANSWER_WITHIN = 5000;
const LONGEST_TEXT = 200;

// One entry for each command: its number, what is said when the other side has done it, what is said when somebody had it
// done here, and what this page does when it is asked to; that gives the words of a refusal, or nothing. No command turns
// a microphone or camera on.
const COMMANDS = {
  mute: {
    number: 10100, done: "is muted now.", here: "muted your microphone.",
    run: ({ media }) => media.setMicrophone(false) && "",
  },
  cameraOff: {
    number: 10101, done: "has its camera off now.", here: "turned your camera off.",
    run: ({ media }) => media.setCamera(false) && "",
  },
  switchCamera: {
    number: 10102, done: "shows its next camera now.", here: "switched your camera.",
    run: ({ media }) => {
      if (media.cameras.length < 2 || !media.isCameraOn) return "there is no other camera";
      media.switchCamera();
      return "";
    },
  },
  removeParticipant: {
    number: 10103, done: "has removed the participant.",
    run: ({ room }, { participant_id: id, text }) => {
      if (id === room.me.id) {
        // The answer goes out first.
        setTimeout(() => room.removed(text));
        return "";
      }
      if (!room.peers.has(id)) return "nobody here has that id";
      if (!room.canKick) return "this page may not remove anybody";
      room.kick(id, text).catch(() => {});
      return "";
    },
  },
  openRelay: { number: 10104, done: "has opened the door.", run: () => "a browser has no door" },
  showText: {
    number: 10105, done: "shows the text.",
    run: ({ show, name }, { text, seconds }) => {
      if (typeof text !== "string" || !text) return "there is no text";
      const duration = Math.min(Math.max(Number(seconds) || 10, 1), 3600);
      show(`${name}: ${[...text].slice(0, LONGEST_TEXT).join("")}`, 1000 * duration);
      return "";
    },
  },
  setVolume: {
    number: 10106, done: "has changed its loudness.", here: "changed how loud it is here.",
    run: ({ tiles }, { percent }) => {
      if (!(percent >= 0 && percent <= 100)) return "the loudness must be 0 … 100";
      tiles.volume = percent / 100;
      return "";
    },
  },
};

// Events: "change", "announce" ({words, milliseconds}).
export class Requests extends EventTarget {
  #room;
  #media;
  #tiles;
  #$;
  #speak = new SpeakSession();
  #desk = new SpeakDesk();
  #timer = 0;
  // By request id: {id, command, timer} of what we asked and is not answered yet.
  #asked = new Map();
  // Whose commands dialog is open.
  #subject = null;

  #isPartner;

  // isPartner: whether we are in a call with this participant.
  constructor({ room, media, tiles, byID, isPartner }) {
    super();
    this.#isPartner = isPartner;
    this.#room = room;
    this.#media = media;
    this.#tiles = tiles;
    this.#$ = byID;
    const on = (type, handler) => room.addEventListener(type, ({ detail }) => handler(detail));
    on("message", ({ from, body }) => { if (Number.isInteger(body?.room_request_type)) this.#receive(from, body); });
    on("participantLeft", ({ id }) => {
      this.#desk.withdraw(id);
      if (this.#subject === id) byID("commands").close();
      this.#changed();
    });
    on("lost", () => this.#settle(() => { this.#speak.reset("lost"); this.#desk.clear(); }));
    on("ended", () => this.#settle(() => { this.#speak.reset("left"); this.#desk.clear(); }));
    on("roleChanged", () => this.#changed());
    on("joined", () => this.#changed());
    byID("speak").onclick = () => this.#toggleApplication();
    for (const button of byID("commands").querySelectorAll("[data-command]")) {
      button.onclick = () => this.#press(button.dataset.command);
    }
    byID("command-volume").onchange = (event) => {
      this.command(this.#subject, "setVolume", { percent: Number(event.target.value) });
    };
  }

  get summary() {
    return {
      state: this.#speak.state, applications: this.#desk.pending.map(({ id }) => id),
      speakers: [...this.#desk.speaking.keys()],
    };
  }

  get #isHost() { return this.#room.me?.role === "host"; }

  mayCommand(peer) {
    return (this.#isHost || this.#isPartner(peer.id)) && this.#room.state === "joined" && !peer.isLost;
  }

  openCommands(id) {
    const peer = this.#room.peers.get(id);
    if (!peer) return;
    this.#subject = id;
    this.#$("commands-title").textContent = peer.name;
    const button = (command) => this.#$("commands").querySelector(`[data-command=${command}]`);
    button("remove").hidden = !this.#room.canKick;
    button("endSpeaking").hidden = !this.#desk.speaking.has(id);
    this.#$("command-text").value = "";
    this.#$("commands").showModal();
  }

  // Asks a participant to do something; the answer is announced.
  command(id, command, data = {}) {
    const requestID = newID();
    if (!this.#tell(id, COMMANDS[command].number, requestID, id, data)) {
      this.#announce("There is no connection to the lobby just now.");
      return;
    }
    const timer = setTimeout(() => {
      this.#asked.delete(requestID);
      this.#announce(`${this.#room.nameOf(id)} did not answer.`);
    }, ANSWER_WITHIN);
    this.#asked.set(requestID, { id, command, timer });
  }

  #press(command) {
    const id = this.#subject, name = this.#room.nameOf(id);
    this.#$("commands").close();
    if (command === "remove") {
      this.#room.kick(id).catch(() => this.#announce(`You may not remove ${name}.`));
    } else if (command === "endSpeaking") {
      this.#decide(id, false);
    } else if (command === "showText") {
      const text = this.#$("command-text").value.trim();
      if (text) this.command(id, command, { text, seconds: 15 });
    } else {
      this.command(id, command);
    }
  }

  // to: null for everybody, as all that concerns speaking.
  #tell(to, type, requestID, receiver, data) {
    return this.#room.tell(to, {
      room_request_type: type, request_id: requestID, sender_id: this.#room.me.id, receiver_id: receiver,
      ...(data && Object.keys(data).length ? { extended_data: data } : {}),
    });
  }

  #receive(from, body) {
    const { room_request_type: type, request_id: requestID, sender_id: sender, receiver_id: receiver } = body;
    const data = body.extended_data ?? {};
    // Nobody speaks in another one's name.
    if (sender !== from || typeof requestID !== "string" || !this.#room.me) return;
    if (receiver !== "" && receiver !== this.#room.me.id && type !== ACCEPT && type !== REJECT) return;
    const isFromHost = this.#room.peers.get(from)?.participant.role === "host";
    if (type === DONE || type === REFUSED) {
      this.#answered(from, requestID, type, data);
    } else if (type === APPLY || type === CANCEL || (type === ACCEPT || type === REJECT) && isFromHost) {
      if (receiver === this.#room.me.id) this.#settle(() => this.#speak.receive(type, requestID, from));
      this.#desk.receive(type, requestID, from, receiver);
      this.#changed();
    } else if (type !== ACCEPT && type !== REJECT) {
      this.#obey(from, type, requestID, data);
    }
  }

  #obey(from, type, requestID, data) {
    const command = Object.values(COMMANDS).find(({ number }) => number === type);
    const peer = this.#room.peers.get(from);
    let refusal = "this command is not known here";
    if (command && peer?.participant.role !== "host" && !this.#isPartner(from)) refusal = "only a host may ask for that";
    else if (command) {
      const tools = {
        room: this.#room, media: this.#media, tiles: this.#tiles, name: this.#room.nameOf(from),
        show: (words, milliseconds) => this.#announce(words, milliseconds),
      };
      refusal = command.run(tools, data) || "";
    }
    if (!refusal && command.here) this.#announce(`${this.#room.nameOf(from)} ${command.here}`);
    this.#tell(from, refusal ? REFUSED : DONE, requestID, from, refusal ? { text: refusal } : {});
  }

  #answered(from, requestID, type, { text }) {
    const asked = this.#asked.get(requestID);
    if (asked?.id !== from) return;
    clearTimeout(asked.timer);
    this.#asked.delete(requestID);
    const name = this.#room.nameOf(from);
    this.#announce(type === DONE ? `${name} ${COMMANDS[asked.command].done}`
      : `${name} refused${typeof text === "string" && text ? `: ${text}` : ""}.`);
  }

  // ---- Requests to speak

  #toggleApplication() {
    this.#settle(() => {
      if (this.#speak.state !== "idle") this.#speak.cancel();
      else if (this.#room.state === "joined") this.#speak.apply(newID(), performance.now());
    });
  }

  #decide(id, accepts) {
    const requestID = accepts ? this.#desk.accept(id) : this.#desk.reject(id);
    if (requestID) this.#tell(null, accepts ? ACCEPT : REJECT, requestID, id);
    this.#changed();
  }

  #settle(work) {
    work();
    for (const output of this.#speak.takeOutputs()) {
      if (output.send) this.#tell(null, output.send, output.requestID, "");
      else this.#speakChanged(output);
    }
    clearTimeout(this.#timer);
    if (this.#speak.nextDeadline !== null) {
      const wait = this.#speak.nextDeadline - performance.now() + 1;
      this.#timer = setTimeout(() => this.#settle(() => this.#speak.advance(performance.now())), wait);
    }
    this.#changed();
  }

  #speakChanged({ state, before, by, reason }) {
    const words = {
      asked: "You asked to speak.", rejected: `${this.#room.nameOf(by)} does not let you speak now.`,
      timedOut: "Nobody answered your request to speak.", ended: `${this.#room.nameOf(by)} ended your speaking.`,
    }[reason];
    if (words) this.#announce(words);
    if (state !== "speaking" && before !== "speaking" || this.#room.state !== "joined") return;
    this.#room.changeRole(state === "speaking" ? "host" : "audience").catch(() => {
      this.#announce("The lobby does not let you speak.");
      if (state === "speaking") this.#settle(() => this.#speak.cancel());
    });
  }

  #announce(words, milliseconds) {
    this.dispatchEvent(new CustomEvent("announce", { detail: { words, milliseconds } }));
  }

  #changed() {
    const button = this.#$("speak"), { state } = this.#speak;
    button.hidden = !this.#room.me || this.#room.me.canPublish && state === "idle";
    button.classList.toggle("off", state === "applied");
    const words = { idle: "Ask to speak", applied: "Take back", speaking: "Just listen" }[state];
    button.querySelector("span").textContent = words;
    button.setAttribute("aria-label", state === "applied" ? "Take back the request to speak" : words);
    this.#showApplications();
    this.dispatchEvent(new Event("change"));
  }

  #showApplications() {
    const list = this.#$("applications");
    const pending = this.#isHost ? this.#desk.pending : [];
    list.hidden = pending.length === 0;
    const shown = new Map([...list.children].map((item) => [item.dataset.participant, item]));
    for (const [id, item] of shown) if (!pending.some((one) => one.id === id)) item.remove();
    for (const { id } of pending) {
      if (shown.has(id)) continue;
      const item = this.#$("application").content.firstElementChild.cloneNode(true);
      item.dataset.participant = id;
      item.querySelector(".application-words").textContent = `${this.#room.nameOf(id)} wants to speak`;
      item.querySelector(".accept").onclick = () => this.#decide(id, true);
      item.querySelector(".reject").onclick = () => this.#decide(id, false);
      list.append(item);
    }
  }
}

function newID() {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(16).padStart(8, "0")).join("");
}

"""#),
        PageFile(
            path: "/ringing.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// The tones of a call, made here: ring, ring-back and busy.

// frequencies sound together; sounds: seconds on and off in turn; trembles: how often a second the tone swells.
const TONES = {
  ring: { frequencies: [760, 950], sounds: [0.4, 0.2, 0.4, 2], trembles: 22, volume: 0.6, isEndless: true },
  ringBack: { frequencies: [425], sounds: [1, 4], trembles: 0, volume: 0.4, isEndless: true },
  busy: { frequencies: [425], sounds: [0.4, 0.4, 0.4, 0.4, 0.4, 0.4], trembles: 0, volume: 0.4, isEndless: false },
};
// So that nothing clicks.
const EDGE = 0.012;

export class Ringing {
  #context = null;
  #source = null;
  #speaker = "";
  #playing = null;

  // What sounds now: a name of TONES, or null.
  get playing() { return this.#playing; }
  // The browser holds the sound back until the page has been touched.
  get isHeldBack() { return !!this.#playing && this.#context?.state !== "running"; }

  // Call it from a tap or key, so that a later call may ring.
  unlock() {
    this.#open();
    this.#context?.resume().catch(() => {});
  }

  // tone: a name of TONES, or null for silence.
  play(tone) {
    if (tone === this.#playing) return;
    this.#source?.stop();
    this.#source = null;
    this.#playing = tone;
    if (!tone) return;
    this.#open();
    if (!this.#context) return;
    this.#context.resume().catch(() => {});
    const source = new AudioBufferSourceNode(this.#context, { buffer: this.#render(TONES[tone]) });
    source.loop = TONES[tone].isEndless;
    source.onended = () => { if (this.#source === source) this.#playing = this.#source = null; };
    source.connect(this.#context.destination);
    source.start();
    this.#source = source;
  }

  async useSpeaker(deviceId) {
    this.#speaker = deviceId;
    try {
      await this.#context?.setSinkId?.(deviceId);
    } catch {
      // That speaker is gone; the usual one rings.
    }
  }

  #open() {
    if (this.#context || !("AudioContext" in window)) return;
    this.#context = new AudioContext();
    if (this.#speaker) this.useSpeaker(this.#speaker);
  }

  // One round of a tone.
  #render({ frequencies, sounds, trembles, volume }) {
    const rate = this.#context.sampleRate;
    const buffer = new AudioBuffer({ length: Math.round(rate * sounds.reduce((a, b) => a + b)), sampleRate: rate });
    const samples = buffer.getChannelData(0);
    let begin = 0;
    sounds.forEach((seconds, index) => {
      const count = Math.round(seconds * rate);
      for (let i = 0; index % 2 === 0 && i < count; i++) {
        const time = i / rate;
        const edge = Math.min(1, time / EDGE, (seconds - time) / EDGE);
        const swell = trembles ? 0.6 + 0.4 * Math.sin(2 * Math.PI * trembles * time) : 1;
        const sum = frequencies.reduce((total, frequency) => total + Math.sin(2 * Math.PI * frequency * time), 0);
        samples[begin + i] = volume * edge * swell * sum / frequencies.length;
      }
      begin += count;
    });
    return buffer;
  }
}

"""#),
        PageFile(
            path: "/room.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
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

"""#),
        PageFile(
            path: "/sdp.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// What a session description says about the connection it belongs to.

// The far end of a connection: its certificates and, where given, its DTLS association (RFC 8842).
export function farEnd(sdp) {
  const values = (attribute) => sdp.split(/\r?\n/)
    .filter((line) => line.startsWith(`a=${attribute}:`)).map((line) => line.slice(attribute.length + 3));
  const unique = (list) => [...new Set(list)].sort().join(" ");
  return { certificates: unique(values("fingerprint").map((value) => value.toLowerCase())), association: unique(values("tls-id")) };
}

// Whether the other side has begun anew. An association that is not named, as in the answer to an offer that named none, may
// be any.
export function isOtherFarEnd(before, now) {
  return before.certificates !== now.certificates
    || before.association !== "" && now.association !== "" && before.association !== now.association;
}

// A name for the DTLS association of one connection of ours; browsers give none.
export function newAssociation() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The description as it is sent: with the name of its association, to which the other side answers with its own.
export function naming(association, sdp) {
  return sdp.replace(/^a=setup:.*$/gm, `$&\r\na=tls-id:${association}`);
}

"""#),
        PageFile(
            path: "/speaking.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
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

"""#),
        PageFile(
            path: "/tiles.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
// The pictures of the others: one tile for each stream, or for a participant who publishes none.

import { connectionWords, initials } from "./words.js";

const LOUD = 0.02;
const GAP = 12;

// Events: "silenced" when the browser wants a tap before it plays sound; "call" and "command" (detail: an id).
export class Tiles extends EventTarget {
  #grid;
  #template;
  #tiles = new Map();
  #self;
  #pinned = null;
  #speaker = "";
  #volumes = 1;
  // What a tile offers: functions of a peer.
  mayCall = () => false;
  mayCommand = () => false;
  // Whose sound is played: a function of a peer.
  hears = () => true;
  #partner = null;

  // self: the tile with our own picture. It lies over a single other's picture and stands in the row of several.
  constructor(grid, template, self) {
    super();
    this.#grid = grid;
    this.#template = template;
    this.#self = self;
    new ResizeObserver(() => this.layOut()).observe(grid);
  }

  get count() { return this.#tiles.size; }

  // The id of whom we are in a call with, or null: its picture is large.
  set partner(id) {
    if (id === this.#partner) return;
    if (this.#tiles.get(this.#pinned)?.peer.id === this.#partner) this.#pinned = null;
    this.#partner = id;
    if (id) this.#pin(id);
  }

  #pin(id) {
    this.#pinned = [...this.#tiles.values()].find((tile) => tile.peer.id === id)?.key ?? null;
  }

  // Brings the tiles in line with the peers; elements that stay are not touched, so that nothing flickers.
  show(peers) {
    const wanted = new Map();
    for (const peer of peers) {
      const streams = [...peer.streams.values()];
      if (streams.length === 0) wanted.set(peer.id, { peer, stream: null });
      for (const stream of streams) wanted.set(`${peer.id} ${stream.id}`, { peer, stream });
    }
    // A participant that begins to publish is the same one in another tile.
    let pinned = null;
    for (const [key, tile] of this.#tiles) {
      if (wanted.has(key)) continue;
      tile.element.remove();
      this.#tiles.delete(key);
      if (this.#pinned === key) pinned = tile.peer.id;
    }
    for (const [key, { peer, stream }] of wanted) {
      if (!this.#tiles.has(key)) this.#tiles.set(key, this.#make(key));
      this.#update(this.#tiles.get(key), peer, stream);
    }
    if (pinned) this.#pin(pinned);
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

  // How loud everybody is, 0 … 1.
  set volume(volume) {
    this.#volumes = volume;
    for (const tile of this.#tiles.values()) tile.audio.volume = volume;
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
      call: part(".call-button"), more: part(".more"),
      peer: null, stream: null, hasAudio: false, isMuted: false,
    };
    tile.audio.volume = this.#volumes;
    tile.call.onclick = () => this.dispatchEvent(new CustomEvent("call", { detail: tile.peer.id }));
    tile.more.onclick = () => this.dispatchEvent(new CustomEvent("command", { detail: tile.peer.id }));
    tile.video.onresize = () => {
      if (tile.peer) this.#update(tile, tile.peer, tile.stream);
      this.layOut();
    };
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
    tile.stream = stream;
    const audio = peer.track("audio", stream?.id);
    const video = stream?.hasVideo !== false ? peer.track("video", stream?.id) : null;
    this.#attach(tile, tile.audio, audio);
    this.#attach(tile, tile.video, video);
    tile.hasAudio = !!audio;
    tile.audio.muted = !this.hears(peer);
    tile.isMuted = !stream?.hasAudio || stream.audioMuted;
    const hidesPicture = !stream || !stream.hasVideo || stream.videoMuted;
    const hasPicture = !hidesPicture && tile.video.videoWidth > 0;
    const state = connectionWords(peer.state, peer.isLost);
    const onlyListens = !stream && (peer.participant.role === "audience" || !peer.participant.canPublish);
    const weak = peer.quality === "bad" ? "Weak connection" : "";
    tile.element.dataset.participant = peer.id;
    tile.element.classList.toggle("without-picture", !hasPicture);
    tile.element.classList.toggle("muted", !!stream && tile.isMuted);
    tile.element.classList.toggle("listening", onlyListens);
    tile.element.classList.toggle("interrupted", !!state && peer.state !== "connected");
    tile.element.classList.toggle("in-call", peer.id === this.#partner);
    tile.call.hidden = !this.mayCall(peer);
    tile.call.setAttribute("aria-label", `Call ${peer.name}`);
    tile.more.hidden = !this.mayCommand(peer);
    tile.more.setAttribute("aria-label", `What ${peer.name} shall do`);
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
            path: "/view.js", contentType: "text/javascript; charset=utf-8",
            text: #"""
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
export function connectionWords(state, isLost) {
  switch (state) {
    case "connected": return isLost ? "Not in the room just now" : "";
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

// How a call ended, for the person here. wasIncoming: the other side had called.
export function callEndWords(name, reason, wasIncoming) {
  switch (reason) {
    case "hungUp": return `${name} hung up.`;
    case "declined": return wasIncoming ? `You declined the call from ${name}.` : `${name} declined.`;
    case "busy": return wasIncoming ? `${name} called while you were in a call.` : `${name} is busy.`;
    case "cancelled": return wasIncoming ? `${name} called and gave up.` : "You cancelled the call.";
    case "timedOut": return wasIncoming ? `You missed a call from ${name}.` : `${name} did not answer.`;
    case "offline": return `${name} is not in the room.`;
    case "lost": return `The connection to ${name} was lost.`;
    case "answeredElsewhere": return `Somebody else answered ${name}.`;
    default: return "The call has ended.";
  }
}

export function callErrorWords(code) {
  switch (code) {
    case "busy": return "There is a call already.";
    case "roomNotJoined": return "There is no connection to the lobby just now.";
    default: return "There is nobody to call.";
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
