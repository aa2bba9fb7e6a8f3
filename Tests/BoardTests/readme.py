"""README's ten steps to an intercom, taken on the simulated board as a new user would: readme.py IMAGE --deb FILE

The commands and the configuration are README's own text. What differs on this board is replaced, and nothing else: its name and
its pins, the file of the package, and a picture that an emulated machine can encode in real time. The desk is a Callbox instead of a
browser. Leaves pictures in $CALLBOX_TEST_FOLDER and ends with `N passed, N failed`.
"""

import argparse
import os
import re
import shutil
import signal
import sys
import time
import traceback

from guest import LINES, TOP, Finding, eventually, expect, level, press, pull

import sound
from endpoint import Endpoint
from room import BOARD_ADDRESS, DESK_TONE, GUEST_TONE, Room

CHAPTER = "## From a bare Raspberry Pi to a working intercom"
# README's pins of a Raspberry Pi, and those of this board with the same buttons and LEDs.
PINS = {11: 0, 13: 1, 16: 5, 18: 7, 32: 6}
SMALL_PICTURE = "camera: {width: 160, height: 120, frames-per-second: 5}"


class Steps:
    """The steps of README's chapter: for each number, the lines that are code."""

    def __init__(self):
        with open(os.path.join(TOP, "README.md"), encoding="utf-8") as file:
            text = file.read()
        expect(CHAPTER in text, f"README has no chapter `{CHAPTER}`")
        self.code, number = {}, 0
        for line in text.split(CHAPTER, 1)[1].split("\n## ", 1)[0].splitlines():
            begin = re.match(r"(\d+)\. ", line)
            if begin:
                number = int(begin[1])
                self.code[number] = []
            elif line.startswith("       ") and number:
                self.code[number].append(line[7:])
        expect(sorted(self.code) == list(range(1, 11)), f"README has the steps {sorted(self.code)}, not ten")

    def commands(self, number):
        """The commands of a step, as root of a board without sudo takes them."""
        found = [line.replace("sudo ", "") for line in self.code[number] if line.startswith(("sudo ", "callbox ", "echo "))]
        expect(found, f"step {number} of README has no command")
        return found

    def configuration(self):
        """Step 7's callbox.yaml for this board."""
        lines = [line for line in self.code[7] if not line.startswith(("$ ", "/etc/"))]
        text = "\n".join(lines)
        expect("board: raspberry-pi-4" in text, f"step 7 of README has no configuration for a Raspberry Pi: {text}")
        text = text.replace("board: raspberry-pi-4", "board: simulated")
        expect(sorted(int(pin) for pin in re.findall(r"line: pin (\d+)", text)) == sorted(PINS), "step 7 of README has other pins")
        return re.sub(r"line: pin (\d+)", lambda pin: f"line: pin {PINS[int(pin[1])]}", text) + "\n" + SMALL_PICTURE + "\n"


