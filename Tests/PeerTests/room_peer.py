"""A participant made of another WebRTC stack, aiortc or libwebrtc (wrtc): it joins a room, publishes a tone and a numbered
picture, and takes down what it receives from everybody else."""

import asyncio
import contextlib
import fractions
import re
import time

import av
import numpy as np

import material
import pictures
import sound
from lobby_client import LobbyClient

# Whole seconds of the newest sound are judged; older sound is dropped.
KEPT_SAMPLES = 20 * sound.RATE


def engine_module(engine):
    if engine == "aiortc":
        import aiortc
        import aiortc.sdp

        return aiortc, aiortc.sdp
    import webrtc.aiortc
    import webrtc.aiortc.sdp

    return webrtc.aiortc, webrtc.aiortc.sdp


def make_tracks(rtc, frequency):
    """A microphone with a tone and a camera with `two_coloured` pictures."""

    class Microphone(rtc.AudioStreamTrack):
        def __init__(self):
            super().__init__()
            self.samples, self.count, self.start = sound.tone(frequency, 2), 0, None

        async def recv(self):
            self.start = self.start or time.monotonic()
            await asyncio.sleep(max(0, self.start + self.count / sound.RATE - time.monotonic()))
            part = np.take(self.samples, np.arange(self.count, self.count + 960), mode="wrap")
            frame = av.AudioFrame.from_ndarray(part.reshape(1, -1), format="s16", layout="mono")
            frame.sample_rate, frame.pts, frame.time_base = sound.RATE, self.count, fractions.Fraction(1, sound.RATE)
            self.count += 960
            return frame

    class Camera(rtc.VideoStreamTrack):
        def __init__(self):
            super().__init__()
            self.number, self.start = 0, None

        async def recv(self):
            self.start = self.start or time.monotonic()
            await asyncio.sleep(max(0, self.start + self.number / 20 - time.monotonic()))
            frame = av.VideoFrame.from_ndarray(material.two_coloured(self.number), format="yuv420p")
            frame.pts, frame.time_base = self.number * 4_500, fractions.Fraction(1, 90_000)
            self.number += 1
            return frame

    return Microphone(), Camera()


class Received:
    """What came from one participant."""

    def __init__(self):
        self.pictures = 0
        self.numbers = []
        self.samples = np.zeros(0)
        self.last_picture = None

    async def take(self, track):
        resampler = av.AudioResampler(format="s16", layout="mono", rate=sound.RATE)
        while True:
            frame = await track.recv()
            if track.kind == "audio":
                for part in resampler.resample(frame):
                    new = part.to_ndarray().reshape(-1) / 32_768
                    self.samples = np.concatenate([self.samples, new])[-KEPT_SAMPLES:]
            else:
                self.pictures += 1
                # Every tenth picture is enough to see that the counter moves, and cheap.
                if self.pictures % 10 == 1:
                    rgb = self.last_picture = frame.to_ndarray(format="rgb24")
                    number = pictures.counter_of(rgb)
                    if number is not None:
                        self.numbers.append(number)


class RoomPeer:
    def __init__(self, engine, participant, frequency, url="ws://127.0.0.1:8080/ws"):
        self.rtc, self.sdp = engine_module(engine)
        self.participant, self.frequency = participant, frequency
        self.stream = f"{participant}-main"
        self.client = LobbyClient(url)
        self.connections, self.sessions, self.received = {}, {}, {}
        self.roles, self.problems, self.departures, self._tasks = {}, [], [], []

    async def join(self, room="reception"):
        await self.client.connect()
        joined = await self.client.join(room, self.participant)
        await self.client.publish(self.stream)
        for other in joined["participants"]:
            self.sessions[other["id"]] = other["session"]
            self._start(self._offer(other["id"]))
        self._start(self._listen())
        return self

    def _start(self, work):
        async def guarded():
            try:
                await work
            except asyncio.CancelledError:
                raise
            except Exception as problem:  # a broken negotiation is a finding of the scenario
                self.problems.append(repr(problem))

        self._tasks.append(asyncio.ensure_future(guarded()))

    def _connection(self, other):
        if other in self.connections:
            return self.connections[other]
        connection = self.connections[other] = self.rtc.RTCPeerConnection(self.rtc.RTCConfiguration(iceServers=[]))
        received = self.received.setdefault(other, Received())

        @connection.on("track")
        def on_track(track):
            async def take():
                with contextlib.suppress(Exception):  # the track ends with the connection
                    await received.take(track)

            self._tasks.append(asyncio.ensure_future(take()))

        for track in make_tracks(self.rtc, self.frequency):
            connection.addTrack(track)
        return connection

    async def _describe(self, other, connection):
        """Sends the local description; the stream id of the room goes into it."""
        local = connection.localDescription
        text = re.sub(r"a=msid:\S+ ", f"a=msid:{self.stream} ", local.sdp)
        await self.client.send({"type": "signal", "to": other, "session": self.sessions[other],
                                "description": {"type": local.type, "sdp": text}})
        # Neither stack trickles its own candidates through this interface.
        await self.client.send(
            {"type": "signal", "to": other, "session": self.sessions[other], "endOfCandidates": True})

    async def _offer(self, other):
        self.roles[other] = "offerer"
        connection = self._connection(other)
        await connection.setLocalDescription(await connection.createOffer())
        await self._describe(other, connection)

    async def _listen(self):
        while True:
            event = await self.client.events.get()
            kind = event["type"]
            if kind == "participantJoined":
                self.sessions[event["participant"]["id"]] = event["participant"]["session"]
            elif kind == "participantLeft":
                self.departures.append((event["participant"], event["reason"]))
                connection = self.connections.pop(event["participant"], None)
                if connection:
                    await connection.close()
            elif kind == "signal":
                await self._signal(event)
            elif kind == "closed":
                return

    async def _signal(self, event):
        other = event["from"]
        self.sessions[other] = event["session"]
        if "description" in event:
            kind, text = event["description"]["type"], event["description"]["sdp"]
            connection = self._connection(other)
            await connection.setRemoteDescription(self.rtc.RTCSessionDescription(text, kind))
            if kind == "offer":
                self.roles.setdefault(other, "answerer")
                await connection.setLocalDescription(await connection.createAnswer())
                await self._describe(other, connection)
        elif event.get("candidate", {}).get("candidate"):
            line = event["candidate"]["candidate"].split(":", 1)[1]
            if ".local " in line:
                return
            candidate = self.sdp.candidate_from_sdp(line)
            candidate.sdpMid = event["candidate"].get("sdpMid")
            candidate.sdpMLineIndex = event["candidate"].get("sdpMLineIndex")
            await self._connection(other).addIceCandidate(candidate)

    async def wait_for_media(self, other, seconds_of_sound=3, picture_count=40, timeout=30):
        """Waits until that much came from a participant; false when it did not in time."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            received = self.received.get(other)
            if received and len(received.samples) >= seconds_of_sound * sound.RATE and received.pictures >= picture_count:
                return True
            await asyncio.sleep(0.2)
        return False

    async def leave(self):
        with contextlib.suppress(Exception):
            await self.client.leave()
        for connection in list(self.connections.values()):
            await connection.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
