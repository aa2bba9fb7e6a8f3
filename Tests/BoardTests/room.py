"""The world of the story test: a switch with a lobby and a second endpoint outside, and a board whose network card is wired to it."""

import os
import subprocess
import time

from guest import Finding, eventually, expect, status

import sound
import board as boards
from endpoint import PROGRAM, Endpoint
from networks import HUB_ADDRESS, Networks

PORT, BOARD_ADDRESS, DESK_ADDRESS = 8080, "10.78.0.15", "10.78.0.12"
ARCHITECTURE = os.environ.get("CALLBOX_BOARD_ARCH", "amd64")
GUEST_SOCKET = "/run/callbox/control.sock"
GUEST_TONE, DESK_TONE = 1000, 660


class Room:
    """The lobby runs in the hub, the desk on a machine of its own, QEMU in the hub with a TAP at its switch."""

    def __init__(self, folder, image):
        self.folder, self.image = folder, image
        self.networks = Networks()
        self.desk_machine = self.networks.machine("desk", DESK_ADDRESS)
        self.networks.in_hub("ip", "tuntap", "add", "dev", "board", "mode", "tap")
        self.networks.in_hub("ip", "link", "set", "board", "master", "switch", "up")
        self.key_file = os.path.join(folder, "lobby.keys")
        with open(os.open(self.key_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            file.write("tests: a-secret-of-the-tests-that-is-long-enough\n")
        self.lobby = self.desk = None
        self.board = boards.of(ARCHITECTURE, image, os.path.join(folder, "share"), network="tap,ifname=board,script=no,downscript=no",
                               address=f"{BOARD_ADDRESS}/24", screen="640x480", wrapper=self.networks.hub_command())

    def close(self):
        self.board.stop()
        if self.desk:
            self.desk.stop(3)
        self.kill_lobby()
        self.networks.close()

    # --- Outside

    def start_lobby(self):
        with open(os.path.join(self.folder, "lobby.log"), "ab") as log:
            self.lobby = subprocess.Popen(
                self.networks.hub_command(PROGRAM, "lobby", "--address", HUB_ADDRESS, "--port", str(PORT), "--key-file", self.key_file),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        expect(eventually(lambda: f"{HUB_ADDRESS}:{PORT}" in self.networks.in_hub("ss", "-Hltn").stdout, 10, 0.1), "the lobby does not listen")

    def kill_lobby(self):
        if self.lobby and self.lobby.poll() is None:
            self.lobby.kill()
            self.lobby.wait(5)

    def token(self, participant):
        return subprocess.run([PROGRAM, "token", "--key-file", self.key_file, "--room", "reception", "--id", participant],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout.strip()

    def start_desk(self):
        extra = {"room": {"url": f"ws://{HUB_ADDRESS}:{PORT}/ws", "token": self.token("desk")},
                 "camera": {"width": 160, "height": 120, "frames-per-second": 5}, "log": {"level": "info"}}
        self.desk = Endpoint(os.path.join(self.folder, "desk"), "desk", name="Desk", microphone=f"tone:{DESK_TONE}", extra=extra,
                             wrapper=self.desk_machine.command())
        self.desk.start()
        expect(self.desk.wait_until_joined(20), f"the desk did not join: {self.desk.log_end()}")

    def desk_tone(self, seconds=1.0):
        """Of the newest sound of the desk's speaker: (share of the guest's tone, level from 0 to 1)."""
        samples, rate = sound.read_wav(self.desk.wav_path)
        part = samples[-int(seconds * rate):]
        if len(part) < int(seconds * rate):
            return 0.0, 0.0
        return sound.tone_share(part, GUEST_TONE, rate), float((part ** 2).mean() ** 0.5)

    def hears(self, what, timeout=30):
        """The desk hears the guest's tone; the seconds that it took."""
        begin = time.monotonic()

        def heard():
            share, loudness = self.desk_tone()
            return share > 0.7 and loudness > 0.01

        if not eventually(heard, timeout):
            mine, its = self.status() or {}, self.desk.status() or {}
            raise Finding(f"{what}: the desk does not hear the tone within {timeout} s (share, level: {self.desk_tone()}); the board sends "
                          f"{mine.get('sent')} from {mine.get('devices', {}).get('microphone')}; the desk plays {its.get('played')}")
        return time.monotonic() - begin

    # --- The board

    def status(self):
        return status(self.board, GUEST_SOCKET, "/usr/bin/callbox")

    def wait_for(self, condition, what, timeout=120):
        """Waits until condition(status of the board) holds; the status."""
        last = {}

        def ask():
            last["status"] = self.status()
            return last["status"] and condition(last["status"])

        if not eventually(ask, timeout):
            journal = self.board.sh("journalctl -u callbox -b --no-pager -o cat | tail -n 8")[1]
            raise Finding(f"{what}: not within {timeout} s; it is {(last['status'] or {}).get('state')}; its journal:\n{journal}")
        return last["status"]
