"""Boots the arm64 board with pages of 4 KiB and of 16 KiB and lets callbox do there what needs no time: version, check, devices, a lobby.

    smoke.py IMAGE CALLBOX HOST-CALLBOX OUT [4k] [16k]

The lobby runs on this machine (HOST-CALLBOX); the guest joins it over QEMU's network. Ends with `N passed, N failed`.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, "Tools", "python"))

from board import BoardError  # noqa: E402
from board_arm64 import Arm64Board  # noqa: E402

PORT = 8473
CONFIGURATION = """\
board: simulated
device: {{id: {name}, name: {name}}}
room: {{name: arm, mode: on-call, url: "ws://10.0.2.2:{port}/ws", token: "{token}"}}
camera: {{device: "platform:vivid-000", width: 160, height: 120, frames-per-second: 5}}
microphone: {{device: "tone:660"}}
speaker: {{device: none}}
buttons:
  - {{name: call, line: pin 0, active-low: true, bias: pull-up, press: intercom}}
  - {{name: mute, line: pin 1, active-low: true, bias: pull-up, press: mute}}
leds:
  - {{name: status, line: pin 5, shows: [{{state: joined}}]}}
  - {{name: muted, line: pin 6, shows: [{{state: muted}}]}}
control: {{socket: /run/callbox.sock}}
log: {{level: info}}
"""


class Finding(Exception):
    """What was expected did not happen."""


class Results:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, text, body):
        started = time.monotonic()
        try:
            note = body()
        except (Finding, BoardError, OSError, RuntimeError, ValueError, KeyError) as error:
            self.failed += 1
            print(f"FAILED: {text}, {time.monotonic() - started:.1f} s: {error}")
            return False
        self.passed += 1
        print(f"ok: {text}, {time.monotonic() - started:.1f} s" + (f": {note}" if note else ""))
        return True


def run(board, command, timeout=120):
    code, out, err = board.sh(command, timeout=timeout)
    if code != 0:
        raise Finding(f"`{command}` ended with {code}: {(out + err).strip()[-600:]}")
    return out.strip()


class Smoke:
    def __init__(self, board, pages, share):
        self.board, self.pages, self.share = board, pages, share

    def boots(self):
        seconds = self.board.wait(600)
        size = run(self.board, "getconf PAGESIZE")
        if size != {"4k": "4096", "16k": "16384"}[self.pages]:
            raise Finding(f"the pages have {size} bytes")
        return f"{run(self.board, 'uname -rm')}, commands after {seconds:.1f} s"

    def has_drivers(self):
        run(self.board, "bash /mnt/board/simulate camera sound gpio; for n in 0 1; do echo pull-up >/run/board-gpio/sim_gpio$n/pull; done")
        return run(self.board, "cat /proc/asound/cards | head -n 1; ls /dev/video* /dev/gpiochip* /dev/dri/card* | paste -sd' '").replace("\n", "; ")

    def says_version(self):
        return run(self.board, "/mnt/board/callbox version").splitlines()[0]

    def checks_configuration(self):
        out = run(self.board, "CALLBOX_BOARDS=/mnt/board/boards /mnt/board/callbox check /mnt/board/callbox.yaml")
        if "good" not in out or "Simulated board" not in out:
            raise Finding(out)
        return out.splitlines()[1]

    def lists_devices(self):
        out = run(self.board, "/mnt/board/callbox devices")
        for word in ("vivid", "Loopback", "board-gpio", "BTN_CALL"):
            if word not in out:
                raise Finding(f"{word} is not listed: {out[-1500:]}")
        return f"{len(out.splitlines())} lines"

    def level(self, number):
        return run(self.board, f"cat /run/board-gpio/sim_gpio{number}/value")

    def becomes(self, number, wanted, seconds=20):
        end = time.monotonic() + seconds
        while self.level(number) != wanted:
            if time.monotonic() > end:
                raise Finding(f"line {number} is {self.level(number)}, not {wanted}; {self.log()}")
            time.sleep(0.3)

    def drives_lines(self):
        """libgpiod of the guest's release: LEDs are driven, presses of a button are seen."""
        self.becomes(5, "1")
        levels = []
        for wanted in ("1", "0"):
            run(self.board, "cd /run/board-gpio/sim_gpio1; echo pull-down >pull; sleep 0.3; echo pull-up >pull")
            self.becomes(6, wanted)
            levels.append(wanted)
        return f"the LED of the mute button was {', then '.join(levels)}"

    def joins(self):
        run(self.board, "CALLBOX_BOARDS=/mnt/board/boards setsid /mnt/board/callbox run --config /mnt/board/callbox.yaml >/mnt/board/log 2>&1 </dev/null & "
            "echo $! >/run/callbox.pid")
        end = time.monotonic() + 180
        status = {}
        while time.monotonic() < end:
            code, out, _ = self.board.sh("/mnt/board/callbox status --socket /run/callbox.sock --json")
            status = json.loads(out) if code == 0 else {}
            if status.get("state") in ("loggedIn", "reconnected"):
                break
            time.sleep(1)
        else:
            raise Finding(f"state: {status.get('state')}; {self.log()}")
        memory = run(self.board, "grep -hE 'VmRSS|Threads' /proc/$(cat /run/callbox.pid)/status | tr -s '\\t\\n' '  '")
        private = run(self.board, "awk '/Private_Dirty/ { n += $2 } END { print n }' /proc/$(cat /run/callbox.pid)/smaps_rollup")
        return f"{memory} private dirty: {private} kB"

    def leaves(self):
        out = run(self.board, "p=$(cat /run/callbox.pid); kill -TERM $p; for i in $(seq 100); do kill -0 $p 2>/dev/null || { echo gone; exit; }; sleep 0.1; done; echo stays")
        if out != "gone":
            raise Finding(f"it still runs after SIGTERM; {self.log()}")
        return None

    def log(self):
        try:
            with open(os.path.join(self.share, "log"), encoding="utf-8", errors="replace") as file:
                return file.read()[-1200:]
        except FileNotFoundError:
            return "(no log)"


