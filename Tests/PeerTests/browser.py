"""Headless Chromium with fake devices, steered over its debugging WebSocket, as a visitor of the lobby's page."""

import asyncio
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request

import websockets

SUPPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support")

# Helpers inside the page: which media elements play something remote, and what is in them.
HELPERS = """
// Every track that came over a connection, whatever the page does with it.
const remoteTracks = new Set();
const NativeConnection = globalThis.RTCPeerConnection;
globalThis.RTCPeerConnection = class extends NativeConnection {
  constructor(...options) {
    super(...options);
    callboxTest.connections.push(this);
    this.addEventListener('track', (event) => remoteTracks.add(event.track));
  }
};
globalThis.callboxTest = {
  connections: [],
  // Elements that show a live track of this kind which came over a connection.
  remote(kind) {
    return [...document.querySelectorAll('video, audio')].filter((element) => element.srcObject
      && element.srcObject.getTracks().some((track) =>
        track.kind === kind && track.readyState === 'live' && remoteTracks.has(track)));
  },
  numbers() {
    return callboxTest.remote('video').filter((video) => video.videoWidth).map((video) => ({
      number: readFrameCounterOf(video), width: video.videoWidth, height: video.videoHeight, time: video.currentTime }));
  },
  remoteMoments() {
    return callboxTest.remote('video').map((video) => ({ id: video.srcObject.id, time: video.currentTime }));
  },
  // Listens for `seconds` to each remote sound at once; per sound the loudest frequency and its level.
  async tones(seconds) {
    const context = callboxTest.context ||= new AudioContext({ sampleRate: 48000 });
    await context.resume();
    const streams = [...new Set(callboxTest.remote('audio').map((element) => element.srcObject))];
    const analysers = streams.map((stream) => {
      const source = context.createMediaStreamSource(new MediaStream(stream.getAudioTracks()));
      const analyser = new AnalyserNode(context, { fftSize: 32768, smoothingTimeConstant: 0 });
      source.connect(analyser);
      return { source, analyser };
    });
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    return analysers.map(({ source, analyser }) => {
      const bins = new Float32Array(analyser.frequencyBinCount);
      analyser.getFloatFrequencyData(bins);
      source.disconnect();
      let best = 0;
      for (let bin = 70; bin < bins.length; bin++) if (bins[bin] > bins[best] || best < 70) best = bin;
      return { frequency: best * context.sampleRate / analyser.fftSize, decibels: bins[best] };
    });
  },
};
"""


class Browser:
    def __init__(self, url, clip=None, sound_file=None, port=9222, extra=()):
        self.url, self.port = url, port
        self.folder = tempfile.mkdtemp(prefix="callbox-chromium-")
        self.arguments = [
            "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio",
            "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            "--autoplay-policy=no-user-gesture-required", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage",
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
            "--window-size=1000,800", f"--user-data-dir={self.folder}", f"--remote-debugging-port={port}", *extra]
        if clip:
            self.arguments.append(f"--use-file-for-fake-video-capture={clip}")
        if sound_file:
            self.arguments.append(f"--use-file-for-fake-audio-capture={sound_file}")
        self.process = None

    async def open(self, timeout=60):
        log = open(os.path.join(self.folder, "log"), "wb")
        self.process = subprocess.Popen(
            [*self.arguments, "about:blank"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        end = time.monotonic() + timeout
        while True:
            try:
                tabs = json.load(urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json", timeout=5))
                tab = next(tab for tab in tabs if tab["type"] == "page")
                break
            except (OSError, StopIteration, ValueError) as problem:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise RuntimeError(f"Chromium did not start: {problem}\n{self.log_end()}") from problem
                await asyncio.sleep(0.2)
        self.socket = await websockets.connect(tab["webSocketDebuggerUrl"], max_size=None, proxy=None)
        self.count, self.console = 0, []
        with open(os.path.join(SUPPORT, "frame_counter.js"), encoding="utf-8") as file:
            counter = file.read()
        await self.command("Page.enable")
        await self.command("Runtime.enable")
        await self.command("Page.addScriptToEvaluateOnNewDocument",
                           source=counter + "\nglobalThis.readFrameCounterOf = readFrameCounterOf;\n" + HELPERS)
        await self.command("Page.navigate", url=self.url)
        await self.wait("document.readyState === 'complete' && location.href !== 'about:blank'", 30)
        return self

    def log_end(self):
        with open(os.path.join(self.folder, "log"), "rb") as file:
            return file.read()[-1500:].decode(errors="replace")

    async def command(self, method, **parameters):
        self.count += 1
        await self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        async with asyncio.timeout(60):
            while True:
                message = json.loads(await self.socket.recv())
                if message.get("method") == "Runtime.consoleAPICalled":
                    self.console.append(" ".join(str(a.get("value", a.get("description"))) for a in message["params"]["args"]))
                elif message.get("method") == "Runtime.exceptionThrown":
                    self.console.append("exception: " + json.dumps(message["params"]["exceptionDetails"])[:500])
                if message.get("id") == self.count:
                    if "error" in message:
                        raise RuntimeError(f"{method}: {message['error']}")
                    return message["result"]

    async def script(self, expression):
        """The value of a JavaScript expression in the page; promises are awaited."""
        result = await self.command(
            "Runtime.evaluate", expression=f"(async () => ({expression}))()", awaitPromise=True, returnByValue=True,
            userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:800])
        return result["result"].get("value")

    async def wait(self, expression, timeout=20):
        """Waits until the expression is true in the page; its last value."""
        end = time.monotonic() + timeout
        while True:
            value = await self.script(expression)
            if value or time.monotonic() > end:
                return value
            await asyncio.sleep(0.2)

    async def screenshot(self, path):
        result = await self.command("Page.captureScreenshot", format="png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(result["data"]))

    async def close(self):
        """Ends the whole browser, which leaves the room without a farewell."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)
