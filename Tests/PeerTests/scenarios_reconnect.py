"""Two endpoints and a lobby, each on a machine of its own, whose network is taken from them in every way.

The times are the bounds of the issue plus what a busy machine needs to tell them.
"""

import asyncio
import os
import subprocess
import sys
import time

import tiny_dns
from endpoint import PROGRAM, Endpoint
from networks import HUB_ADDRESS, Networks
from scene import eventually
from watch import Watch

PORT = 8080
DOOR, DESK, OTHER = "10.78.0.11", "10.78.0.12", "10.78.0.21"
# Status is asked every 50 ms or so, and sound counts as heard when a tenth of a second of it came.
MEASURING = 0.5
SETTLED = 4


class Reconnect:
    """The machines of one scenario: the hub with the lobby, a door and a desk."""

    def __init__(self, scene):
        self.scene, self.networks = scene, Networks()
        scene.closers.callback(self.networks.close)
        self.door, self.desk = (self.networks.machine(name, address) for name, address in (("door", DOOR), ("desk", DESK)))
        self.key_file = os.path.join(scene.folder, "lobby.keys")
        descriptor = os.open(self.key_file, os.O_WRONLY | os.O_CREAT, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write("tests: a-secret-of-the-tests-that-is-long-enough\n")
        self.lobby = None
        self.watches = {}

    def start_lobby(self):
        log = open(os.path.join(self.scene.folder, "lobby.log"), "ab")
        self.lobby = subprocess.Popen(
            self.networks.hub_command(PROGRAM, "lobby", "--address", HUB_ADDRESS, "--port", str(PORT), "--key-file", self.key_file),
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        log.close()
        self.scene.closers.callback(self.kill_lobby)
        self.scene.check(eventually(self.listens, 10, 0.05), "the lobby does not listen")

    def listens(self):
        """Whether the lobby's port is open."""
        return f"{HUB_ADDRESS}:{PORT}" in self.networks.in_hub("ss", "-Hltn").stdout

    def kill_lobby(self):
        if self.lobby and self.lobby.poll() is None:
            self.lobby.kill()
            self.lobby.wait(5)

    def endpoint(self, machine, microphone, wrapper=(), host=HUB_ADDRESS, **sections):
        name = machine.name
        token = subprocess.run(
            [PROGRAM, "token", "--key-file", self.key_file, "--room", "reception", "--id", name], capture_output=True,
            stdin=subprocess.DEVNULL, text=True, check=True).stdout.strip()
        extra = {"room": {"url": f"ws://{host}:{PORT}/ws", "token": token},
                 "camera": {"width": 160, "height": 120, "frames-per-second": 10}, "log": {"level": "info"}, **sections}
        endpoint = Endpoint(os.path.join(self.scene.folder, name), name, microphone=microphone, extra=extra,
                            wrapper=machine.command(*wrapper))
        self.scene.endpoints.append(endpoint)
        return endpoint.start()

    async def call(self, **options):
        """Both endpoints in the room, hearing each other; from then on they are watched."""
        self.start_lobby()
        for machine, tone in ((self.door, "tone:440"), (self.desk, "tone:660")):
            endpoint = self.endpoint(machine, tone, **options)
            self.watches[machine.name] = Watch(endpoint)
            self.scene.closers.callback(self.watches[machine.name].end)
        await self.both("do not hear each other", 20, lambda watch: bool(watch.samples) and watch.samples[-1][3] > 0.5)
        await asyncio.sleep(SETTLED)
        return self.watches["door"], self.watches["desk"]

    async def both(self, problem, timeout, condition):
        """Waits until the condition holds for both watches; its two values."""
        values = await asyncio.gather(*[asyncio.to_thread(watch.wait, condition, timeout) for watch in self.watches.values()])
        self.scene.check(None not in values, f"{problem} within {timeout} s: {dict(zip(self.watches, values))}")
        return values

    async def heard_again(self, moment, limit, timeout=30):
        """Both hear each other again; prints and judges the later time."""
        seconds = max(await self.both("are not heard again", timeout, lambda watch: watch.sound_after(moment)))
        self.scene.fact(f"heard again after {seconds:.2f} s")
        self.scene.check(seconds <= limit + MEASURING, f"heard again after {seconds:.2f} s, {limit} wanted")

    def same_session(self, since):
        for name, watch in self.watches.items():
            self.scene.check(watch.joins == watch.joins_at(since), f"{name} joined again")


async def _cut(scene, seconds):
    room = Reconnect(scene)
    door, desk = await room.call()
    begin = time.monotonic()
    room.door.cut()
    await asyncio.sleep(seconds)
    room.door.mend()
    return room, door, desk, begin, time.monotonic()


async def a_link_cut_for_three_seconds(scene):
    """the cable of one machine is out for 3 s: the same session goes on"""
    room, _, _, begin, mended = await _cut(scene, 3)
    await room.heard_again(mended, 1)
    await asyncio.sleep(3)
    room.same_session(begin)


async def a_link_cut_for_fifteen_seconds(scene):
    """the cable of one machine is out for 15 s: it joins again"""
    room, door, _, _, mended = await _cut(scene, 15)
    seconds = await asyncio.to_thread(door.wait, lambda watch: watch.joined_after(mended), 20)
    scene.check(seconds is not None, "the door did not join again")
    scene.fact(f"joined again after {seconds:.2f} s")
    scene.check(seconds <= 3 + MEASURING, f"joined again after {seconds:.2f} s, 3 wanted")
    await room.heard_again(mended, 4)


async def an_address_that_changes(scene):
    """another interface comes and the first one goes: a new path, no new join"""
    room = Reconnect(scene)
    await room.call()
    begin = time.monotonic()
    room.door.plug("eth1", OTHER)
    await asyncio.sleep(0.2)
    room.door.unplug("eth0")
    changed = time.monotonic()
    await room.heard_again(changed, 2)
    log = room.scene.endpoints[0].log()
    scene.check("looks for a new path: the addresses changed" in log, "the door did not look for a new path")
    scene.check("made anew" not in log, "the connection was made anew")
    # The connection to the lobby is bound to the address that went; what is heard does not wait for another one.
    scene.check(room.watches["desk"].joins == room.watches["desk"].joins_at(begin), "the desk joined again")


async def an_address_that_is_replaced(scene):
    """the only address goes and another one comes a second later: the room and a path by the new one"""
    room = Reconnect(scene)
    door, _ = await room.call()
    room.door.run("ip", "addr", "flush", "dev", "eth0", "scope", "global")
    await asyncio.sleep(1)
    room.door.run("ip", "addr", "add", f"{OTHER}/24", "dev", "eth0")
    changed = time.monotonic()
    await room.heard_again(changed, 4)
    scene.check("made anew" not in scene.endpoints[0].log(), "the connection was made anew")
    seconds = await asyncio.to_thread(door.wait, lambda watch: watch.joined_after(changed - 1), 20)
    scene.fact("the same room connection" if seconds is None else f"joined again after {max(0, seconds - 1):.2f} s")


async def an_address_that_comes(scene):
    """a second interface comes while the first one stays: one ICE restart, no new join, no pause"""
    room = Reconnect(scene)
    door, desk = await room.call()
    begin = time.monotonic()
    room.door.plug("eth1", OTHER)
    found = await asyncio.to_thread(eventually, lambda: "the addresses changed" in room.scene.endpoints[0].log(), 5, 0.05)
    scene.check(found, "the door did not look for a new path")
    scene.fact(f"new path looked for after {time.monotonic() - begin:.2f} s")
    await asyncio.sleep(4)
    end = time.monotonic() - 0.5
    silence = max(watch.missing_sound(begin, end) for watch in (door, desk))
    scene.fact(f"missing sound {silence:.2f} s")
    scene.check(silence <= 0.5, f"{silence:.2f} s of sound are missing")
    room.same_session(begin)
    scene.check(room.scene.endpoints[0].log().count("the addresses changed") == 1, "more than one restart")


async def one_way_loss(scene):
    """nothing of the door arrives at the desk for 12 s, only the other way works"""
    room = Reconnect(scene)
    await room.call()
    begin = time.monotonic()
    room.desk.drop(f"ip saddr {DOOR} meta l4proto udp")
    noticed = await asyncio.to_thread(
        eventually, lambda: "next: restartICE" in room.scene.endpoints[0].log() + room.scene.endpoints[1].log(), 12, 0.05)
    scene.check(noticed, "nobody noticed")
    scene.fact(f"noticed after {time.monotonic() - begin:.2f} s")
    await asyncio.sleep(max(0, begin + 12 - time.monotonic()))
    room.desk.drop()
    mended = time.monotonic()
    await room.heard_again(mended, 6)


async def a_lobby_that_is_killed(scene):
    """the lobby is killed and started 5 s later: media never stops"""
    room = Reconnect(scene)
    door, desk = await room.call()
    begin = time.monotonic()
    room.kill_lobby()
    await asyncio.sleep(5)
    room.start_lobby()
    listening = time.monotonic()
    # An endpoint may be quicker than whoever looks at the port here.
    seconds = [max(0.0, begin + after - listening)
               for after in await room.both("did not join again", 20, lambda watch: watch.joined_after(begin))]
    scene.fact(f"joined again after {max(seconds):.2f} s")
    await asyncio.sleep(5)
    silence = max(watch.missing_sound(begin, time.monotonic() - 0.5) for watch in (door, desk))
    scene.fact(f"missing sound {silence:.2f} s")
    scene.check(max(seconds) <= 2 + MEASURING, f"joined again after {max(seconds):.2f} s, 2 wanted")
    scene.check(silence <= 0.5, f"{silence:.2f} s of sound are missing")
    for endpoint in scene.endpoints:
        scene.check("made anew" not in endpoint.log(), f"{endpoint.participant} made its connection anew")


async def a_name_that_does_not_resolve(scene):
    """the lobby's name does not resolve for 6 s from the start, and not any more when the lobby is restarted in a call"""
    room = Reconnect(scene)
    resolver = os.path.join(scene.folder, "resolv.conf")
    with open(resolver, "w", encoding="ascii") as file:
        file.write(f"nameserver {HUB_ADDRESS}\noptions timeout:1 attempts:1\n")
    answers = os.path.join(scene.folder, "lobby.resolves")
    server = subprocess.Popen(
        room.networks.hub_command(sys.executable, tiny_dns.__file__, HUB_ADDRESS, "lobby.test", HUB_ADDRESS, answers),
        stdin=subprocess.DEVNULL)
    scene.closers.callback(server.kill)
    # `ip netns exec` gives the command a mount namespace of its own.
    wrapper = ("sh", "-c", f"mount --bind {resolver} /etc/resolv.conf && exec \"$@\"", "sh")
    calling = asyncio.create_task(room.call(wrapper=wrapper, host="lobby.test"))
    await asyncio.sleep(8)
    scene.check(len(room.watches) == 2 and not any(watch.joins for watch in room.watches.values()), "joined without a name")
    open(answers, "w", encoding="ascii").close()
    resolving = time.monotonic()
    door, desk = await calling
    first = max(watch.joined_after(resolving) for watch in (door, desk))
    scene.fact(f"joined {first:.2f} s after the name resolved")
    scene.check(first <= 2 + MEASURING, f"joined {first:.2f} s after the name resolved, 2 wanted")
    # In a call: the address of before is as good as a name.
    begin = time.monotonic()
    os.unlink(answers)
    room.kill_lobby()
    await asyncio.sleep(1)
    room.start_lobby()
    listening = time.monotonic()
    again = [max(0.0, begin + after - listening)
             for after in await room.both("did not join again", 20, lambda watch: watch.joined_after(begin))]
    scene.fact(f"joined again without a name after {max(again):.2f} s")
    scene.check(max(again) <= 2 + MEASURING, f"joined again after {max(again):.2f} s, 2 wanted")
    silence = max(watch.missing_sound(begin, time.monotonic() - 0.5) for watch in (door, desk))
    scene.fact(f"missing sound {silence:.2f} s")
    scene.check(silence <= 0.5, f"{silence:.2f} s of sound are missing")


async def only_a_relay_by_tcp_is_reached(scene):
    """UDP is blocked and the machines do not reach each other: media by TURN over TCP"""
    room = Reconnect(scene)
    relay = _Relay(scene, room.networks)
    room.door.drop("meta l4proto udp", f"ip saddr {DESK}")
    room.desk.drop("meta l4proto udp", f"ip saddr {DOOR}")
    room.start_lobby()
    servers = [{"urls": [f"turn:{HUB_ADDRESS}:{relay.PORT}?transport=tcp"], "username": "alice", "credential": "secret"}]
    for machine, tone in ((room.door, "tone:440"), (room.desk, "tone:660")):
        room.watches[machine.name] = Watch(room.endpoint(machine, tone, ice={"servers": servers}))
        scene.closers.callback(room.watches[machine.name].end)
    await room.both("did not join", 20, lambda watch: watch.joins > 0)
    joined = max(next(sample[0] for sample in watch.samples if sample[2] > 0) for watch in room.watches.values())
    seconds = max(await room.both("do not hear each other", 30, lambda watch: watch.sound_after(joined)))
    scene.fact(f"heard {seconds:.2f} s after the join")
    scene.check(seconds <= 5 + MEASURING, f"heard {seconds:.2f} s after the join, 5 wanted")


class _Relay:
    """coturn in the hub."""

    PORT = 3478

    def __init__(self, scene, networks):
        lines = [f"listening-ip={HUB_ADDRESS}", f"relay-ip={HUB_ADDRESS}", f"listening-port={self.PORT}", "no-tls", "no-dtls",
                 "no-udp", "min-port=49160", "max-port=49460", "lt-cred-mech", "realm=test.local", "user=alice:secret",
                 "fingerprint", "no-cli", "cli-password=unused", "log-file=stdout", "simple-log",
                 f"pidfile={scene.folder}/turn.pid", f"userdb={scene.folder}/turndb"]
        with open(os.path.join(scene.folder, "turnserver.conf"), "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        with open(os.path.join(scene.folder, "turnserver.log"), "wb") as log:
            process = subprocess.Popen(networks.hub_command("turnserver", "-c", f"{scene.folder}/turnserver.conf"), stdout=log,
                                       stderr=log, stdin=subprocess.DEVNULL)
        scene.closers.callback(process.wait, 5)
        scene.closers.callback(process.terminate)
        scene.check(eventually(lambda: f":{self.PORT}" in networks.in_hub("ss", "-Hltn").stdout, 10), "the relay does not start")


async def consent_that_is_not_renewed(scene):
    """the checks of ICE get no answer while everything else passes: nothing is sent 30 s after the last answer"""
    room = Reconnect(scene)
    await room.call()
    # What arrives at the desk is what the door sends.
    count = room.desk.udp_counter()
    for machine in (room.door, room.desk):
        machine.drop("meta l4proto udp @th,96,32 0x2112a442")
    begin = time.monotonic()
    stopped = None
    before, moving = count(), begin
    while time.monotonic() < begin + 45:
        await asyncio.sleep(0.25)
        now = count()
        if now > before:
            before, moving = now, time.monotonic()
            scene.check(moving <= begin + 31, f"media is sent {moving - begin:.1f} s after the last answer")
        if time.monotonic() > begin + 31 and time.monotonic() - moving > 5:
            stopped = moving - begin
            break
    scene.check(stopped is not None, "media does not stop")
    scene.fact(f"last packet {stopped:.1f} s after the last answer")
    for machine in (room.door, room.desk):
        machine.drop()
    await room.heard_again(time.monotonic(), 20, 40)


SCENARIOS = [
    a_link_cut_for_three_seconds, a_link_cut_for_fifteen_seconds, an_address_that_changes, an_address_that_comes,
    an_address_that_is_replaced, one_way_loss,
    a_lobby_that_is_killed, a_name_that_does_not_resolve, only_a_relay_by_tcp_is_reached, consent_that_is_not_renewed,
]
