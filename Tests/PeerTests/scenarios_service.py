"""The endpoint as a service: what it tells the service manager, the watchdog, and the restart after an upgrade."""

import asyncio
import os
import signal
import time

from scenarios_calls import call_is, ctl, knows, pair
from scene import eventually
from service_manager import Frozen, NotifySocket, threads

# A loop gets at most half of it: 6 s, on a busy machine.
WATCHDOG_SECONDS = 12
# Half of the time for a loop, a quarter of 6 s until the next look, and a busy machine.
FOUND_SECONDS = WATCHDOG_SECONDS / 2 + 1.5 + 4
# Fed at least twice in its time.
FED_SECONDS = WATCHDOG_SECONDS / 2 + 2
# Those of each process are frozen one after the other; `pool` are the threads on which the supervisor runs.
VICTIMS = {
    "door": ["cb-lobby", "cb-net"],
    "desk": ["cb-signal", "cb-lines", "cb-play"],
    "gate": ["cb-capture", "cb-camera", "cb-control"],
    "hall": ["cb-venc", "cb-vdec", "cb-screen"],
    "yard": ["pool", "main"],
}
PANEL = {"gpio": {"chip": "simulated"}, "buttons": [{"name": "bell", "line": "1", "press": "call"}]}


def supervised(scene, participant, watchdog_seconds=WATCHDOG_SECONDS, **options):
    """A started endpoint, and its service manager."""
    manager = NotifySocket(watchdog_seconds)
    scene.closers.callback(manager.close)
    return scene.endpoint(participant, wrapper=manager.wrapper, **options), manager


async def told(scene, manager, text, timeout=30, since=0.0):
    scene.check(await asyncio.to_thread(manager.wait_for, text, timeout, since),
                f"{text} was not told: {manager.messages[-6:]}")


async def watchdog(scene):
    """any one loop that stands still is named, and the watchdog is fed no more until it goes on"""
    # On call, so that most loops sleep without an end: the hardest to tell from stuck ones.
    services = {}
    for name in VICTIMS:
        services[name] = supervised(scene, name, extra={
            "room": {"mode": "on-call"}, "camera": {"width": 160, "height": 120, "frames-per-second": 5}, **PANEL})
        await told(scene, services[name][1], "READY=1")
    for name, (one, manager) in services.items():
        scene.check(await asyncio.to_thread(one.wait_until_joined, 40), f"{name} did not join")
        await told(scene, manager, "WATCHDOG=1")
        await told(scene, manager, "STATUS=joined reception")
    await asyncio.gather(*[asyncio.to_thread(freeze_each, scene, name, *services[name]) for name in VICTIMS])
    for name, (one, manager) in services.items():
        begin = time.monotonic()
        await asyncio.to_thread(one.stop)
        scene.check(one.process.returncode == 0, f"{name} ended with {one.process.returncode}")
        await told(scene, manager, "STOPPING=1", 5, begin - 1)


def freeze_each(scene, name, one, manager):
    for victim in VICTIMS[name]:
        known = threads(one.pid)
        if victim == "main":
            tids = [one.pid]
        elif victim == "pool":
            tids = [tid for comm, found in known.items() if not comm.startswith("cb-") for tid in found if tid != one.pid]
        else:
            tids = known.get(victim, [])
        scene.check(tids, f"{name} has no thread {victim}: {sorted(known)}")
        log_name = {"pool": "endpoint"}.get(victim, victim)
        begin = time.monotonic()
        log_begin = len(one.log())
        with Frozen(tids):
            frozen = time.monotonic()
            if victim == "main":
                time.sleep(FED_SECONDS)
                scene.check(not manager.texts("WATCHDOG", frozen + 0.1), "fed while the main thread stood still")
            else:
                scene.check(manager.wait_for("WATCHDOG=trigger", FOUND_SECONDS + 20, begin), f"{victim} was not missed")
                found = time.monotonic()
                scene.check(eventually(lambda: f"watchdog: {log_name} has not turned" in one.log()[log_begin:], 5),
                            f"the log does not name {log_name}:\n{one.log()[log_begin:]}")
                # Nobody else is blamed for it, and it is said once.
                lines = [line for line in one.log()[log_begin:].splitlines() if "has not turned" in line]
                scene.check(len(lines) == 1, f"{victim} is frozen, and the log says: {lines}")
                time.sleep(WATCHDOG_SECONDS / 2)
                scene.check(not manager.times("WATCHDOG=1", found), f"fed while {victim} stood still")
                scene.fact(f"{victim} {found - frozen:.1f} s")
        thawed = time.monotonic()
        scene.check(manager.wait_for("WATCHDOG=1", FED_SECONDS + 20, thawed), f"not fed after {victim} went on")
        if victim != "main":
            scene.check(eventually(lambda: f"{log_name} turns again" in one.log()[log_begin:], 5),
                        f"the log does not say that {log_name} turns again")


