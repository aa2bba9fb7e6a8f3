"""Sound: ALSA with a looped card, an HDA card and a USB card that is plugged and pulled."""

import os
import re

from guest import PROBE, Program, Service, device, eventually, expect

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
    return board.background(f"while cat {file}; do :; done | "
                            f"exec chrt -f 40 aplay -q -D {device_name} -t raw -f S16_LE -r {rate} -c {channels} --buffer-size={rate // 2}")


def end(board, pid):
    board.sh(f"kill -- -{pid} 2>/dev/null; sleep 0.3")


def speaker(board):
    """What the HDA card has played so far, as the world outside hears it."""
    import numpy as np

    with open(os.path.join(board.folder, "speaker.wav"), "rb") as file:
        data = file.read()[44:]
    return np.frombuffer(data[: len(data) // 4 * 4], np.int16).reshape(-1, 2).mean(axis=1) / 32_768


def loudest_second(samples, rate):
    """The second in which a tone has the fewest gaps: before and after it the program starts and ends."""
    expect(len(samples) >= rate, f"only {len(samples) / rate:.1f} s of sound")
    return max((samples[at: at + rate] for at in range(0, len(samples) - rate + 1, rate // 4)), key=lambda part: float((part ** 2).mean()))


def check_sound_capture(board, share):
    """a tone is captured from the card at 48 and 44.1 kHz, mono and stereo"""
    load(board, share)
    facts = []
    for rate, channels in ((48_000, 1), (48_000, 2), (44_100, 1), (44_100, 2)):
        source = feed(board, rate, channels)
        try:
            with Program(board, f"{PROBE} loop {CAPTURE} discard 200", f"capture-{rate}-{channels}") as program:
                program.until(r"tone_share=(?:1.00|0.9\d)", 2)
        finally:
            end(board, source)
        facts.append(f"{rate} Hz x{channels}")
    return "; ".join(facts)


def check_sound_playback(board, share):
    """a tone is played to the card at 48 and 44.1 kHz, mono and stereo"""
    load(board, share)
    facts = []
    for rate, channels in ((48_000, 1), (48_000, 2), (44_100, 1), (44_100, 2)):
        name = f"played-{rate}-{channels}.wav"
        recorder = board.background(f"exec chrt -f 40 arecord -q -D hw:Loopback,1,1 -f S16_LE -r {rate} -c {channels} -d 5 --buffer-size={rate // 2} /mnt/board/{name}")
        with Program(board, f"{PROBE} loop tone:440 {PLAYBACK} 200", f"playback-{rate}-{channels}") as program:
            program.until("^speaker opened")
            board.run(f"for i in $(seq 200); do kill -0 {recorder} 2>/dev/null || break; sleep 0.1; done")
        samples, found = sound.read_wav(os.path.join(share, name))
        part = loudest_second(samples, found)
        heard = sound.loudest_frequency(part, found)
        expect(found == rate and abs(heard - TONE) < 5 and sound.tone_share(part, TONE, found) > 0.9, f"{rate} Hz, {channels} channels: {heard:.0f} Hz heard")
        facts.append(f"{rate} Hz x{channels}: {heard:.0f} Hz")
    return "; ".join(facts)


def check_sound_hda(board, share):
    """the HDA card plays, as the world outside hears"""
    begin = len(speaker(board))
    with Program(board, f"{PROBE} loop tone:440 card:Intel 200", "hda") as program:
        program.until("^speaker opened")
        heard = eventually(lambda: len(speaker(board)) > begin + 4 * sound.RATE, 40)
    expect(heard, f"only {(len(speaker(board)) - begin) / sound.RATE:.1f} s were heard")
    part = loudest_second(speaker(board)[begin:], sound.RATE)
    heard = sound.loudest_frequency(part)
    expect(abs(heard - TONE) < 5 and sound.tone_share(part, TONE) > 0.9, f"{heard:.0f} Hz heard outside")
    return f"{heard:.0f} Hz heard outside"


def check_sound_overrun(board, share):
    """a process stopped for 2 s loses sound, counts it, and goes on in both directions"""
    load(board, share)
    source = feed(board, 48_000, 1)
    recorder = board.background("exec chrt -f 40 arecord -q -D hw:Loopback,1,1 -f S16_LE -r 48000 -c 1 /mnt/board/overrun.wav")
    heard = r"^heard tone_share=([\d.]+) age_ms=\d+ interruptions=(\d+)"
    try:
        with Program(board, f"{PROBE} loop {CAPTURE} {PLAYBACK} 400", "overrun") as program:
            before = int(program.until(heard, 2)[-1][1])
            board.run(f"kill -STOP {program.pid}; sleep 2; kill -CONT {program.pid}")
            seen = len(program.told())
            after = program.until(heard, 4, since=seen)
    finally:
        end(board, source)
        end(board, recorder)
    expect(int(after[-1][1]) > before, f"the break is not counted: {program.told()}")
    expect(any(float(share) > 0.9 for share, _ in after[1:]), f"the tone is not heard after it: {after}")
    samples, rate = sound.read_wav(os.path.join(share, "overrun.wav"))
    expect(sound.tone_share(loudest_second(samples[-5 * rate:], rate), TONE, rate) > 0.9, "the tone is not played after it")
    return f"{int(after[-1][1]) - before} breaks counted"


def plug(board):
    board.qmp("device_add", driver="usb-audio", audiodev="usb0", id="usb-sound", bus="xhci.0")
    found = eventually(lambda: re.search(r"^ *(\d+) \[(\w+) *\]: USB-Audio", board.run("cat /proc/asound/cards"), re.M), 60)
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
