"""Callbox's peer connection alone against other implementations of WebRTC, judged at both ends."""

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess

from peer_probe import Duo, foreign_fingerprint, wait_until


async def _call(scene, engine, probe_offers, partner=None, **options):
    duo = await Duo(scene, engine, partner=partner, **options).start()
    if probe_offers:
        duo.probe.tell("offer")
    else:
        await duo.partner_offers()
    await duo.connected()
    return duo


async def _everything(scene, engine, probe_offers):
    options = {"data": "chat"} if probe_offers else {}
    partner = {} if probe_offers else {"data": "chat"}
    duo = await _call(scene, engine, probe_offers, partner, **options)
    report = await duo.both_hear_and_see()
    await duo.both_talk("chat")
    report = await duo.probe.report()
    # The server chooses; as server libwebrtc takes the older profile.
    wanted = "aes128CMSHA1" if engine == "wrtc" and not probe_offers else "aeadAES128GCM"
    duo.check(report["profile"] == wanted, f"profile {report['profile']}")
    # Whoever answers begins with DTLS: both stacks and this one answer `active`.
    duo.check(report["role"] == ("server" if probe_offers else "client"), f"DTLS role {report['role']}")
    duo.check(report["auth_failures"] == 0 and report["replays"] == 0, f"broken packets: {report}")
    scene.fact(f"{report['path']}, {report['profile']}, DTLS {report['role']}, rtt {report['rtt_ms']} ms")


async def bare_aiortc_answers(scene):
    """aiortc answers: sound, pictures and messages both ways"""
    await _everything(scene, "aiortc", True)


async def bare_aiortc_offers(scene):
    """aiortc offers: sound, pictures and messages both ways"""
    await _everything(scene, "aiortc", False)


async def bare_libwebrtc_answers(scene):
    """libwebrtc answers: sound, pictures and messages both ways"""
    await _everything(scene, "wrtc", True)


async def bare_libwebrtc_offers(scene):
    """libwebrtc offers: sound, pictures and messages both ways"""
    await _everything(scene, "wrtc", False)


async def _old_profile(scene, engine):
    duo = await _call(scene, engine, True, profile="sha1")
    report = await duo.both_hear_and_see()
    duo.check(report["profile"] == "aes128CMSHA1", f"profile {report['profile']}")


async def bare_aiortc_without_gcm(scene):
    """AES128_CM_SHA1_80 with aiortc"""
    await _old_profile(scene, "aiortc")


async def bare_libwebrtc_without_gcm(scene):
    """AES128_CM_SHA1_80 with libwebrtc"""
    await _old_profile(scene, "wrtc")


async def _renegotiation(scene, engine):
    duo = await _call(scene, engine, True, video=False, data="chat", partner={"sends": False})
    duo.check(await wait_until(lambda: duo.partner.received.sample_count > 48_000, 15), "no sound before")
    # The probe adds pictures …
    duo.probe.tell("add", kind="video", direction="sendonly", stream="screen")
    duo.check(await wait_until(lambda: len(duo.partner.received.numbers) >= 3, 20), "the added pictures do not come")
    scene.rising("added pictures", duo.partner.received.numbers, 3)
    # … and takes them away.
    line = [event["line"] for event in duo.probe.all("line") if event["kind"] == "video"][-1]
    duo.probe.tell("direction", line=line, direction="recvonly")
    await asyncio.sleep(1.5)
    count = duo.partner.received.pictures
    await asyncio.sleep(1.0)
    duo.check(duo.partner.received.pictures <= count + 1, "pictures go on after their removal")
    # The partner adds its own.
    from room_peer import make_tracks

    microphone, camera = make_tracks(duo.partner.rtc, 1_180)
    duo.partner.connection.addTrack(camera)
    if engine == "aiortc":
        # aiortc 1.16 gives the header extensions of a running connection new numbers when it offers, and a packet under
        # way with an old number ends it; so the probe offers.
        duo.probe.tell("direction", line=line, direction="sendrecv")
    else:
        await duo.partner_offers()
    duo.check(await duo.probe.wait("track", kind="video"), "the probe sees no track of the partner")

    end = asyncio.get_running_loop().time() + 20
    while asyncio.get_running_loop().time() < end:
        report = await duo.probe.report()
        if "video" in duo.good_lines(report):
            break
        await asyncio.sleep(0.5)
    duo.check("video" in duo.good_lines(report), f"the probe received {report['lines']}")
    await duo.both_talk("chat")
    duo.check(duo.probe.has("state", state="connected") and not duo.problems, "the connection suffered")


