"""Calls between endpoints and with the browser page over the real lobby, each outcome seen from both sides."""

import asyncio
import signal
import time

import material
import processes
import scenarios_page
from scenarios_page import answer, check_browser_plays, ended, in_state, press, visitor
from scene import eventually

SMALL = {"width": 320, "height": 240, "frames-per-second": 15}
# Long enough to be answered on a busy machine, short enough to wait for.
RING_SECONDS = 8
TONES = {"door": 440, "desk": 660}


def endpoint(scene, participant, *, mode="on-call", calls=None, permissions=None, camera=None, **extra):
    """A started endpoint in a joining mode of its own."""
    sections = {"room": {"mode": mode}, "camera": {**SMALL, **(camera or {})}, **extra}
    if calls:
        sections["calls"] = calls
    if permissions:
        sections["permissions"] = permissions
    return scene.endpoint(participant, name={"door": "Front door", "desk": "Desk"}.get(participant),
                          microphone=f"tone:{TONES.get(participant, 880)}", extra=sections)


async def pair(scene, **options):
    """The door, which has the lobby, and the desk, both on call; they have seen each other."""
    door = endpoint(scene, "door", **options)
    await asyncio.to_thread(scene.joined, door)
    desk = endpoint(scene, "desk", **options)
    await asyncio.to_thread(scene.joined, desk)
    await knows(scene, door, "desk")
    return door, desk


async def knows(scene, one, other):
    found = await asyncio.to_thread(one.wait_for, lambda status: any(
        entry["id"] == other for entry in status["participants"]), 10)
    scene.check(found, f"{one.participant} does not see {other}: {one.status()}")


async def ctl(scene, one, *words):
    code, output = await asyncio.to_thread(one.ctl, *words)
    scene.check(code == 0, f"{one.participant}: ctl {' '.join(words)} ended with {code}: {output}")
    return output


async def call_is(scene, one, state, partner=None, timeout=8):
    """Waits for the state of an endpoint's call; the status."""
    status = await asyncio.to_thread(one.wait_for, lambda status: status["call"]["state"] == state and (
        partner is None or status["call"]["partner"] == partner), timeout)
    scene.check(status, f"{one.participant} is not {state} {partner or ''}: {(one.status() or {}).get('call')}")
    return status


async def call_ended(scene, one, reason, timeout=8, partner=None):
    """Waits until the endpoint's last call has ended for this reason."""
    def matches(status):
        call = status["call"]
        end = call["last_end"] or {}
        return call["state"] == "idle" and end.get("reason") == reason and (partner is None or end["partner"] == partner)

    status = await asyncio.to_thread(one.wait_for, matches, timeout)
    scene.check(status, f"{one.participant}: {reason} expected: {(one.status() or {}).get('call')}")


def device_files(one, *paths):
    """Which of these files the endpoint has open."""
    return [path for path in paths if path in processes.descriptors(one.pid)]


# ---- Outcomes

async def endpoints(scene):
    """door and desk: hung up by each side, declined, cancelled, timed out, offline"""
    door, desk = await pair(scene, calls={"ring-seconds": RING_SECONDS})
    for who in (door, desk):
        await ctl(scene, door, "call", "desk")
        await call_is(scene, desk, "ringing", "door")
        await call_is(scene, door, "calling")
        await ctl(scene, desk, "answer")
        await call_is(scene, door, "inCall", "desk")
        await call_is(scene, desk, "inCall", "door")
        await asyncio.to_thread(scene.playing, door)
        await asyncio.to_thread(scene.playing, desk)
        await ctl(scene, who, "hang-up")
        for one in (door, desk):
            await call_ended(scene, one, "hungUp")
    await ctl(scene, door, "call", "desk")
    await call_is(scene, desk, "ringing")
    await ctl(scene, desk, "decline")
    for one in (door, desk):
        await call_ended(scene, one, "declined")
    await ctl(scene, door, "call", "desk")
    await call_is(scene, desk, "ringing")
    await ctl(scene, door, "hang-up")
    for one in (door, desk):
        await call_ended(scene, one, "cancelled")
    await ctl(scene, desk, "call", "door")
    await call_is(scene, door, "ringing", "desk")
    begin = time.monotonic()
    for one in (door, desk):
        await call_ended(scene, one, "timedOut", RING_SECONDS + 6)
    scene.check(RING_SECONDS - 4 <= time.monotonic() - begin <= RING_SECONDS + 4, f"it rang for {time.monotonic() - begin:.1f} s")
    await ctl(scene, door, "call", "nobody")
    await call_ended(scene, door, "offline", partner="nobody")
    scene.fact("hung up by each, declined, cancelled, timed out, offline")


