"""Buttons and LEDs: libgpiod with the kernel's gpio-sim, whose levels are set and read from outside the program."""

import os
import re
import time

from guest import GPIO, PROBE, Finding, Service, eventually, expect, helper, level, line_folder, press, pull, read

CHIP = "board-gpio"


def load(board):
    """The chip with its named lines; every button is up (its line high)."""
    board.run(f"[ -e {GPIO} ] || /mnt/board/simulate gpio")
    board.run("; ".join(pull(name, True) for name in ("BTN_CALL", "BTN_MUTE", "BTN_CAMERA", "BTN_SWITCH", "BTN_HANGUP")))


class Panel:
    """`deviceprobe panel` in the guest: what it tells of its buttons and LEDs."""

    def __init__(self, board, *items):
        self.board = board
        self.log = os.path.join(board.share, "panel.log")
        self.pid = board.background(f"exec {PROBE} panel 600 {' '.join(items)}", "/mnt/board/panel.log")

    def __enter__(self):
        taken = eventually(lambda: "callbox" in self.board.run(f"gpioinfo {CHIP}"), 30)
        expect(taken, f"the line is not opened: {self.told()}")
        return self

    def __exit__(self, *_):
        self.board.sh(f"kill -9 {self.pid}")

    def told(self):
        return read(self.log)

    def gestures(self):
        """Presses of all kinds so far."""
        found = re.findall(r"gesture\(button: \"\w+\", [\w.]*?(\w+)\)", self.told())
        return [word for word in found if word in ("shortPress", "longPress", "doublePress")]

    def settled(self, before, patience):
        """What comes after the first `before` gestures, when all has come that can."""
        eventually(lambda: len(self.gestures()) > before, patience, 0.3)
        time.sleep(1.5)
        return self.gestures()[before:]


def one_gesture(board, steps, longest):
    """The gesture that a sequence on the line of BTN_CALL makes. One that the emulated machine stretched says nothing: again."""
    load(board)
    program = helper(board, "levels")
    took = []
    with Panel(board, f"button,call,{CHIP},BTN_CALL,low") as panel:
        for _ in range(12):
            before = len(panel.gestures())
            took.append(int(board.run(f"{program} {line_folder('BTN_CALL')}/pull {' '.join(steps)}")))
            if took[-1] <= longest:
                return panel.settled(before, 15), panel.told()
            panel.settled(before, 3)
    raise Finding(f"the machine is too busy: instead of {longest} ms at most the sequence took {took}")


def check_line_press(board, share):
    """a press of a button to ground is one press"""
    found, told = one_gesture(board, ["d200", "u0"], 700)
    expect(found == ["shortPress"], f"{found}: {told}")
    return "one press"


def check_line_bounce(board, share):
    """a button that bounces on its way down and up is one press"""
    found, told = one_gesture(board, ["d2", "u2"] * 5 + ["d200"] + ["u2", "d2"] * 5 + ["u0"], 400)
    expect(found == ["shortPress"], f"{found}: {told}")
    return "22 edges, one press"


def check_line_long_press(board, share):
    """held for two seconds it is a long press and no short one"""
    found, told = one_gesture(board, ["d2000", "u0"], 20_000)
    expect(found == ["longPress"], f"{found}: {told}")
    return "one long press"


def check_line_active_low(board, share):
    """active-low turns the levels of buttons and LEDs round, and nothing else does"""
    load(board)
    board.run(pull("BTN_SWITCH", False))
    with Service(board, "active-low", gpio={"chip": CHIP}, microphone={"device": "tone:440"}, leds=[
            {"name": "low-led", "line": "LED_MUTED", "active-low": True, "shows": [{"state": "muted"}]},
            {"name": "high-led", "line": "LED_STATUS", "shows": [{"state": "muted"}]}],
            buttons=[{"name": "low", "line": "BTN_MUTE", "active-low": True, "press": "mute"},
                     {"name": "high", "line": "BTN_SWITCH", "press": "mute"}]) as service:
        service.wait_for(lambda status: len([line for line in status["lines"] if line["fault"] is None]) == 4, "the lines are open")
        for name, idle_high in (("BTN_MUTE", True), ("BTN_SWITCH", False)):
            before = service.status()
            down = [line["name"] for line in before["lines"] if line["kind"] == "button" and line["active"]]
            expect(not down, f"nobody presses, but down are {down}")
            muted = before["microphone"]["muted"]
            expect((level(board, "LED_MUTED"), level(board, "LED_STATUS")) == (not muted, muted), f"the LEDs show the opposite (muted: {muted})")
            press(board, name, 0.2, idle_high)
            service.wait_for(lambda status: status["microphone"]["muted"] != muted, f"the press of {name} toggles mute", 60)
            expect(eventually(lambda: (level(board, "LED_MUTED"), level(board, "LED_STATUS")) == (muted, not muted), 10), "the LEDs do not follow")
    dark = eventually(lambda: not level(board, "LED_STATUS"), 5)
    expect(dark, "an LED stays lit after the end")
    return "both buttons and both LEDs"


