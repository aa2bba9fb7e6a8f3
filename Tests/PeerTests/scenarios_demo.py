"""Tools/demo as a user runs it; the machine has nothing but a loopback interface here."""

import asyncio
import json
import os
import pty
import select
import signal
import socket
import subprocess
import time
import urllib.request

import material
import pictures
import sound

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def start(*arguments):
    return subprocess.Popen([os.path.join(TOP, "Tools", "demo"), "--no-build", *arguments], cwd=TOP,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(process, timeout):
    output, _ = process.communicate(timeout=timeout)
    return process.returncode, output


async def twice(scene):
    """two runs, one behind the other: figures, pictures and sound of both endpoints"""
    for number in (1, 2):
        path = os.path.join(scene.folder, f"run{number}", "result.json")
        code, output = await asyncio.to_thread(finish, start("--seconds", "8", "--json", path), 60)
        scene.check(code == 0, f"run {number} ended with {code}:\n{output[-1500:]}")
        for word in ("joined", "playing", "pictures/s", "dBov", "http://localhost:8080/#/reception"):
            scene.check(word in output, f"run {number} does not print '{word}':\n{output[-1500:]}")
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        endpoints = result["endpoints"]
        check_lights(scene, result["leds"])
        scene.check(sorted(endpoints) == ["desk", "door"], f"endpoints: {sorted(endpoints)}")
        for name, tone in (("door", 660), ("desk", 440)):
            check_figures(scene, name, endpoints[name])
            base = os.path.join(os.path.dirname(path), f"result-{name}")
            samples, rate = sound.read_wav(f"{base}.wav")
            scene.tone(f"{name}'s WAV", samples[: len(samples) - rate // 2], tone, 2.0, rate)
            scene.rising(f"{name}'s snapshots", pictures.counters_in(f"{base}-snapshots"))
            scene.check(pictures.counter_of(pictures.read_rgb(f"{base}.png")) is not None, f"{base}.png has no counter")


def check_lights(scene, changes):
    """The scripted presses, as the LEDs of both endpoints show them."""
    for name, wanted in (("door", ["call ringing", "call in-call", "microphone muted"]), ("desk", ["call ringing", "call in-call"])):
        said = [change["leds"] for change in changes if change["endpoint"] == name]
        for words in wanted:
            scene.check(any(words in leds for leds in said), f"{name}'s LEDs never say '{words}': {said}")
        scene.check(said[-1].find("in-call") < 0 and "muted" not in said[-1], f"{name}'s LEDs say at the end: {said[-1]}")


def check_figures(scene, name, figures):
    for key in ("joined_ms", "first_remote_frame_ms", "first_remote_audio_ms", "cpu_s", "rss_kib", "private_dirty_kib",
                "threads", "leaving_ms"):
        scene.check(isinstance(figures.get(key), (int, float)) and figures[key] > 0, f"{name}: {key} is {figures.get(key)}")
    for direction in ("sent", "played"):
        scene.check(figures[direction]["frames"] >= 60 and figures[direction]["audio_seconds"] >= 4,
                    f"{name} {direction}: {figures[direction]}")
    scene.check(figures["played"]["concealed_seconds"] is not None, f"{name}: no concealed_seconds")
    scene.fact(f"{name} joined {figures['joined_ms']} ms, first picture {figures['first_remote_frame_ms']} ms, "
               f"first sound {figures['first_remote_audio_ms']} ms")


async def files_instead_of_devices(scene):
    """--camera and --microphone with files"""
    path = os.path.join(scene.folder, "result.json")
    code, output = await asyncio.to_thread(finish, start(
        "--seconds", "8", "--json", path, "--camera", f"file:{material.real_clip()}",
        "--microphone", f"file:{material.speech_file()}", "--port", "8090", "--room", "workshop"), 60)
    scene.check(code == 0, f"it ended with {code}:\n{output[-1500:]}")
    scene.check("http://localhost:8090/#/workshop" in output, "the link names another room or port")
    scene.rising("desk's snapshots", pictures.counters_in(os.path.join(scene.folder, "result-desk-snapshots")))


async def interrupted(scene):
    """Ctrl-C ends it cleanly, with every process gone"""
    process = start()
    await asyncio.sleep(5)
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False).stdout.split()
    scene.check(len(children) >= 2, f"two endpoints should run, children: {children}")
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    code, output = await asyncio.to_thread(finish, process, 20)
    scene.check(code == 0, f"it ended with {code}:\n{output[-1500:]}")
    scene.check(output.count(" left after ") == 2, f"not both endpoints left:\n{output[-1500:]}")
    scene.check(not [child for child in children if os.path.exists(f"/proc/{child}")], "an endpoint still runs")
    scene.fact(f"gone after {time.monotonic() - begin:.1f} s")


async def port_in_use(scene):
    """a port that is taken is named, and the exit code is 1"""
    with socket.create_server(("127.0.0.1", 8080)):
        code, output = await asyncio.to_thread(finish, start("--seconds", "3"), 30)
    scene.check(code == 1 and "8080" in output and "in use" in output, f"it ended with {code}: {output}")


async def by_keyboard(scene):
    """a person at a terminal rings, answers, mutes, opens the lock, hangs up and ends it"""
    master, slave = pty.openpty()
    process = subprocess.Popen([os.path.join(TOP, "Tools", "demo"), "--no-build"], cwd=TOP, stdin=slave, stdout=slave,
                               stderr=slave, start_new_session=True)
    os.close(slave)
    terminal = Terminal(master)
    try:
        await terminal.wait(scene, "q end", 30)
        # Of the line that is drawn again and again: what must be in it, and how often.
        for key, words, count in (("b", "ringing", 2), ("a", "in-call", 2), ("m", "██\033[0mM", 1), ("m", "░░\033[0mM", 2),
                                  ("o", "██\033[0mL", 1), ("i", "pictures/s", 1), ("b", "publishing", 2)):
            terminal.press(key)
            await terminal.wait(scene, words, 10, count)
            if words == "in-call":
                await asyncio.to_thread(check_screens, scene)
        terminal.press("q")
        code = await asyncio.to_thread(process.wait, 20)
    finally:
        if process.poll() is None:
            process.kill()
        os.close(master)
    scene.check(code == 0, f"it ended with {code}:\n{terminal.text[-1500:]}")
    scene.fact("every key did what it says")


def check_screens(scene):
    """The page with both screens, during the call."""
    def get(path):
        with urllib.request.urlopen(f"http://localhost:8081/{path}", timeout=5) as reply:
            return reply.read()

    scene.check(b"http://localhost:8080/#/reception" in get(""), "the page has no link to the room")
    state = json.loads(get("state"))
    for name in ("door", "desk"):
        scene.check(any(light["words"] == "in-call" and light["name"] == "call" for light in state[name]["lights"]), f"{state[name]}")
        scene.check(get(f"{name}.png").startswith(b"\x89PNG"), f"{name}'s screen is no picture")


class Terminal:
    """The other end of a program's terminal."""

    def __init__(self, descriptor):
        self.descriptor, self.text = descriptor, ""

    def press(self, key):
        # What was shown before does not count.
        self.text = ""
        os.write(self.descriptor, key.encode())

    async def wait(self, scene, words, seconds, count=1):
        end = time.monotonic() + seconds
        while not any(line.count(words) >= count for line in self.text.split("\r")):
            scene.check(time.monotonic() < end, f"'{words}' is not shown:\n{self.text[-1500:]}")
            ready, _, _ = await asyncio.to_thread(select.select, [self.descriptor], [], [], 0.2)
            if ready:
                try:
                    self.text += os.read(self.descriptor, 65_536).decode(errors="replace")
                except OSError as problem:
                    scene.check(False, f"the program is gone ({problem}):\n{self.text[-1500:]}")


SCENARIOS = [twice, by_keyboard, files_instead_of_devices, interrupted, port_in_use]
