"""Buttons and LEDs of the demo's endpoints: simulated lines, pressed and read by `callbox ctl`."""

import json

# One LED each, so that every state is to be seen by itself.
LEDS = {
    "power": [("power", "on")],
    "room": [("fault", "fast-blink"), ("reconnecting", "blink"), ("joined", "on")],
    "call": [("ringing", "fast-blink"), ("in-call", "on"), ("publishing", "pulse")],
    "microphone": [("muted", "on")],
    "picture": [("camera-off", "on")],
}
# What each button does; all are wired to the simulated chip.
BUTTONS = {
    "bell": {"press": "intercom", "long-press-when-ringing": "decline"},
    "mute": {"press": "mute"},
    "camera": {"press": "camera", "long-press": "switch-camera"},
    "talk": {"hold": "talk"},
    "louder": {"press": "volume-up", "long-press": "volume-down"},
}
RELAYS = ["lock"]

COLOURS = {"power": 37, "room": 32, "call": 34, "microphone": 31, "picture": 33, "lock": 35}


def configuration():
    """The sections of a configuration for all of them."""
    lines = iter(range(64))
    return {
        "gpio": {"chip": "simulated"},
        "buttons": [{"name": name, "line": next(lines), **actions} for name, actions in BUTTONS.items()],
        "leds": [{"name": name, "line": next(lines), "shows": [{"state": state, "pattern": pattern} for state, pattern in shows]}
                 for name, shows in LEDS.items()],
        "relays": [{"name": name, "line": next(lines), "pulse-ms": 3000} for name in RELAYS],
    }


def press(endpoint, button, milliseconds=100):
    """What went wrong, or None."""
    code, output = endpoint.ctl("line", "press", button, "--ms", str(milliseconds))
    return output if code else None


def hold(endpoint, button, is_down):
    code, output = endpoint.ctl("line", "set", button, "on" if is_down else "off")
    return output if code else None


def outputs(endpoint):
    """LEDs and relays by name: {"active": bool, "indicator": …, "pattern": …}; empty while it does not answer."""
    code, output = endpoint.ctl("lines", "--json")
    try:
        lines = json.loads(output)["lines"] if code == 0 else []
    except (ValueError, KeyError):
        lines = []
    return {line["name"]: line for line in lines if line["kind"] in ("led", "relay")}


def words(shown):
    """What the LEDs say, without the phase of their blinking: `call ringing (fast-blink)`."""
    found = []
    for name, line in shown.items():
        if line["kind"] == "relay":
            found += [f"{name} open"] if line["active"] else []
        elif line["indicator"]:
            pattern = "" if line["pattern"] == "on" else f" ({line['pattern']})"
            found.append(f"{name} {line['indicator']}{pattern}")
    return ", ".join(found)


# The letter of each block, so that two endpoints fit into one line of a terminal.
LETTERS = {"power": "P", "room": "R", "call": "C", "microphone": "M", "picture": "V", "lock": "L"}
LEGEND = "LEDs: P power  R room  C call  M muted  V camera off  L lock"


def drawing(shown):
    """One coloured block for each LED, bright while it is lit, and what the LED of the call says."""
    blocks = []
    for name, line in shown.items():
        colour = COLOURS.get(name, 37)
        block = f"\033[{colour};1m██\033[0m" if line["active"] else f"\033[{colour};2m░░\033[0m"
        blocks.append(block + LETTERS.get(name, name))
    call = shown.get("call", {}).get("indicator") or ""
    return f"{' '.join(blocks)} {call:10}"


def for_page(shown):
    """What the demo's page shows of them."""
    idle = {"microphone": "muted", "picture": "camera-off"}
    return [{"name": name, "lit": line["active"], "words": line.get("indicator") or idle.get(name, name)}
            for name, line in shown.items()]
