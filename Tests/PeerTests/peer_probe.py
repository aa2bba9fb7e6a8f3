"""A peer connection of Callbox (the program `peerprobe`) and one of another stack, joined by their signals alone: no room, no
devices. Each side sends a tone and a counted picture and measures what it receives."""

import asyncio
import collections
import contextlib
import json
import os
import re
import time

import av
import numpy as np

import pictures
import sound
from room_peer import engine_module, make_tracks

PROBE_TONE, PARTNER_TONE = 440, 1_180


class Received:
    """What the partner received; keeps little and computes when asked, because both sides share a small machine."""

    KEPT_PARTS = 300

    def __init__(self):
        self.pictures, self.numbers, self.sample_count = 0, [], 0
        self._parts = collections.deque(maxlen=self.KEPT_PARTS)

    @property
    def samples(self):
        """The newest seconds of sound."""
        return np.concatenate(list(self._parts)) / 32_768 if self._parts else np.zeros(0)

    def tone_share(self, frequency):
        """The part of the newest second that is this tone."""
        samples = self.samples[-sound.RATE:]
        return sound.tone_share(samples, frequency) if len(samples) == sound.RATE else 0.0

    @property
    def is_quiet(self):
        """No sound and no counted picture came (libwebrtc plays silence by itself)."""
        return not self.numbers and (len(self.samples) == 0 or np.max(np.abs(self.samples)) < 0.01)

    async def take(self, track):
        resampler = av.AudioResampler(format="s16", layout="mono", rate=sound.RATE)
        while True:
            frame = await track.recv()
            if track.kind == "audio":
                for part in resampler.resample(frame):
                    samples = part.to_ndarray().reshape(-1)
                    self.sample_count += len(samples)
                    self._parts.append(samples)
                continue
            self.pictures += 1
            if self.pictures % 10 == 1:
                number = pictures.counter_of(frame.to_ndarray(format="rgb24"))
                if number is not None:
                    self.numbers.append(number)


class Probe:
    """The process of one Callbox connection."""

    def __init__(self):
        self.process, self.events, self.changed = None, [], asyncio.Event()
        self.on_event = None

    async def start(self, **options):
        self.process = await asyncio.create_subprocess_exec(
            os.environ["CALLBOX_PEER_PROBE"], stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            limit=1 << 20)
        self._reader = asyncio.ensure_future(self._read())
        self.tell("start", tone=PROBE_TONE, **options)
        return self

    async def _read(self):
        while line := await self.process.stdout.readline():
            event = json.loads(line)
            if os.environ.get("CALLBOX_TEST_TRACE"):
                print(f"{time.monotonic():.3f} {line.decode()[:160]!r}", flush=True)
            self.events.append(event)
            self.changed.set()
            if self.on_event:
                self.on_event(event)

    def tell(self, what, **fields):
        self.process.stdin.write(json.dumps({"do": what, **fields}).encode() + b"\n")

    def all(self, name):
        return [event for event in self.events if event["event"] == name]

    def has(self, name, **fields):
        return any(all(event.get(key) == value for key, value in fields.items()) for event in self.all(name))

    async def wait(self, name, timeout=20, **fields):
        return await wait_until(lambda: self.has(name, **fields), timeout)

    async def report(self):
        before = len(self.all("report"))
        self.tell("report")
        await wait_until(lambda: len(self.all("report")) > before, 5)
        return self.all("report")[-1]

    async def end(self):
        """Ends the process; its exit code."""
        with contextlib.suppress(Exception):
            self.tell("quit")
        try:
            return await asyncio.wait_for(self.process.wait(), 5)
        except asyncio.TimeoutError:
            self.process.kill()
            return None


