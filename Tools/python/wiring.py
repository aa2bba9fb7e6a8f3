"""Draws the wiring of a two-button, three-LED intercom for each board from its profile, so that picture and profile agree."""

import glob
import itertools
import os
import sys
from xml.sax.saxutils import escape

import headers
import profiles

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WIDTH = 1180
FONT = "DejaVu Sans, Liberation Sans, Arial, sans-serif"
INK, SOFT, LIGHT, PAPER = "#1d2733", "#6b7684", "#d5dbe2", "#ffffff"
WIRE = {"call-button": "#1f6feb", "mute-button": "#8250df", "status-led": "#1a7f37", "ring-led": "#c27803", "mute-led": "#cf222e"}
LIGHTS = {"status-led": "#2da44e", "ring-led": "#f2b01e", "mute-led": "#e5484d"}
NAMES = {
    "call-button": ("Call button", "calls, answers, hangs up"),
    "mute-button": ("Mute button", "silences the microphone"),
    "status-led": ("Status LED", "green: in the room"),
    "ring-led": ("Ring LED", "yellow: somebody calls"),
    "mute-led": ("Mute LED", "red: microphone muted"),
}
PITCH, ROW = 27, 120


def text(x, y, words, size=13, colour=INK, anchor="start", weight="normal"):
    return (f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
            f' font-weight="{weight}">{escape(words)}</text>')


def line(points, colour, width=2.5):
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"/>'


def dot(x, y, colour, radius=4):
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius}" fill="{colour}"/>'


def resistor(x, y, value, vertical=False):
    """A resistor of 48 x 16 around a centre, over the wire."""
    w, h = (16, 44) if vertical else (48, 16)
    box = f'<rect x="{x - w / 2:g}" y="{y - h / 2:g}" width="{w}" height="{h}" rx="2" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>'
    if vertical:
        return box + text(x + 14, y + 5, value, 12)
    return box + text(x, y - 14, value, 12, anchor="middle")


def ground(x, y):
    bars = [line([(x - w, y + 10 + i * 5), (x + w, y + 10 + i * 5)], INK, 2) for i, w in enumerate((12, 8, 4))]
    return line([(x, y), (x, y + 10)], INK) + "".join(bars)


def crossings(routes):
    """How often the wires cross, to choose the channels by."""
    def segments(route):
        return list(zip(route, route[1:]))

    def cross(a, b):
        (ax, ay), (bx, by) = a
        (cx, cy), (dx, dy) = b
        if (ax == bx) == (cx == dx):
            same = ax == bx == cx == dx or ay == by == cy == dy
            axis = 1 if ax == bx else 0
            return same and max(min(a)[axis], min(b)[axis]) < min(max(a)[axis], max(b)[axis])
        if ax != bx:
            return cross(b, a)
        return min(cx, dx) <= ax <= max(cx, dx) and min(ay, by) <= cy <= max(ay, by)

    return sum(cross(a, b) for one, two in itertools.combinations(routes, 2) for a in segments(one) for b in segments(two))


