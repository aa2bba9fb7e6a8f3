"""Wrong files, missing devices, ports in use, bad tokens, garbage: a clear error or a counted drop, and nothing else disturbed."""

import asyncio
import os
import random
import socket
import subprocess

import websockets

from endpoint import PROGRAM, TOP, Endpoint
from lobby_client import LobbyClient, LobbyError
from scene import eventually, udp_ports


def callbox(*arguments, timeout=10):
    """(exit code, output) of one command."""
    result = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            timeout=timeout, check=False, env={**os.environ, "CALLBOX_BOARDS": os.path.join(TOP, "Board")})
    return result.returncode, result.stdout.decode(errors="replace")


def refused(scene, what, result, *words):
    """The command ended with an error that has all these words, and not by a crash."""
    code, output = result
    scene.check(0 < code < 128, f"{what}: ended with {code}: {output[-400:]}")
    for word in words:
        scene.check(word.lower() in output.lower(), f"{what}: '{word}' is not in: {output[-400:]}")
    scene.check("fatal error" not in output.lower(), f"{what}: {output[-400:]}")


async def wrong_configuration(scene):
    """files that are missing, not YAML, or have wrong keys and values"""
    path = os.path.join(scene.folder, "callbox.yaml")

    def written(text, mode="w"):
        with open(path, mode) as file:
            file.write(text)
        return path

    refused(scene, "no file", callbox("run", "--config", path + ".missing"), "callbox.yaml.missing")
    refused(scene, "a folder", callbox("check", scene.folder), scene.folder)
    refused(scene, "not YAML", callbox("check", written("room: [unclosed\n  : :")), f"{path}:")
    refused(scene, "binary", callbox("check", written(bytes(range(256)) * 40, "wb")), path)
    refused(scene, "deep", callbox("check", written("[" * 20_000)), path)
    refused(scene, "huge", callbox("check", written("# " + "x" * 20_000_000)), path)
    text = "camera:\n  devcie: test-pattern\n  width: enormous\nlobby:\n  port: 99999\n"
    result = callbox("run", "--config", written(text))
    refused(scene, "wrong keys", result, f"{path}:2:3", "camera.devcie", "did you mean", "device", f"{path}:3:10",
            "camera.width", f"{path}:5:9", "lobby.port")
    refused(scene, "no option", callbox("run", "--confg", path), "confg")
    refused(scene, "no command", callbox("dance"), "dance")
    refused(scene, "no endpoint", callbox("status", "--socket", os.path.join(scene.folder, "none")), "none")
    scene.fact("10 kinds refused with their place")


