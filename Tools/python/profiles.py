"""Board profiles, as far as the wiring pictures need them: the small part of YAML that they are written in."""

import re

PARTS = ["call-button", "mute-button", "status-led", "ring-led", "mute-led"]


def scalar(text):
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text


def flow(text):
    """The pairs of `{chip: gpio4, line: 11}`."""
    inner = text.strip()[1:-1]
    return {scalar(key): scalar(value) for key, value in (pair.split(":", 1) for pair in inner.split(","))}


def load(path):
    """The profile in a file: title, chip, pins (name to chip and line), wiring (part to pin), pull-up; None where it has no wiring."""
    profile = {"title": "", "chip": None, "pins": {}, "wiring": {}, "pull-up": "chip"}
    group = None
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for line in lines:
        line = re.sub(r"(^|\s)#.*$", "", line).rstrip()
        if not line or line.lstrip().startswith("- "):
            continue
        key, value = line.split(":", 1)
        if not line.startswith(" "):
            group = scalar(key)
            if group == "title":
                profile["title"] = scalar(value)
            continue
        key = scalar(key)
        if group == "gpio" and key == "chip":
            profile["chip"] = scalar(value)
        elif group == "header-pins":
            value = value.strip()
            pin = flow(value) if value.startswith("{") else {"line": scalar(value)}
            profile["pins"][key] = {"chip": pin.get("chip"), "line": pin["line"]}
        elif group == "wiring" and key == "pull-up":
            profile["pull-up"] = scalar(value)
        elif group == "wiring":
            profile["wiring"][key] = scalar(value)
    return profile if profile["wiring"] else None


def line_text(profile, pin):
    """How a person finds the line with `callbox devices`: its name, or chip and number."""
    entry = profile["pins"][pin]
    if entry["line"].isdigit():
        return f"{entry['chip'] or profile['chip']} {entry['line']}"
    return entry["line"]
