"""Starts `callbox run` with a configuration made here, and asks it how it is. Needs nothing but Python."""

import itertools
import json
import os
import signal
import subprocess
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("CALLBOX_PROGRAM", os.path.join(TOP, ".build", "release", "callbox"))


def configuration_text(values, indent=""):
    """YAML of nested dictionaries; a scalar or a list is written as JSON, which is valid YAML."""
    lines = []
    for key, value in values.items():
        if isinstance(value, dict):
            lines += [f"{indent}{key}:", configuration_text(value, indent + "  ")]
        elif value is not None:
            lines.append(f"{indent}{key}: {json.dumps(value)}")
    return "\n".join(lines)


class Endpoint:
    """One `callbox run` process whose files lie in its own folder: configuration, log, snapshots/, speaker.wav."""

    _numbers = itertools.count(1)

    def __init__(self, folder, participant, name=None, *, camera="test-pattern", microphone="tone:440", speaker=None,
                 display=None, hosts_lobby=False, port=8080, room="reception", extra=None,
                 wrapper=()):
        self.folder, self.participant = os.path.abspath(folder), participant
        # What the program is started by, such as `ip netns exec`.
        self.wrapper = list(wrapper)
        os.makedirs(self.folder, exist_ok=True)
        self.configuration_path = os.path.join(self.folder, "callbox.yaml")
        self.log_path = os.path.join(self.folder, "log")
        # Not in the folder: a socket's path has at most 107 bytes.
        self.socket_path = os.path.join(
            tempfile.gettempdir(), f"callbox-{os.getpid()}-{next(self._numbers)}.socket")
        self.snapshot_folder = os.path.join(self.folder, "snapshots")
        self.wav_path = os.path.join(self.folder, "speaker.wav")
        values = {
            "device": {"id": participant, "name": name or participant},
            "room": {"name": room, "url": f"ws://127.0.0.1:{port}/ws"},
            "camera": {"device": camera},
            "microphone": {"device": microphone},
            "speaker": {"device": speaker or f"file:{self.wav_path}"},
            # The size of the published picture, so that one remote picture fills the screen unscaled.
            "display": {"device": display or f"snapshots:{self.snapshot_folder}", "width": 640, "height": 480},
            "control": {"socket": self.socket_path},
        }
        if hosts_lobby:
            values["lobby"] = {"host": True, "port": port}
        for section, entries in (extra or {}).items():
            values[section] = {**values.get(section, {}), **entries} if isinstance(entries, dict) else entries
        self.values = values
        with open(self.configuration_path, "w", encoding="utf-8") as file:
            file.write(configuration_text(values) + "\n")
        self.process = None

    def start(self):
        self.started = time.monotonic()
        with open(self.log_path, "ab") as log:
            # Its own session, so that Ctrl-C on the terminal reaches only the program that steers it.
            self.process = subprocess.Popen(
                [*self.wrapper, PROGRAM, "run", "--config", self.configuration_path], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)
        return self

    @property
    def pid(self):
        return self.process.pid

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def status(self, timeout=5):
        """What `callbox status --json` says, or None while it does not answer."""
        try:
            result = subprocess.run(
                [PROGRAM, "status", "--json", "--socket", self.socket_path], stdin=subprocess.DEVNULL,
                capture_output=True, timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            return None
        if result.returncode != 0:
            return None
        try:
            return json.loads(result.stdout)
        except ValueError:
            return None

    def ctl(self, *words, timeout=10):
        """Runs `callbox ctl` on it; the exit code and what it printed."""
        result = subprocess.run(
            [PROGRAM, "ctl", "--socket", self.socket_path, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=timeout, check=False, text=True)
        return result.returncode, result.stdout.strip()

    def wait_for(self, condition, timeout=20):
        """Waits until condition(status) holds; the status, or None when it did not in time or the process ended."""
        end = time.monotonic() + timeout
        while time.monotonic() < end and self.is_running:
            status = self.status()
            if status and condition(status):
                return status
            time.sleep(0.1)
        return None

    def wait_until_joined(self, timeout=20):
        return self.wait_for(lambda status: status.get("joined_ms") is not None, timeout)

    def stop(self, timeout=10):
        """SIGTERM; the seconds until it was gone. SIGKILL after `timeout`."""
        begin = time.monotonic()
        if self.is_running:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
        return time.monotonic() - begin

    def kill(self):
        if self.is_running:
            self.process.kill()
            self.process.wait(10)

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def log_end(self, lines=15):
        return "\n".join("    " + line for line in self.log().splitlines()[-lines:])
