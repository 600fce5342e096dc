import { describe, expect, it } from 'vitest';
import { aidsFor } from './find-codes.ts';
import { centreOf, evened, pictureOf, smoothed } from './image-filters.ts';

const turns = Array.from({ length: 12 }, (_, turn) => turn);

describe('a frame', () => {
  it('is looked at plainly and with one aid on a quick phone, with each in turn', () => {
    expect(turns.map((turn) => aidsFor(turn, 12)).slice(0, 2)).toEqual([
      ['none', 'evened'],
      ['none', 'smoothed'],
    ]);
  });

  it('is looked at once on a slow phone, mostly plainly, and with both aids within a second', () => {
    const looks = turns.map((turn) => aidsFor(turn, 80));
    expect(looks.every((aids) => aids.length === 1)).toBe(true);
    expect(looks.filter(([aid]) => aid === 'none')).toHaveLength(8);
    expect(new Set(looks.slice(0, 6).flat())).toEqual(new Set(['none', 'evened', 'smoothed']));
  });
});

/** Columns of four pixels in turn dark and light, under a lamp that grows brighter to the right. */
function stripes(width: number, height: number, contrast: number, lamp: number) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const x = pixel % width;
    const light = 20 + (Math.floor(x / 4) % 2) * contrast + (x / width) * lamp;
    data.set([light, light, light, 255], pixel * 4);
  }
  return pictureOf(data, width, height);
}
const row = (picture: ImageData, y = 0) =>
  Array.from({ length: picture.width }, (_, x) => picture.data[(y * picture.width + x) * 4] ?? -1);

describe('the aids', () => {
  it('tell dark from light where a lamp makes the dark of one side lighter than the light of the other', () => {
    const lit = stripes(128, 64, 12, 120);
    const black = row(evened(lit), 32).map((light) => light === 0);
    const middles = Array.from({ length: 24 }, (_, stripe) => stripe * 4 + 17);
    expect(middles.map((x) => black[x])).toEqual(middles.map((x) => Math.floor(x / 4) % 2 === 0));
    expect(new Set(row(evened(lit), 32))).toEqual(new Set([0, 255]));
  });

  it('smooth grain away, and leave an even picture as it is', () => {
    const even = row(smoothed(pictureOf(new Uint8ClampedArray(40 * 40 * 4).fill(200), 40, 40)), 20);
    expect(new Set(even)).toEqual(new Set([200]));
    const grainy = pictureOf(
      new Uint8ClampedArray(40 * 40 * 4).map((_, at) => ((at >> 2) % 2 ? 230 : 30)),
      40,
      40,
    );
    const calm = row(smoothed(grainy), 20).slice(5, 35);
    expect(Math.max(...calm) - Math.min(...calm)).toBeLessThan(20);
  });

  it('take the middle of a picture, and all of a small one', () => {
    const picture = stripes(10, 6, 100, 0);
    expect(centreOf(picture, 4)).toMatchObject({ width: 4, height: 4 });
    expect(row(centreOf(picture, 4))).toEqual(row(picture, 1).slice(3, 7));
    expect(centreOf(picture, 50)).toEqual(picture);
  });
});