async def bare_aiortc_renegotiates(scene):
    """tracks come and go by offers of the probe, with aiortc"""
    await _renegotiation(scene, "aiortc")


async def bare_libwebrtc_renegotiates(scene):
    """tracks come and go by offers of both sides, with libwebrtc"""
    await _renegotiation(scene, "wrtc")


async def _restart(scene, by_probe):
    duo = await _call(scene, "wrtc", True, data="chat")
    await duo.both_hear_and_see()
    before = duo.partner.received.pictures
    if by_probe:
        users = len(duo.probe.all("description"))
        duo.probe.tell("restart")
        duo.check(await wait_until(lambda: len(duo.probe.all("description")) > users, 5), "no offer for the restart")
    else:
        duo.partner.connection._native.restart_ice()
        await duo.partner_offers()
    own = [event["sdp"].split("a=ice-ufrag:")[1].split("\r\n")[0] for event in duo.probe.all("description")]
    duo.check(await wait_until(lambda: len({event["sdp"].split("a=ice-ufrag:")[1].split("\r\n")[0]
                                           for event in duo.probe.all("description")}) == 2, 5),
              f"the credentials did not change: {own}")
    await asyncio.sleep(2)
    duo.check(await wait_until(lambda: duo.partner.received.pictures > before + 60, 15), "no pictures after the restart")
    await duo.both_talk("chat")
    report = await duo.probe.report()
    duo.check(report["state"] == "connected", f"state {report['state']}")
    duo.check(len(duo.probe.all("state")) == 2, "the connection was interrupted")
    duo.check(not duo.problems, "a restart was refused")


async def bare_libwebrtc_follows_a_restart(scene):
    """an ICE restart of the probe with libwebrtc"""
    await _restart(scene, True)


async def bare_libwebrtc_restarts(scene):
    """an ICE restart of libwebrtc"""
    await _restart(scene, False)


async def _wrong_fingerprint(scene, engine, probe_offers):
    duo = Duo(scene, engine)
    duo.to_probe = foreign_fingerprint
    await duo.start()
    if probe_offers:
        duo.probe.tell("offer")
    else:
        await duo.partner_offers()
    duo.check(await duo.probe.wait("failed", reason="the far side's certificate is not the announced one"),
              "a foreign certificate is taken")
    await asyncio.sleep(1)
    report = await duo.probe.report()
    duo.check(report["sent_packets"] == 0 and not report["lines"], f"media flowed: {report}")
    duo.check(duo.partner.received.is_quiet, "the partner got media")


async def bare_aiortc_with_a_foreign_certificate(scene):
    """a certificate that was not announced: no media (aiortc)"""
    await _wrong_fingerprint(scene, "aiortc", True)


async def bare_libwebrtc_with_a_foreign_certificate(scene):
    """a certificate that was not announced: no media (libwebrtc)"""
    await _wrong_fingerprint(scene, "wrtc", False)


async def bare_aiortc_sees_the_end(scene):
    """close_notify of the probe ends aiortc's connection"""
    duo = await _call(scene, "aiortc", True)
    duo.probe.tell("close")
    duo.check(await wait_until(lambda: "closed" in duo.partner.states, 5), "aiortc did not notice")


async def bare_libwebrtc_sees_the_end(scene):
    """close_notify of the probe ends libwebrtc's connection"""
    duo = await _call(scene, "wrtc", True)
    duo.probe.tell("close")
    duo.check(await wait_until(lambda: set(duo.partner.states) & {"closed", "failed", "disconnected"}, 10),
              "libwebrtc did not notice")


async def bare_the_end_of_aiortc_is_seen(scene):
    """close_notify of aiortc ends the probe's connection"""
    duo = await _call(scene, "aiortc", False)
    await duo.partner.connection.close()
    duo.check(await duo.probe.wait("state", 5, state="closed"), "the probe did not notice")


async def bare_the_end_of_libwebrtc_is_seen(scene):
    """close_notify of libwebrtc ends the probe's connection"""
    duo = await _call(scene, "wrtc", False)
    await duo.partner.connection.close()
    duo.check(await duo.probe.wait("state", 5, state="closed"), "the probe did not notice")


