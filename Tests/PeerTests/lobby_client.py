"""A participant's side of the lobby's protocol (Sources/LobbyProtocol/PROTOCOL.md), written from that page alone."""

import asyncio
import contextlib
import json

import websockets


class LobbyError(Exception):
    """The lobby answered with `error`."""

    def __init__(self, message):
        super().__init__(f"{message.get('code')}: {message.get('text')}")
        self.code = message.get("code")


class LobbyClient:
    """One WebSocket connection; `request` waits for the answer, everything else comes out of `events`."""

    def __init__(self, url="ws://127.0.0.1:8080/ws", **options):
        self.url, self.options = url, options
        self.events = asyncio.Queue()
        self.joined = None
        self.close_code = None
        self._answers, self._next = {}, 1

    async def connect(self):
        self.socket = await websockets.connect(
            self.url, subprotocols=["callbox-lobby"], max_size=None, proxy=None, **self.options)
        self._reader = asyncio.ensure_future(self._read())
        return self

    async def _read(self):
        with contextlib.suppress(websockets.ConnectionClosed):
            async for text in self.socket:
                message = json.loads(text)
                answer = self._answers.pop(message.get("inReplyTo"), None)
                if answer and not answer.done():
                    answer.set_result(message)
                else:
                    self.events.put_nowait(message)
        self.close_code = self.socket.close_code
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ConnectionError(f"closed with {self.close_code}"))
        self.events.put_nowait({"type": "closed", "code": self.close_code})

    async def send(self, message):
        await self.socket.send(json.dumps(message))

    async def request(self, message, timeout=10):
        number, self._next = self._next, self._next + 1
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        await self.send({**message, "request": number})
        message = await asyncio.wait_for(answer, timeout)
        if message["type"] == "error":
            raise LobbyError(message)
        return message

    async def join(self, room="reception", participant=None, name=None, role="host", token=None):
        message = {"type": "join", "protocol": 1, "room": room, "role": role}
        if participant:
            message["participant"] = {"id": participant, "name": name or participant}
        if token:
            message["token"] = token
        self.joined = await self.request(message)
        return self.joined

    async def publish(self, stream, audio=True, video=True):
        return await self.request({"type": "publish", "stream": {
            "id": stream, "hasAudio": audio, "hasVideo": video, "audioMuted": False, "videoMuted": False}})

    async def leave(self):
        await self.request({"type": "leave"})
        await self.close()

    async def close(self):
        await self.socket.close()
        await self._reader

    async def wait_for(self, kind, timeout=10, **fields):
        """The next event of this type with these fields; others are dropped."""
        async with asyncio.timeout(timeout):
            while True:
                event = await self.events.get()
                if event["type"] == kind and all(event.get(key) == value for key, value in fields.items()):
                    return event
                if event["type"] == "closed":
                    raise ConnectionError(f"closed with {event['code']} while waiting for {kind}")