class Partner:
    """The connection of another stack."""

    def __init__(self, engine, sends=True, data=None, servers=()):
        self.rtc, self.sdp = engine_module(engine)
        self.connection = self.rtc.RTCPeerConnection(self.rtc.RTCConfiguration(iceServers=list(servers)))
        self.received, self.tracks, self.messages, self.channels = Received(), [], [], []
        self.open_channels, self.states, self._tasks = set(), [], []
        self.connection.on("track", self._on_track)
        self.connection.on("datachannel", self._adopt)
        self.connection.on(
            "connectionstatechange", lambda: self.states.append(self.connection.connectionState))
        if sends:
            for track in make_tracks(self.rtc, PARTNER_TONE):
                self.connection.addTrack(track)
        if data:
            self._adopt(self.connection.createDataChannel(data))

    def _on_track(self, track):
        self.tracks.append(track)

        async def take():
            with contextlib.suppress(Exception):  # the track ends with the connection
                await self.received.take(track)

        self._tasks.append(asyncio.ensure_future(take()))

    def _adopt(self, channel):
        self.channels.append(channel)

        @channel.on("message")
        def on_message(message):
            self.messages.append(message)

        @channel.on("open")
        def on_open():
            self.open_channels.add(channel.label)

        if channel.readyState == "open":
            self.open_channels.add(channel.label)

    async def offer(self):
        await self.connection.setLocalDescription(await self.connection.createOffer())
        return self.connection.localDescription

    async def take(self, kind, text):
        """Takes a description; the answer if it was an offer."""
        await self.connection.setRemoteDescription(self.rtc.RTCSessionDescription(text, kind))
        if kind != "offer":
            return None
        await self.connection.setLocalDescription(await self.connection.createAnswer())
        return self.connection.localDescription

    async def take_candidate(self, event):
        candidate = self.sdp.candidate_from_sdp(event["candidate"].split(":", 1)[1])
        candidate.sdpMid, candidate.sdpMLineIndex = event["mid"], event["index"]
        await self.connection.addIceCandidate(candidate)

    async def close(self):
        await self.connection.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class Duo:
    """A probe and a partner whose signals reach each other."""

    def __init__(self, scene, engine, partner=None, **probe_options):
        self.scene, self.engine = scene, engine
        self.partner = Partner(engine, **(partner or {}))
        self.probe = Probe()
        self.probe_options = probe_options
        self.problems = []
        # Change a description on its way, to play a far side that lies.
        self.to_partner = self.to_probe = lambda text: text
        self.ignores_offers = False
        self._signals = asyncio.Queue()
        self._pump = None

    async def start(self):
        self.scene.closers.push_async_callback(self.end)
        self.probe.on_event = self._signals.put_nowait
        await self.probe.start(**self.probe_options)
        self._pump = asyncio.ensure_future(self._carry())
        return self

    async def _carry(self):
        while True:
            event = await self._signals.get()
            try:
                if event["event"] == "description":
                    if event["type"] == "offer" and self.ignores_offers:
                        continue
                    answer = await self.partner.take(event["type"], self.to_partner(event["sdp"]))
                    if answer:
                        self.describe(answer)
                elif event["event"] == "candidate" and not self.ignores_offers:
                    await self.partner.take_candidate(event)
            except Exception as problem:  # what the other stack refuses is a finding
                self.problems.append(repr(problem))

    def describe(self, description):
        self.probe.tell("description", type=description.type, sdp=self.to_probe(description.sdp))
        self.probe.tell("end")

    async def partner_offers(self):
        self.describe(await self.partner.offer())

    def check(self, condition, text):
        self.scene.check(condition, f"{text}; {self.problems} {self._short()}")

    def _short(self):
        states = [event.get("state") or event.get("reason") or event.get("text") for event in self.probe.events
                  if event["event"] in ("state", "failed", "error")]
        return f"probe {states}, partner {self.partner.states}"

    async def connected(self, timeout=20):
        self.check(await self.probe.wait("state", timeout, state="connected"), "the probe is not connected")
        self.check(await wait_until(lambda: self.partner.connection.connectionState == "connected", timeout),
                   "the partner is not connected")

    async def both_hear_and_see(self):
        """The tone and the advancing counter of each side are found at the other one."""
        received = self.partner.received
        self.check(
            # On a busy machine a stack stretches or skips sound; the tone must come through clean for a second.
            await wait_until(lambda: received.tone_share(PROBE_TONE) > 0.5 and len(received.numbers) >= 4, 30, 0.3),
            f"the partner received {received.sample_count / 48_000:.1f} s ({received.tone_share(PROBE_TONE):.0%} tone) "
            f"and {received.pictures} pictures with {len(received.numbers)} numbers")
        self.scene.tone(f"{self.engine} hears", received.samples, PROBE_TONE, 1)
        self.scene.rising(f"{self.engine} sees", received.numbers, 4)
        end, report = time.monotonic() + 20, None
        while time.monotonic() < end:
            report = await self.probe.report()
            if self.good_lines(report) == {"audio", "video"}:
                break
            await asyncio.sleep(0.5)
        self.check(self.good_lines(report) == {"audio", "video"}, f"the probe received {report}")
        for line in report["lines"].values():
            if line["kind"] == "audio":
                self.scene.fact(f"callbox hears {line['tone']} Hz ({line['share']:.0%})")
            else:
                self.scene.fact(f"callbox sees {line['counted']} of {line['pictures']} counters")
        return report

    @staticmethod
    def good_lines(report):
        kinds = set()
        for line in report["lines"].values():
            if line["kind"] == "audio" and abs(line["tone"] - PARTNER_TONE) <= 20 and line["share"] > 0.5:
                kinds.add("audio")
            if line["kind"] == "video" and line["counted"] >= 20 and line["undecodable"] == 0:
                kinds.add("video")
        return kinds

    async def both_talk(self, label):
        """Messages of some sizes, non-ASCII and empty ones among them, arrive in order both ways."""
        self.check(await self.probe.wait("opened", label=label), f"the probe's channel {label} does not open")
        self.check(await wait_until(lambda: label in self.partner.open_channels, 15),
                   f"the partner's channel {label} does not open")
        texts = ["hello", "größer ☎", "", "x" * 60_000] + [f"number {number}" for number in range(50)]
        channel = next(channel for channel in self.partner.channels if channel.label == label)
        before = len(self.probe.all("message")), len(self.partner.messages)
        for text in texts:
            self.probe.tell("send", text=text, label=label)
            channel.send(text)
        arrived = await wait_until(
            lambda: len(self.probe.all("message")) - before[0] == len(texts)
            and len(self.partner.messages) - before[1] == len(texts), 20)
        self.check(arrived, f"{len(self.probe.all('message'))} and {len(self.partner.messages)} messages arrived")
        self.check([event["text"] for event in self.probe.all("message")[before[0]:]] == texts, "wrong messages at the probe")
        self.check(self.partner.messages[before[1]:] == texts, "wrong messages at the partner")
        self.scene.fact(f"{len(texts)} messages each way")

    async def end(self):
        code = await self.probe.end()
        if self._pump:
            self._pump.cancel()
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self.partner.close(), 5)
        self.scene.check(code == 0, f"the probe ended with {code}")


async def wait_until(condition, timeout, pause=0.05):
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if condition():
            return True
        await asyncio.sleep(pause)
    return condition()


def foreign_fingerprint(text):
    """The description with the hash of a certificate that nobody has."""
    return re.sub(r"(a=fingerprint:\S+ )(\S+)", lambda found: found[1] + ":".join(reversed(found[2].split(":"))), text)
