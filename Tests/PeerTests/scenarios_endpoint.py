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

# What counts as going on, in a test that asks a few times a second on a busy machine.
MOST_MISSING_SECONDS = 2.5


async def quality(scene):
    """a real clip at 640x480 and 1 Mbit/s, and real speech, from one endpoint to another"""
    clip, speech = material.real_clip(), material.speech_file()
    door = scene.endpoint("door", camera=f"file:{clip}", microphone=f"file:{speech}", extra={
        "camera": {"width": 640, "height": 480, "frames-per-second": 25},
        "video": {"maximum-bitrate": "1Mbit/s", "start-bitrate": "1Mbit/s"}})
    desk = scene.endpoint(
        # Pictures are compared pixel by pixel.
        "desk", microphone="tone:440", extra={"display": {"preview": False, "names": False}},
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
    """STOI of the last 20 s that the speaker played against the looped source, aligned block by block: a jitter buffer
    may shift time by leaving out or stretching a moment, which is not what STOI is to judge."""
    source, _ = sound.read_wav(speech)
    played, _ = sound.read_wav(endpoint.wav_path)
    looped = np.concatenate([source, source])
    block, reference, offsets = sound.RATE // 2, [], []
    played = played[-20 * sound.RATE :]
    for start in range(0, len(played) - block + 1, block):
        at = sound.offset_of(played[start : start + block], looped)
        reference.append(looped[at : at + block])
        offsets.append((at - start) % len(source))
    played = played[: block * len(reference)]
    value = stoi(np.concatenate(reference), played, sound.RATE)
    shifts = sum(abs(after - before) > 48 for before, after in zip(offsets, offsets[1:]))
    scene.fact(f"STOI {value:.3f}, time shifted between {shifts} of {len(offsets)} half seconds")
    scene.check(value >= 0.9, f"STOI {value:.3f}, 0.9 wanted")
    # Blocks that found their place anywhere would make a reference of anything.
    scene.check(shifts <= len(offsets) // 2, f"the speech jumps: offsets {[round(o / 48) for o in offsets]} ms")


def progress(status):
    """(pictures, seconds of sound) played from each participant so far."""
    return {entry["id"]: (entry["video"]["frames"], entry["audio"]["played_seconds"])
            for entry in status["participants"] if "video" in entry and "audio" in entry}


async def crash(scene):
    """three endpoints and a browser; one endpoint is killed by SIGKILL"""
    endpoints = await call_of_three(scene)
    browser = await scenarios_peers.open_browser(scene)
    await everybody_plays(scene, endpoints[:2], 3)
    await scenarios_peers.check_browser_plays(scene, browser, count=3, tones=(440, 660, 880))
    await lose(scene, endpoints, signal.SIGKILL, browser)
    await scenarios_peers.check_browser_plays(scene, browser, count=2, tones=(440, 660))


async def freeze(scene):
    """three endpoints; one freezes, so that only its silence tells"""
    endpoints = await call_of_three(scene)
    await everybody_plays(scene, endpoints[:2], 2)
    await lose(scene, endpoints, signal.SIGSTOP)
    endpoints[2].kill()


async def call_of_three(scene):
    """Started endpoints: the one with the lobby, another, and the victim."""
    door = scene.endpoint("door", microphone="tone:440")
    await asyncio.to_thread(scene.joined, door)
    return door, scene.endpoint("desk", microphone="tone:660"), scene.endpoint("victim", microphone="tone:880")


async def everybody_plays(scene, endpoints, others):
    for endpoint in endpoints:
        everybody = await asyncio.to_thread(
            endpoint.wait_for, lambda status: len(progress(status)) == others and all(
                frames > 0 and seconds > 0 for frames, seconds in progress(status).values()), 40)
        scene.check(everybody, f"{endpoint.participant} does not play {others} others: {endpoint.status()}")


async def lose(scene, endpoints, number, browser=None):
    """Sends the victim the signal; the others must notice within 15 s and never stop playing the rest."""
    victim, survivors = endpoints[2], endpoints[:2]
    victim.process.send_signal(number)
    lost = time.monotonic()
    noticed, page = {}, PageWatch(browser)
    watches = [EndpointWatch(scene, endpoint, victim.participant) for endpoint in survivors]
    while time.monotonic() < lost + 20:
        for watch in watches:
            if watch.look():
                noticed.setdefault(watch.endpoint.participant, time.monotonic() - lost)
        if browser and await page.look() == 2:
            noticed.setdefault("browser", time.monotonic() - lost)
        # A while longer, to see that the rest really goes on.
        if len(noticed) == len(watches) + bool(browser) and time.monotonic() - lost > max(6, *noticed.values()):
            break
        await asyncio.sleep(0.2)
    scene.check(len(noticed) == len(watches) + bool(browser), f"only these noticed within 20 s: {noticed}")
    scene.check(max(noticed.values()) <= 15, f"noticed after {noticed}")
    for watch in watches:
        scene.check(watch.longest_stall <= MOST_MISSING_SECONDS, f"{watch.endpoint.participant} stood still for {watch.longest_stall:.1f} s")
    scene.check(page.longest_stall <= MOST_MISSING_SECONDS, f"the browser's other videos stood still for {page.longest_stall:.1f} s")
    scene.fact("noticed after " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in noticed.items()) +
               f"; longest stall {max(watch.longest_stall for watch in watches):.1f} s")


class EndpointWatch:
    """Whether an endpoint still has the victim, and how long the pictures or the sound of any other one stood still."""

    def __init__(self, scene, endpoint, victim):
        self.scene, self.endpoint, self.victim = scene, endpoint, victim
        self.last, self.moved, self.longest_stall = progress(endpoint.status()), time.monotonic(), 0.0
        self.first, self.begin = self.last, self.moved

    def look(self):
        """True when the victim has gone."""
        status, moment = self.endpoint.status(), time.monotonic()
        self.scene.check(status, f"{self.endpoint.participant} does not answer")
        present = progress(status)
        others = [name for name in self.last if name != self.victim]
        self.scene.check(all(name in present for name in others), f"{self.endpoint.participant} lost somebody else: {present}")
        self.longest_stall = max(self.longest_stall, moment - self.moved)
        if all(present[name][0] > self.last[name][0] and present[name][1] > self.last[name][1] for name in others):
            self.last, self.moved = present, moment
        for name in others:
            seconds = present[name][1] - self.first[name][1]
            self.scene.check(seconds >= moment - self.begin - MOST_MISSING_SECONDS, f"{self.endpoint.participant} "
                             f"played {seconds:.1f} s of {name} within {moment - self.begin:.1f} s")
        return self.victim not in [entry["id"] for entry in status["participants"]]


class PageWatch:
    """How many remote videos the page shows, and how long fewer than two of them moved."""

    def __init__(self, browser):
        self.browser, self.times, self.moved, self.longest_stall = browser, {}, {}, 0.0

    async def look(self):
        moment = time.monotonic()
        entries = await self.browser.script("callboxTest.remoteMoments()")
        for entry in entries:
            if self.times.get(entry["id"]) != entry["time"]:
                self.times[entry["id"]], self.moved[entry["id"]] = entry["time"], moment
        # The second youngest movement is the older one of the two that must go on.
        ages = sorted(moment - self.moved[entry["id"]] for entry in entries)
        if len(ages) > 1:
            self.longest_stall = max(self.longest_stall, ages[1])
        return len(entries)


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


SCENARIOS = [quality, crash, freeze, leaving, needs, comings_and_goings]
