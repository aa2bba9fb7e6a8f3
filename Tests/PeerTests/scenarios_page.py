"""The browser page by itself: its pure parts, and what two visitors do with each other in the lobby of a running endpoint."""

import asyncio
import json
import os
import random
import signal

import material
from browser import Browser
from lobby_client import LobbyClient
from scenarios_peers import PAGE, check_browser_plays, join_by_page

HERE = os.path.dirname(os.path.abspath(__file__))


async def lobby_alone(scene):
    """An endpoint that hosts the lobby and is in another room."""
    host = scene.endpoint("host", room="elsewhere", extra={"camera": {"width": 160, "height": 120, "frames-per-second": 5}})
    await asyncio.to_thread(scene.joined, host)
    return host


async def visitor(scene, name, number, query=""):
    """A browser in the room; each one has a debugging port of its own."""
    browser = Browser(PAGE.replace("#", f"{query}#"), clip=material.browser_clip(),
                      sound_file=material.pulsed_tone_file(1_170), port=9222 + number)
    scene.closers.push_async_callback(browser.close)
    await browser.open()
    await join_by_page(scene, browser, name)
    scene.check(await browser.wait("callbox.state === 'joined'", 10), f"{name} did not join; console: {browser.console[-5:]}")
    return browser


async def press(browser, selector):
    """Clicks what a visitor sees; false when it is not to be seen."""
    return await browser.script(f"""(() => {{
        const element = document.querySelector({json.dumps(selector)});
        if (!element || element.offsetParent === null && !element.closest('dialog[open]')) return false;
        element.click();
        return true;
    }})()""")


async def answer(browser, selector="#answer"):
    """Presses a button of the question; it is deaf for a moment, so that a key for something else does not answer."""
    await asyncio.sleep(0.8)
    return await press(browser, selector)


async def in_state(scene, browser, who, state, timeout=8):
    scene.check(await browser.wait(f"callbox.call.state === {json.dumps(state)}", timeout),
                f"{who} is not {state}: {await browser.script('callbox.call')}; console: {browser.console[-5:]}")


async def ended(scene, browser, who, reason, words=None, timeout=8):
    """The page's call has ended for this reason, and the person is told in these words."""
    await in_state(scene, browser, who, "idle", timeout)
    found = await browser.wait(f"callbox.call.lastEnd?.reason === {json.dumps(reason)}", timeout)
    scene.check(found, f"{who}: {reason} expected, {await browser.script('callbox.call.lastEnd')} found")
    if words:
        shown = await browser.script("document.querySelector('#strip-words').textContent")
        scene.check(words in shown, f"{who} is told '{shown}', not '{words}'")


async def pure_parts(scene):
    """the call machine, requests to speak and descriptions, in a browser"""
    await lobby_alone(scene)
    browser = Browser(PAGE)
    scene.closers.push_async_callback(browser.close)
    await browser.open()
    with open(os.path.join(HERE, "page_tests.js"), encoding="utf-8") as file:
        tests = file.read()
    with open(os.path.join(HERE, "../Fixtures/calls/trace.jsonl"), encoding="utf-8") as file:
        trace = json.dumps(file.read())
    seed = random.randrange(1, 2**31)
    # A path without a base: the module is loaded from the lobby, as the page does it.
    results = await browser.script(
        f"(() => {{ {tests}\n return runPageTests((file) => import(new URL(file, document.baseURI)), {seed}, {trace}); }})()")
    problems = [f"{result['name']}: {result['problem']}" for result in results if result["problem"]]
    scene.check(not problems, f"seed {seed}: {problems}")
    scene.fact(f"{len(results)} tests, seed {seed}")


