"""Sound for the peer tests: tones, WAV files, how loud a frequency is, and where one recording lies in another."""

import wave

import numpy as np

RATE = 48_000


def tone(frequency, seconds, level=0.25):
    """A sine of `level` (1.0 is full scale) as Int16; a whole number of periods, so that it loops without a click."""
    periods = max(1, round(frequency * seconds))
    count = round(periods * RATE / frequency)
    return (32_767 * level * np.sin(2 * np.pi * periods * np.arange(count) / count)).astype(np.int16)


def write_wav(path, samples, rate=RATE):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.asarray(samples, np.int16).tobytes())


def read_wav(path):
    """Samples of a 16-bit WAV file as floats -1 … 1, channels averaged, and its rate."""
    with wave.open(str(path), "rb") as file:
        if file.getsampwidth() != 2:
            raise ValueError(f"{path}: {8 * file.getsampwidth()} bits a sample, 16 expected")
        data = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        data = data[: len(data) // file.getnchannels() * file.getnchannels()]
        return data.reshape(-1, file.getnchannels()).mean(axis=1) / 32_768, file.getframerate()


def loudest_frequency(samples, rate=RATE):
    """The frequency with the most energy, between 100 Hz and 8 kHz, to about a hertz."""
    samples = np.asarray(samples, float)
    size = max(len(samples), 2 * rate)
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples)), size))
    frequencies = np.fft.rfftfreq(size, 1 / rate)
    spectrum[(frequencies < 100) | (frequencies > 8_000)] = 0
    return float(frequencies[int(np.argmax(spectrum))])


def tone_share(samples, frequency, rate=RATE):
    """The part of the energy that lies within 40 Hz of this frequency: 1.0 for a pure tone, also for one that is
    switched on and off or whose phase jumps when a jitter buffer leaves out a frame."""
    spectrum = np.abs(np.fft.rfft(np.asarray(samples, float) * np.hanning(len(samples)))) ** 2
    frequencies = np.fft.rfftfreq(len(samples), 1 / rate)
    total = float(np.sum(spectrum))
    return 0.0 if total == 0 else float(np.sum(spectrum[np.abs(frequencies - frequency) <= 40])) / total


def offset_of(part, whole):
    """Where `part` lies in `whole` (samples), by cross-correlation."""
    from scipy.signal import correlate

    return int(np.argmax(correlate(whole, part, mode="valid", method="fft")))