async def _glare(scene, engine):
    duo = await Duo(scene, engine, partner={"data": "chat"}, polite=True).start()
    duo.ignores_offers = True
    duo.probe.tell("offer")
    duo.check(await duo.probe.wait("description", type="offer"), "no offer")
    await duo.partner_offers()
    duo.check(await duo.probe.wait("description", type="answer"), "the polite probe does not give way")
    duo.ignores_offers = False
    await duo.connected()
    await duo.both_hear_and_see()
    await duo.both_talk("chat")


async def bare_offers_that_meet_with_aiortc(scene):
    """both offer at once, the probe gives way (aiortc)"""
    await _glare(scene, "aiortc")


async def bare_offers_that_meet_with_libwebrtc(scene):
    """both offer at once, the probe gives way (libwebrtc)"""
    await _glare(scene, "wrtc")


async def bare_libwebrtc_over_tcp(scene):
    """ICE over TCP with libwebrtc"""
    duo = await _call(scene, "wrtc", True, udp=False)
    report = await duo.both_hear_and_see()
    duo.check(report["path"].endswith("tcp"), f"path {report['path']}")


class Relay:
    """A TURN server (coturn) for alice:secret on the interface of the tests."""

    ADDRESS = "10.77.0.1"

    def __init__(self, folder):
        lines = [f"listening-ip={self.ADDRESS}", f"relay-ip={self.ADDRESS}", "listening-port=3478", "no-tls", "no-dtls",
                 "min-port=49160", "max-port=49460", "lt-cred-mech", "realm=test.local", "user=alice:secret",
                 "fingerprint", "no-cli", "cli-password=unused", "log-file=stdout", "simple-log",
                 f"pidfile={folder}/turn.pid", f"userdb={folder}/turndb"]
        with open(os.path.join(folder, "turnserver.conf"), "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        with open(os.path.join(folder, "turnserver.log"), "wb") as log:
            self.process = subprocess.Popen(["turnserver", "-c", f"{folder}/turnserver.conf"], stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL)

    async def ready(self):
        def answers():
            with contextlib.suppress(OSError), socket.create_connection((self.ADDRESS, 3478), 0.2):
                return True
            return False

        return await wait_until(answers, 10)

    def end(self):
        self.process.terminate()
        self.process.wait(5)


async def _relayed(scene, engine, transport):
    relay = Relay(scene.folder)
    scene.closers.callback(relay.end)
    scene.check(await relay.ready(), "the TURN server does not start")
    duo = await _call(scene, engine, True, data="chat", relay_only=True,
                      servers=[f"turn:{Relay.ADDRESS}:3478?transport={transport}"])
    report = await duo.both_hear_and_see()
    await duo.both_talk("chat")
    duo.check(report["path"].startswith("relay/"), f"path {report['path']}")
    offered = duo.probe.all("description")[0]["sdp"]
    addresses = offered + "".join(event["candidate"] for event in duo.probe.all("candidate"))
    duo.check("typ host" not in addresses and "typ relay" in addresses, "not only relayed candidates are offered")
    scene.fact(report["path"])


async def bare_libwebrtc_through_a_relay(scene):
    """only through a TURN server, reached by UDP"""
    await _relayed(scene, "wrtc", "udp")


async def bare_aiortc_through_a_relay_by_tcp(scene):
    """only through a TURN server, reached by TCP"""
    await _relayed(scene, "aiortc", "tcp")


SCENARIOS = [
    bare_aiortc_answers, bare_aiortc_offers, bare_libwebrtc_answers, bare_libwebrtc_offers, bare_aiortc_without_gcm, bare_libwebrtc_without_gcm,
    bare_aiortc_renegotiates, bare_libwebrtc_renegotiates, bare_libwebrtc_follows_a_restart, bare_libwebrtc_restarts,
    bare_aiortc_with_a_foreign_certificate, bare_libwebrtc_with_a_foreign_certificate, bare_aiortc_sees_the_end,
    bare_libwebrtc_sees_the_end, bare_the_end_of_aiortc_is_seen, bare_the_end_of_libwebrtc_is_seen, bare_offers_that_meet_with_aiortc,
    bare_offers_that_meet_with_libwebrtc, bare_libwebrtc_over_tcp,
]

# coturn is not installed for the tests' sake: its package starts a server on every interface of an ordinary machine.
if shutil.which("turnserver"):
    SCENARIOS += [bare_libwebrtc_through_a_relay, bare_aiortc_through_a_relay_by_tcp]
