/** What makes a poor picture easier to read. All of it in grey, with running sums, so that its cost does not grow with the reach. */

export type Picture = ImageData;

export function pictureOf(data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): Picture {
  return { data, width, height, colorSpace: 'srgb' };
}

/** The middle, at most so wide and so high. */
export function centreOf(picture: Picture, side: number): Picture {
  const [width, height] = [Math.min(side, picture.width), Math.min(side, picture.height)];
  const [left, top] = [(picture.width - width) >> 1, (picture.height - height) >> 1];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = ((row + top) * picture.width + left) * 4;
    data.set(picture.data.subarray(from, from + width * 4), row * width * 4);
  }
  return pictureOf(data, width, height);
}

/** Grain goes, and with it the finest lines. */
export function smoothed(picture: Picture): Picture {
  const { width, height } = picture;
  return inColour(mean(mean(greyOf(picture), width, height, 2), width, height, 2), width, height);
}

/** Black where it is darker than its surroundings, else white: a shadow or a lamp then changes nothing. */
export function evened(picture: Picture): Picture {
  const { width, height } = picture;
  const fine = mean(mean(greyOf(picture), width, height, 1), width, height, 1);
  const around = mean(fine, width, height, 20);
  for (let pixel = 0; pixel < fine.length; pixel++) fine[pixel] = (fine[pixel] ?? 0) > (around[pixel] ?? 0) ? WHITE : 0;
  return inColour(fine, width, height);
}

/** Sixteen times finer than the picture's own steps: a dim picture has only a few of those. */
const FINER = 16;
const WHITE = 255 * FINER;

function greyOf({ data, width, height }: Picture): Uint16Array {
  const grey = new Uint16Array(width * height);
  for (let pixel = 0, at = 0; pixel < grey.length; pixel++, at += 4)
    grey[pixel] = ((data[at] ?? 0) * 5 + (data[at + 1] ?? 0) * 9 + (data[at + 2] ?? 0) * 2) * (FINER / 16);
  return grey;
}

function inColour(grey: Uint16Array, width: number, height: number): Picture {
  const data = new Uint8ClampedArray(grey.length * 4);
  for (let pixel = 0, at = 0; pixel < grey.length; pixel++, at += 4) {
    data[at] = data[at + 1] = data[at + 2] = (grey[pixel] ?? 0) / FINER;
    data[at + 3] = 255;
  }
  return pictureOf(data, width, height);
}

/** Of the square around each pixel that reaches so far, first along the rows and then along the columns. */
function mean(grey: Uint16Array, width: number, height: number, reach: number): Uint16Array {
  const along = new Uint16Array(grey.length);
  const both = new Uint16Array(grey.length);
  for (let row = 0; row < height; row++) meanOfLine(grey, along, { start: row * width, step: 1, length: width, reach });
  for (let column = 0; column < width; column++)
    meanOfLine(along, both, { start: column, step: width, length: height, reach });
  return both;
}

function meanOfLine(
  from: Uint16Array,
  to: Uint16Array,
  { start, step, length, reach }: { start: number; step: number; length: number; reach: number },
) {
  let sum = 0;
  let count = 0;
  for (let place = -reach; place < length; place++) {
    if (place + reach < length) {
      sum += from[start + (place + reach) * step] ?? 0;
      count++;
    }
    if (place > reach) {
      sum -= from[start + (place - reach - 1) * step] ?? 0;
      count--;
    }
    if (place >= 0) to[start + place * step] = sum / count;
  }
}