class Picture:
    def __init__(self, profile, header):
        self.profile, self.header = profile, header
        self.rows = max(len(pins) for pins in header.columns.values())
        self.top = 150
        self.bottom = max(self.top + (self.rows - 1) * PITCH, self.top + 3 * ROW + 40)
        self.offset = (self.bottom - self.top - (self.rows - 1) * PITCH) / 2
        self.shapes = []
        self.used = {}

    def pin_position(self, pin):
        side, row = self.header.place(pin)
        x = WIDTH / 2 + (-18 if side == "left" else 18)
        return side, x, self.top + self.offset + row * PITCH

    def draw_side(self, side):
        """The parts on one side with their wires and the ground that they share."""
        sign = -1 if side == "left" else 1
        wiring = self.profile["wiring"]
        parts = [part for part in profiles.PARTS if self.header.place(wiring[part])[0] == side]
        if not parts:
            return
        parts.sort(key=lambda part: self.header.place(wiring[part])[1])
        last = self.header.place(wiring[parts[-1]])[1]
        ground_pin = self.header.nearest(side, last, headers.GROUND)
        ends = [(wiring[part], WIRE[part]) for part in parts] + [(ground_pin, INK)]
        for pin, colour in ends:
            self.used[pin] = colour
        start = WIDTH / 2 + sign * 152
        first = WIDTH / 2 + sign * 182
        middle = (self.top + self.bottom) / 2
        places = [middle + (i - len(parts) / 2) * ROW + 10 for i in range(len(ends))]
        places[-1] -= 30
        target = WIDTH / 2 + sign * 300

        def routes(order):
            result = []
            for (pin, _), channel, y in zip(ends, order, places):
                x = first + sign * 18 * channel
                pin_y = self.pin_position(pin)[2]
                result.append([(start, pin_y), (x, pin_y), (x, y), (target, y)])
            return result

        best = min(itertools.permutations(range(len(ends))), key=lambda order: crossings(routes(order)))
        rail = WIDTH / 2 + sign * 515
        for route, (_, colour) in zip(routes(best), ends):
            self.shapes.append(line(route, colour))
        for part, y in zip(parts, places):
            (self.button if part.endswith("button") else self.led)(part, target, y, rail, sign)
        # One ground for all of them.
        self.shapes.append(line([(rail, places[0]), (rail, places[-1]), (target, places[-1])], INK))
        self.shapes.append(ground(rail, places[-1]))
        for y in places[:-1]:
            self.shapes.append(dot(rail, y, INK))
        self.shapes.append(text(rail - sign * 30, places[-1] + 22, "ground", 12, SOFT, "start" if side == "left" else "end"))

    def captions(self, part, x, y):
        name, purpose = NAMES[part]
        self.shapes.append(text(x, y + 40, name, 15, INK, "middle", "bold"))
        self.shapes.append(text(x, y + 57, purpose, 12, SOFT, "middle"))

    def button(self, part, target, y, rail, sign):
        x = target + sign * 128
        colour = WIRE[part]
        if self.profile["pull-up"] == "resistor":
            node = target - sign * 14
            self.shapes += [line([(node, y), (node, y - 60)], colour), resistor(node, y - 32, "10 kΩ", True),
                            line([(node, y - 60), (node, y - 62)], colour), dot(node, y, colour),
                            line([(node - 10, y - 62), (node + 10, y - 62)], "#cf222e", 3),
                            text(node, y - 70, "3.3 V", 12, "#cf222e", "middle", "bold")]
            self.used[[pin for pin, kind in self.header.fixed.items() if kind == headers.POWER_3V3][0]] = "#cf222e"
        self.shapes += [line([(target, y), (x - sign * 26, y)], colour), line([(x + sign * 26, y), (rail, y)], INK),
                        dot(x - sign * 26, y, INK), dot(x + sign * 26, y, INK),
                        line([(x - 28, y - 13), (x + 28, y - 13)], INK, 4), line([(x, y - 13), (x, y - 27)], INK, 4),
                        line([(x - 10, y - 27), (x + 10, y - 27)], INK, 4)]
        self.captions(part, x, y - 8)

    def led(self, part, target, y, rail, sign):
        r, x = target + sign * 62, target + sign * 150
        colour, light = WIRE[part], LIGHTS[part]
        tip = x + sign * 14
        back = x - sign * 14
        self.shapes += [line([(target, y), (back, y)], colour), resistor(r, y, "330 Ω"), line([(tip, y), (rail, y)], INK),
                        f'<polygon points="{back:g},{y - 15:g} {back:g},{y + 15:g} {tip:g},{y:g}" fill="{light}" stroke="{INK}" stroke-width="2"/>',
                        line([(tip, y - 15), (tip, y + 15)], INK, 3)]
        for shift in (0, 11):
            ax, ay = x + sign * (2 + shift), y - 20
            self.shapes.append(line([(ax, ay), (ax + sign * 9, ay - 11)], light, 2))
            self.shapes.append(line([(ax + sign * 3, ay - 11), (ax + sign * 9, ay - 11), (ax + sign * 9, ay - 5)], light, 2))
        self.captions(part, target + sign * 106, y)

    def draw_header(self):
        height = (self.rows - 1) * PITCH
        y0 = self.top + self.offset
        self.shapes.append(f'<rect x="{WIDTH / 2 - 38:g}" y="{y0 - 20:g}" width="76" height="{height + 40:g}" rx="8" fill="#2b333d"/>')
        for side, pins in self.header.columns.items():
            sign = -1 if side == "left" else 1
            for pin in pins:
                self.draw_pin(pin, sign)

    def draw_pin(self, pin, sign):
        _, x, y = self.pin_position(pin)
        kind = self.header.fixed.get(pin)
        fill = {headers.GROUND: "#000000", headers.POWER_3V3: "#e8590c", headers.POWER_5V: "#cf222e", None: "#d9b84a"}[kind]
        shape = f'<rect x="{x - 9:g}" y="{y - 9:g}" width="18" height="18" fill="{fill}" stroke="#f4e3a1" stroke-width="1.2"/>' \
            if pin in ("1", "AN") else f'<circle cx="{x:g}" cy="{y:g}" r="9" fill="{fill}" stroke="#f4e3a1" stroke-width="1.2"/>'
        self.shapes.append(shape)
        numbered = pin.isdigit()
        if numbered:
            self.shapes.append(text(x, y + 4, pin, 10, "#ffffff" if kind else INK, "middle", "bold"))
        words = kind or (self.short_line(pin) if numbered else pin)
        edge = WIDTH / 2 + sign * 48
        anchor = "start" if sign > 0 else "end"
        colour = self.used.get(pin)
        if colour is None:
            self.shapes.append(text(edge + sign * 8, y + 4, words, 12, SOFT, anchor))
            return
        left = edge if sign > 0 else edge - 104
        self.shapes.append(f'<rect x="{left:g}" y="{y - 11:g}" width="104" height="22" rx="11" fill="{colour}"/>')
        self.shapes.append(text(left + 52, y + 4.5, words, 12, "#ffffff", "middle", "bold"))

    def short_line(self, pin):
        """The line in the little room beside a pin."""
        entry = self.profile["pins"].get(pin)
        if entry is None:
            return "reserved"
        words = profiles.line_text(self.profile, pin)
        return words if len(words) <= 12 else f"line {entry['line']}"

    def table(self, y):
        columns = [60, 250, 400, 610]
        for x, words in zip(columns, ("Part", "Pin", "Line", "Its other end")):
            self.shapes.append(text(x, y, words, 13, SOFT, weight="bold"))
        for part in profiles.PARTS:
            y += 26
            self.shapes.append(line([(60, y - 18), (WIDTH - 60, y - 18)], LIGHT, 1))
            self.shapes.append(f'<rect x="60" y="{y - 10:g}" width="12" height="12" rx="3" fill="{WIRE[part]}"/>')
            cells = (NAMES[part][0], self.profile["wiring"][part], profiles.line_text(self.profile, self.profile["wiring"][part]),
                     other_end(self.profile, part))
            for index, (x, words) in enumerate(zip(columns, cells)):
                self.shapes.append(text(x + (20 if index == 0 else 0), y, words, 13))
        return y

    def svg(self):
        self.draw_side("left")
        self.draw_side("right")
        self.draw_header()
        head = [text(60, 62, f"Intercom on {self.profile['title']}", 26, weight="bold"),
                text(60, 90, f"Two buttons and three LEDs on the {self.header.title}. {self.header.note}", 14, SOFT)]
        y = self.table(self.bottom + 100)
        notes = ["Wire it while the board is off. The lines bear 3.3 V: never connect 5 V to one."]
        if self.profile["pull-up"] == "chip":
            notes.append("The chip itself pulls the buttons' lines up (bias: pull-up), so the buttons need no resistor.")
        else:
            notes.append("Each button's line is pulled up by a resistor (bias: as-is), since the chip cannot do it.")
        notes.append("An LED's short leg, at the flat side, is the one towards ground.")
        for note in notes:
            y += 30 if note == notes[0] else 20
            self.shapes.append(text(60, y + 6, note, 13, SOFT))
        height = int(y + 44)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
                f' font-family="{FONT}">\n<title>Wiring of an intercom on {escape(self.profile["title"])}</title>\n'
                f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>\n' + "\n".join(head + self.shapes) + "\n</svg>\n")