async def page(scene):
    """door and page: answered and hung up by each side, declined, cancelled, timed out; tones, picture and sound"""
    door = endpoint(scene, "door", calls={"ring-seconds": RING_SECONDS})
    await asyncio.to_thread(scene.joined, door)
    ada = await visitor(scene, "Ada", 0, "?mode=on-call")
    me = await ada.script("callbox.me.id")
    await knows(scene, door, me)
    # The door calls.
    await ctl(scene, door, "call", me)
    await in_state(scene, ada, "Ada", "ringing")
    await call_is(scene, door, "calling")
    scene.check(await ada.script("document.querySelector('#incoming-title').textContent") == "Front door", "who calls is not told")
    scene.check(not await ada.script("callbox.microphoneOn || callbox.cameraOn"), "the page's devices are open before the call")
    await answer(ada)
    await in_state(scene, ada, "Ada", "inCall")
    await call_is(scene, door, "inCall", me)
    await check_browser_plays(scene, ada, tones=(TONES["door"],))
    await asyncio.to_thread(scene.playing, door)
    scene.seen(door)
    scene.heard(door, 1_170)
    await press(ada, "#hang-up")
    await ended(scene, ada, "Ada", "hungUp", "You hung up")
    await call_ended(scene, door, "hungUp", partner=me)
    scene.check(await ada.wait("!callbox.microphoneOn && !callbox.cameraOn", 5), "the page's devices stay open after the call")
    # The page calls.
    scene.check(await press(ada, ".call-button"), "the page shows no button to call")
    await call_is(scene, door, "ringing", me)
    scene.check(await ada.wait("callbox.call.tone === 'ringBack'", 3), "no ring-back tone")
    await ctl(scene, door, "answer")
    await in_state(scene, ada, "Ada", "inCall")
    await ctl(scene, door, "hang-up")
    await ended(scene, ada, "Ada", "hungUp", "Front door hung up")
    await call_ended(scene, door, "hungUp")
    await outcomes_without_answer(scene, door, ada, me)
    exceptions = [line for line in ada.console if line.startswith("exception")]
    scene.check(not exceptions, f"the page threw: {exceptions}")
    scene.fact("hung up by each, declined by each, cancelled by each, timed out, offline")


async def outcomes_without_answer(scene, door, ada, me):
    """Declined, cancelled, timed out and offline, between a door and a page."""
    await ada.script("callbox.startCall('nobody')")
    await ended(scene, ada, "Ada", "offline", "is not in the room")
    await ctl(scene, door, "call", me)
    await in_state(scene, ada, "Ada", "ringing")
    await answer(ada, "#decline")
    await call_ended(scene, door, "declined")
    await ended(scene, ada, "Ada", "declined", "You declined")
    await press(ada, ".call-button")
    await call_is(scene, door, "ringing")
    await ctl(scene, door, "decline")
    await ended(scene, ada, "Ada", "declined", "Front door declined")
    await call_ended(scene, door, "declined")
    await press(ada, ".call-button")
    await call_is(scene, door, "ringing")
    await press(ada, "#hang-up")
    await call_ended(scene, door, "cancelled")
    await ended(scene, ada, "Ada", "cancelled", "You cancelled")
    await ctl(scene, door, "call", me)
    await in_state(scene, ada, "Ada", "ringing")
    await ctl(scene, door, "hang-up")
    await ended(scene, ada, "Ada", "cancelled", "Front door called")
    await call_ended(scene, door, "cancelled")
    await ctl(scene, door, "call", me)
    await in_state(scene, ada, "Ada", "ringing")
    await call_ended(scene, door, "timedOut", RING_SECONDS + 6)
    await ended(scene, ada, "Ada", "timedOut", "missed a call")


