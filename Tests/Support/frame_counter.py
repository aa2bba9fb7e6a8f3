"""Reads the frame counter that Callbox draws into its test pattern.

The geometry is documented at FrameCounterCode in Sources/Devices/Simulated/FrameCounterCode.swift: a strip at the top
of the picture, 2 rows of 12 cells, each row a sixteenth of the height; white and black for calibration, 16 bits of
number and 6 bits of CRC, all most significant bit first.

    read(luma)            luma: 2-D array (height, width) of 0..255 -> int, or None when there is no certain number
    luma_of_rgb(pixels)   (height, width, 3 or 4) of 0..255 -> luma
    luma_of_i420(bytes, width, height) -> luma

Run as a program it prints the number of each PNG or JPEG given (needs Pillow).
"""

import sys

import numpy as np

COLUMNS = 12
ROWS = 2
ROWS_PER_HEIGHT = 16
MINIMUM_CONTRAST = 60


def check(number):
    """CRC-6 (x^6 + x + 1, starting with ones) of the 16 bits of number, most significant first."""
    register = 0x3F
    for shift in range(15, -1, -1):
        is_one = (register >> 5 ^ number >> shift) & 1
        register = register << 1 & 0x3F
        if is_one:
            register ^= 0x03
    return register


def _middle_half(start, end):
    margin = (end - start) // 4
    return slice(start + margin, end - margin)


def _cell(luma, index):
    height, width = luma.shape
    row, column = divmod(index, COLUMNS)
    rows = _middle_half(row * height // ROWS_PER_HEIGHT, (row + 1) * height // ROWS_PER_HEIGHT)
    columns = _middle_half(column * width // COLUMNS, (column + 1) * width // COLUMNS)
    return float(luma[rows, columns].mean())


def read(luma):
    """The number drawn at the top of a picture, or None."""
    luma = np.asarray(luma)
    height, width = luma.shape
    if width < 4 * COLUMNS or height < 4 * ROWS_PER_HEIGHT:
        return None
    white, black = _cell(luma, 0), _cell(luma, 1)
    contrast = white - black
    if contrast < MINIMUM_CONTRAST:
        return None
    threshold = (white + black) / 2
    bits = 0
    for index in range(2, ROWS * COLUMNS):
        value = _cell(luma, index)
        if abs(value - threshold) < contrast / 8:
            return None
        bits = bits << 1 | int(value > threshold)
    number = bits >> 6
    return number if check(number) == bits & 0x3F else None


def luma_of_rgb(pixels):
    """Luma of RGB(A) pixels; the range does not matter for reading."""
    pixels = np.asarray(pixels, dtype=np.float32)
    return pixels[..., 0] * 0.299 + pixels[..., 1] * 0.587 + pixels[..., 2] * 0.114


def luma_of_i420(data, width, height):
    """The luma plane of an unpadded I420 picture."""
    return np.frombuffer(data, dtype=np.uint8, count=width * height).reshape(height, width)


if __name__ == "__main__":
    from PIL import Image

    for path in sys.argv[1:]:
        print(path, read(luma_of_rgb(np.asarray(Image.open(path).convert("RGB")))))
