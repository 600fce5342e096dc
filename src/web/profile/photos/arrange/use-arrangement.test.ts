import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { FOCUS_STEP } from '#domain/sales/photos.ts';
import { arrangementOf, coverOf, focusAt, movedTo } from './use-arrangement.ts';

const stored = { eventPhotos: ['a', 'b', 'c'] };
const { photos } = arrangementOf(stored);
const order = (moved: readonly { url: string }[]) => moved.map(({ url }) => url).join('');

describe('an arrangement', () => {
  it('begins with what is stored [PHOTO-5]', () => {
    const details = [{ altText: 'The band' }, { focus: { x: 20, y: 85 } }, {}];
    expect(arrangementOf({ ...stored, coverPhoto: 2, photoDetails: details })).toEqual({
      photos: [
        { url: 'a', altText: 'The band', focus: null },
        { url: 'b', altText: '', focus: { x: 20, y: 85 } },
        { url: 'c', altText: '', focus: null },
      ],
      cover: 'c',
    });
  });

  it.each([
    ['a', 2, 'bca'],
    ['c', 0, 'cab'],
    ['b', 1, 'abc'],
    ['x', 0, 'abc'],
  ])('moves %s to position %i [PHOTO-5]', (url, position, result) => {
    expect(order(movedTo(photos, url, position))).toBe(result);
  });

  it('has the first photo as its cover until another is chosen [PHOTO-5]', () => {
    expect(coverOf({ photos, cover: null })).toBe('a');
    expect(coverOf({ photos: movedTo(photos, 'c', 0), cover: null })).toBe('c');
    expect(coverOf({ photos, cover: 'b' })).toBe('b');
    expect(coverOf({ photos: [], cover: null })).toBeNull();
  });

  it.each([
    [33.4, 48, { x: 35, y: 50 }],
    [-20, 140, { x: 0, y: 100 }],
    [2.4, 97.6, { x: 0, y: 100 }],
  ])('takes %d, %d for the nearest focal point [PHOTO-6]', (x, y, focus) => {
    expect(focusAt(x, y)).toEqual(focus);
  });

  it('has a style for each focal point [PHOTO-6]', async () => {
    const css = await readFile(new URL('../../../ui/styles/photo-focus.css', import.meta.url), 'utf8');
    for (let percent = 0; percent <= 100; percent += FOCUS_STEP)
      for (const axis of ['x', 'y'])
        expect(css).toContain(`[data-${axis}="${percent}"] {\n  --${axis}: ${percent}%;\n}`);
    expect(css.match(/\[data-/g)).toHaveLength(2 * (100 / FOCUS_STEP + 1) + 1);
  });
});
