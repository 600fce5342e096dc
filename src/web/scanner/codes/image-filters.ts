/** Filters that make poor camera frames easier to decode. Running sums keep their cost independent of the radius. */

export type Frame = ImageData;

export function createFrame(data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): Frame {
  return { data, width, height, colorSpace: 'srgb' };
}

/** Crops to the center, at most `side` pixels wide and high. */
export function cropCenter(frame: Frame, side: number): Frame {
  const [width, height] = [Math.min(side, frame.width), Math.min(side, frame.height)];
  const [left, top] = [(frame.width - width) >> 1, (frame.height - height) >> 1];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = ((row + top) * frame.width + left) * 4;
    data.set(frame.data.subarray(from, from + width * 4), row * width * 4);
  }
  return createFrame(data, width, height);
}

/** Removes noise, along with the finest detail. */
export function blur(frame: Frame): Frame {
  const { width, height } = frame;
  return toRgba(boxMean(boxMean(toGray(frame), width, height, 2), width, height, 2), width, height);
}

/** Black where a pixel is darker than its surroundings, otherwise white: shadows and lamps disappear. */
export function adaptiveThreshold(frame: Frame): Frame {
  const { width, height } = frame;
  const fine = boxMean(boxMean(toGray(frame), width, height, 1), width, height, 1);
  const around = boxMean(fine, width, height, 20);
  for (let pixel = 0; pixel < fine.length; pixel++) fine[pixel] = (fine[pixel] ?? 0) > (around[pixel] ?? 0) ? WHITE : 0;
  return toRgba(fine, width, height);
}

/** Fixed-point scale: a dim frame uses only a few of the 256 gray levels. */
const SCALE = 16;
const WHITE = 255 * SCALE;

function toGray({ data, width, height }: Frame): Uint16Array {
  const gray = new Uint16Array(width * height);
  for (let pixel = 0, at = 0; pixel < gray.length; pixel++, at += 4)
    gray[pixel] = ((data[at] ?? 0) * 5 + (data[at + 1] ?? 0) * 9 + (data[at + 2] ?? 0) * 2) * (SCALE / 16);
  return gray;
}

function toRgba(gray: Uint16Array, width: number, height: number): Frame {
  const data = new Uint8ClampedArray(gray.length * 4);
  for (let pixel = 0, at = 0; pixel < gray.length; pixel++, at += 4) {
    data[at] = data[at + 1] = data[at + 2] = (gray[pixel] ?? 0) / SCALE;
    data[at + 3] = 255;
  }
  return createFrame(data, width, height);
}

/** The mean of the square of this radius around each pixel: along the rows first, then along the columns. */
function boxMean(gray: Uint16Array, width: number, height: number, radius: number): Uint16Array {
  const rowMeans = new Uint16Array(gray.length);
  const means = new Uint16Array(gray.length);
  for (let row = 0; row < height; row++)
    lineMean(gray, rowMeans, { start: row * width, step: 1, length: width, radius });
  for (let column = 0; column < width; column++)
    lineMean(rowMeans, means, { start: column, step: width, length: height, radius });
  return means;
}

function lineMean(
  from: Uint16Array,
  to: Uint16Array,
  { start, step, length, radius }: { start: number; step: number; length: number; radius: number },
) {
  let sum = 0;
  let count = 0;
  for (let index = -radius; index < length; index++) {
    if (index + radius < length) {
      sum += from[start + (index + radius) * step] ?? 0;
      count++;
    }
    if (index > radius) {
      sum -= from[start + (index - radius - 1) * step] ?? 0;
      count--;
    }
    if (index >= 0) to[start + index * step] = sum / count;
  }
}
