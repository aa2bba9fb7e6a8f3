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

import processes
from endpoint import PROGRAM, Endpoint

# An endpoint leaves within a second; the rest is the scheduling of a busy machine.
LEAVING_SECONDS = 1.0


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
        common = {"port": options.port, "room": options.room, "camera": options.camera or "test-pattern"}
        self.endpoints = [
            Endpoint(f"{self.folder}/door", "door", "Front door", hosts_lobby=True,
                     microphone=options.microphone or "tone:440", **common),
            Endpoint(f"{self.folder}/desk", "desk", "Desk", microphone=options.microphone or "tone:660", **common),
        ]
        self.last, self.before = {}, {}

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
        print(f"\nA browser on this machine joins here: http://localhost:{self.options.port}/#/{self.options.room}")
        print("Ctrl-C stops.\n" if self.options.seconds is None else "", flush=True)
        begin = time.monotonic()
        while not self.stopping.wait(self.pause(begin)):
            if not self.report():
                return 1
            if self.options.seconds is not None and time.monotonic() - begin >= self.options.seconds - 0.1:
                break
        return 0

    def pause(self, begin):
        if self.options.seconds is None:
            return 2
        return max(0, min(2, begin + self.options.seconds - time.monotonic()))

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
        for endpoint in self.endpoints:
            if endpoint.process is not None:
                result[endpoint.participant] = self.figures(endpoint)
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

    def keep(self, result):
        """Writes the figures, and beside them each endpoint's last picture, its snapshots, sound and log."""
        target = os.path.abspath(self.options.json)
        folder, stem = os.path.dirname(target), os.path.splitext(os.path.basename(target))[0]
        os.makedirs(folder, exist_ok=True)
        for endpoint in self.endpoints:
            files = {"snapshots": None}
            base = os.path.join(folder, f"{stem}-{endpoint.participant}")
            for source, destination in ((f"{endpoint.snapshot_folder}/latest.png", f"{base}.png"),
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
            json.dump({"endpoints": result}, file, indent=2)
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
