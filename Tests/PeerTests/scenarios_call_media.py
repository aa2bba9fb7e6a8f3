"""What is done during a call, and by those who listen: mute, cameras, requests to speak and commands, judged at the far end."""

import asyncio
import json
import time

import material
import scenarios_page
from lobby_client import LobbyClient
from scenarios_calls import SMALL, TONES, call_is, ctl, device_files, endpoint, knows
from scenarios_page import answer, check_browser_plays, in_state, press, visitor
from scene import eventually


async def in_call_with_page(scene, **options):
    """A door and a page in a call; with what the page hears and sees of it."""
    door = endpoint(scene, "door", **options)
    await asyncio.to_thread(scene.joined, door)
    ada = await visitor(scene, "Ada", 0)
    me = await ada.script("callbox.me.id")
    await knows(scene, door, me)
    await ctl(scene, door, "call", me)
    await in_state(scene, ada, "Ada", "ringing")
    await answer(ada)
    await call_is(scene, door, "inCall", me)
    await check_browser_plays(scene, ada, tones=(TONES["door"],))
    return door, ada


# Writes down when the sound of the door was loud and when it was not: [[milliseconds of the wall clock, level], …].
LISTEN = """(() => {
  const context = callboxTest.context ||= new AudioContext({ sampleRate: 48000 });
  const source = context.createMediaStreamSource(callboxTest.remote('audio')[0].srcObject);
  const analyser = new AnalyserNode(context, { fftSize: 256 });
  source.connect(analyser);
  const samples = new Float32Array(256), levels = globalThis.levels = [];
  setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    levels.push([Date.now(), samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)]);
  }, 5);
})()"""


# What a browser's jitter buffer holds while nothing disturbs it, in milliseconds.
USUAL_BUFFER = 80

# The browser's own delay of the door's sound, in milliseconds over a second: its jitter buffer.
BUFFERED = """(async () => {
  const read = async () => (await callbox.stats()).door.find((one) => one.type === 'inbound-rtp' && one.kind === 'audio');
  const before = await read();
  await new Promise((done) => setTimeout(done, 1000));
  const after = await read();
  return 1000 * (after.jitterBufferDelay - before.jitterBufferDelay)
    / Math.max(1, after.jitterBufferEmittedCount - before.jitterBufferEmittedCount);
})()"""


async def mute(scene):
    """mute is silence at the far side within 200 ms, and no sample of the microphone is sent; the page shows the mark"""
    door, ada = await in_call_with_page(scene)
    await ada.script(LISTEN)
    await asyncio.sleep(1)
    scene.check(await ada.script("levels.slice(-50).every(([, level]) => level > 0.02)"), "the page does not hear the tone all the time")
    delays, late = [], []
    for _ in range(5):
        # What the browser of a busy machine buffers beyond its usual is not the endpoint's.
        excess = max(0, await ada.script(BUFFERED) - USUAL_BUFFER)
        await ctl(scene, door, "mute", "on")
        at = 1000 * time.time()
        await asyncio.sleep(0.5)
        before = door.status()["sent"]["microphone_samples"]
        await asyncio.sleep(1)
        loud = await ada.script(f"levels.filter(([time, level]) => time > {at} && level > 0.001).map(([time]) => time)")
        delays.append(max(loud, default=at) - at)
        late.append(delays[-1] - excess)
        status = door.status()
        scene.check(status["sent"]["microphone_samples"] == before, "samples of the microphone are sent while it is muted")
        scene.check(status["microphone"]["muted"], f"status: {status['microphone']}")
        scene.check(await ada.wait("callbox.peers[0].streams[0].audioMuted", 3), "the page is not told")
        scene.check(await ada.wait("document.querySelector('.tile.muted[data-participant=door]') !== null", 3), "no mark")
        await ctl(scene, door, "mute", "off")
        scene.check(await ada.wait("levels.slice(-20).every(([, level]) => level > 0.02)", 3), "the sound does not come back")
        scene.check(door.status()["sent"]["microphone_samples"] > before, "no samples after it")
    facts = (f"silent {', '.join(f'{delay:.0f}' for delay in delays)} ms after the command, without the browser's excess buffer "
             f"{', '.join(f'{delay:.0f}' for delay in late)} ms")
    # One round may meet a hiccup of the machine.
    scene.check(sorted(late)[3] <= 200, facts)
    scene.fact(facts)


