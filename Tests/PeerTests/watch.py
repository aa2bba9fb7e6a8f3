"""Watches an endpoint's status several times a second, and tells afterwards when what happened."""

import contextlib
import json
import socket
import threading
import time


class Watch:
    """Samples of one endpoint: (moment, state, joins, seconds of sound that really came)."""

    def __init__(self, endpoint, pause=0.05):
        self.endpoint, self.pause = endpoint, pause
        self.samples, self._stop = [], threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        sound, last = 0.0, None
        while not self._stop.is_set():
            begin = time.monotonic()
            status = self._status()
            if status:
                played = status["played"]
                now = played["audio_seconds"] - played["concealed_seconds"]
                # What a player counted is gone with it.
                sound += max(0.0, now - last) if last is not None else 0.0
                last = now
                self.samples.append(((begin + time.monotonic()) / 2, status["state"], status["join_count"], sound))
            self._stop.wait(self.pause)

    def _status(self):
        """By the control socket itself: a process for each question would measure the machine."""
        with contextlib.suppress(OSError, ValueError), socket.socket(socket.AF_UNIX) as control:
            control.settimeout(2)
            control.connect(self.endpoint.socket_path)
            control.sendall(b'{"command":"status"}\n')
            with control.makefile("rb") as answer:
                return json.loads(answer.readline())
        return None

    def end(self):
        self._stop.set()
        self._thread.join(5)

    @property
    def joins(self):
        return self.samples[-1][2] if self.samples else 0

    def joins_at(self, moment):
        return max((sample[2] for sample in self.samples if sample[0] <= moment), default=0)

    def sound_after(self, moment, amount=0.1):
        """Seconds from `moment` until so much sound had come again; None: it did not."""
        start = None
        for time_of, _, _, sound in self.samples:
            if time_of < moment:
                continue
            if start is None:
                start = sound
            if sound >= start + amount:
                return time_of - moment
        return None

    def joined_after(self, moment):
        """Seconds from `moment` until the endpoint had joined once more; None: it did not."""
        before = self.joins_at(moment)
        for time_of, _, joins, _ in self.samples:
            if time_of >= moment and joins > before:
                return time_of - moment
        return None

    def missing_sound(self, begin, end):
        """How many seconds of sound did not come between two moments."""
        samples = [sample for sample in self.samples if begin <= sample[0] <= end]
        first, last = samples[0], samples[-1]
        return last[0] - first[0] - (last[3] - first[3])

    def wait(self, condition, timeout):
        """Waits until condition(self) holds; its value, or None."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            value = condition(self)
            if value is not None and value is not False:
                return value
            time.sleep(0.05)
        return None
