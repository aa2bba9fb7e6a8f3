"""The service, installed from callbox's own package: start, watchdog, end, restarts, credentials, hardening, boot."""

import json
import os
import re
import time

import checks_camera
import checks_lines
from board import BoardError
from guest import CALLBOX, Finding, eventually, expect, helper, install, level, status

SOCKET = "/run/callbox/control.sock"
CONFIGURATION = {
    "device": {"id": "service", "name": "Service"},
    "room": {"name": "reception", "url": "ws://127.0.0.1:8080/ws", "token-file": "/run/credentials/callbox.service/token"},
    "lobby": {"host": True, "port": 8080, "key-file": "/run/credentials/callbox.service/lobby.keys"},
    "camera": {"devices": [checks_camera.FIRST], "width": 320, "height": 180, "frames-per-second": 5},
    "microphone": {"device": "hw:Loopback,1"}, "speaker": {"device": "card:Intel"}, "display": {"device": "none"},
    "gpio": {"chip": checks_lines.CHIP},
    "leds": [{"name": "status", "line": "LED_STATUS", "shows": [{"state": "joined"}]}],
    "control": {"socket": SOCKET},
}


def installed(board):
    """The package is on the board and the service has joined; its process."""
    if board.sh("dpkg -s callbox 2>/dev/null | grep -q '^Status: install ok installed'")[0] != 0:
        deb = os.environ.get("CALLBOX_DEB")
        expect(deb, "there is no package to install: --deb FILE")
        board.run("[ -e /proc/asound/Loopback ] || modprobe snd-aloop id=Loopback")
        checks_camera.load(board, 1)
        checks_lines.load(board)
        board.run("umask 077; echo 'tests: a-secret-of-the-tests-that-is-long-enough' >/tmp/lobby.keys")
        token = board.run(f"{CALLBOX} token --key-file /tmp/lobby.keys --room reception --id service")
        install(board, deb, CONFIGURATION, {"token": token, "lobby.keys": board.run("cat /tmp/lobby.keys")})
    board.run("systemctl start callbox", timeout=60)
    joined(board)
    return int(shown(board, "MainPID"))


def shown(board, name):
    return board.run(f"systemctl show callbox -p {name} --value")


def joined(board, timeout=90):
    """Waits until the service has joined its room; the status."""
    last = {}

    def ask():
        last["status"] = status(board, SOCKET)
        return last["status"] and last["status"]["state"] in ("loggedIn", "reconnected")

    if not eventually(ask, timeout, 1):
        journal = board.sh("journalctl -u callbox -b --no-pager -o cat | tail -n 12")[1]
        raise Finding(f"not joined within {timeout} s: {json.dumps((last['status'] or {}).get('reason'))}; journal:\n{journal}")
    return last["status"]


def check_service_starts(board, share):
    """installed from the package it starts, joins with the token of its credential, and says so to systemd; no secret is seen"""
    process = installed(board)
    facts = joined(board)
    expect(shown(board, "Type") == "notify" and shown(board, "ActiveState") == "active", "it is not a notifying service that is active")
    words = shown(board, "StatusText")
    expect(words, "it tells systemd nothing")
    faults = {part: entry["fault"] for part, entry in facts["devices"].items() if entry["fault"]}
    expect(not faults, f"devices: {faults}")
    expect(board.run(f"ps -o user= -p {process}") != "root", "it runs as root")
    seen = board.run(f"cat /proc/{process}/cmdline /proc/{process}/environ | tr '\\0' '\\n'; journalctl -u callbox -b --no-pager")
    expect("a-secret-of-the-tests" not in seen and "eyJ" not in seen, "a secret is in the command line, the environment or the journal")
    expect("Failed to set" not in seen, "it may not do what it asks the kernel for; see its journal")
    lacking = board.sh("ldd /usr/bin/callbox | grep 'not found'")[1]
    expect(not lacking, f"libraries are missing: {lacking}")
    return f"{words}; {facts['rss_kib'] / 1024:.1f} MB resident"