async def camera_off(scene):
    """camera off closes the device; the page shows the mark and gets no pictures; on again it is back"""
    clip = material.real_clip()
    door = scene.endpoint("door", name="Front door", camera=f"file:{clip}", extra={"camera": SMALL})
    await asyncio.to_thread(scene.joined, door)
    ada = await visitor(scene, "Ada", 0)
    scene.check(await ada.wait("callboxTest.numbers().length === 1", 15), "the page shows no picture")
    scene.check(device_files(door, clip), f"{clip} is not open")
    frames = ("callbox.stats().then((all) => all.door.find((one) => one.type === 'inbound-rtp' && one.kind === 'video')"
              ".framesReceived)")
    for _ in range(2):
        await ctl(scene, door, "camera", "off")
        scene.check(await asyncio.to_thread(eventually, lambda: not device_files(door, clip), 2), "the device stays open")
        scene.check(await ada.wait("callbox.peers[0].streams[0].videoMuted", 3), "the page is not told")
        scene.check(await ada.wait("document.querySelector('[data-participant=door]').innerText.includes('Camera off')", 3),
                    "the tile does not say that the camera is off")
        scene.check(door.status()["camera"]["off"], f"status: {door.status()['camera']}")
        await asyncio.sleep(0.5)
        before = await ada.script(frames)
        await asyncio.sleep(1.5)
        after = await ada.script(frames)
        scene.check(after == before, f"{after - before} pictures came while the camera was off")
        await ctl(scene, door, "camera", "on")
        begin = time.monotonic()
        count = after
        scene.check(await ada.wait(f"{frames}.then((count) => count > {count} + 3)", 5), "no pictures after it is on again")
        scene.fact(f"back after {time.monotonic() - begin:.1f} s")
    scene.check(device_files(door, clip), "the device is not open again")


# The mean colour of the lower half of the door's picture every 40 ms: [[milliseconds of the wall clock, r, g, b], …].
WATCH = """(() => {
  const canvas = new OffscreenCanvas(16, 16), context = canvas.getContext('2d', { willReadFrequently: true });
  const colours = globalThis.colours = [];
  setInterval(() => {
    const video = callbox.videoOf('door');
    if (!video?.videoWidth) return;
    context.drawImage(video, 0, video.videoHeight / 2, video.videoWidth, video.videoHeight / 2, 0, 0, 16, 16);
    const data = context.getImageData(0, 0, 16, 16).data;
    const sum = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) for (let c = 0; c < 3; c++) sum[c] += data[i + c] / 256;
    colours.push([Date.now(), ...sum]);
  }, 40);
  globalThis.negotiations = 0;
  for (const connection of callboxTest.connections) {
    connection.addEventListener('signalingstatechange', () => { negotiations += 1; });
  }
})()"""


async def switch_camera(scene):
    """the second camera's colours within a second, with the same SSRC and without negotiating anything"""
    door, ada = await in_call_with_page(scene, camera={"devices": ["test-pattern", "test-pattern:variant=2"], "device": None})
    ssrc = ("callbox.stats().then((all) => all.door.filter((one) => one.type === 'inbound-rtp').map((one) => one.ssrc).sort())")
    before = await ada.script(ssrc)
    await ada.script(WATCH)
    await asyncio.sleep(1)
    first, delays = door.status()["camera"]["name"], []
    for number in range(4):
        old = await ada.script("colours[colours.length - 1].slice(1)")
        at = 1000 * time.time()
        await ctl(scene, door, "switch-camera")
        await asyncio.sleep(1.6)
        changed = await ada.script(f"""colours.filter(([time, ...rgb]) => time > {at}
            && Math.hypot(...rgb.map((value, index) => value - {json.dumps(old)}[index])) > 30).map(([time]) => time)""")
        scene.check(changed, f"the picture does not change; colours: {await ada.script('colours.slice(-3)')}, before: {old}")
        delays.append(min(changed) - at)
        name = door.status()["camera"]["name"]
        scene.check((name == first) == (number % 2 == 1), f"after {number + 1} switches: {name}")
    scene.check(max(delays) <= 1_000, f"shown after {delays} ms")
    scene.check(await ada.script(ssrc) == before, f"SSRCs {before} became {await ada.script(ssrc)}")
    scene.check(await ada.script("negotiations") == 0, f"{await ada.script('negotiations')} changes of the signalling state")
    scene.fact(f"shown after {', '.join(f'{delay:.0f}' for delay in delays)} ms")


async def request_to_speak(scene):
    """a listening endpoint has no device open, asks, publishes when the page accepts, and stops when it is told to"""
    clip, speech = material.real_clip(), material.speech_file()
    await scenarios_page.lobby_alone(scene)
    ada = await visitor(scene, "Ada", 0)
    door = scene.endpoint("door", name="Front door", microphone=f"file:{speech}", camera=f"file:{clip}", extra={
        "room": {"mode": "listen"}, "camera": SMALL})
    await asyncio.to_thread(scene.joined, door)
    await asyncio.to_thread(scene.playing, door)
    scene.check(door.status()["role"] == "audience", f"role: {door.status()['role']}")
    scene.check(not device_files(door, clip, speech), f"open while listening: {device_files(door, clip, speech)}")
    for accepts in (False, True):
        await ctl(scene, door, "request-to-speak")
        scene.check(await ada.wait("callbox.speaking.applications.length === 1", 5), "the page is not told")
        scene.check(not device_files(door, clip, speech), "open while it asks")
        await press(ada, f"#applications .{'accept' if accepts else 'reject'}")
        await asyncio.sleep(1)
    scene.check(await asyncio.to_thread(door.wait_for, lambda status: status["role"] == "host", 5), "its role does not change")
    scene.check(await ada.wait("callboxTest.numbers().length === 1", 15), "the page does not see the speaker")
    scene.check(len(device_files(door, clip, speech)) == 2, f"open while speaking: {device_files(door, clip, speech)}")
    await press(ada, ".more")
    await press(ada, "[data-command=endSpeaking]")
    scene.check(await asyncio.to_thread(door.wait_for, lambda status: status["role"] == "audience", 5), "it still speaks")
    scene.check(await asyncio.to_thread(eventually, lambda: not device_files(door, clip, speech), 3),
                "open after speaking")
    scene.fact("rejected, accepted, ended")