async def readme_configurations(scene):
    """every configuration in the README is good as it stands"""
    with open(os.path.join(TOP, "README.md"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    texts, inside = [], False
    for line in lines:
        bare = line.strip()
        is_code = line.startswith("    ") and bare != ""
        if is_code and not inside and bare.split(":")[0] in ("board", "device", "room"):
            texts.append([])
            inside = True
        if inside and not is_code:
            inside = False
        if inside:
            texts[-1].append(line)
    scene.check(len(texts) >= 2, f"only {len(texts)} configurations found")
    for number, text in enumerate(texts):
        indent = len(text[0]) - len(text[0].lstrip())
        path = os.path.join(scene.folder, f"readme-{number}.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(line[indent:] + "\n" for line in text))
        code, output = callbox("check", path)
        scene.check(code == 0, f"{text[0].strip()}: {output}")
    scene.fact(f"{len(texts)} configurations")


async def missing_devices(scene):
    """camera, microphone and speaker that are missing or wrong do not end the call"""
    empty, text = os.path.join(scene.folder, "empty.wav"), os.path.join(scene.folder, "text.y4m")
    for path in (empty, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write("" if path == empty else "this is no picture\n" * 100)
    broken = scene.endpoint("broken", camera="/dev/video-of-nobody", microphone="card:Nobody", speaker="card:Nobody")
    wrong = scene.endpoint("wrong", camera=f"file:{text}", microphone=f"file:{empty}",
                           speaker="file:/nowhere/speaker.wav")
    good = scene.endpoint("good", microphone="tone:440")
    for endpoint in (broken, wrong, good):
        await asyncio.to_thread(scene.joined, endpoint)
    for endpoint, others in ((good, 2), (broken, 2), (wrong, 2)):
        status = await asyncio.to_thread(
            endpoint.wait_for, lambda status: sum(
                entry.get("connection") == "connected" for entry in status["participants"]) == 2, 20)
        scene.check(status, f"{endpoint.participant} is not connected to {others}: {endpoint.status()}")
    # A placeholder picture comes from those whose camera is broken.
    status = await asyncio.to_thread(
        good.wait_for, lambda status: all(
            entry.get("video", {}).get("frames", 0) > 0 for entry in status["participants"]), 20)
    scene.check(status, f"good sees no placeholder: {good.status()}")
    for endpoint in (broken, wrong):
        faults = {name: device["fault"] for name, device in endpoint.status()["devices"].items() if device["fault"]}
        scene.check(len(faults) >= 3, f"{endpoint.participant} reports only {faults}")
        scene.fact(f"{endpoint.participant}: {'; '.join(sorted(faults.values()))[:200]}")
        scene.check(endpoint.is_running, f"{endpoint.participant} died")


async def port_of_the_lobby_in_use(scene):
    """a lobby whose port is taken says so"""
    taken = socket.create_server(("127.0.0.1", 8080))
    try:
        refused(scene, "callbox lobby", await asyncio.to_thread(callbox, "lobby", "--port", "8080"), "8080", "in use")
        endpoint = Endpoint(os.path.join(scene.folder, "second"), "second", hosts_lobby=True)
        scene.endpoints.append(endpoint.start())
        said = await asyncio.to_thread(
            eventually, lambda: "8080" in endpoint.log() and "in use" in endpoint.log(), 10)
        scene.check(said, "the endpoint does not say that its lobby's port is in use")
        scene.check(endpoint.process.poll() in (None, 1), f"it ended with {endpoint.process.poll()}")
    finally:
        taken.close()


async def tokens(scene):
    """a lobby with a key lets nobody in without a good token; secrets are not logged"""
    key_file, secret = os.path.join(scene.folder, "key"), "0123456789abcdef" * 3
    with open(key_file, "w", encoding="utf-8") as file:
        file.write(f"main: {secret}\n")
    os.chmod(key_file, 0o600)

    def mint(*arguments):
        code, output = callbox("token", "--key-file", key_file, "--id", "door", *arguments)
        scene.check(code == 0, f"callbox token: {output}")
        return output.strip()

    good = mint("--room", "reception")
    other_room = mint("--room", "elsewhere")
    head, body, signature = good.split(".")
    forged = f"{head}.{body}.{signature[:-4]}AAAA"
    unsigned = f"eyJhbGciOiJub25lIn0.{body}."
    token_path = os.path.join(scene.folder, "token")
    with open(token_path, "w", encoding="utf-8") as file:
        file.write(good + "\n")
    os.chmod(token_path, 0o600)
    door = scene.endpoint("door", extra={"lobby": {"key-file": key_file}, "room": {"token-file": token_path}})
    await asyncio.to_thread(scene.joined, door)
    for what, token in (("none", None), ("another room", other_room), ("forged", forged), ("unsigned", unsigned),
                        ("rubbish", "x" * 5_000), ("empty", "")):
        client = await LobbyClient().connect()
        try:
            await client.join(participant="mallory", token=token)
            scene.check(False, f"a token that is {what} was let in")
        except LobbyError as error:
            scene.check(error.code == "refusedToken", f"{what}: {error}")
        await asyncio.wait_for(client._reader, 5)
        scene.check(client.close_code == 4401, f"{what}: closed with {client.close_code}")
    # An endpoint with a bad token says why and keeps living.
    bad_path = os.path.join(scene.folder, "bad-token")
    with open(bad_path, "w", encoding="utf-8") as file:
        file.write(forged + "\n")
    os.chmod(bad_path, 0o600)
    stranger = scene.endpoint("stranger", hosts_lobby=False, extra={"room": {"token-file": bad_path}})
    status = await asyncio.to_thread(stranger.wait_for, lambda status: status["state"] == "loginFailed", 10)
    scene.check(status, f"the stranger's state is {stranger.status()}")
    scene.check(door.status()["participants"] == [], "the door sees somebody who was refused")
    for endpoint in (door, stranger):
        for text in (secret, signature, forged):
            scene.check(text not in endpoint.log(), f"{endpoint.participant} logs a secret")
    scene.fact("6 bad tokens refused")


async def garbage_signalling(scene):
    """broken HTTP and WebSocket messages leave the lobby and its calls alone"""
    door = scene.endpoint("door")
    desk = scene.endpoint("desk", microphone="tone:660")
    for endpoint in (door, desk):
        await asyncio.to_thread(scene.playing, endpoint)
    chance = random.Random(2)
    hostile_sdp = ["", "v=0", "v=0\r\n" * 5_000, "\0" * 100, "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n" * 200,
                   "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=video 99999999999 X " + "1 " * 9_000]
    texts = ["", "{", "[]", "null", "5", '"join"', '{"type":5}', '{"type":"join"}', '{"type":"no such"}',
             '{"type":"join","protocol":1,"room":"","participant":{"id":"x"}}', "[" * 50_000,
             '{"type":"publish","stream":{"id":"door-main"}}', '{"type":"signal","to":"door"}',
             '{"type":"signal","to":"nobody","description":{"type":"offer","sdp":"x"}}', '{"type":"\\ud800"}',
             '{"type":"kick","participant":"door"}', "x" * 200_000]
    for text in texts:
        async with websockets.connect("ws://127.0.0.1:8080/ws", subprotocols=["callbox-lobby"], proxy=None) as client:
            await client.send(text)
            try:
                await asyncio.wait_for(client.recv(), 2)  # an error, or the close
            except (asyncio.TimeoutError, websockets.ConnectionClosed):
                pass
    for payload, code in ((b"\x00\xff", 1003), ("x" * 2_000_000, 1009)):
        async with websockets.connect("ws://127.0.0.1:8080/ws", subprotocols=["callbox-lobby"], proxy=None,
                                      max_size=None) as client:
            try:
                await client.send(payload)
                await asyncio.wait_for(client.wait_closed(), 5)
            except websockets.ConnectionClosed:
                pass
            scene.check(client.close_code in (code, 1006), f"closed with {client.close_code}, {code} wanted")
    await hostile_participant(scene, chance, hostile_sdp)
    for _ in range(30):
        with socket.create_connection(("127.0.0.1", 8080), 5) as connection:
            connection.sendall(chance.choice([b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x16\x03\x01\x02",
                                              b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5_000, chance.randbytes(500)]))
            connection.settimeout(1)
            try:
                scene.check(b"root:" not in connection.recv(4_096), "the lobby serves files of the machine")
            except OSError:
                pass
    await still_calling(scene, door, desk)


async def hostile_participant(scene, chance, hostile_sdp):
    """Sends every participant descriptions and candidates that are broken, and a real offer with changed bytes. The
    lobby closes whoever sends too much of that; then the next one comes."""
    import aiortc

    connection = aiortc.RTCPeerConnection(aiortc.RTCConfiguration(iceServers=[]))
    connection.addTransceiver("audio")
    connection.addTransceiver("video")
    await connection.setLocalDescription(await connection.createOffer())
    real = connection.localDescription.sdp
    await connection.close()
    signals = [{"description": {"type": kind, "sdp": sdp}}
               for kind in ("offer", "answer", "rollback", "pranswer") for sdp in hostile_sdp]
    for _ in range(40):
        changed = bytearray(real.encode())
        for _ in range(chance.randrange(1, 30)):
            changed[chance.randrange(len(changed))] = chance.randrange(32, 127)
        signals.append({"description": {"type": "offer", "sdp": changed.decode()}})
    signals += [{"candidate": {"candidate": text, "sdpMid": "no", "sdpMLineIndex": 4_000_000_000}} for text in (
        "candidate:", "candidate:1 1 UDP 1 999.1.1.1 99999 typ host", "\0", "x" * 10_000,
        "candidate:" + " ".join(["9" * 30] * 30))]
    client, count = None, 0
    for signal in signals:
        try:
            if client is None:
                count += 1
                client = await LobbyClient().connect()
                others = (await client.join(participant=f"mallory-{count}"))["participants"]
            for other in others:
                await client.send({"type": "signal", "to": other["id"], "session": other["session"], **signal})
            await asyncio.sleep(0.05)
        except (ConnectionError, LobbyError, websockets.ConnectionClosed):
            client = None
    if client:
        await client.close()
    scene.fact(f"{len(signals)} hostile signals by {count} participants")


async def garbage_datagrams(scene):
    """noise on an endpoint's UDP ports is dropped and the call goes on"""
    door = scene.endpoint("door")
    desk = scene.endpoint("desk", microphone="tone:660")
    for endpoint in (door, desk):
        await asyncio.to_thread(scene.playing, endpoint)
    ports = [port for family, port in udp_ports(door.pid) if family == socket.AF_INET and port]
    scene.check(ports, "the endpoint has no UDP port")
    chance, sent = random.Random(1), 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for _ in range(400):
            for port in ports:
                # First bytes of STUN, DTLS, RTP, RTCP, TURN channels, and anything.
                first = chance.choice([b"\x00\x01", b"\x16\xfe\xfd", b"\x80\x60", b"\x80\xc8", b"\x40\x00", b""])
                size = chance.choice([0, 1, 4, 12, 20, 100, 1_200, 1_500])
                for address in ("10.77.0.1", "127.0.0.1"):
                    try:
                        sender.sendto(first + chance.randbytes(size), (address, port))
                        sent += 1
                    except OSError:
                        pass  # nobody listens on that address
            await asyncio.sleep(0.005)
    scene.fact(f"{sent} datagrams to ports {ports}")
    await still_calling(scene, door, desk)


async def still_calling(scene, *endpoints):
    """Every endpoint lives and goes on playing pictures and sound from the other one."""
    for endpoint in endpoints:
        scene.check(endpoint.is_running, f"{endpoint.participant} ended with {endpoint.process.returncode}")
    before = [endpoint.status() for endpoint in endpoints]
    await asyncio.sleep(3)
    for endpoint, first in zip(endpoints, before):
        status = endpoint.status()
        scene.check(status and first, f"{endpoint.participant} does not answer")
        frames = status["played"]["frames"] - first["played"]["frames"]
        seconds = status["played"]["audio_seconds"] - first["played"]["audio_seconds"]
        scene.check(frames >= 30 and seconds >= 2,
                    f"{endpoint.participant} played {frames} pictures and {seconds:.1f} s in 3 s")
        scene.fact(f"{endpoint.participant} goes on: {frames} pictures, {seconds:.1f} s in 3 s")


SCENARIOS = [wrong_configuration, readme_configurations, missing_devices, port_of_the_lobby_in_use, tokens, garbage_signalling, garbage_datagrams]
