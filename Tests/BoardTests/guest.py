"""What the checks on the simulated board share: findings, simulated hardware in the guest, programs that run there."""

import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(TOP, "Tools", "python"), os.path.join(TOP, "Tests", "PeerTests")]

from endpoint import configuration_text  # noqa: E402

CALLBOX, PROBE = "/mnt/board/callbox", "/mnt/board/deviceprobe"
# Where the chip `board-gpio` of Tools/board-guest/simulate has its levels.
GPIO = "/run/board-gpio"
LINES = ["BTN_CALL", "BTN_MUTE", "BTN_CAMERA", "BTN_SWITCH", "BTN_HANGUP", "LED_STATUS", "LED_MUTED", "LED_CAMERA", "RELAY_DOOR"]
SOCKET = "/run/check/control.sock"


class Finding(Exception):
    """What a check expected did not happen."""


def expect(condition, text):
    if not condition:
        raise Finding(text)


def eventually(ask, timeout, pause=0.5):
    """What ask() gives as soon as it is true; None after the time."""
    end = time.monotonic() + timeout
    while True:
        value = ask()
        if value:
            return value
        if time.monotonic() > end:
            return None
        time.sleep(pause)


def read(path):
    """The text of a file on this machine; empty while there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def helper(board, name):
    """Builds the small C program of this folder for the guest; its path there."""
    compiler = "gcc" if board.architecture == "amd64" else "aarch64-linux-gnu-gcc"
    subprocess.run([compiler, "-O1", "-Wall", "-Wextra", "-static", "-o", os.path.join(board.share, name), os.path.join(HERE, f"{name}.c")],
                   check=True, stdin=subprocess.DEVNULL)
    return f"/mnt/board/{name}"


# --- GPIO lines of the simulated chip

def line_folder(name, folder=GPIO):
    return f"{folder}/sim_gpio{LINES.index(name)}"


def pull(name, is_high, folder=GPIO):
    """A shell command that pulls an input up or down."""
    return f"echo pull-{'up' if is_high else 'down'} >{line_folder(name, folder)}/pull"


def level(board, name, folder=GPIO):
    """What a line's level is: of an output, what the program drives."""
    return board.run(f"cat {line_folder(name, folder)}/value") == "1"


def press(board, name, seconds=0.1, idle_high=True):
    """Presses a button that pulls its line to ground (or, with idle_high false, up) for some time of the guest's clock."""
    board.run(f"{pull(name, not idle_high)}; sleep {seconds}; {pull(name, idle_high)}")


# --- Programs in the guest

class Service:
    """`callbox run` in the guest as an ordinary process of root, with a lobby of its own unless told otherwise."""

    def __init__(self, board, name="check", **sections):
        self.board, self.name = board, name
        self.folder = f"{board.share}/{name}"
        os.makedirs(self.folder, exist_ok=True)
        self.path, self.socket = f"/mnt/board/{name}", f"/run/{name}.sock"
        values = {"device": {"id": name, "name": name}, "room": {"name": "reception", "url": "ws://127.0.0.1:8080/ws"},
                  "lobby": {"host": True, "port": 8080}, "camera": {"device": "none", "width": 320, "height": 180, "frames-per-second": 5},
                  "microphone": {"device": "none"}, "speaker": {"device": "none"}, "display": {"device": "none"},
                  "control": {"socket": self.socket}, "log": {"level": "info"}}
        for section, entries in sections.items():
            entries = {key.replace("_", "-"): value for key, value in entries.items()} if isinstance(entries, dict) else entries
            values[section] = {**values.get(section, {}), **entries} if isinstance(entries, dict) else entries
            if "devices" in entries:
                values[section].pop("device", None)
        with open(f"{self.folder}/callbox.yaml", "w", encoding="utf-8") as file:
            file.write(configuration_text(values) + "\n")
        self.pid = board.background(f"exec {CALLBOX} run --config {self.path}/callbox.yaml", f"{self.path}/log")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def status(self):
        """What `callbox status --json` says; None while it does not answer."""
        return status(self.board, self.socket)

    def wait_for(self, condition, what, timeout=90):
        """Waits until condition(status) holds; the status."""
        last = {}

        def ask():
            last["status"] = self.status()
            return last["status"] and condition(last["status"])

        if not eventually(ask, timeout):
            devices = (last["status"] or {}).get("devices")
            raise Finding(f"{what}: not within {timeout} s; devices: {json.dumps(devices)}; log: {self.log()[-700:]}")
        return last["status"]

    def ctl(self, words):
        return self.board.sh(f"{CALLBOX} ctl --socket {self.socket} {words}")

    def log(self):
        return read(f"{self.folder}/log")

    def stop(self):
        self.board.sh(f"kill {self.pid}; for i in $(seq 50); do kill -0 {self.pid} 2>/dev/null || exit; sleep 0.1; done; kill -9 {self.pid}")


