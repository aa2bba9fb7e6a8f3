"""Sound: ALSA with a looped card, an HDA card and a USB card that is plugged and pulled."""

import os
import re

from guest import PROBE, Service, device, eventually, expect, numbers, read

import sound
from board import BoardError

TONE = 1000
CAPTURE, PLAYBACK = "hw:Loopback,1", "hw:Loopback,0,1"


def load(board, share):
    board.run("[ -e /proc/asound/Loopback ] || modprobe snd-aloop id=Loopback")
    for rate in (44_100, 48_000):
        path = os.path.join(share, f"tone-{rate}.raw")
        if not os.path.exists(path):
            # A whole number of periods, so that it loops without a click.
            wav = sound.tone(TONE, 2) if rate == 48_000 else _tone(rate)
            wav.tofile(path)
            wav.repeat(2).tofile(os.path.join(share, f"tone-{rate}-stereo.raw"))


def _tone(rate):
    import numpy as np

    return (8_000 * np.sin(2 * np.pi * TONE * np.arange(2 * rate) / rate)).astype(np.int16)


def feed(board, rate, channels, device_name="hw:Loopback,0"):
    """Plays the tone into the looped card in this form, for ever."""
    file = f"/mnt/board/tone-{rate}{'-stereo' if channels == 2 else ''}.raw"
    return board.background(f"while :; do cat {file}; done | exec chrt -f 40 aplay -q -D {device_name} -t raw -f S16_LE -r {rate} -c {channels} --buffer-size={rate // 2}")


def end(board, pid):
    board.sh(f"kill -- -{pid} 2>/dev/null; sleep 0.3")