def other_end(profile, part):
    if part.endswith("led"):
        return "through 330 Ω and the LED to ground"
    pulled = ", and through 10 kΩ to 3.3 V" if profile["pull-up"] == "resistor" else ""
    return f"through the button to ground{pulled}"


def pages():
    """The path and the text of every generated file."""
    document = ["# Wiring", "", "A two-button, three-LED intercom on each board. Made by `Tools/wiring` from the profiles beside it; in `callbox.yaml`",
                "a line of the header is written as `line: pin 11` once `board:` names the board.", ""]
    for path in sorted(glob.glob(os.path.join(TOP, "Board", "*.yaml"))):
        name = os.path.basename(path)[:-len(".yaml")]
        profile = profiles.load(path) if name != "example" else None
        if profile is None or name not in headers.FAMILIES:
            continue
        header = headers.FAMILIES[name]()
        yield f"Board/wiring/{name}.svg", Picture(profile, header).svg()
        document += [f"## {profile['title']}", "", f"`board: {name}`", "", f"![{profile['title']}](wiring/{name}.svg)", "",
                     "| part | pin | line | its other end |", "| --- | --- | --- | --- |"]
        for part in profiles.PARTS:
            pin = profile["wiring"][part]
            document.append(f"| {NAMES[part][0].lower()} | {pin} | `{profiles.line_text(profile, pin)}` | {other_end(profile, part)} |")
        document.append("")
    yield "Board/WIRING.md", "\n".join(document)


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit("usage: Tools/wiring [--check]")
    stale = []
    for path, content in pages():
        whole = os.path.join(TOP, path)
        try:
            with open(whole, encoding="utf-8") as file:
                same = file.read() == content
        except FileNotFoundError:
            same = False
        if same:
            continue
        stale.append(path)
        if not check:
            os.makedirs(os.path.dirname(whole), exist_ok=True)
            with open(whole, "w", encoding="utf-8") as file:
                file.write(content)
    for path in stale:
        print(f"{path} is out of date: Tools/wiring" if check else f"{path} drawn")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
