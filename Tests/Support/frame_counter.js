// Reads the frame counter that Callbox draws into its test pattern, in a browser.
//
// The geometry is documented at FrameCounterCode in Sources/Devices/Simulated/FrameCounterCode.swift: a strip at the top
// of the picture, 2 rows of 12 cells, each row a sixteenth of the height; white and black for calibration, 16 bits of
// number and 6 bits of CRC, all most significant bit first.

// image: an ImageData (RGBA). The number drawn at its top, or null when there is no certain number.
function readFrameCounter(image) {
  const columns = 12, rowsPerHeight = 16, cells = 24, minimumContrast = 60;
  const { width, height, data } = image;
  if (width < 4 * columns || height < 4 * rowsPerHeight) return null;
  const middleHalf = (start, end) => {
    const margin = Math.floor((end - start) / 4);
    return [start + margin, end - margin];
  };
  const cell = (index) => {
    const row = Math.floor(index / columns), column = index % columns;
    const [top, bottom] = middleHalf(
      Math.floor(row * height / rowsPerHeight), Math.floor((row + 1) * height / rowsPerHeight));
    const [left, right] = middleHalf(
      Math.floor(column * width / columns), Math.floor((column + 1) * width / columns));
    let sum = 0;
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const at = 4 * (y * width + x);
        sum += 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
      }
    }
    return sum / ((bottom - top) * (right - left));
  };
  const white = cell(0), black = cell(1), contrast = white - black, threshold = (white + black) / 2;
  if (contrast < minimumContrast) return null;
  let bits = 0;
  for (let index = 2; index < cells; index++) {
    const value = cell(index);
    if (Math.abs(value - threshold) < contrast / 8) return null;
    bits = bits << 1 | (value > threshold ? 1 : 0);
  }
  const number = bits >> 6;
  let register = 0x3F;
  for (let shift = 15; shift >= 0; shift--) {
    const isOne = (register >> 5 ^ number >> shift) & 1;
    register = register << 1 & 0x3F;
    if (isOne) register ^= 0x03;
  }
  return register === (bits & 0x3F) ? number : null;
}

// source: a <video>, <canvas> or <img>; reads at a fixed small size.
function readFrameCounterOf(source, width = 320, height = 240) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(source, 0, 0, width, height);
  return readFrameCounter(context.getImageData(0, 0, width, height));
}

if (typeof module !== "undefined") module.exports = { readFrameCounter };
