"""Every check on the simulated board, in one boot: checks.py IMAGE [--deb FILE] [--only NAME]…

A check is a function `check_NAME(board, share)` of a module checks_*.py; it returns a fact for the log, or raises. Its first
docstring line is what it proves. One with `breaks_the_guest` set comes last, and what follows gets a fresh board. Ends with `N passed, N failed`; logs of the guest are left in $CALLBOX_TEST_FOLDER.
"""

import argparse
import glob
import importlib
import inspect
import os
import shutil
import signal
import sys
import time
import traceback

from guest import HERE, TOP, Finding

from board import BoardError, of as board_of
from endpoint import PROGRAM

BOARD_PROGRAM = os.environ.get("CALLBOX_BOARD_PROGRAM", PROGRAM)
PROBE = os.environ.get("CALLBOX_PROBE", os.path.join(TOP, ".build", "release", "deviceprobe"))
# Those of the service come last: they change most of the guest.
ORDER = ["checks_lines", "checks_camera", "checks_sound", "checks_display", "checks_service"]


def all_checks():
    modules = [os.path.basename(path)[:-3] for path in sorted(glob.glob(os.path.join(HERE, "checks_*.py")))]
    return [check for name in modules for word, check in inspect.getmembers(importlib.import_module(name), inspect.isfunction)
            if word.startswith("check_") and check.__module__ == name and len(inspect.signature(check).parameters) == 2]


def in_order(checks):
    """Checks of one module in the order in which they are written."""
    rank = {name: index for index, name in enumerate(ORDER)}
    return sorted(checks, key=lambda check: (leaves_a_broken_guest(check), rank.get(check.__module__, 3), check.__module__, check.__code__.co_firstlineno))


def leaves_a_broken_guest(check):
    """The drivers of kernel 6.1 have faults of their own when a device goes in use; nothing else is to meet what they leave."""
    return getattr(check, "breaks_the_guest", False)


def boot(image, share):
    """A fresh board with what the checks need on it."""
    board = board_of(os.environ.get("CALLBOX_BOARD_ARCH", "amd64"), image, share)
    board.start()
    took = board.wait()
    for path in (BOARD_PROGRAM, PROBE, os.path.join(TOP, "Tools", "board-guest", "simulate"), os.path.join(TOP, "Systemd", "callbox.service")):
        if os.path.exists(path):
            board.put(path)
    print(f"the board is up after {took:.1f} s", flush=True)
    return board


def one(board, check):
    """Runs a check; whether it passed, and whether the guest still answers."""
    name, begin = check.__name__.removeprefix("check_"), time.monotonic()
    text = (check.__doc__ or "").strip().splitlines()[0]
    try:
        fact, passed = check(board, board.share), True
    except Finding as finding:
        fact, passed = str(finding), False
    except Exception:
        fact, passed = traceback.format_exc(), False
    print(f"{'ok' if passed else 'FAILED'}: {name} ({text}), {time.monotonic() - begin:.1f} s{f': {fact}' if fact else ''}", flush=True)
    try:
        # Nothing of one check may disturb the next.
        board.sh("pkill -x deviceprobe; pkill -x callbox; pkill -x v4l2-ctl; pkill -x aplay; pkill -x arecord; true")
        return passed, True
    except (BoardError, OSError):
        print("the board does not answer any more", flush=True)
        return passed, False


def keep_logs(board, folder):
    for name, command in (("journal.log", "journalctl -b --no-pager -o short-monotonic"), ("dmesg.log", "dmesg")):
        try:
            text = board.sh(command)[1]
        except (BoardError, OSError):
            continue
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    if os.path.exists(f"{board.folder}/serial.log"):
        shutil.copy(f"{board.folder}/serial.log", folder)


def main():
    parser = argparse.ArgumentParser(description="The checks on the simulated board.")
    parser.add_argument("image")
    parser.add_argument("--deb", help="callbox's package, for the checks of the service")
    parser.add_argument("--only", action="append", help="a check by its name, or all of a module (camera, sound, lines, display, service)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if options.deb:
        os.environ["CALLBOX_DEB"] = options.deb
    checks = in_order(all_checks())
    if options.only:
        known = {name for check in checks for name in (check.__name__[6:], check.__module__[7:])}
        wrong = [name for name in options.only if name not in known]
        if wrong:
            sys.exit(f"no check {', '.join(wrong)}; there are: {', '.join(sorted(known))}")
        checks = [check for check in checks if check.__name__[6:] in options.only or check.__module__[7:] in options.only]
    folder = os.environ["CALLBOX_TEST_FOLDER"]
    shutil.rmtree(folder, ignore_errors=True)
    share = os.path.join(folder, "share")
    os.makedirs(share)
    passed = failed = 0
    board = boot(options.image, share)
    try:
        for number, check in enumerate(checks):
            if number and checks[number - 1].__module__ == "checks_service" != check.__module__:
                board.sh("systemctl disable --now callbox")
            ok, alive = one(board, check)
            passed, failed = passed + ok, failed + (not ok)
            if (not alive or leaves_a_broken_guest(check)) and check is not checks[-1]:
                keep_logs(board, folder)
                board.stop()
                board = boot(options.image, share)
    finally:
        keep_logs(board, folder)
        print("QEMU took %.0f s of processor and %d MiB" % board.usage(), flush=True)
        board.stop()
        shutil.rmtree(board.folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
