"""What happened when: marks of the story and samples of the other side, as text and as a drawn picture (SVG)."""

import contextlib
import html
import json
import socket
import threading
import time


class Timeline:
    """Marks with their outcome, and what an endpoint outside played, five times a second."""

    def __init__(self):
        self.begin = time.monotonic()
        self.marks, self.samples = [], []
        self._stop, self._thread = threading.Event(), None

    def now(self):
        return time.monotonic() - self.begin

    def mark(self, text, passed=None):
        """A moment; `passed` is None for what was done, true or false for what was found."""
        self.marks.append((self.now(), text, passed))

    # --- Sampling

    def watch(self, socket_path):
        self._thread = threading.Thread(target=self._run, args=(socket_path,), daemon=True)
        self._thread.start()

    def end(self):
        self._stop.set()
        if self._thread:
            self._thread.join(5)

    def _run(self, path):
        before = None
        while not self._stop.wait(0.2):
            status = ask_status(path)
            if status is None:
                continue
            played, moment = status["played"], self.now()
            if before and moment > before[0]:
                rate = max(0, played["frames"] - before[1]) / (moment - before[0])
                self.samples.append((moment, rate, played["level_dbov"]))
            before = moment, played["frames"]

    # --- Telling

    def text(self):
        words = {None: "", True: "ok      ", False: "FAILED  "}
        return "\n".join(f"{moment:7.1f} s  {words[passed]}{text}" for moment, text, passed in self.marks) + "\n"

    def svg(self, title):
        """Two lanes (pictures a second, loudness) above the marks, one a line, each with a thread up to its moment."""
        length = max([moment for moment, *_ in self.marks] + [moment for moment, *_ in self.samples] + [1.0])
        left, width, lane, row = 90, 1000, 70, 17
        top = 40
        marks_top = top + 2 * (lane + 20) + 20
        height = marks_top + row * len(self.marks) + 20

        def x(moment):
            return left + moment / length * width

        out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 420}" height="{height}" font-family="sans-serif" font-size="12">',
               f'<rect width="100%" height="100%" fill="#fff"/><text x="{left}" y="22" font-size="16">{html.escape(title)}</text>']
        highest = max([rate for _, rate, _ in self.samples] + [1])
        lanes = ((top, "pictures/s", [(m, min(1, rate / highest)) for m, rate, _ in self.samples], "#2a6fb0"),
                 (top + lane + 20, "sound", [(m, max(0, 1 + level / 80)) for m, _, level in self.samples], "#2c8c4a"))
        for y, name, points, colour in lanes:
            out.append(f'<rect x="{left}" y="{y}" width="{width}" height="{lane}" fill="#f3f3f3"/><text x="8" y="{y + lane / 2}">{name}</text>')
            if points:
                line = " ".join(f"{x(moment):.1f},{y + lane - value * (lane - 4):.1f}" for moment, value in points)
                out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.2"/>')
        for second in range(0, int(length) + 1, 10 if length < 200 else 30):
            out.append(f'<text x="{x(second):.1f}" y="{marks_top - 12}" fill="#777" text-anchor="middle">{second}</text>')
        for index, (moment, text, passed) in enumerate(self.marks):
            y = marks_top + row * (index + 1)
            colour = {None: "#555", True: "#2c8c4a", False: "#c02020"}[passed]
            out.append(f'<path d="M{x(moment):.1f},{top} V{y - 4} H{x(moment) + 6:.1f}" fill="none" stroke="{colour}" stroke-width="0.6"/>'
                       f'<text x="{x(moment) + 9:.1f}" y="{y}" fill="{colour}">{moment:.1f} s {html.escape(text[:110])}</text>')
        return "\n".join(out + ["</svg>", ""])


def ask_status(path):
    """The status of an endpoint on this machine by its control socket; None while it does not answer."""
    with contextlib.suppress(OSError, ValueError), socket.socket(socket.AF_UNIX) as control:
        control.settimeout(2)
        control.connect(path)
        control.sendall(b'{"command":"status"}\n')
        with control.makefile("rb") as answer:
            return json.loads(answer.readline())
    return None