async def busy(scene):
    """who calls one that is in a call hears busy, and the call goes on"""
    door, desk = await pair(scene)
    await ctl(scene, door, "call", "desk")
    await call_is(scene, desk, "ringing")
    await ctl(scene, desk, "answer")
    await call_is(scene, door, "inCall")
    ada = await visitor(scene, "Ada", 0, "?mode=on-call")
    await ada.wait("callbox.peers.length === 2", 10)
    await ada.script("callbox.startCall('door')")
    await ended(scene, ada, "Ada", "busy", "Front door is busy")
    scene.check(await ada.script("callbox.call.tone") == "busy", "no busy tone")
    for one in (door, desk):
        await call_is(scene, one, "inCall")
    end = (await asyncio.to_thread(door.status))["call"]["last_end"]
    scene.check(end and end["reason"] == "busy" and end["incoming"], f"the door does not tell of the call that it missed: {end}")


async def lost(scene):
    """the other side is killed during a call, and during ringing"""
    door = endpoint(scene, "door")
    await asyncio.to_thread(scene.joined, door)
    desk = endpoint(scene, "desk", calls={"auto-answer": ["door"]})
    await asyncio.to_thread(scene.joined, desk)
    await knows(scene, door, "desk")
    await ctl(scene, door, "call", "desk")
    await call_is(scene, door, "inCall", "desk")
    await asyncio.to_thread(scene.playing, door)
    desk.process.send_signal(signal.SIGKILL)
    begin = time.monotonic()
    await call_ended(scene, door, "lost", 25)
    in_call = time.monotonic() - begin
    ada = await visitor(scene, "Ada", 0, "?mode=on-call")
    await knows(scene, door, await ada.script("callbox.me.id"))
    await press(ada, ".call-button")
    await call_is(scene, door, "ringing")
    await ada.close()
    begin = time.monotonic()
    await call_ended(scene, door, "lost", 25)
    scene.check(in_call <= 20, f"noticed after {in_call:.1f} s")
    scene.fact(f"lost {in_call:.1f} s after the kill in the call, {time.monotonic() - begin:.1f} s while ringing")


async def page_sees_loss(scene):
    """the endpoint is killed during a call with the page"""
    await scenarios_page.lobby_alone(scene)
    door = endpoint(scene, "door", calls={"auto-answer": []})
    await asyncio.to_thread(scene.joined, door)
    ada = await visitor(scene, "Ada", 0, "?mode=on-call")
    me = await ada.script("callbox.me.id")
    await knows(scene, door, me)
    await ctl(scene, door, "call", me)
    await in_state(scene, ada, "Ada", "ringing")
    await answer(ada)
    await call_is(scene, door, "inCall")
    await check_browser_plays(scene, ada, tones=(TONES["door"],))
    door.process.send_signal(signal.SIGKILL)
    begin = time.monotonic()
    await ended(scene, ada, "Ada", "lost", "The connection to Front door was lost", timeout=25)
    scene.fact(f"told after {time.monotonic() - begin:.1f} s")


async def both_at_once(host, *calls):
    """Makes these calls while the lobby stands still, so that they cross for certain."""
    host.process.send_signal(signal.SIGSTOP)
    try:
        # On a busy machine a thread may still run for a moment.
        await asyncio.to_thread(eventually, lambda: set(processes.thread_states(host.pid)) == {"T"}, 5, 0.01)
        await asyncio.gather(*calls)
        await asyncio.sleep(0.3)
    finally:
        host.process.send_signal(signal.SIGCONT)


async def collision(scene):
    """door and desk call each other at once: one call, and nobody hears busy"""
    host = await scenarios_page.lobby_alone(scene)
    door, desk = await pair(scene)
    for _ in range(5):
        await both_at_once(host, ctl(scene, door, "call", "desk"), ctl(scene, desk, "call", "door"))
        first = await call_is(scene, door, "inCall", "desk")
        second = await call_is(scene, desk, "inCall", "door")
        scene.check(first["call"]["id"] == second["call"]["id"], f"two calls: {first['call']}, {second['call']}")
        ends = [(status["call"]["last_end"] or {}).get("reason") for status in (first, second)]
        scene.check(set(ends) <= {None, "hungUp"}, f"a crossing call ended as well: {ends}")
        await ctl(scene, door, "hang-up")
        for one in (door, desk):
            await call_ended(scene, one, "hungUp")
    scene.fact("5 rounds")