async def ordinary_trouble(scene):
    """no camera, no microphone, no lobby, no network, a stopped process: the watchdog is fed all the time"""
    trouble = {"camera": {"device": "no-such-camera"}, "microphone": {"device": "card:NoSuchCard"},
               "display": {"device": "none"}, "room": {"mode": "auto", "url": "ws://192.0.2.7:9/ws"},
               "gpio": {"chip": "no-such-chip"}, "leds": [{"name": "light", "line": "1", "shows": [{"state": "fault"}]}]}
    broken, manager = supervised(scene, "broken", hosts_lobby=False, extra=trouble)
    door, door_manager = supervised(scene, "door", hosts_lobby=True)
    desk, desk_manager = supervised(scene, "desk", hosts_lobby=False)
    for one in (manager, door_manager, desk_manager):
        await told(scene, one, "READY=1")
    await asyncio.to_thread(scene.joined, desk, 40)
    begin = time.monotonic()
    await told(scene, manager, "STATUS=not joined reception", 40)
    await told(scene, manager, "STATUS=", 5)
    scene.check(eventually(lambda: "faults" in (manager.status or ""), 10), f"the faults are not told: {manager.status}")
    # The lobby goes: the desk is well all the same.
    door.kill()
    await told(scene, desk_manager, "STATUS=lost reception", 30)
    await asyncio.sleep(max(0, 20 - (time.monotonic() - begin)))
    # A machine that sleeps: nobody is to blame afterwards.
    desk.process.send_signal(signal.SIGSTOP)
    stopped = time.monotonic()
    await asyncio.sleep(WATCHDOG_SECONDS / 2 + 2)
    desk.process.send_signal(signal.SIGCONT)
    went_on = time.monotonic()
    await told(scene, desk_manager, "WATCHDOG=1", FED_SECONDS, went_on)
    await asyncio.sleep(WATCHDOG_SECONDS)
    end = time.monotonic()
    gaps = [manager.longest_gap(begin, end), desk_manager.longest_gap(begin, stopped), desk_manager.longest_gap(went_on, end)]
    scene.fact(f"longest time without a feed {max(gaps):.1f} s of {WATCHDOG_SECONDS}")
    scene.check(max(gaps) <= FED_SECONDS + 1, f"not fed for {gaps} s")
    for one in (manager, desk_manager):
        scene.check(not one.texts("WATCHDOG=trigger"), "a restart was asked for")


async def restart_when_idle(scene):
    """an upgrade asks for a restart: a call is spoken to its end, then the process ends to be started again"""
    door, desk = await pair(scene)
    await ctl(scene, desk, "call", "door")
    await call_is(scene, door, "ringing")
    await ctl(scene, door, "answer")
    await call_is(scene, desk, "inCall", "door")
    output = await ctl(scene, desk, "restart-when-idle")
    scene.check("restarts when nobody talks" in output, f"the answer is: {output}")
    before = (await asyncio.to_thread(desk.status))["played"]["audio_seconds"]
    await asyncio.sleep(4)
    status = await call_is(scene, desk, "inCall", "door")
    heard = status["played"]["audio_seconds"] - before
    scene.check(heard > 2, f"only {heard:.1f} s of sound in 4 s")
    scene.check(desk.is_running, "it ended in the middle of the call")
    await ctl(scene, door, "hang-up")
    hung_up = time.monotonic()
    scene.check(await asyncio.to_thread(eventually, lambda: not desk.is_running, 8), "it goes on after the call")
    scene.check(desk.process.returncode == 0, f"it ended with {desk.process.returncode}")
    scene.check(not os.path.exists(desk.socket_path), "its control socket is still there")
    scene.fact(f"ended {time.monotonic() - hung_up:.1f} s after the call")
    # What Restart=always does then.
    desk.start()
    await asyncio.to_thread(scene.joined, desk)
    await knows(scene, door, "desk")
    await ctl(scene, desk, "call", "door")
    await call_is(scene, door, "ringing")
    await ctl(scene, door, "answer")
    await call_is(scene, desk, "inCall", "door")
    # The time is over: in the middle of a call, too, and the other side hears of it.
    await ctl(scene, desk, "restart-when-idle", "--within", "2")
    scene.check(await asyncio.to_thread(eventually, lambda: not desk.is_running, 10), "it goes on after its time")
    await call_is(scene, door, "idle")
    # Nobody talks: at once.
    output = await ctl(scene, door, "restart-when-idle")
    scene.check("restarts now" in output, f"the answer is: {output}")
    scene.check(await asyncio.to_thread(eventually, lambda: not door.is_running, 5), "the idle one goes on")
    scene.check(door.process.returncode == 0, f"it ended with {door.process.returncode}")


SCENARIOS = [watchdog, ordinary_trouble, restart_when_idle]
