import { describe, expect, it } from 'vitest';
import { filtersForFrame } from './find-codes.ts';
import { adaptiveThreshold, blur, createFrame, cropCenter } from './image-filters.ts';

const frames = Array.from({ length: 12 }, (_, frame) => frame);

describe('filtersForFrame', () => {
  it('tries no filter and one of the two, in turn, on a fast device', () => {
    expect(frames.map((frame) => filtersForFrame(frame, 12)).slice(0, 2)).toEqual([
      ['none', 'threshold'],
      ['none', 'blur'],
    ]);
  });

  it('tries one filter per frame on a slow device, mostly none, and all within a second', () => {
    const filters = frames.map((frame) => filtersForFrame(frame, 80));
    expect(filters.every((tried) => tried.length === 1)).toBe(true);
    expect(filters.filter(([filter]) => filter === 'none')).toHaveLength(8);
    expect(new Set(filters.slice(0, 6).flat())).toEqual(new Set(['none', 'threshold', 'blur']));
  });
});

/** Alternating dark and light columns of four pixels, lit more brightly toward the right. */
function stripes(width: number, height: number, contrast: number, lamp: number) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const x = pixel % width;
    const light = 20 + (Math.floor(x / 4) % 2) * contrast + (x / width) * lamp;
    data.set([light, light, light, 255], pixel * 4);
  }
  return createFrame(data, width, height);
}
const row = (frame: ImageData, y = 0) =>
  Array.from({ length: frame.width }, (_, x) => frame.data[(y * frame.width + x) * 4] ?? -1);

describe('image filters', () => {
  it('separates dark from light under uneven light', () => {
    const lit = stripes(128, 64, 12, 120);
    const black = row(adaptiveThreshold(lit), 32).map((light) => light === 0);
    const centers = Array.from({ length: 24 }, (_, stripe) => stripe * 4 + 17);
    expect(centers.map((x) => black[x])).toEqual(centers.map((x) => Math.floor(x / 4) % 2 === 0));
    expect(new Set(row(adaptiveThreshold(lit), 32))).toEqual(new Set([0, 255]));
  });

  it('removes noise and leaves a uniform frame unchanged', () => {
    const even = row(blur(createFrame(new Uint8ClampedArray(40 * 40 * 4).fill(200), 40, 40)), 20);
    expect(new Set(even)).toEqual(new Set([200]));
    const noisy = createFrame(
      new Uint8ClampedArray(40 * 40 * 4).map((_, at) => ((at >> 2) % 2 ? 230 : 30)),
      40,
      40,
    );
    const smooth = row(blur(noisy), 20).slice(5, 35);
    expect(Math.max(...smooth) - Math.min(...smooth)).toBeLessThan(20);
  });

  it('crops to the center, and keeps a small frame whole', () => {
    const frame = stripes(10, 6, 100, 0);
    expect(cropCenter(frame, 4)).toMatchObject({ width: 4, height: 4 });
    expect(row(cropCenter(frame, 4))).toEqual(row(frame, 1).slice(3, 7));
    expect(cropCenter(frame, 50)).toEqual(frame);
  });
});