def check_line_blink(board, share):
    """an LED blinks: its level is read back as both"""
    load(board)
    with Panel(board, f"led,status,{CHIP},LED_STATUS"):
        levels = board.run(f"for i in $(seq 60); do cat {line_folder('LED_STATUS')}/value; sleep 0.05; done").split()
    changes = sum(1 for before, after in zip(levels, levels[1:]) if before != after)
    expect(changes >= 4, f"{changes} changes in {levels}")
    return f"{changes} changes in {len(levels)} looks"


def check_line_busy(board, share):
    """a line that another program has is told with that program's name, and used when it is free"""
    load(board)
    holder = board.background("exec gpioset -m signal $(gpiofind LED_STATUS)=1")
    watcher = board.background("exec gpiomon $(gpiofind BTN_CALL)")
    with Service(board, "busy", gpio={"chip": CHIP}, leds=[{"name": "status", "line": "LED_STATUS", "shows": [{"state": "power"}]}],
                 buttons=[{"name": "call", "line": "BTN_CALL", "active-low": True, "press": "mute"}]) as service:
        lines = {line["name"]: line for line in service.wait_for(lambda status: status["lines"], "the lines are told")["lines"]}
        for name, program in (("status", "gpioset"), ("call", "gpiomon")):
            expect(lines[name]["consumer"] == program and program in (lines[name]["fault"] or ""), f"{name}: {lines[name]}")
        board.run(f"kill {holder} {watcher}")
        service.wait_for(lambda status: all(line["fault"] is None for line in status["lines"]), "the lines are used when they are free", 60)
        expect(eventually(lambda: level(board, "LED_STATUS"), 5), "the LED is not lit")
    return "gpioset and gpiomon named, then both used"


def check_line_chip_returns(board, share):
    """a chip that goes while its lines are in use and returns under another number is used again"""
    load(board)
    config = "/sys/kernel/config/gpio-sim"
    with Service(board, "chip", gpio={"chip": CHIP}, microphone={"device": "tone:440"},
                 leds=[{"name": "status", "line": "LED_MUTED", "shows": [{"state": "muted"}]}],
                 buttons=[{"name": "mute", "line": "BTN_MUTE", "active-low": True, "press": "mute"}]) as service:
        service.wait_for(lambda status: len(status["lines"]) == 2 and all(line["fault"] is None for line in status["lines"]), "the lines are open")
        before = board.run(f"cat {config}/board/bank0/chip_name")
        board.run(f"echo 0 >{config}/board/live")
        service.wait_for(lambda status: all(line["fault"] for line in status["lines"]), "the loss is told", 60)
        board.run(f"mkdir -p {config}/other/bank0; echo 2 >{config}/other/bank0/num_lines; echo 1 >{config}/other/live; /mnt/board/simulate gpio")
        after = board.run(f"cat {config}/board/bank0/chip_name")
        expect(before != after, f"it is {after} again")
        load(board)
        service.wait_for(lambda status: all(line["fault"] is None for line in status["lines"]), "the chip that returned is used", 45)
        press(board, "BTN_MUTE", 0.2)
        expect(eventually(lambda: level(board, "LED_MUTED"), 15), "its button does nothing, or its LED stays dark")
    board.run(f"echo 0 >{config}/other/live; rmdir {config}/other/bank0 {config}/other")
    return f"{before} → {after}"


check_line_chip_returns.breaks_the_guest = True