def token(host, key_file, participant):
    return subprocess.run([host, "token", "--key-file", key_file, "--room", "arm", "--id", participant], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=True).stdout.strip()


def main():
    image, callbox, host, out = sys.argv[1:5]
    wanted = sys.argv[5:] or ["4k", "16k"]
    # So that nothing stays behind when the time is over.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    results = Results()
    os.makedirs(out, exist_ok=True)
    key_file = os.path.join(out, "lobby.keys")
    with open(os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write("tests: a-secret-of-the-tests-that-is-long-enough\n")
    with open(os.path.join(out, "lobby.log"), "wb") as log:
        lobby = subprocess.Popen([host, "lobby", "--address", "127.0.0.1", "--port", str(PORT), "--key-file", key_file],
                                 stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        for pages in wanted:
            share = os.path.join(out, pages)
            shutil.rmtree(share, ignore_errors=True)
            os.makedirs(os.path.join(share, "boards"))
            shutil.copy(callbox, os.path.join(share, "callbox"))
            shutil.copy(os.path.join(TOP, "Tools", "board-guest", "simulate"), share)
            shutil.copy(os.path.join(TOP, "Board", "simulated.yaml"), os.path.join(share, "boards"))
            with open(os.path.join(share, "callbox.yaml"), "w", encoding="utf-8") as file:
                file.write(CONFIGURATION.format(name=f"arm-{pages}", port=PORT, token=token(host, key_file, f"arm-{pages}")))
            with Arm64Board(image, share, pages=pages) as board:
                smoke = Smoke(board, pages, share)
                if not results.check(f"{pages} pages: the kernel starts", smoke.boots):
                    continue
                results.check(f"{pages} pages: drivers load", smoke.has_drivers)
                results.check(f"{pages} pages: callbox version", smoke.says_version)
                results.check(f"{pages} pages: callbox check, with a board profile", smoke.checks_configuration)
                results.check(f"{pages} pages: callbox devices", smoke.lists_devices)
                if results.check(f"{pages} pages: joins a lobby on this machine", smoke.joins):
                    results.check(f"{pages} pages: libgpiod sees presses and drives LEDs", smoke.drives_lines)
                    results.check(f"{pages} pages: leaves on SIGTERM", smoke.leaves)
    finally:
        lobby.terminate()
        lobby.wait(10)
    print(f"{results.passed} passed, {results.failed} failed")
    return 1 if results.failed or not results.passed else 0


if __name__ == "__main__":
    sys.exit(main())
