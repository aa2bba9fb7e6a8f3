"""The screen: KMS with virtio-gpu, seen from outside by QEMU's own picture of it."""

import os
import re

from guest import PROBE, Service, eventually, expect

import vnc

CARD, CONNECTOR = "/sys/class/drm/card0", "Virtual-1"
STATUS = f"{CARD}-{CONNECTOR}/status"
LOG = "/run/display.log"
# White, yellow, cyan, green, magenta, red, blue, black: the card of colours that deviceprobe shows.
BARS = [(255, 255, 255), (255, 255, 0), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0), (0, 0, 255), (0, 0, 0)]


# --- What the screen shows

class Shot:
    """A picture of the screen."""

    def __init__(self, board, share):
        path = os.path.join(share, "screen.ppm")
        board.qmp("screendump", filename=path)
        with open(path, "rb") as file:
            data = file.read()
        kind, width, height, _, self.pixels = data.split(None, 4) if data[:2] == b"P6" else (b"", 0, 0, 0, b"")
        expect(kind == b"P6", "QEMU gave no picture of the screen")
        self.width, self.height = int(width), int(height)
        # Exactly one byte of space ends the head, and what follows may look like more of it.
        self.pixels = data[-3 * self.width * self.height:]

    def at(self, x, y):
        place = 3 * (int(y) * self.width + int(x))
        return tuple(self.pixels[place:place + 3])

    def is_card(self):
        """Whether it is the card of colours, but for the moving square."""
        bars = [self.at((index + 0.5) * self.width / 8, self.height / 3) for index in range(8)]
        if any(abs(a - b) > 6 for bar, wanted in zip(bars, BARS) for a, b in zip(bar, wanted)):
            return False
        ramp = [self.at(x, self.height * 0.8)[1] for x in range(2, self.width - 2, 16)]
        return ramp[0] < 8 and ramp[-1] > 245 and all(a <= b + 1 for a, b in zip(ramp, ramp[1:]))

    def squares(self):
        """Where white squares are at the lower edge: their left sides."""
        row = [self.at(x, self.height - 6)[0] > 200 for x in range(self.width)]
        return [x for x in range(self.width) if row[x] and (x == 0 or not row[x - 1])]

    def difference(self, other):
        """Pixels that differ; all of them when the size does."""
        if (self.width, self.height) != (other.width, other.height):
            return self.width * self.height
        return sum(self.pixels[i:i + 3] != other.pixels[i:i + 3] for i in range(0, len(self.pixels), 3))