async def page_calls_page(scene):
    """two pages: answered and hung up by each side, declined, cancelled, and a third one finds them busy"""
    await lobby_alone(scene)
    ada, bea = await visitor(scene, "Ada", 0), await visitor(scene, "Bea", 1)
    for hangs_up, other in ((ada, bea), (bea, ada)):
        scene.check(await ada.wait("document.querySelector('.call-button')?.offsetParent", 10) is not None, "no button to call")
        scene.check(await press(ada, ".call-button"), "the page shows no button to call")
        await in_state(scene, bea, "Bea", "ringing")
        await in_state(scene, ada, "Ada", "calling")
        scene.check(await bea.script("document.querySelector('#incoming').open && document.activeElement.id === 'answer'"),
                    "the question is not shown, or Answer has no focus")
        await bea.script("document.querySelector('#incoming').close()")
        scene.check(await bea.wait("document.querySelector('#incoming').open", 2), "the question is gone while it rings")
        scene.check(await bea.wait("document.title.includes('Ada is calling')", 3), "the title does not tell of the call")
        scene.check(await bea.script("callbox.call.tone") == "ring", "no ring tone")
        scene.check(await ada.wait("callbox.call.tone === 'ringBack'", 3), "no ring-back tone")
        scene.check(await answer(bea), "no button to answer")
        for browser, who in ((ada, "Ada"), (bea, "Bea")):
            await in_state(scene, browser, who, "inCall")
            scene.check(await browser.script("callbox.call.tone") is None, f"{who} still hears a tone")
        scene.check(await press(hangs_up, "#hang-up"), "no button to hang up")
        name = "Ada" if other is bea else "Bea"
        await ended(scene, other, "the other one", "hungUp", f"{name} hung up")
        await ended(scene, hangs_up, "who hung up", "hungUp", "You hung up")
    await press(ada, ".call-button")
    await in_state(scene, bea, "Bea", "ringing")
    scene.check(await answer(bea, "#decline"), "no button to decline")
    await ended(scene, ada, "Ada", "declined", "Bea declined")
    await ended(scene, bea, "Bea", "declined")
    await press(ada, ".call-button")
    await in_state(scene, bea, "Bea", "ringing")
    await press(ada, "#hang-up")
    await ended(scene, ada, "Ada", "cancelled", "You cancelled")
    await ended(scene, bea, "Bea", "cancelled", "Ada called")
    await busy(scene, ada, bea)
    scene.fact("hung up by each, declined, cancelled, busy; bell, ring-back and title")


async def busy(scene, ada, bea):
    """A third participant, by script, calls one who is in a call."""
    ids = [await browser.script("callbox.me.id") for browser in (ada, bea)]
    await ada.script(f"callbox.startCall({json.dumps(ids[1])})")
    await in_state(scene, bea, "Bea", "ringing")
    await answer(bea)
    await in_state(scene, ada, "Ada", "inCall")
    third = await LobbyClient().connect()
    await third.join("reception", "third")
    await third.send({"type": "message", "to": ids[1], "body": {"call_event": "invite", "call_id": "c-third"}})
    reply = await third.wait_for("message")
    scene.check(reply["body"] == {"call_event": "busy", "call_id": "c-third", "reason": "busy"}, f"the third one is told {reply}")
    await third.send({"type": "message", "to": ids[1], "body": {"call_event": "ended", "call_id": "c-third", "reason": "busy"}})
    await third.leave()
    await in_state(scene, bea, "Bea", "inCall")
    await press(bea, "#hang-up")
    await ended(scene, ada, "Ada", "hungUp")


async def lobby_restarts(scene):
    """the lobby is killed during a call: picture, sound and call go on, and the same connections are used after it"""
    host = await lobby_alone(scene)
    ada, bea = await visitor(scene, "Ada", 0), await visitor(scene, "Bea", 1)
    await ada.wait("callboxTest.numbers().length === 1", 15)
    await press(ada, ".call-button")
    await in_state(scene, bea, "Bea", "ringing")
    await answer(bea)
    await in_state(scene, ada, "Ada", "inCall")
    host.kill()
    for browser in (ada, bea):
        scene.check(await browser.wait("callbox.state === 'reconnecting'", 5), "the loss is not seen")
    await asyncio.sleep(5)
    await check_browser_plays(scene, ada, tones=(1_170,))
    host.start()
    await asyncio.to_thread(scene.joined, host)
    for browser, who in ((ada, "Ada"), (bea, "Bea")):
        scene.check(await browser.wait("callbox.state === 'joined'", 10), f"{who} is not back")
    await asyncio.sleep(3)
    for browser, who in ((ada, "Ada"), (bea, "Bea")):
        await in_state(scene, browser, who, "inCall")
        states = await browser.script("callboxTest.connections.map((one) => [one.connectionState, one.signalingState])")
        scene.check(states == [["connected", "stable"]], f"{who}'s connections: {states}")
    await check_browser_plays(scene, bea, tones=(1_170,))
    scene.fact("one connection each, from before until after")