async def page_collision(scene):
    """door and page call each other at once"""
    host = await scenarios_page.lobby_alone(scene)
    door = endpoint(scene, "door")
    await asyncio.to_thread(scene.joined, door)
    ada = await visitor(scene, "Ada", 0, "?mode=on-call")
    me = await ada.script("callbox.me.id")
    await knows(scene, door, me)
    for _ in range(3):
        await both_at_once(host, ctl(scene, door, "call", me), ada.script("callbox.startCall('door')"))
        await in_state(scene, ada, "Ada", "inCall")
        status = await call_is(scene, door, "inCall", me)
        scene.check(status["call"]["id"] == await ada.script("callbox.call.callID"), "two calls")
        await ctl(scene, door, "hang-up")
        await ended(scene, ada, "Ada", "hungUp")
        await call_ended(scene, door, "hungUp")
    scene.fact("3 rounds")


async def list_of_targets(scene):
    """the door rings the desk and the page; the first to answer gets the call, the other is told; all decline"""
    door = endpoint(scene, "door")
    await asyncio.to_thread(scene.joined, door)
    desk = endpoint(scene, "desk")
    ada = await visitor(scene, "Ada", 0, "?mode=on-call")
    me = await ada.script("callbox.me.id")
    for other in ("desk", me):
        await knows(scene, door, other)
    await ctl(scene, door, "call", "desk", me)
    await call_is(scene, desk, "ringing", "door")
    await in_state(scene, ada, "Ada", "ringing")
    await answer(ada)
    await call_is(scene, door, "inCall", me)
    await call_ended(scene, desk, "answeredElsewhere")
    await ctl(scene, door, "hang-up")
    await ended(scene, ada, "Ada", "hungUp")
    # Without ids the configured ones are called, or everybody.
    await ctl(scene, door, "call")
    await call_is(scene, desk, "ringing", "door")
    await in_state(scene, ada, "Ada", "ringing")
    await ctl(scene, desk, "answer")
    await call_is(scene, door, "inCall", "desk")
    await ended(scene, ada, "Ada", "answeredElsewhere", "Somebody else answered")
    await ctl(scene, desk, "hang-up")
    await call_ended(scene, door, "hungUp")
    await ctl(scene, door, "call", "desk", me)
    await call_is(scene, desk, "ringing")
    await ctl(scene, desk, "decline")
    await in_state(scene, ada, "Ada", "ringing")
    await answer(ada, "#decline")
    await call_ended(scene, door, "declined")
    scene.fact("answered by page, by desk, by nobody")


async def auto_answer(scene):
    """who is on the list is answered without anybody, others ring; devices are open only during the call"""
    clip, speech = material.real_clip(), material.speech_file()
    door = endpoint(scene, "door")
    await asyncio.to_thread(scene.joined, door)
    desk = scene.endpoint("desk", name="Desk", microphone=f"file:{speech}", camera=f"file:{clip}", extra={
        "room": {"mode": "on-call"}, "calls": {"auto-answer": ["door"]}, "camera": SMALL})
    await asyncio.to_thread(scene.joined, desk)
    await knows(scene, door, "desk")
    await asyncio.sleep(1)
    scene.check(not device_files(desk, clip, speech), f"open before the call: {device_files(desk, clip, speech)}")
    await ctl(scene, door, "call", "desk")
    await call_is(scene, door, "inCall", "desk")
    await asyncio.to_thread(scene.playing, door)
    scene.check(len(device_files(desk, clip, speech)) == 2, f"open in the call: {device_files(desk, clip, speech)}")
    await ctl(scene, door, "hang-up")
    await call_ended(scene, desk, "hungUp")
    scene.check(await asyncio.to_thread(eventually, lambda: not device_files(desk, clip, speech), 3),
                f"open after the call: {device_files(desk, clip, speech)}")
    ada = await visitor(scene, "Ada", 0, "?mode=on-call")
    await ada.wait("callbox.peers.length === 2", 10)
    await ada.script("callbox.startCall('desk')")
    await call_is(scene, desk, "ringing")
    await press(ada, "#hang-up")
    await call_ended(scene, desk, "cancelled")
    scene.fact("answered alone; no descriptor of microphone or camera before and after")


SCENARIOS = [endpoints, page, busy, lost, page_sees_loss, collision, page_collision, list_of_targets, auto_answer]
