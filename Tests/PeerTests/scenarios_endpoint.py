"""Endpoints among themselves: quality, crashes, leaving, and what they need of the machine."""

import asyncio
import os
import signal
import time
import wave

import numpy as np
from pystoi import stoi

import material
import pictures
import processes
import scenarios_peers
import sound
from endpoint import PROGRAM
from room_peer import RoomPeer
from scene import eventually

# The bounds for one two-way VGA call.
RSS_KIB, DIRTY_KIB, THREADS, BINARY_BYTES = 48 * 1024, 28 * 1024, 16, 16 * 1024 * 1024


async def quality(scene):
    """a real clip at 640x480 and 1 Mbit/s, and real speech, from one endpoint to another"""
    clip, speech = material.real_clip(), material.speech_file()
    door = scene.endpoint("door", camera=f"file:{clip}", microphone=f"file:{speech}", extra={
        "camera": {"width": 640, "height": 480, "frames-per-second": 25},
        "video": {"maximum-bitrate": "1Mbit/s", "start-bitrate": "1Mbit/s"}})
    desk = scene.endpoint(
        "desk", microphone="tone:440",
        display=f"snapshots:{os.path.join(scene.folder, 'desk', 'snapshots')},period=200,keep=200")
    await asyncio.to_thread(scene.playing, desk)
    await asyncio.sleep(28)
    status = desk.status()
    for endpoint in (desk, door):
        endpoint.stop()
    check_pictures(scene, desk, clip)
    check_speech(scene, desk, speech)
    played = status["played"]
    scene.fact(f"{played['frames']} pictures, {played['concealed_seconds']:.2f} s of {played['audio_seconds']:.0f} s concealed")


def check_pictures(scene, endpoint, clip):
    """Every readable snapshot against the source frame of its number."""
    values = []
    for path in pictures.snapshots(endpoint.snapshot_folder):
        rgb = pictures.read_rgb(path)
        number = pictures.counter_of(rgb)
        if number is not None and number < material.clip_length(clip) and rgb.shape[:2] == (480, 640):
            values.append(pictures.psnr(pictures.limited_luma(rgb), material.clip_luma(clip, number)))
    scene.check(len(values) >= 60, f"only {len(values)} snapshots show a readable number")
    settled = np.array(values[10:])  # the first two seconds find their rate
    scene.fact(f"PSNR mean {settled.mean():.1f} dB, tenth {np.percentile(settled, 10):.1f}, worst {settled.min():.1f} "
               f"over {len(settled)} pictures")
    scene.check(settled.mean() >= 30, f"PSNR {settled.mean():.1f} dB, 30 wanted")


def check_speech(scene, endpoint, speech):
    """STOI of what the speaker played, part by part, each aligned by itself with the looped source."""
    source, _ = sound.read_wav(speech)
    played, _ = sound.read_wav(endpoint.wav_path)
    looped = np.concatenate([source, source, source])
    length, values, offsets = 4 * sound.RATE, [], []
    # The last 20 s; the first ones are still being aligned by the jitter buffer.
    for start in range(len(played) - 20 * sound.RATE, len(played) - length + 1, length):
        part = played[start : start + length]
        at = sound.offset_of(part, looped)
        values.append(stoi(looped[at : at + length], part, sound.RATE))
        offsets.append((at - start) % len(source))
    scene.fact(f"STOI {np.mean(values):.3f}, worst part {min(values):.3f}")
    scene.check(np.mean(values) >= 0.9, f"STOI {[round(float(value), 3) for value in values]}, 0.9 wanted")


def progress(status):
    """(pictures, seconds of sound) played from each participant so far."""
    return {entry["id"]: (entry["video"]["frames"], entry["audio"]["played_seconds"])
            for entry in status["participants"] if "video" in entry and "audio" in entry}


