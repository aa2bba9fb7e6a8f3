"""The story test: the life of a board in a room, seen from outside: story.py IMAGE [--deb FILE] [--only CHAPTER]…

A guest boots and its service joins the lobby that runs outside. A second Callbox outside sees the picture of the guest's camera
and hears its microphone, the guest shows and plays the other's; buttons, losses and repairs follow. Leaves screen pictures, a WAV
and the timeline in $CALLBOX_TEST_FOLDER, and ends with `N passed, N failed`.
"""

import argparse
import os
import shutil
import signal
import sys
import time
import traceback

from guest import LINES, Finding, eventually, expect, install, level, press, pull

import pictures
import sound
from room import DESK_TONE, GUEST_TONE, HUB_ADDRESS, PORT, Room
from timeline import Timeline

# vivid's test patterns, and what a picture of them looks like: eight bars; green all over.
BARS, GREEN = 1, 8
BAR_COLOURS = [(255, 255, 255), (255, 255, 0), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0), (0, 0, 255), (0, 0, 0)]
# VP8 at a low rate, and the step from one bar to the next.
COLOUR_TOLERANCE = 48
CONFIGURATION = {
    "device": {"id": "door", "name": "Front door"},
    "room": {"name": "reception", "url": f"ws://{HUB_ADDRESS}:{PORT}/ws", "token-file": "/run/credentials/callbox.service/token"},
    "camera": {"devices": ["platform:vivid-000", "platform:vivid-001"], "width": 320, "height": 180, "frames-per-second": 5},
    "microphone": {"device": "hw:Loopback,1"},
    "speaker": {"device": "card:Intel"},
    "display": {"device": "kms"},
    "control": {"socket": "/run/callbox/control.sock"},
    "calls": {"targets": ["desk"]},
    "gpio": {"chip": "board-gpio"},
    "buttons": [
        {"name": "call", "line": "BTN_CALL", "active-low": True, "press": "call"},
        {"name": "hang-up", "line": "BTN_HANGUP", "active-low": True, "press": "hang-up"},
        {"name": "mute", "line": "BTN_MUTE", "active-low": True, "press": "mute"},
        {"name": "camera", "line": "BTN_CAMERA", "active-low": True, "press": "camera"},
        {"name": "switch", "line": "BTN_SWITCH", "active-low": True, "press": "switch-camera"},
    ],
    "leds": [
        {"name": "status", "line": "LED_STATUS", "shows": [{"state": "reconnecting", "pattern": "off"}, {"state": "in-call"}]},
        {"name": "muted", "line": "LED_MUTED", "shows": [{"state": "muted"}]},
        {"name": "camera-off", "line": "LED_CAMERA", "shows": [{"state": "camera-off"}]},
    ],
    "log": {"level": "info"},
}


