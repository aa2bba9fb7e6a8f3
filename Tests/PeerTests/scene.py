"""The stage of one scenario: its folder, its endpoints, what it found."""

import contextlib
import os
import socket
import time

import pictures
import processes
import sound
from endpoint import Endpoint


class Finding(Exception):
    """What a scenario expected did not happen."""


class Scene:
    def __init__(self, folder):
        self.folder, self.endpoints, self.facts = folder, [], []
        self.closers = contextlib.AsyncExitStack()

    def endpoint(self, participant, **options):
        """A started endpoint; the first one of a scene hosts the lobby unless told otherwise."""
        options.setdefault("hosts_lobby", not self.endpoints)
        endpoint = Endpoint(os.path.join(self.folder, participant), participant, **options)
        self.endpoints.append(endpoint)
        return endpoint.start()

    def fact(self, text):
        self.facts.append(text)

    @staticmethod
    def check(condition, text):
        if not condition:
            raise Finding(text)

    def joined(self, endpoint, timeout=20):
        status = endpoint.wait_until_joined(timeout)
        self.check(status, f"{endpoint.participant} did not join within {timeout} s")
        return status

    def playing(self, endpoint, timeout=20):
        """Waits until pictures and sound are played; the status."""
        status = endpoint.wait_for(
            lambda status: status["played"]["frames"] > 0 and status["played"]["audio_seconds"] > 0, timeout)
        self.check(status, f"{endpoint.participant} played nothing within {timeout} s: {endpoint.status()}")
        return status

    def heard(self, endpoint, frequency, seconds=2.0):
        """The endpoint's newest seconds of speaker sound are this tone."""
        samples, rate = sound.read_wav(endpoint.wav_path)
        self.tone(f"{endpoint.participant}'s speaker", samples, frequency, seconds, rate)

    def tone(self, where, samples, frequency, seconds=2.0, rate=sound.RATE):
        count = int(seconds * rate)
        self.check(len(samples) >= count, f"{where}: only {len(samples) / rate:.1f} s of sound")
        part = samples[-count:]
        found, share = sound.loudest_frequency(part, rate), sound.tone_share(part, frequency, rate)
        # One percent: a jitter buffer that leaves out or repeats a few frames shifts the measured frequency a little.
        self.check(abs(found - frequency) <= 0.01 * frequency and share > 0.7,
                   f"{where}: loudest at {found:.0f} Hz with {share:.0%} of the energy around {frequency} Hz")
        self.fact(f"{where} {found:.0f} Hz ({share:.0%})")

    def rising(self, where, numbers, least=3):
        """Frame counters that were read one after the other; a looped clip may begin anew."""
        self.check(len(numbers) >= least, f"{where}: the frame counter was read {len(numbers)} times only: {numbers}")
        steps = [after - before for before, after in zip(numbers, numbers[1:])]
        rises = sum(1 for step in steps if step > 0)
        self.check(rises >= len(steps) * 0.8 and len(set(numbers)) >= least,
                   f"{where}: the frame counter does not advance: {numbers}")
        self.fact(f"{where} counter {numbers[0]}…{numbers[-1]}")

    def seen(self, endpoint, least=3):
        self.rising(f"{endpoint.participant}'s screen", pictures.counters_in(endpoint.snapshot_folder), least)

    async def close(self):
        await self.closers.aclose()
        for endpoint in reversed(self.endpoints):
            endpoint.stop(3)
            # One that was killed leaves its socket.
            with contextlib.suppress(FileNotFoundError):
                os.unlink(endpoint.socket_path)


def udp_ports(pid):
    """(address family, port) of every UDP socket of a process."""
    inodes = {text[8:-1] for text in processes.descriptors(pid) if text.startswith("socket:[")}
    found = []
    for name, family in (("udp", socket.AF_INET), ("udp6", socket.AF_INET6)):
        with open(f"/proc/{pid}/net/{name}", encoding="ascii") as file:
            for line in list(file)[1:]:
                fields = line.split()
                if fields[9] in inodes:
                    found.append((family, int(fields[1].rsplit(":", 1)[1], 16)))
    return found


def eventually(condition, timeout, pause=0.2):
    """True as soon as condition() is; false after the time."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(pause)
    return False