async def crash(scene):
    """three endpoints and a browser; one endpoint is killed by SIGKILL"""
    door = scene.endpoint("door", microphone="tone:440")
    await asyncio.to_thread(scene.joined, door)
    desk = scene.endpoint("desk", microphone="tone:660")
    victim = scene.endpoint("victim", microphone="tone:880")
    survivors = (door, desk)
    browser = await scenarios_peers.open_browser(scene)
    for endpoint in survivors:
        everybody = await asyncio.to_thread(
            endpoint.wait_for, lambda status: len(progress(status)) == 3 and all(
                frames > 0 and seconds > 0 for frames, seconds in progress(status).values()), 40)
        scene.check(everybody, f"{endpoint.participant} does not play all three: {endpoint.status()}")
    await scenarios_peers.check_browser_plays(scene, browser, count=3, tones=(440, 660, 880))

    killed = time.monotonic()
    victim.process.send_signal(signal.SIGKILL)
    victim.process.wait(5)
    noticed, last = {}, {endpoint: (progress(endpoint.status()), killed) for endpoint in survivors}
    stalls = {endpoint.participant: 0.0 for endpoint in survivors}
    numbers, number_changed, page_stall = {}, {}, 0.0
    while time.monotonic() < killed + 20:
        for endpoint in survivors:
            status, moment = endpoint.status(), time.monotonic()
            scene.check(status, f"{endpoint.participant} does not answer after the crash")
            present = progress(status)
            if victim.participant not in [entry["id"] for entry in status["participants"]]:
                noticed.setdefault(endpoint.participant, moment - killed)
            before, since = last[endpoint]
            others = [name for name in before if name != victim.participant]
            scene.check(all(name in present for name in others), f"{endpoint.participant} lost somebody else: {present}")
            # Media of every other participant must have gone on within each second.
            if all(present[name][0] > before[name][0] and present[name][1] > before[name][1] for name in others):
                last[endpoint] = present, moment
            else:
                stalls[endpoint.participant] = max(stalls[endpoint.participant], moment - since)
        moment, moving = time.monotonic(), 0
        for index, entry in enumerate(await browser.script("callboxTest.remoteMoments()")):
            if numbers.get(entry["id"]) != entry["time"]:
                numbers[entry["id"]], number_changed[entry["id"]] = entry["time"], moment
            moving += moment - number_changed[entry["id"]] < 1
        if len(numbers) and moving < 2:
            page_stall = page_stall or moment - killed
        count = await browser.script("callboxTest.remote('video').length")
        if count == 2:
            noticed.setdefault("browser", moment - killed)
        if len(noticed) == 3 and moment - killed > 6:
            break
        await asyncio.sleep(0.2)
    scene.check(len(noticed) == 3, f"only these noticed within 20 s: {noticed}")
    scene.check(max(noticed.values()) <= 15, f"noticed after {noticed}")
    scene.check(max(stalls.values()) <= 1.5, f"the rest stood still: {stalls}")
    scene.check(not page_stall, f"the browser's other videos stood still {page_stall:.1f} s after the crash")
    scene.fact("noticed after " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in noticed.items()))
    await scenarios_peers.check_browser_plays(scene, browser, count=2, tones=(440, 660))


async def leaving(scene):
    """SIGTERM ends a call within a second, says farewell and leaves nothing behind"""
    host = scene.endpoint("host", room="elsewhere")
    await asyncio.to_thread(scene.joined, host)
    peer = RoomPeer("aiortc", "visitor", 1_170)
    scene.closers.push_async_callback(peer.leave)
    await peer.join()
    door = scene.endpoint("door")
    await asyncio.to_thread(scene.playing, door)
    seconds = await asyncio.to_thread(door.stop)
    scene.check(seconds <= 1.0, f"it took {seconds:.2f} s")
    scene.check(door.process.returncode == 0, f"it ended with {door.process.returncode}")
    scene.fact(f"left after {1000 * seconds:.0f} ms")
    scene.check(await eventually_async(lambda: any(
        event == ("door", "left") for event in peer.departures), 5), f"the others were told {peer.departures}")
    scene.check(not os.path.exists(door.socket_path), "its control socket is still there")
    with wave.open(door.wav_path) as file:
        header_frames = file.getnframes()
    file_frames = (os.path.getsize(door.wav_path) - 44) // 2
    scene.check(abs(file_frames - header_frames) <= 480, f"speaker file: {header_frames} frames in the header, {file_frames} there")
    # The same devices and socket must be free for the next one at once.
    door.start()
    again = await asyncio.to_thread(scene.playing, door)
    scene.fact(f"plays again after {again['first_remote_frame_ms']} ms")


