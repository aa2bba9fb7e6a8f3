"""What Tools/demo runs: a lobby and two endpoints, their figures on the terminal and in a file."""

import argparse
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time

import panel
import processes
from endpoint import PROGRAM, Endpoint
from keyboard import Keyboard
from screens import Screens

# An endpoint leaves within a second; the rest is the scheduling of a busy machine.
LEAVING_SECONDS = 1.0

# What is pressed without anybody at the keyboard: seconds after both have joined, endpoint, button, what it is for, and what
# the door's LEDs say then, before the next one. It is over before the last seconds, whose sound is judged.
SCRIPT = [(0.8, "door", "bell", "rings", "call ringing"), (1.9, "desk", "bell", "answers", "call in-call"),
          (2.8, "door", "mute", "mutes", "microphone muted"), (3.5, "door", "mute", "unmutes", "call in-call"),
          (4.2, "desk", "bell", "hangs up", "call publishing")]

HELP = """
    door:  b bell (call, answer, hang up)   m mute   c camera   s switch camera   t talk (hold / let go)   + - volume
    desk:  a bell (call, answer, hang up)   d decline   o open the door's lock        i figures   q end
"""


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/demo", description="Two endpoints and a lobby call each other on this machine; a browser may join.")
    parser.add_argument("--seconds", type=float, help="stop after this time (default: at Ctrl-C)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there; pictures and sound go beside it")
    parser.add_argument("--camera", help="test-pattern, file:CLIP.y4m, /dev/video0, … (default: test-pattern)")
    parser.add_argument("--microphone", help="tone:440, file:SPEECH.wav, an ALSA card, … (default: a tone each)")
    parser.add_argument("--port", type=int, default=8080, help="the lobby's port (8080)")
    parser.add_argument("--room", default="reception", help="the room's name (reception)")
    return parser.parse_args()