class Trial:
    """The board, the desk, and what one step leaves for the next."""

    def __init__(self, folder, image, deb):
        self.folder, self.deb = folder, deb
        self.steps = Steps()
        self.room = Room(folder, image)
        self.board, self.desk = self.room.board, None
        self.fingerprint = self.token = None

    def status(self):
        return self.room.status()

    # --- The steps

    def steps_1_to_3(self):
        """a board with a system, buttons, LEDs, a camera and sound"""
        took = self.board.wait()
        sound.write_wav(os.path.join(self.board.share, "tone.wav"), sound.tone(GUEST_TONE, 4))
        self.board.put(os.path.join(TOP, "Tools", "board-guest", "simulate"))
        self.board.run("/mnt/board/simulate")
        self.board.run("; ".join(pull(name, True) for name in LINES if name.startswith("BTN_")))
        # Into the side of the looped card whose other side is its first microphone: what somebody says there.
        self.board.background("while tail -c +45 /mnt/board/tone.wav; do :; done | exec chrt -f 40 aplay -q -D hw:Loopback,1 -f S16_LE -r 48000 -c 1 "
                              "--buffer-size=24000", "/mnt/board/aplay.log")
        return f"up after {took:.1f} s"

    def step_4(self):
        """install the package"""
        package = self.board.put(self.deb)
        for command in self.steps.commands(4):
            named = re.sub(r"\./callbox_\S+\.deb", package, command)
            expect(named != command, f"`{command}` names no package")
            self.board.run(f"cd / && DEBIAN_FRONTEND=noninteractive {named.replace('apt install', 'apt-get -y install')}", timeout=300)
        return self.board.run("callbox version").splitlines()[0]

    def step_5(self):
        """see what the board has"""
        out = self.board.run(self.steps.commands(5)[0])
        for word in ("camera:", "microphone:", "speaker:", "vivid", "Loopback", "board-gpio"):
            expect(word in out, f"`{word}` is not in the list: {out[:1500]}")
        return f"{len(out.splitlines())} lines"

    def step_6(self):
        """give the room a key"""
        for command in self.steps.commands(6):
            self.board.run(command)
        found = self.board.run("stat -c '%a %s' /etc/credstore/callbox.lobby.keys").split()
        expect(found[0] == "600" and int(found[1]) >= 40, f"the key file has mode and size {found}")

    def step_7(self):
        """write the configuration, and let it be checked"""
        path = os.path.join(self.board.share, "readme.yaml")
        command = next(line[2:] for line in self.steps.code[7] if line.startswith("$ "))
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.steps.configuration())
        self.board.run("install -m 644 /mnt/board/readme.yaml /etc/callbox/callbox.yaml")
        said = self.board.run(command)
        # And what the step promises of a file that is not right.
        self.board.run("{ cat /etc/callbox/callbox.yaml; echo 'microphone: {devcie: none}'; } >/tmp/wrong.yaml")
        code, out, err = self.board.sh("callbox check /tmp/wrong.yaml")
        expect(code != 0 and "did you mean device?" in out + err, f"a wrong key is told as: {out}{err}")
        return said.splitlines()[0]

    def step_8(self):
        """start it, see how it is, and find the certificate's fingerprint in the journal"""
        restart, show = self.steps.commands(8)
        self.board.run(restart, timeout=120)
        expect(eventually(lambda: (self.status() or {}).get("state") in ("loggedIn", "reconnected"), 90, 1), f"it did not join: {self.board.sh(show)[1]}")
        out = self.board.run(show)
        journal = self.board.run("journalctl -u callbox -b --no-pager -o cat")
        found = re.search(r"fingerprint ([0-9A-F:]{95})", journal)
        expect(found, f"the journal has no fingerprint: {journal[-900:]}")
        self.fingerprint = found[1]
        expect(level(self.board, "LED_STATUS"), "the status LED is dark, although it has joined")
        self.board.screendump(os.path.join(self.folder, "joined.png"))
        return " / ".join(out.splitlines()[:2])

    def step_9(self):
        """make a token for the desk, which joins with it"""
        self.token = self.board.run(self.steps.commands(9)[0]).splitlines()[-1].strip()
        extra = {"room": {"url": f"wss://{BOARD_ADDRESS}:8080/ws", "token": self.token, "tls-fingerprint": self.fingerprint, "mode": "on-call"},
                 "camera": {"width": 160, "height": 120, "frames-per-second": 5}, "log": {"level": "info"}}
        self.desk = self.room.desk = Endpoint(os.path.join(self.folder, "desk"), "desk", name="Desk", microphone=f"tone:{DESK_TONE}", extra=extra,
                                              wrapper=self.room.desk_machine.command())
        self.desk.start()
        expect(self.desk.wait_until_joined(40), f"the desk did not join: {self.desk.log_end()}")
        page = self.room.networks.in_hub("curl", "--silent", "--insecure", "--max-time", "20", f"https://{BOARD_ADDRESS}:8080/").stdout
        expect("<html" in page.lower(), f"the lobby serves no page: {page[:200]}")
        return "joined, and the page is there"

    def step_10(self):
        """press the button: it rings at the desk, which answers; both see and hear each other; mute; the button ends the call"""
        press(self.board, "BTN_CALL")
        expect(self.desk.wait_for(lambda status: status["call"]["state"] == "ringing", 20), f"it does not ring at the desk: {self.status()['call']}")
        looks = {level(self.board, "LED_CAMERA") for _ in range(25)}
        expect(looks == {True, False}, f"the LED does not blink while it rings: {looks}")
        self.desk.ctl("answer")
        expect(self.desk.wait_for(lambda status: status["call"]["state"] == "inCall", 20), "the desk is in no call")
        begin = self.desk.status()["played"]["frames"]
        expect(eventually(lambda: self.desk.status()["played"]["frames"] >= begin + 20, 60), f"the desk sees nothing: {self.desk.status()['played']}")
        self.room.hears("in the call", 60)
        mine = self.status()["played"]
        expect(eventually(lambda: self.status()["played"]["audio_seconds"] > mine["audio_seconds"] + 2, 60, 1), f"the board hears nothing: {mine}")
        press(self.board, "BTN_MUTE")
        expect(eventually(lambda: level(self.board, "LED_MUTED"), 10, 0.3), "the mute LED is dark")
        expect(eventually(lambda: self.room.desk_tone(0.5)[1] < 0.001, 15), f"the desk still hears {self.room.desk_tone(0.5)}")
        press(self.board, "BTN_CALL")
        ended = self.desk.wait_for(lambda status: status["call"]["state"] == "idle", 15)
        expect(ended, "the button does not end the call")
        return f"ended as {ended['call']['last_end']['reason']}"

    STEPS = [steps_1_to_3, step_4, step_5, step_6, step_7, step_8, step_9, step_10]

    def play(self):
        """(passed, failed)"""
        self.board.start()
        for number, step in enumerate(self.STEPS):
            begin = time.monotonic()
            try:
                fact, passed = step(self), True
            except Exception as error:
                fact, passed = str(error) if isinstance(error, Finding) else traceback.format_exc(), False
            print(f"{'ok' if passed else 'FAILED'}: {step.__name__} ({step.__doc__}), {time.monotonic() - begin:.1f} s{f': {fact}' if fact else ''}", flush=True)
            if not passed:
                print(f"    journal: {self.board.sh('journalctl -u callbox -b --no-pager -o cat | tail -n 15')[1]}")
                # Each needs what the one before it made.
                return number, 1
        return len(self.STEPS), 0


def main():
    parser = argparse.ArgumentParser(description="README's ten steps on the simulated board.")
    parser.add_argument("image")
    parser.add_argument("--deb", required=True, help="callbox's package")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = os.environ["CALLBOX_TEST_FOLDER"]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    trial = Trial(folder, options.image, options.deb)
    try:
        passed, failed = trial.play()
    finally:
        trial.room.close()
        shutil.rmtree(trial.board.folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