def status(board, control, program=CALLBOX):
    code, out, _ = board.sh(f"{program} status --json --socket {control}")
    if code != 0:
        return None
    try:
        return json.loads(out)
    except ValueError:
        return None


def install(board, deb, configuration, secrets):
    """Installs callbox's package with this configuration; `secrets` are the service's credentials by name."""
    board.run(f"DEBIAN_FRONTEND=noninteractive dpkg -i {board.put(deb)}", timeout=240)
    with open(os.path.join(board.share, "callbox.yaml"), "w", encoding="utf-8") as file:
        file.write(configuration_text(configuration) + "\n")
    board.run("install -m 644 /mnt/board/callbox.yaml /etc/callbox/callbox.yaml && install -d -m 700 /etc/credstore")
    for name, text in secrets.items():
        path = os.path.join(board.share, "secret")
        with open(path, "w", encoding="ascii") as file:
            file.write(text + "\n")
        board.run(f"install -m 600 /mnt/board/secret /etc/credstore/callbox.{name}")
        os.unlink(path)
    code, out, err = board.sh("callbox check /etc/callbox/callbox.yaml")
    expect(code == 0, f"the configuration is wrong: {out}{err}")
    # Installing has started it already, as it came.
    board.run("systemctl restart callbox", timeout=120)


def device(part, *, fault=None):
    """A condition on a status: the device is open without a fault, or has a fault in which these words occur."""
    def holds(status):
        entry = status["devices"].get(part, {})
        if fault is None:
            return entry.get("open") is not None and entry.get("fault") is None
        return fault in (entry.get("fault") or "")
    return holds


class Program:
    """A program that goes on in the guest while its output is read here: an emulated machine needs patience, not seconds."""

    def __init__(self, board, command, name):
        self.board = board
        self.path = os.path.join(board.share, f"{name}.log")
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.pid = board.background(f"exec {command}", f"/mnt/board/{name}.log")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.board.sh(f"kill {self.pid}; for i in $(seq 30); do kill -0 {self.pid} 2>/dev/null || exit; sleep 0.1; done; kill -9 {self.pid}")

    def told(self):
        return read(self.path)

    def until(self, pattern, count=1, timeout=120, since=0):
        """Waits until the pattern is in the output, behind its first `since` characters, so many times; the matches."""
        found = eventually(lambda: (lambda all: all if len(all) >= count else None)(re.findall(pattern, self.told()[since:], re.M)), timeout, 0.3)
        expect(found, f"not {count} times `{pattern}` within {timeout} s: {self.told()[since:][-900:]}")
        return found


def probe_camera(board, specifier, wish, picture=None):
    """Runs `deviceprobe camera` until it has told of pictures three times; its output."""
    name = re.sub(r"\W", "-", f"camera-{specifier}-{wish}")
    with Program(board, f"{PROBE} camera '{specifier}' {wish} 200 {f'/mnt/board/{picture}' if picture else ''}", name) as program:
        program.until(r"^picture", 3)
        if picture:
            expect(eventually(lambda: os.path.exists(os.path.join(board.share, picture)), 10), "no picture was written")
        return program.told()