def port_is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Demo:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="callbox-demo-")
        self.stopping = threading.Event()
        cameras = [options.camera] if options.camera else ["test-pattern", "test-pattern:variant=2"]
        common = {"port": options.port, "room": options.room}

        def screen(name):
            return f"snapshots:{self.folder}/{name}/snapshots,period=300"

        # Everybody else in the room is rung: the desk, and the browser.
        sections = {**panel.configuration(), "calls": {"ring-seconds": 30}, "permissions": {"open-relay": "hosts"}}
        desk = {"camera": {"devices": cameras[::-1], "device": None}, **sections}
        sections["camera"] = {"devices": cameras, "device": None}
        self.endpoints = [
            Endpoint(f"{self.folder}/door", "door", "Front door", hosts_lobby=True, display=screen("door"),
                     microphone=options.microphone or "tone:440", extra=sections, **common),
            Endpoint(f"{self.folder}/desk", "desk", "Desk", display=screen("desk"),
                     microphone=options.microphone or "tone:660", extra=desk, **common),
        ]
        self.last, self.before = {}, {}
        self.keyboard = Keyboard() if options.seconds is None and Keyboard.is_there() else None
        # What the LEDs said last, by endpoint, and everything that they said: (seconds, endpoint, words).
        self.shown, self.changes = {}, []
        self.screens = None

    def run(self):
        for endpoint in self.endpoints:
            endpoint.start()
        begin = time.monotonic()
        for endpoint in self.endpoints:
            if not self.wait_until_joined(endpoint):
                print(f"error: {endpoint.participant} did not join:\n{endpoint.log_end()}", file=sys.stderr)
                return 1
            status = self.last[endpoint.participant]
            print(f"{endpoint.participant:5} joined {self.options.room} after {status['joined_ms']} ms", flush=True)
        room_link = f"http://localhost:{self.options.port}/#/{self.options.room}"
        self.screens = Screens(self.options.port + 1, room_link, self.endpoints)
        print(f"\nA browser on this machine joins here: {room_link}")
        print("It shows the pictures of both, rings when the door's bell is pressed, and calls them by a button.")
        print(f"The screens of both endpoints and their LEDs: {self.screens.link}")
        if self.keyboard:
            print(f"{HELP}    {panel.LEGEND}\n", flush=True)
            return self.steer()
        print("Ctrl-C stops.\n" if self.options.seconds is None else "", flush=True)
        begin, steps, awaited = time.monotonic(), list(SCRIPT), ""
        next_report = begin + 2
        while not self.stopping.wait(0.1):
            now = time.monotonic()
            self.watch_lights(now - begin)
            if steps and self.options.seconds is not None and now - begin >= steps[0][0] and (
                    awaited in self.shown.get("door", "")):
                awaited = steps[0][4]
                self.act(*steps.pop(0)[1:4])
            if now >= next_report:
                next_report += 2
                if not self.report():
                    return 1
            if self.options.seconds is not None and now - begin >= self.options.seconds - 0.1:
                return 0 if self.report() else 1
        return 0

    def steer(self):
        """Keys press the door's and the desk's buttons, and one line shows the LEDs, until q."""
        door, desk = self.endpoints
        talks = False
        with self.keyboard:
            while not self.stopping.is_set():
                key = self.keyboard.key(0.1)
                if key in ("q", "\x03"):
                    break
                problem = None
                if key == "t":
                    talks = not talks
                    problem = panel.hold(door, "talk", talks)
                elif key == "d":
                    problem = panel.press(desk, "bell", 1_200)
                elif key == "o":
                    problem = self.told(desk, "tell", "door", "open-relay", panel.RELAYS[0])
                elif key == "i":
                    print("\r\033[K", end="")
                    if not self.report():
                        return 1
                elif key in ("b", "m", "c", "s", "+", "-", "a"):
                    button, milliseconds = {"b": ("bell", 100), "m": ("mute", 100), "c": ("camera", 100), "a": ("bell", 100),
                                            "s": ("camera", 1_200), "+": ("louder", 100), "-": ("louder", 1_200)}[key]
                    problem = panel.press(desk if key == "a" else door, button, milliseconds)
                if problem:
                    print(f"\r\033[K{problem}")
                for endpoint in self.endpoints:
                    if not endpoint.is_running:
                        print(f"\r\033[Kerror: {endpoint.participant} ended:\n{endpoint.log_end()}", file=sys.stderr)
                        return 1
                print("\r\033[K" + "  ".join(f"\033[1m{one.participant}\033[0m {panel.drawing(self.lights(one))}"
                                             for one in self.endpoints), end="", flush=True)
        print()
        return 0

    def lights(self, endpoint):
        shown = panel.outputs(endpoint)
        entry = {"name": endpoint.values["device"]["name"], "lights": panel.for_page(shown)}
        # Another thread reads it: never changed, always replaced.
        self.screens.lights = {**self.screens.lights, endpoint.participant: entry}
        return shown

    @staticmethod
    def told(endpoint, *words):
        code, output = endpoint.ctl(*words)
        return output if code else None

    def act(self, participant, button, what):
        endpoint = next(one for one in self.endpoints if one.participant == participant)
        print(f"{participant:5} {what}: presses '{button}'", flush=True)
        problem = panel.press(endpoint, button)
        if problem:
            print(f"{participant:5} {problem}", file=sys.stderr, flush=True)

    def watch_lights(self, seconds):
        """Prints what the LEDs of an endpoint say whenever that changes."""
        for endpoint in self.endpoints:
            name, said = endpoint.participant, panel.words(self.lights(endpoint))
            if said and said != self.shown.get(name):
                self.shown[name] = said
                self.changes.append({"seconds": round(seconds, 1), "endpoint": name, "leds": said})
                print(f"{name:5} LEDs: {said}", flush=True)

    def wait_until_joined(self, endpoint):
        end = time.monotonic() + 20
        while time.monotonic() < end and endpoint.is_running and not self.stopping.is_set():
            status = endpoint.status()
            if status and status.get("joined_ms") is not None:
                self.last[endpoint.participant] = status
                self.before[endpoint.participant] = status["played"]["frames"], time.monotonic()
                return True
            self.stopping.wait(0.1)
        return False

    def report(self):
        """One line for each endpoint; false when one of them has died."""
        for endpoint in self.endpoints:
            name = endpoint.participant
            if not endpoint.is_running:
                print(f"error: {name} ended with {endpoint.process.returncode}:\n{endpoint.log_end()}", file=sys.stderr)
                return False
            status, moment = endpoint.status(), time.monotonic()
            if not status:
                print(f"{name:5} does not answer", flush=True)
                continue
            played, others = status["played"], len(status["participants"])
            state = status["state"]
            if played["frames"] > 0 and played["audio_seconds"] > 0:
                state = "playing"
            rate = 0.0
            if name in self.before:
                frames, earlier = self.before[name]
                rate = (played["frames"] - frames) / max(0.001, moment - earlier)
            self.before[name] = played["frames"], moment
            self.last[name] = status
            print(f"{name:5} {state}, {others} other{'s' if others != 1 else ''}: {rate:4.1f} pictures/s, "
                  f"audio {played['level_dbov']} dBov, {played['audio_seconds']:.1f} s played, "
                  f"{played['concealed_seconds']:.2f} s concealed, {processes.cpu_seconds(endpoint.pid):.1f} s CPU, "
                  f"{processes.status_number(endpoint.pid, 'VmRSS') // 1024} MB", flush=True)
        return True

    def figures(self, endpoint):
        status = endpoint.status() or self.last.get(endpoint.participant) or {}
        rss, dirty = processes.memory(endpoint.pid) if endpoint.is_running else (None, None)
        figures = {key: status.get(key) for key in ("joined_ms", "first_remote_frame_ms", "first_remote_audio_ms")}
        figures["sent"] = {key: status.get("sent", {}).get(key) for key in ("frames", "audio_seconds")}
        figures["played"] = {key: status.get("played", {}).get(key)
                             for key in ("frames", "audio_seconds", "concealed_seconds", "level_dbov")}
        if endpoint.is_running:
            figures["cpu_s"] = processes.cpu_seconds(endpoint.pid)
            figures["rss_kib"], figures["private_dirty_kib"] = rss, dirty
            figures["threads"] = len(processes.thread_names(endpoint.pid))
        return figures

    def stop(self):
        """Everything ends; the problems found on the way."""
        problems, result = [], {}
        if self.screens:
            self.screens.close()
        for endpoint in self.endpoints:
            if endpoint.process is not None:
                result[endpoint.participant] = self.figures(endpoint)
                # The screen is black as soon as the other one has left.
                if os.path.exists(f"{endpoint.snapshot_folder}/latest.png"):
                    shutil.copyfile(f"{endpoint.snapshot_folder}/latest.png", self.last_picture(endpoint))
        # The one with the lobby leaves last.
        for endpoint in reversed(self.endpoints):
            if not endpoint.is_running:
                continue
            seconds = endpoint.stop()
            result[endpoint.participant]["leaving_ms"] = round(1000 * seconds)
            print(f"{endpoint.participant:5} left after {1000 * seconds:.0f} ms")
            if seconds > LEAVING_SECONDS:
                problems.append(f"{endpoint.participant} took {seconds:.1f} s to leave")
            if endpoint.process.returncode != 0:
                problems.append(f"{endpoint.participant} ended with {endpoint.process.returncode}")
        if self.options.json:
            self.keep(result)
        shutil.rmtree(self.folder, ignore_errors=True)
        return problems

    def last_picture(self, endpoint):
        return os.path.join(self.folder, f"{endpoint.participant}-last.png")

    def keep(self, result):
        """Writes the figures, and beside them each endpoint's last picture, its snapshots, sound and log."""
        target = os.path.abspath(self.options.json)
        folder, stem = os.path.dirname(target), os.path.splitext(os.path.basename(target))[0]
        os.makedirs(folder, exist_ok=True)
        for endpoint in self.endpoints:
            files = {"snapshots": None}
            base = os.path.join(folder, f"{stem}-{endpoint.participant}")
            for source, destination in ((self.last_picture(endpoint), f"{base}.png"),
                                        (endpoint.wav_path, f"{base}.wav"), (endpoint.log_path, f"{base}.log")):
                if os.path.exists(source):
                    shutil.copyfile(source, destination)
                    files[os.path.splitext(destination)[1][1:]] = destination
            if os.path.isdir(endpoint.snapshot_folder):
                files["snapshots"] = f"{base}-snapshots"
                shutil.rmtree(files["snapshots"], ignore_errors=True)
                shutil.copytree(endpoint.snapshot_folder, files["snapshots"])
            if endpoint.participant in result:
                result[endpoint.participant]["files"] = files
        with open(target, "w", encoding="utf-8") as file:
            json.dump({"endpoints": result, "leds": self.changes}, file, indent=2)
            file.write("\n")
        print(f"figures: {target}; pictures and sound beside it")


def main():
    options = arguments()
    if not os.access(PROGRAM, os.X_OK):
        print(f"error: {PROGRAM} is not built; run Tools/build", file=sys.stderr)
        return 1
    if not port_is_free(options.port):
        print(f"error: port {options.port} is in use; choose another one with --port", file=sys.stderr)
        return 1
    demo = Demo(options)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: demo.stopping.set())
    code = 1
    try:
        code = demo.run()
    finally:
        problems = demo.stop()
        for problem in problems:
            print(f"error: {problem}", file=sys.stderr)
    return code or (1 if problems else 0)


if __name__ == "__main__":
    sys.exit(main())
