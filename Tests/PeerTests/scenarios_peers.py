"""A real endpoint against other implementations of WebRTC, both ways, judged at the far end."""

import asyncio
import json
import os

import numpy as np

import material
import pictures
from browser import Browser
from room_peer import RoomPeer

# Two tones that no harmonic or image of the other one meets.
ENDPOINT_TONE, PEER_TONE = 440, 1_170
PAGE = "http://localhost:8080/#/reception"


def _options():
    return {"microphone": f"tone:{ENDPOINT_TONE}", "camera": "test-pattern"}


def check_colours(scene, where, rgb):
    """The two halves of material.two_coloured, unswapped and unmirrored."""
    height, width, _ = rgb.shape
    for side, columns, yuv in (("left", slice(width // 8, width * 3 // 8), material.LEFT_YUV),
                               ("right", slice(width * 5 // 8, width * 7 // 8), material.RIGHT_YUV)):
        found = rgb[height // 4 : height * 3 // 4, columns].reshape(-1, 3).mean(axis=0)
        y, u, v = yuv[0] - 16, yuv[1] - 128, yuv[2] - 128
        wanted = np.clip([1.164 * y + 1.596 * v, 1.164 * y - 0.392 * u - 0.813 * v, 1.164 * y + 2.017 * u], 0, 255)
        scene.check(np.max(np.abs(found - wanted)) < 24,
                    f"{where}: {side} half is {found.round().tolist()}, {wanted.round().tolist()} expected")
    scene.fact(f"{where} colours right")


async def _stack(scene, engine, offers):
    peer = RoomPeer(engine, "visitor", PEER_TONE)
    scene.closers.push_async_callback(peer.leave)
    door = None
    if offers:
        door = scene.endpoint("door", **_options())
        await asyncio.to_thread(scene.joined, door)
        await peer.join()
    else:
        # The endpoint comes later, so it makes the offer; the lobby stands beside both.
        host = scene.endpoint("host", room="elsewhere", **_options())
        await asyncio.to_thread(scene.joined, host)
        await peer.join()
        door = scene.endpoint("door", **_options())
        await asyncio.to_thread(scene.joined, door)
    arrived = await peer.wait_for_media("door", seconds_of_sound=4, picture_count=60)
    received = peer.received.get("door")
    scene.check(arrived, f"{engine} received {received.pictures if received else 0} pictures and "
                f"{len(received.samples) / 48_000 if received else 0:.1f} s of sound; problems: {peer.problems}")
    await asyncio.to_thread(scene.playing, door)
    await asyncio.sleep(4)
    scene.check(peer.roles.get("door") == ("offerer" if offers else "answerer"), f"roles: {peer.roles}")
    scene.rising(engine, received.numbers)
    scene.tone(engine, received.samples, ENDPOINT_TONE)
    scene.seen(door)
    scene.heard(door, PEER_TONE)
    check_colours(scene, "door's screen", pictures.read_rgb(f"{door.snapshot_folder}/latest.png"))
    scene.check(not peer.problems, f"{engine}: {peer.problems}")


async def aiortc_offers(scene):
    """aiortc joins later and offers"""
    await _stack(scene, "aiortc", True)


async def aiortc_answers(scene):
    """aiortc is there first and answers"""
    await _stack(scene, "aiortc", False)


async def libwebrtc_offers(scene):
    """libwebrtc joins later and offers"""
    await _stack(scene, "wrtc", True)


async def libwebrtc_answers(scene):
    """libwebrtc is there first and answers"""
    await _stack(scene, "wrtc", False)


async def open_browser(scene, name="Browser"):
    """Chromium in the room, by the page as a visitor uses it."""
    # The page asks for noise suppression, which takes away a tone that does not change.
    browser = Browser(PAGE, clip=material.browser_clip(), sound_file=material.pulsed_tone_file(PEER_TONE))
    scene.closers.push_async_callback(browser.close)
    await browser.open()
    await join_by_page(scene, browser, name)
    return browser


async def join_by_page(scene, browser, name):
    scene.check(await browser.wait("document.querySelector('#join-button')?.offsetParent !== null", 10),
                f"the page shows no join button; console: {browser.console[-5:]}")
    await browser.script(f"""(() => {{
        document.querySelector('#name').value = {json.dumps(name)};
        document.querySelector('#join-button').click();
    }})()""")
    scene.check(await browser.wait("!document.querySelector('#call-view').hidden", 10), "the page did not join")


async def check_browser_plays(scene, browser, count=1, tones=(ENDPOINT_TONE,)):
    """The page's video elements show advancing counters, and its sounds are these tones."""
    scene.check(await browser.wait(f"callboxTest.numbers().filter((v) => v.number !== null).length >= {count}", 20),
                f"the page shows {await browser.script('callboxTest.numbers()')}; console: {browser.console[-5:]}")
    readings = []
    for _ in range(6):
        readings.append([entry["number"] for entry in await browser.script("callboxTest.numbers()")])
        await asyncio.sleep(0.4)
    for index in range(count):
        numbers = [reading[index] for reading in readings if len(reading) > index and reading[index] is not None]
        scene.rising(f"browser's video {index + 1}", numbers)
    found = [sound["frequency"] for sound in await browser.script("callboxTest.tones(1.5)")]
    for tone in tones:
        scene.check(any(abs(frequency - tone) <= 0.01 * tone for frequency in found), f"browser hears {found} Hz, not {tone}")
    scene.fact(f"browser hears {', '.join(f'{frequency:.0f}' for frequency in found)} Hz")


async def _browser(scene, joins_later):
    if joins_later:
        door = scene.endpoint("door", **_options())
        await asyncio.to_thread(scene.joined, door)
        browser = await open_browser(scene)
    else:
        host = scene.endpoint("host", room="elsewhere", **_options())
        await asyncio.to_thread(scene.joined, host)
        browser = await open_browser(scene)
        door = scene.endpoint("door", **_options())
    await asyncio.to_thread(scene.playing, door, 30)
    await asyncio.sleep(3)
    await check_browser_plays(scene, browser)
    scene.seen(door)
    scene.heard(door, PEER_TONE)
    check_colours(scene, "door's screen", pictures.read_rgb(f"{door.snapshot_folder}/latest.png"))
    await browser.screenshot(os.path.join(scene.folder, "page.png"))
    exceptions = [line for line in browser.console if line.startswith("exception")]
    scene.check(not exceptions, f"the page threw: {exceptions}")


async def browser_offers(scene):
    """Chromium joins later by the page"""
    await _browser(scene, True)


async def browser_answers(scene):
    """Chromium is there first"""
    await _browser(scene, False)


async def browser_buttons(scene):
    """the page's buttons: mute, camera off and on, hang up"""
    door = scene.endpoint("door", **_options())
    await asyncio.to_thread(scene.joined, door)
    browser = await open_browser(scene, "Ada")
    await asyncio.to_thread(scene.playing, door, 30)

    async def told(what, condition, timeout=10):
        status = await asyncio.to_thread(door.wait_for, condition, timeout)
        scene.check(status, f"{what}: the door knows {door.status()['participants']}")

    def visitor(key, value):
        return lambda status: any(
            entry["name"] == "Ada" and entry[key] == value for entry in status["participants"])

    await told("name", visitor("audio_muted", False))
    for button, key in (("microphone", "audio_muted"), ("camera", "video_muted")):
        await browser.script(f"document.querySelector('#{button}').click()")
        await told(f"{button} off", visitor(key, True))
        if button == "camera":
            scene.check(await browser.wait("!document.querySelector('#self-video').srcObject", 5), "its camera is still on")
        await browser.script(f"document.querySelector('#{button}').click()")
        await told(f"{button} on", visitor(key, False))
    before = len(pictures.counters_in(door.snapshot_folder))
    await asyncio.sleep(4)
    scene.rising("door's screen after the camera came back", pictures.counters_in(door.snapshot_folder)[before:], 2)
    await browser.script("document.querySelector('#leave').click()")
    await told("hang up", lambda status: not status["participants"])
    scene.check(await browser.wait("!document.querySelector('#join-view').hidden", 5), "the page does not say that it left")
    scene.fact("mute, camera and hang up seen by the other side")


SCENARIOS = [browser_offers, browser_answers, browser_buttons, aiortc_offers, aiortc_answers, libwebrtc_offers,
             libwebrtc_answers]