async def page_asks_endpoint(scene):
    """one of the audience at a browser asks, and a host that is an endpoint lets it speak and ends it"""
    door = endpoint(scene, "door", mode="auto")
    await asyncio.to_thread(scene.joined, door)
    ada = await visitor(scene, "Ada", 0, "?role=audience")
    me = await ada.script("callbox.me.id")
    await check_browser_plays(scene, ada, tones=(TONES["door"],))
    scene.check(not door.status()["played"]["frames"], "the door plays something of the audience")
    await press(ada, "#speak")
    scene.check(await asyncio.to_thread(door.wait_for, lambda status: status["applicants"] == [me], 5), "the door is not told")
    await ctl(scene, door, "accept", me)
    scene.check(await ada.wait("callbox.me.role === 'host'", 5), "the page's role does not change")
    await asyncio.to_thread(scene.playing, door)
    await asyncio.sleep(3)
    scene.seen(door)
    scene.heard(door, 1_170)
    await ctl(scene, door, "reject", me)
    scene.check(await ada.wait("callbox.me.role === 'audience' && !callbox.microphoneOn", 5), "the page still speaks")
    await check_browser_plays(scene, ada, tones=(TONES["door"],))


async def commands(scene):
    """a host mutes, switches, turns loud and shows a text; what is not permitted is refused with its reason"""
    door, ada = await in_call_with_page(
        scene, permissions={"open-relay": "nobody", "set-volume": "hosts"},
        camera={"devices": ["test-pattern", "test-pattern:variant=2"], "device": None})

    async def told(command, data, words):
        await ada.script(f"(callbox.command('door', {json.dumps(command)}, {json.dumps(data)}), 1)")
        found = await ada.wait(f"document.querySelector('#announcer').textContent.includes({json.dumps(words)})", 5)
        scene.check(found, f"{command}: '{await ada.script('''document.querySelector('#announcer').textContent''')}'")

    await told("mute", {}, "is muted now")
    scene.check(door.status()["microphone"]["muted"], "it is not muted")
    await told("switchCamera", {}, "shows its next camera")
    await told("cameraOff", {}, "has its camera off")
    scene.check(door.status()["camera"]["off"], "its camera is on")
    await told("setVolume", {"percent": 35}, "has changed its loudness")
    scene.check(door.status()["volume"] == 35, f"volume: {door.status().get('volume')}")
    await told("showText", {"text": "Somebody is on the way", "seconds": 5}, "shows the text")
    await told("openRelay", {}, "refused")
    await strangers(scene, door)
    # The page obeys as well, where it can.
    me = await ada.script("callbox.me.id")
    await ctl(scene, door, "tell", me, "mute")
    scene.check(await ada.wait("!callbox.microphoneOn", 5), "the page is not muted")
    await ctl(scene, door, "tell", me, "show-text", "Please wait")
    scene.check(await ada.wait("document.querySelector('#announcer').textContent === 'Front door: Please wait'", 5),
                "the page does not show the text")
    await ctl(scene, door, "tell", me, "open-relay")
    scene.check(await asyncio.to_thread(door.wait_for, lambda status: "no door" in ((status["answer"] or {}).get("refusal") or ""), 5),
                f"the page's refusal is not told: {door.status()['answer']}")
    scene.fact("done and refused as permitted")


async def strangers(scene, door):
    """What the audience, and one who claims to be somebody else, are told."""
    listener = await LobbyClient().connect()
    await listener.join("reception", "listener", role="audience")
    request = {"room_request_type": 10_101, "request_id": "r-1", "sender_id": "listener", "receiver_id": "door"}
    await listener.send({"type": "message", "to": "door", "body": request})
    reply = await listener.wait_for("message")
    scene.check(reply["body"]["room_request_type"] == 10_901 and reply["body"]["extended_data"]["text"], f"told {reply}")
    await listener.send({"type": "message", "to": "door", "body": {**request, "sender_id": "desk", "request_id": "r-2"}})
    try:
        reply = await listener.wait_for("message", timeout=1.5)
        scene.check(False, f"one who claims to be another one is told {reply}")
    except TimeoutError:
        pass
    await listener.leave()


SCENARIOS = [mute, camera_off, switch_camera, request_to_speak, page_asks_endpoint, commands]