def check_service_hardening(board, share):
    """systemd-analyze finds an exposure of at most 1.6, while camera, sound and lines are in use"""
    installed(board)
    text = board.run("systemd-analyze security --no-pager callbox.service 2>&1 | tail -n 1", timeout=90)
    found = re.search(r"([\d.]+) [A-Z]+", text)
    expect(found and float(found[1]) <= 1.6, text)
    facts = joined(board)
    for part in ("camera", "microphone", "speaker"):
        entry = facts["devices"].get(part, {})
        expect(entry.get("open") and not entry.get("fault"), f"{part}: {entry}")
    expect(all(line["fault"] is None for line in facts["lines"]), f"lines: {facts['lines']}")
    return f"exposure {found[1]}"


def frozen(board, thread):
    """Freezes one thread of the service; the seconds of the guest's clock until systemd started it again."""
    process = installed(board)
    tid = board.run(f"grep -lx {thread} /proc/{process}/task/*/comm | cut -d/ -f5")
    expect(tid, f"there is no thread {thread}")
    begin = float(board.run("cut -d' ' -f1 /proc/uptime"))
    freezer = board.background(f"exec /mnt/board/freeze {tid} 120")
    again = eventually(lambda: int(shown(board, "MainPID") or 0) not in (0, process), 110, 2)
    board.sh(f"kill {freezer}")
    expect(again, f"{thread} stands still and nothing happens: {shown(board, 'StatusText')}")
    took = float(board.run("cut -d' ' -f1 /proc/uptime")) - begin
    said = board.run("journalctl -u callbox -b --no-pager -o cat | grep -ci watchdog || true")
    expect(int(said) > 0, "it was restarted, but not by the watchdog")
    joined(board)
    return took


def check_service_watchdog(board, share):
    """a single frozen thread makes the watchdog restart it, and it joins again"""
    # Every other loop in its turn: `watchdog` of the layer `endpoint`.
    helper(board, "freeze")
    return f"cb-net stood still: restarted after {frozen(board, 'cb-net'):.0f} s"


def check_service_stops(board, share):
    """SIGTERM: it leaves within a few seconds with exit code 0, and its LED goes dark"""
    installed(board)
    expect(eventually(lambda: level(board, "LED_STATUS"), 10), "its LED is not lit while it is joined")
    took = float(board.run("S=$(date +%s%N); systemctl stop callbox; echo $(( ($(date +%s%N) - S) / 10000000 ))", timeout=60)) / 100
    result = [shown(board, "Result"), shown(board, "ExecMainStatus")]
    expect(result == ["success", "0"], f"it ended with {result}")
    expect(not level(board, "LED_STATUS"), "its LED stays lit")
    return f"{took:.1f} s"


def check_service_killed(board, share):
    """killed six times in a row it is started again each time, without a limit, and joins"""
    process = installed(board)
    before = int(shown(board, "NRestarts"))
    for _ in range(6):
        board.run(f"kill -KILL {process}")
        expect(eventually(lambda: int(shown(board, "MainPID") or 0) not in (0, process), 40), f"not started again: {shown(board, 'ActiveState')}")
        process = int(shown(board, "MainPID"))
    joined(board)
    return f"{int(shown(board, 'NRestarts')) - before} restarts"


def check_service_boots(board, share):
    """after a reboot it joins the room with nobody doing anything"""
    installed(board)
    board.run("systemctl enable callbox && sync")
    before = board.run("cat /proc/sys/kernel/random/boot_id")
    board.qmp("set-action", reboot="reset")
    begin = time.monotonic()
    board.background("sleep 0.5; exec systemctl reboot")
    expect(eventually(lambda: fresh(board, before), 180, 1), "the guest does not come back")
    facts = joined(board, 120)
    return f"joined {time.monotonic() - begin:.0f} s after the order to reboot, {facts['uptime_s']:.0f} s after its start"


def fresh(board, before):
    try:
        return board.run("cat /proc/sys/kernel/random/boot_id", patience=6) != before
    except (BoardError, OSError):
        return False