class Story:
    def __init__(self, folder, image, deb, only):
        self.folder, self.deb, self.only = folder, deb, only
        self.room = Room(folder, image)
        self.board = self.room.board
        self.timeline = Timeline()
        self.passed = self.failed = 0

    # --- What is looked at

    def newest(self, count=1):
        """The newest pictures of the desk's screen that are complete."""
        found = []
        for path in reversed(pictures.snapshots(self.room.desk.snapshot_folder)):
            try:
                found.append((path, pictures.read_rgb(path)))
            except (OSError, SyntaxError):
                continue
            if len(found) == count:
                break
        return found

    @staticmethod
    def bars(rgb):
        """The colours at the middle of eight bars, below the text that vivid draws; the picture is 16:9 in a 4:3 screen."""
        height, width, _ = rgb.shape
        rows = slice(int(height * 0.60), int(height * 0.72))
        return [tuple(int(part) for part in rgb[rows, int(width * (i + 0.35) / 8): int(width * (i + 0.65) / 8)].mean(axis=(0, 1))) for i in range(8)]

    def has_colours(self, wanted):
        """Whether the newest picture at the desk has these eight colours."""
        newest = self.newest()
        return bool(newest) and all(abs(a - b) <= COLOUR_TOLERANCE for seen, want in zip(self.bars(newest[0][1]), wanted) for a, b in zip(seen, want))

    def sees(self, what, wanted, timeout=30):
        """The desk's screen comes to show these colours; the seconds that it took."""
        begin = time.monotonic()
        if not eventually(lambda: self.has_colours(wanted), timeout):
            newest = self.newest()
            seen = self.bars(newest[0][1]) if newest else "nothing"
            raise Finding(f"{what}: the desk does not see the camera's picture within {timeout} s; it sees {seen}")
        return time.monotonic() - begin

    def keep(self, name):
        """Keeps the newest picture of the desk and the guest's screen for the report."""
        newest = self.newest()
        if newest:
            shutil.copy(newest[0][0], os.path.join(self.folder, f"{name}-outside.png"))
        self.board.screendump(os.path.join(self.folder, f"{name}-board.png"))

    def all_is_well(self, what, timeout=60):
        """Joined, seen and heard again; how long each took."""
        begin = time.monotonic()
        self.room.wait_for(lambda status: status["state"] in ("loggedIn", "reconnected"), what, timeout)
        self.sees(what, [(*colour,) for colour in BAR_COLOURS], timeout)
        seen = time.monotonic() - begin
        self.room.hears(what, timeout)
        self.moving(what)
        return f"seen after {seen:.1f} s, heard after {time.monotonic() - begin:.1f} s"

    def moving(self, what, timeout=10):
        """Pictures go on coming."""
        before = self.room.desk.status()["played"]["frames"]
        expect(eventually(lambda: self.room.desk.status()["played"]["frames"] >= before + 5, timeout), f"{what}: the picture stands still")

    def led(self, name, is_lit, timeout=10):
        expect(eventually(lambda: level(self.board, name) == is_lit, timeout, 0.3), f"{name} is {'dark' if is_lit else 'lit'} after {timeout} s")

    # --- The story

    def boots(self):
        """the guest boots to systemd, and its simulated devices load"""
        took = self.board.wait()
        self.board.put(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tools", "board-guest", "simulate"))
        sound.write_wav(os.path.join(self.board.share, "tone.wav"), sound.tone(GUEST_TONE, 4))
        self.board.run("/mnt/board/simulate")
        self.board.run("; ".join(pull(name, True) for name in LINES if name.startswith("BTN_")))
        for number, pattern in ((0, BARS), (2, GREEN)):
            self.board.run(f"v4l2-ctl -d /dev/video{number} -c test_pattern={pattern},osd_text_mode=1 </dev/null")
        # Before everything else, as the world outside a board does not wait for it.
        self.board.background("while tail -c +45 /mnt/board/tone.wav; do :; done | exec chrt -f 40 aplay -q -D hw:Loopback,0 -f S16_LE -r 48000 -c 1 "
                              "--buffer-size=24000", "/mnt/board/aplay.log")
        return f"up after {took:.1f} s"

    def joins(self):
        """the service is installed and started, and joins the room outside"""
        expect(self.deb, "there is no package to install: --deb FILE")
        install(self.board, self.deb, CONFIGURATION, {"token": self.room.token("door")})
        begin = time.monotonic()
        status = self.room.wait_for(lambda status: status["joined_ms"] is not None, "the service joins")
        return f"joined {time.monotonic() - begin:.1f} s after its start, {status['rss_kib'] / 1024:.1f} MB resident"

    def meets(self):
        """a second Callbox outside sees the camera's picture and hears the microphone's tone"""
        facts = self.all_is_well("the first time")
        paths = [path for path, _ in self.newest(3)]
        self.keep("meets")
        return f"{facts}; bars at the desk: {self.bars(self.newest()[0][1])[:3]}… in {len(paths)} pictures"

    def counter(self):
        """The number in the desk's test pattern on the board's screen, wherever the layout puts the picture; None while there is none."""
        path = os.path.join(self.folder, "screen.png")
        self.board.screendump(path)
        rgb = pictures.read_rgb(path)
        height, width, _ = rgb.shape
        for picture_width in range(width, width // 3, -8):
            picture_height = picture_width * 3 // 4
            for top in range(0, height - picture_height + 1, 4):
                left = (width - picture_width) // 2
                number = pictures.counter_of(rgb[top: top + picture_height, left: left + picture_width])
                if number is not None:
                    return number
        return None

    def shows(self):
        """the board's screen shows the other's picture, which moves"""
        numbers = []

        def rises():
            number = self.counter()
            if number is not None and number not in numbers:
                numbers.append(number)
            return len(numbers) >= 3

        expect(eventually(rises, 45, 0.3), f"the frame counter of the desk's pictures was read only as {numbers} on the board's screen")
        self.keep("shows")
        return f"counters {numbers}"

    def plays(self):
        """the board's speaker plays the other's tone"""
        def heard():
            samples, rate = speaker(self.board.folder)
            return len(samples) > rate and sound.tone_share(samples[-rate:], DESK_TONE, rate) > 0.6
        expect(eventually(heard, 30), "the speaker of the board does not play the desk's tone")
        samples, rate = speaker(self.board.folder)
        return f"{sound.loudest_frequency(samples[-rate:], rate):.0f} Hz"

    def mutes(self):
        """the mute button is silence outside and lights its LED; pressed again it is undone"""
        press(self.board, "BTN_MUTE")
        begin = time.monotonic()
        self.led("LED_MUTED", True)
        expect(eventually(lambda: self.room.desk_tone(0.5)[1] < 0.001, 10), f"the desk still hears {self.room.desk_tone(0.5)}")
        silent = time.monotonic() - begin
        self.keep("muted")
        press(self.board, "BTN_MUTE")
        self.led("LED_MUTED", False)
        self.room.hears("unmuted", 15)
        return f"silent after {silent:.1f} s"

    def camera_off(self):
        """the camera button closes the camera and lights its LED; pressed again it is undone"""
        press(self.board, "BTN_CAMERA")
        self.led("LED_CAMERA", True)
        self.room.wait_for(lambda status: not status["camera"]["open"], "the camera is closed", 15)
        expect(eventually(lambda: self.peer()["video_muted"], 15), "the desk is not told that the camera is off")
        press(self.board, "BTN_CAMERA")
        self.led("LED_CAMERA", False)
        return f"seen again after {self.sees('the camera on again', BAR_COLOURS):.1f} s"

    def peer(self):
        status = self.room.desk.status()
        return next((peer for peer in status["participants"] if peer["id"] == "door"), {"video_muted": None})

    def switches(self):
        """the switch-camera button shows the other camera, and back"""
        press(self.board, "BTN_SWITCH")
        took = self.sees("the other camera", [(0, 255, 0)] * 8)
        self.keep("switched")
        press(self.board, "BTN_SWITCH")
        self.sees("the first camera again", BAR_COLOURS)
        return f"seen after {took:.1f} s"

    def calls(self):
        """the call button rings at the desk, which answers; the LED is lit until the hang-up button ends the call for both"""
        press(self.board, "BTN_CALL")
        desk = self.room.desk
        expect(desk.wait_for(lambda status: status["call"]["state"] == "ringing", 15), "it does not ring at the desk")
        desk.ctl("answer")
        self.led("LED_STATUS", True, 15)
        expect(desk.wait_for(lambda status: status["call"]["state"] == "inCall", 10), "the desk is in no call")
        press(self.board, "BTN_HANGUP")
        self.led("LED_STATUS", False, 15)
        status = desk.wait_for(lambda status: status["call"]["state"] == "idle", 10)
        expect(status, "the call goes on at the desk")
        return f"ended at the desk as {status['call']['last_end']['reason']}"

    def lobby_restarts(self):
        """the lobby is killed and started again: the board joins again by itself"""
        joins = self.room.status()["join_count"]
        self.room.kill_lobby()
        time.sleep(3)
        self.timeline.mark("the lobby is killed; started again after 3 s")
        self.room.start_lobby()
        self.room.wait_for(lambda status: status["join_count"] > joins, "after the lobby's restart")
        return self.all_is_well("after the lobby's restart")

    def network_returns(self):
        """the cable is out for 20 s: everything is back after that"""
        self.board.cable(False)
        time.sleep(20)
        self.board.cable(True)
        self.timeline.mark("the cable is back after 20 s")
        return self.all_is_well("after the cable is back")

    def camera_returns(self):
        """the camera is pulled and returns under another number: its picture comes back"""
        self.board.run("echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind")
        self.room.wait_for(lambda status: status["camera"]["name"] != "platform:vivid-000", "the camera is missed", 20)
        expect(eventually(lambda: not self.has_colours(BAR_COLOURS), 20), "the desk still sees the picture of a camera that is gone")
        begin = time.monotonic()
        self.board.run("modprobe v4l2loopback video_nr=0 card_label=other; echo vivid.0 >/sys/bus/platform/drivers/vivid/bind")
        nodes = self.board.run("for n in /sys/class/video4linux/*; do echo ${n##*/}=$(cat $n/name); done")
        self.board.run(f"for n in /dev/video*; do v4l2-ctl -d $n --info | grep -q vivid-000 && v4l2-ctl -d $n -c test_pattern={BARS},osd_text_mode=1; "
                       "done </dev/null; true")
        self.timeline.mark(f"the camera is back: {nodes.split()}")
        # The other camera, which comes with it, may be the quicker one, and stays: the button goes on to this one.
        status = self.room.wait_for(lambda status: status["camera"]["name"], "a camera is open again", 40)
        if status["camera"]["name"] != "platform:vivid-000":
            press(self.board, "BTN_SWITCH")
        self.sees("the camera that returned", BAR_COLOURS, 40)
        return f"nodes {' '.join(nodes.split())}; seen {time.monotonic() - begin:.1f} s after the return"

    def killed(self):
        """the process is killed with SIGKILL: systemd starts it again, and all is as before"""
        pid = self.board.run("systemctl show callbox -p MainPID --value")
        self.board.run(f"kill -KILL {pid}")
        self.timeline.mark("SIGKILL")
        self.room.wait_for(lambda status: status["uptime_s"] < 60 and status["joined_ms"] is not None, "after SIGKILL")
        expect(self.board.run("systemctl show callbox -p MainPID --value") != pid, "the process was not killed")
        return self.all_is_well("after SIGKILL")

    def leaves(self):
        """the service stops: exit code 0, LEDs dark, its stream gone from the room"""
        begin = time.monotonic()
        self.board.run("systemctl stop callbox", timeout=30)
        took = time.monotonic() - begin
        result = self.board.run("systemctl show callbox -p Result,ExecMainStatus --value").split()
        expect(result == ["success", "0"], f"it ended with {result}")
        lit = [name for name in LINES if name.startswith("LED_") and level(self.board, name)]
        expect(not lit, f"still lit: {lit}")
        expect(eventually(lambda: "door" not in [peer["id"] for peer in self.room.desk.status()["participants"] if peer["present"]], 10),
               "the desk still sees it in the room")
        return f"after {took:.1f} s"

    CHAPTERS = [joins, meets, shows, plays, mutes, camera_off, switches, calls, lobby_restarts, network_returns, killed, camera_returns, leaves]

    # --- Telling it

    def chapter(self, chapter):
        begin = time.monotonic()
        self.timeline.mark(f"{chapter.__name__}: {chapter.__doc__}")
        try:
            fact, passed = chapter(self), True
        except Exception as error:
            known = isinstance(error, Finding)
            fact, passed = str(error) if known else traceback.format_exc(), False
        took = time.monotonic() - begin
        self.timeline.mark(f"{chapter.__name__}: {fact.splitlines()[0] if fact else ''}", passed)
        print(f"{'ok' if passed else 'FAILED'}: {chapter.__name__} ({chapter.__doc__}), {took:.1f} s: {fact}", flush=True)
        self.passed, self.failed = self.passed + passed, self.failed + (not passed)
        if not passed:
            try:
                self.keep(f"failed-{chapter.__name__}")
            except Exception as error:
                print(f"    no picture of it: {error}", flush=True)
        return passed

    def play(self):
        self.room.start_lobby()
        self.board.start()
        self.room.start_desk()
        self.timeline.watch(self.room.desk.socket_path)
        if self.chapter(Story.boots):
            for chapter in [Story.joins] + [chapter for chapter in Story.CHAPTERS[1:] if not self.only or chapter.__name__ in self.only]:
                if not self.chapter(chapter) and chapter is Story.joins:
                    break

    def report(self):
        """What the story leaves behind."""
        self.timeline.end()
        with open(os.path.join(self.folder, "timeline.txt"), "w", encoding="utf-8") as file:
            file.write(self.timeline.text())
        with open(os.path.join(self.folder, "timeline.svg"), "w", encoding="utf-8") as file:
            file.write(self.timeline.svg("The story of a board in a room, as the desk saw and heard it"))
        for name, command in (("journal.log", "journalctl -b --no-pager -o short-monotonic"), ("dmesg.log", "dmesg")):
            try:
                with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                    file.write(self.board.sh(command)[1])
            except Exception as error:
                print(f"    no {name}: {error}", flush=True)
        self.room.close()
        for source, target in ((f"{self.board.folder}/serial.log", "serial.log"), (f"{self.board.folder}/speaker.wav", "board-speaker.wav"),
                               (self.room.desk.wav_path if self.room.desk else "", "desk-speaker.wav")):
            if os.path.exists(source):
                shutil.copy(source, os.path.join(self.folder, target))
        if self.room.desk:
            shutil.rmtree(self.room.desk.snapshot_folder, ignore_errors=True)
        shutil.rmtree(self.room.board.folder, ignore_errors=True)


def speaker(folder):
    """What the board's speaker has played so far; QEMU fills in the sizes of the header only when it ends."""
    import numpy as np

    with open(os.path.join(folder, "speaker.wav"), "rb") as file:
        data = file.read()[44:]
    samples = np.frombuffer(data[: len(data) // 4 * 4], np.int16).reshape(-1, 2).mean(axis=1) / 32_768
    return samples, 48_000


def main():
    parser = argparse.ArgumentParser(description="The story test of the simulated board.")
    parser.add_argument("image")
    parser.add_argument("--deb", help="callbox's package to install")
    parser.add_argument("--only", action="append", help="a chapter to play beside boots and joins")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = os.environ["CALLBOX_TEST_FOLDER"]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    story = Story(folder, options.image, options.deb, options.only)
    try:
        story.play()
    finally:
        story.report()
    print(f"report: {folder}: timeline.txt, timeline.svg, *.png, board-speaker.wav, desk-speaker.wav", flush=True)
    print(f"{story.passed} passed, {story.failed} failed")
    return 1 if story.failed or not story.passed else 0


if __name__ == "__main__":
    sys.exit(main())