# The page does not reach the lobby while it is held back.
HELD_BACK = """(() => {
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(url, ...rest) { super(window.isHeldBack ? "ws://localhost:1/" : url, ...rest); }
  };
})()"""


async def kept_with_endpoint(scene):
    """page and endpoint keep their connection over a restart of the lobby, and make a new one when the endpoint restarts"""
    host = await lobby_alone(scene)
    door = scene.endpoint("door", name="Front door", extra={"log": {"level": "info"}, "camera": {"width": 320, "height": 240, "frames-per-second": 15}})
    await asyncio.to_thread(scene.joined, door)
    ada = await visitor(scene, "Ada", 0)
    await asyncio.to_thread(scene.playing, door)
    await check_browser_plays(scene, ada)
    # Who comes back later makes the offer: once the page, once the endpoint.
    await ada.script(HELD_BACK)
    for last in ("page", "door"):
        host.kill()
        scene.check(await ada.wait("callbox.state === 'reconnecting'", 5), "the loss is not seen")
        await ada.script(f"window.isHeldBack = {'true' if last == 'page' else 'false'}")
        await asyncio.sleep(4)
        await check_browser_plays(scene, ada)
        if last == "door":
            # Not as long as makes it a participant who is gone.
            os.kill(door.process.pid, signal.SIGSTOP)
            host.start()
            back = await ada.wait("(window.dispatchEvent(new Event('online')), callbox.state === 'joined')", 5)
            os.kill(door.process.pid, signal.SIGCONT)
            scene.check(back, "the page is not back")
        else:
            host.start()
            await asyncio.to_thread(scene.joined, door)
            await asyncio.to_thread(scene.joined, host)
            await ada.script("window.isHeldBack = false")
        scene.check(await ada.wait("callbox.state === 'joined' && callbox.peers.some((peer) => peer.id === 'door' && !peer.isLost)", 15),
                    f"not both are back: {await ada.script('callbox.peers')}")
        order = [line for line in host.log().splitlines() if "room reception: participant" in line and "joined as" in line]
        scene.check(("participant door" in order[-1]) == (last == "door"), f"{last} was not the last one: {order[-2:]}")
        await asyncio.sleep(3)
        states = await ada.script("callboxTest.connections.map((one) => [one.connectionState, one.signalingState])")
        scene.check(states == [["connected", "stable"]], f"{last} last: the page's connections: {states}")
        await check_browser_plays(scene, ada)
    door.kill()
    door.start()
    await asyncio.to_thread(scene.playing, door, 30)
    scene.check(await ada.wait("callboxTest.connections.length === 2 && callboxTest.connections[1].connectionState === 'connected'", 15),
                f"connections: {await ada.script('callboxTest.connections.map((one) => one.connectionState)')}")
    await check_browser_plays(scene, ada)
    scene.fact("one connection until the endpoint restarts, then a second one")


async def asking_to_speak(scene):
    """one of the audience asks, is let speak, is heard and seen, and is sent back"""
    await lobby_alone(scene)
    ada, bea = await visitor(scene, "Ada", 0), await visitor(scene, "Bea", 1, "?role=audience")
    scene.check(await bea.wait("callboxTest.numbers().length === 1", 15), "the audience sees nothing")
    scene.check(not await bea.script("callbox.microphoneOn || callbox.cameraOn"), "the audience's devices are open")
    for accepts in (False, True):
        scene.check(await press(bea, "#speak"), "no button to ask")
        scene.check(await ada.wait("callbox.speaking.applications.length === 1", 5), "the host is not told")
        scene.check(await press(ada, f"#applications .{'accept' if accepts else 'reject'}"), "no button to decide")
        scene.check(await bea.wait(f"callbox.speaking.state === '{'speaking' if accepts else 'idle'}'", 5), "not told")
    scene.check(await ada.wait("callboxTest.numbers().length === 1", 10), "the speaker is not seen")
    await check_browser_plays(scene, ada, tones=(1_170,))
    scene.check(await press(ada, ".more") and await press(ada, "[data-command=endSpeaking]"), "no way to end the speaking")
    scene.check(await bea.wait("callbox.me.role === 'audience' && !callbox.microphoneOn && !callbox.cameraOn", 5),
                "the speaker still speaks")
    scene.fact("rejected, accepted, ended")


SCENARIOS = [pure_parts, page_calls_page, lobby_restarts, kept_with_endpoint, asking_to_speak]
