"""Pictures for the peer tests: snapshots, likeness, and the frame counter of Callbox's test pattern."""

import os
import sys

import numpy as np
from PIL import Image

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support"))
import frame_counter  # noqa: E402


def read_rgb(path):
    """(height, width, 3) bytes of a PNG."""
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def counter_of(rgb):
    """The number drawn into the picture, or None."""
    return frame_counter.read(frame_counter.luma_of_rgb(rgb))


def limited_luma(rgb):
    """BT.601 luma in the range of video, 16 … 235, as a camera's picture has it."""
    rgb = np.asarray(rgb, float)
    return 16 + (65.481 * rgb[..., 0] + 128.553 * rgb[..., 1] + 24.966 * rgb[..., 2]) / 255


def psnr(first, second):
    """Peak signal-to-noise ratio of two luma planes, in dB."""
    error = np.mean((np.asarray(first, float) - np.asarray(second, float)) ** 2)
    return 100.0 if error == 0 else float(10 * np.log10(255**2 / error))


def draw_counter(luma, number):
    """Draws the counter into the top of a luma plane, as Sources/Devices/Simulated/FrameCounterCode.swift does."""
    height, width = luma.shape
    number &= 0xFFFF
    cells = 0b10 << 22 | number << 6 | frame_counter.check(number)
    for index in range(24):
        row, column = divmod(index, frame_counter.COLUMNS)
        top, bottom = row * height // 16, (row + 1) * height // 16
        left, right = column * width // 12, (column + 1) * width // 12
        luma[top:bottom, left:right] = 235 if cells >> (23 - index) & 1 else 16


def snapshots(folder):
    """The numbered snapshots of a `snapshots:` display that are complete, oldest first."""
    names = sorted(name for name in os.listdir(folder) if name[:-4].isdigit() and name.endswith(".png"))
    return [os.path.join(folder, name) for name in names]


def counters_in(folder):
    """The numbers in the snapshots of a folder, in their order; pictures without a readable number are left out."""
    numbers = []
    for path in snapshots(folder):
        try:
            number = counter_of(read_rgb(path))
        except (OSError, SyntaxError):
            continue  # removed or replaced just now
        if number is not None:
            numbers.append(number)
    return numbers