class Display:
    """`deviceprobe display` in the guest."""

    def __init__(self, board, specifier="kms", seconds=600, step=0, log=LOG):
        self.board, self.log = board, log
        self.pid = board.background(f"exec {PROBE} display '{specifier}' {seconds} {step}", log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill("KILL")

    def text(self):
        return self.board.sh(f"cat {self.log}")[1]

    def wait_for(self, words, count=1, timeout=180):
        found = eventually(lambda: self.text().count(words) >= count, timeout)
        expect(found, f"'{words}' did not come {count} times within {timeout} s: {self.text()[-500:]}")

    def kill(self, signal):
        self.board.sh(f"kill -{signal} {self.pid} 2>/dev/null; for i in $(seq 100); do kill -0 {self.pid} 2>/dev/null || exit 0; sleep 0.1; done")

    def wait_for_end(self, timeout=90):
        expect(eventually(lambda: self.board.sh(f"kill -0 {self.pid}")[0] != 0, timeout), "deviceprobe did not end")

    def totals(self):
        lines = [line for line in self.text().splitlines() if line.startswith("total")]
        expect(lines, f"deviceprobe gave no totals: {self.text()[-500:]}")
        return {key: float(value) for key, value in re.findall(r"(\w+)=([\d.]+)", lines[-1])}


def expect_card(board, share, size=None):
    shot = eventually(lambda: (shot := Shot(board, share)).is_card() and shot, 15)
    if not shot:
        last = Shot(board, share)
        bars = [last.at((index + 0.5) * last.width / 8, last.height / 3) for index in range(8)]
        expect(False, f"the screen ({last.width}x{last.height}) does not show the card of colours but {bars}")
    expect(size is None or (shot.width, shot.height) == size, f"the screen is {shot.width}x{shot.height}, not {size}")
    return shot


def plug(board, plugged):
    """Lets the kernel believe that the screen was pulled, or look for it again."""
    board.run(f"echo {'detect' if plugged else 'off'} >{STATUS}")


# --- Checks

def check_display_list(board, share):
    """cards, connectors and modes are listed"""
    text = board.run(f"{PROBE} list")
    expect("display kms:card=virtio_gpu: virtio_gpu" in text, f"the card is not listed: {text[:600]}")
    line = next((line for line in text.splitlines() if f"connector {CONNECTOR}" in line), "")
    expect("connected" in line and "800x480@" in line, f"its connector and modes are not: {line}")
    return line.strip()[:100]


def check_display_atomic(board, share):
    """the screen shows the reference picture by the atomic interface"""
    with Display(board, "kms:card=virtio_gpu") as display:
        display.wait_for("by the atomic interface")
        expect_card(board, share, (800, 480))


def check_display_legacy(board, share):
    """the screen shows the reference picture by the old interface, too"""
    with Display(board, "kms:api=legacy") as display:
        display.wait_for("by the legacy interface")
        expect_card(board, share, (800, 480))


def check_display_mode(board, share):
    """a configured mode is set, by both interfaces; one that the screen has not is replaced by its own"""
    with Display(board, f"kms:connector={CONNECTOR},mode=1024x768@60") as display:
        display.wait_for("shown 1024x768: 1024x768@60")
        expect_card(board, share, (1024, 768))
    with Display(board, "kms:mode=640x480,api=legacy") as display:
        display.wait_for("shown 640x480")
        expect_card(board, share, (640, 480))
    with Display(board, "kms:mode=812x420") as display:
        display.wait_for("has no mode 812x420")
        display.wait_for("shown 800x480")


def check_display_flips(board, share):
    """pictures are flipped without a miss, and only what changes is written"""
    facts = []
    for interface in ("atomic", "legacy"):
        with Display(board, f"kms:api={interface}", seconds=10, step=100) as display:
            display.wait_for("shown")
            shot = expect_card(board, share)
            expect(len(shot.squares()) == 1, f"squares at {shot.squares()}, not one: a buffer is out of date")
            display.wait_for_end()
            totals = display.totals()
        side = 480 // 16
        # Both buffers whole once, then two squares each for the last two steps.
        most = 2 * 800 * 480 + totals["pictures"] * 4 * side * side
        expect(totals["pictures"] > 20 and totals["missed"] <= 2, f"{interface}: {totals}")
        expect(totals["written"] <= most, f"{interface}: {totals['written']:.0f} pixels were written, at most {most:.0f} had changed")
        facts.append(f"{interface}: {totals['pictures']:.0f} pictures, {totals['missed']:.0f} missed")
    return "; ".join(facts)


def check_display_unplug(board, share):
    """a screen that is pulled is told as that, and used again when it is back; none at the start likewise"""
    plug(board, False)
    try:
        with Display(board, step=200) as display:
            display.wait_for("no screen is connected")
            plug(board, True)
            display.wait_for("shown 800x480")
            expect_card(board, share)
            plug(board, False)
            display.wait_for("no screen is connected", count=2)
            plug(board, True)
            display.wait_for("shown 800x480", count=2)
            expect_card(board, share)
    finally:
        plug(board, True)


def check_display_other_screen(board, share):
    """a screen of another size that is plugged in meanwhile gets its own mode"""
    if not vnc.can_resize(board):
        return "left out: this board has no VNC"
    try:
        with Display(board, step=200) as display:
            display.wait_for("shown 800x480")
            vnc.resize(board, 1024, 600)
            display.wait_for("shown 1024x600")
            expect_card(board, share, (1024, 600))
            expect(display.text().count("error") == 0, display.text())
    finally:
        vnc.resize(board, 800, 480)


def check_display_console(board, share):
    """the console is back after the end, and after SIGKILL"""
    board.run("printf '\\033[2J\\033[H\\033[?25lThe console of the board\\n' >/dev/tty1")
    before = eventually(lambda: any((shot := Shot(board, share)).pixels) and shot, 10)
    expect(before, "the console shows nothing")
    for signal in (None, "KILL", "TERM"):
        for interface in ("atomic", "legacy"):
            with Display(board, f"kms:mode=1024x768,api={interface}", seconds=3 if signal is None else 600) as display:
                display.wait_for("shown")
                if signal is None:
                    display.wait_for_end()
                else:
                    expect_card(board, share)
                    display.kill(signal)
            found = eventually(lambda: before.difference(Shot(board, share)) < 400, 10)
            last = Shot(board, share)
            expect(found, f"{interface}, after {signal or 'the end'}: {before.difference(last)} pixels of the console differ at {last.width}x{last.height}")
    board.run("printf '\\033[?25h' >/dev/tty1")


def check_display_second_master(board, share):
    """a second program hears who has the screen, and gets it when that is gone"""
    with Display(board) as first:
        first.wait_for("shown")
        with Display(board, log="/run/display-2.log") as second:
            second.wait_for(f"is in use by deviceprobe (process {first.pid})")
            expect_card(board, share)
            first.kill("KILL")
            second.wait_for("shown")
            expect_card(board, share)


def check_display_not_permitted(board, share):
    """a user outside group video is told so; one inside needs nothing more"""
    command = f"setpriv --reuid=65534 --regid=65534 {{}} --bounding-set=-all --inh-caps=-all {PROBE} display kms 2"
    text = board.sh(command.format("--clear-groups"))[1]
    expect("is the user in group video?" in text, f"a stranger hears: {text}")
    text = board.sh(command.format("--groups=$(getent group video | cut -d: -f3)"))[1]
    expect("shown 800x480" in text, f"a user of group video hears: {text}")


def check_display_idle_page(board, share):
    """callbox shows its idle page, and its room's state as it changes"""
    with Service(board, "screen", display={"device": "kms"}) as service:
        service.wait_for(lambda status: status["devices"]["display"].get("open") == "kms" and status["state"] == "loggedIn", "the display is open")

        def is_page():
            shot = Shot(board, share)
            ground = shot.at(4, 4)
            light = sum(shot.pixels[i] > 120 for i in range(0, len(shot.pixels), 3))
            return max(ground) < 40 and 800 < light < shot.width * shot.height / 6 and shot

        shot = eventually(is_page, 20)
        expect(shot, "the idle page does not come")
        code, out, _ = service.ctl("text 'Please wait' 30s")
        if code == 0:
            expect(eventually(lambda: shot.difference(Shot(board, share)) > 300, 10), f"a text does not come onto the screen: {out}")
        board.screendump(os.path.join(share, "idle-page.png"))