def speaker(board):
    """What the HDA card has played so far, as the world outside hears it."""
    import numpy as np

    with open(os.path.join(board.folder, "speaker.wav"), "rb") as file:
        data = file.read()[44:]
    return np.frombuffer(data[: len(data) // 4 * 4], np.int16).reshape(-1, 2).mean(axis=1) / 32_768


def check_sound_capture(board, share):
    """a tone is captured from the card at 48 and 44.1 kHz, mono and stereo"""
    load(board, share)
    facts = []
    for rate, channels in ((48_000, 1), (48_000, 2), (44_100, 1), (44_100, 2)):
        source = feed(board, rate, channels)
        try:
            out = board.run(f"{PROBE} loop {CAPTURE} discard 5")
        finally:
            end(board, source)
        total = numbers(out)
        expect(total["seconds"] >= 3 and total["with_tone"] >= total["seconds"] - 1, f"{rate} Hz, {channels} channels: {out}")
        facts.append(f"{rate} Hz x{channels}: {total['with_tone']:.0f} of {total['seconds']:.0f} s")
    return "; ".join(facts)


def check_sound_playback(board, share):
    """a tone is played to the card at 48 and 44.1 kHz, mono and stereo"""
    load(board, share)
    facts = []
    for rate, channels in ((48_000, 1), (48_000, 2), (44_100, 1), (44_100, 2)):
        name = f"played-{rate}-{channels}.wav"
        recorder = board.background(f"exec chrt -f 40 arecord -q -D hw:Loopback,1,1 -f S16_LE -r {rate} -c {channels} -d 6 --buffer-size={rate // 2} /mnt/board/{name}")
        board.run(f"sleep 0.5; {PROBE} loop tone:440 {PLAYBACK} 5")
        board.run(f"for i in $(seq 60); do kill -0 {recorder} 2>/dev/null || break; sleep 0.1; done")
        samples, found = sound.read_wav(os.path.join(share, name))
        part = samples[2 * found: 4 * found]
        heard = sound.loudest_frequency(part, found)
        expect(found == rate and abs(heard - TONE) < 5 and sound.tone_share(part, TONE, found) > 0.9, f"{rate} Hz, {channels} channels: {heard:.0f} Hz heard")
        facts.append(f"{rate} Hz x{channels}: {heard:.0f} Hz")
    return "; ".join(facts)


def check_sound_hda(board, share):
    """the HDA card plays, as the world outside hears"""
    begin = len(speaker(board))
    board.run(f"{PROBE} loop tone:440 card:Intel 4")
    samples = speaker(board)[begin:]
    expect(len(samples) > 3 * sound.RATE, f"only {len(samples) / sound.RATE:.1f} s were heard")
    part = samples[sound.RATE: 3 * sound.RATE]
    heard = sound.loudest_frequency(part)
    expect(abs(heard - TONE) < 5 and sound.tone_share(part, TONE) > 0.9, f"{heard:.0f} Hz heard outside")
    return f"{heard:.0f} Hz heard outside"


def check_sound_overrun(board, share):
    """a process stopped for 2 s loses sound, counts it, and goes on in both directions"""
    load(board, share)
    source = feed(board, 48_000, 1)
    log = os.path.join(share, "overrun.log")
    pid = board.background(f"exec {PROBE} loop {CAPTURE} {PLAYBACK} 14", "/mnt/board/overrun.log")
    recorder = board.background("exec chrt -f 40 arecord -q -D hw:Loopback,1,1 -f S16_LE -r 48000 -c 1 /mnt/board/overrun.wav")
    try:
        expect(eventually(lambda: read(log).count("heard") >= 2, 15), f"nothing heard: {read(log)}")
        board.run(f"kill -STOP {pid}; sleep 2; kill -CONT {pid}")
        expect(eventually(lambda: "total" in read(log), 30), f"not ended: {read(log)}")
    finally:
        end(board, source)
        end(board, recorder)
    captured = int(re.findall(r"heard .*interruptions=(\d+)", read(log))[-1])
    played = int(re.findall(r"speaker periods.*interruptions=(\d+)", read(log))[-1])
    share_of_last = float(re.findall(r"heard tone_share=([\d.]+)", read(log))[-1])
    expect(captured >= 1 and played >= 1, f"not counted: {read(log)}")
    expect(share_of_last > 0.9, f"the tone is not heard at the end: {read(log)}")
    samples, rate = sound.read_wav(os.path.join(share, "overrun.wav"))
    expect(sound.tone_share(samples[-3 * rate: -2 * rate], TONE, rate) > 0.9, "the tone is not played at the end")
    return f"{captured} overruns, {played} underruns"


def plug(board):
    board.qmp("device_add", driver="usb-audio", audiodev="usb0", id="usb-sound", bus="xhci.0")
    found = eventually(lambda: re.search(r"^ *(\d+) \[(\w+) *\]: USB-Audio", board.run("cat /proc/asound/cards"), re.M), 20)
    expect(found, "the USB card did not come")
    return int(found[1]), found[2]


def unplug(board):
    board.qmp("device_del", id="usb-sound")
    expect(eventually(lambda: "USB-Audio" not in board.run("cat /proc/asound/cards"), 20), "the USB card did not go")


def check_sound_card_pulled(board, share):
    """a USB sound card pulled in use is told, and used again when it returns under another number"""
    load(board, share)
    number, name = plug(board)
    try:
        with Service(board, "usb-card", speaker={"device": f"card:{name}"}, microphone={"device": "tone:440"}) as service:
            service.wait_for(device("speaker"), "the card opens")
            unplug(board)
            service.wait_for(lambda status: status["devices"]["speaker"]["fault"], "the pulled card is told")
            fault = service.status()["devices"]["speaker"]["fault"]
            # Something else takes its number.
            board.run(f"modprobe snd-dummy index={number}")
            again, _ = plug(board)
            expect(again != number, f"it came back as card {again}, as before")
            service.wait_for(device("speaker"), "the card that returned is used")
            owner = board.run(f"cat /proc/asound/card{again}/pcm*p/sub*/status")
            expect("RUNNING" in owner, f"it does not play: {owner}")
    finally:
        try:
            unplug(board)
        except BoardError:
            pass
        board.sh("modprobe -r snd-dummy")
    return f"card {number} → {again}; {fault}"