async def eventually_async(condition, timeout):
    return await asyncio.to_thread(eventually, condition, timeout)


async def needs(scene):
    """one two-way VGA call: memory, threads, CPU and size of the program"""
    video = {"camera": {"width": 640, "height": 480, "frames-per-second": 30}, "video": {"maximum-bitrate": "1Mbit/s"}}
    door = scene.endpoint("door", extra=video)
    desk = scene.endpoint("desk", microphone="tone:660", extra=video)
    for endpoint in (door, desk):
        await asyncio.to_thread(scene.playing, endpoint)
    await asyncio.sleep(5)
    cpu, begin = processes.cpu_seconds(desk.pid), time.monotonic()
    await asyncio.sleep(15)
    share = (processes.cpu_seconds(desk.pid) - cpu) / (time.monotonic() - begin)
    problems = []
    # Only one hosts the lobby as well; both must keep within the bounds.
    for endpoint in (door, desk):
        rss, dirty = processes.memory(endpoint.pid)
        threads = processes.thread_names(endpoint.pid)
        print(f"  {endpoint.participant}: {rss} KiB resident, {dirty} KiB private dirty, {len(threads)} threads "
              f"({', '.join(threads)})\n{processes.memory_table(endpoint.pid)}", flush=True)
        for what, value, bound in (("RSS", rss, RSS_KIB), ("private dirty", dirty, DIRTY_KIB)):
            if value > bound:
                problems.append(f"{endpoint.participant}: {what} {value} KiB, at most {bound}")
        if len(threads) > THREADS:
            problems.append(f"{endpoint.participant}: {len(threads)} threads, at most {THREADS}: {threads}")
        scene.fact(f"{endpoint.participant} {rss / 1024:.1f} MB, {dirty / 1024:.1f} MB dirty, {len(threads)} threads")
    size = os.path.getsize(PROGRAM)
    if size > BINARY_BYTES:
        problems.append(f"the program has {size} bytes, at most {BINARY_BYTES}")
    scene.fact(f"{share:.0%} of a core, program {size / 1024 / 1024:.1f} MB")
    scene.check(not problems, "; ".join(problems))


async def comings_and_goings(scene):
    """50 participants come, play and go; no thread, descriptor or memory stays"""
    door = scene.endpoint("door", camera="test-pattern", extra={"camera": {"width": 160, "height": 120, "frames-per-second": 10}})
    await asyncio.to_thread(scene.joined, door)

    async def visit(number):
        peer = RoomPeer("aiortc", f"visitor-{number}", 1_170)
        try:
            await peer.join()
            scene.check(await peer.wait_for_media("door", seconds_of_sound=0.1, picture_count=1, timeout=15),
                        f"visitor {number} received nothing: {peer.problems}")
        finally:
            await peer.leave()

    async def settled():
        scene.check(await eventually_async(lambda: not door.status()["participants"], 20), "visitors stay in the room")
        await asyncio.sleep(2)
        return len(processes.thread_names(door.pid)), len(processes.descriptors(door.pid)), processes.memory(door.pid)[1]

    for number in range(5):
        await visit(number)
    threads, descriptors, dirty = await settled()
    for number in range(5, 55):
        await visit(number)
    threads_after, descriptors_after, dirty_after = await settled()
    scene.fact(f"threads {threads} → {threads_after}, descriptors {descriptors} → {descriptors_after}, "
               f"dirty {dirty} → {dirty_after} KiB")
    scene.check(threads_after <= threads, f"threads: {processes.thread_names(door.pid)}")
    scene.check(descriptors_after <= descriptors, f"descriptors: {processes.descriptors(door.pid)}")
    scene.check(dirty_after - dirty <= 4_096, f"{dirty_after - dirty} KiB more memory after 50 visits")


SCENARIOS = [quality, crash, leaving, needs, comings_and_goings]
