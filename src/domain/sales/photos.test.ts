import { describe, expect, it } from 'vitest';
import { cropEdge, denyArrangement } from './photos.ts';

describe('denyArrangement', () => {
  const arrangement = { seen: ['a', 'b', 'c'], arranged: ['c', 'a', 'b'], cover: null };

  it.each([
    ['the photos in another order', ['a', 'b', 'c'], {}, null],
    ['a chosen cover', ['a', 'b', 'c'], { cover: 'b' }, null],
    ['no photos at all', [], { seen: [], arranged: [] }, null],
    ['an added photo', ['a', 'b', 'c', 'd'], {}, 'changed'],
    ['a deleted photo', ['a', 'c'], {}, 'changed'],
    ['another order meanwhile', ['b', 'a', 'c'], {}, 'changed'],
    ['a photo left out', ['a', 'b', 'c'], { arranged: ['c', 'a'] }, 'not-arranged'],
    ['a photo twice', ['a', 'b', 'c'], { arranged: ['c', 'a', 'a'] }, 'not-arranged'],
    ['a photo of another event', ['a', 'b', 'c'], { arranged: ['c', 'a', 'x'] }, 'unknown'],
    ['a cover of another event', ['a', 'b', 'c'], { cover: 'x' }, 'unknown'],
  ] as const)('answers %s [PHOTO-5]', (_, stored, change, denial) => {
    expect(denyArrangement(stored, { ...arrangement, ...change })).toBe(denial);
  });
});

describe('cropEdge', () => {
  it.each([
    [0, 0],
    [50, 200],
    [100, 400],
  ])('keeps what is at %i percent inside [PHOTO-6]', (percent, edge) => {
    expect(cropEdge(1000, 600, percent)).toBe(edge);
    const point = (1000 * percent) / 100;
    expect(point).toBeGreaterThanOrEqual(edge);
    expect(point).toBeLessThanOrEqual(edge + 600);
  });
});
