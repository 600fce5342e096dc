import { describe, expect, it } from 'vitest';
import { photoProblems } from './photo-problems.ts';

const photo = { type: 'image/jpeg', size: 2_000_000 };
const MEGABYTE = 1024 * 1024;

describe('photos chosen for an upload', () => {
  it.each([
    ['a JPEG, a PNG or a WebP', { ...photo, type: 'image/webp', pixels: 12_000_000 }, null],
    ['a film', { ...photo, type: 'video/mp4' }, 'Photos must be JPEG, PNG or WebP images.'],
    ['a file that only says it is a photo', { ...photo, pixels: 0 }, 'Photos must be JPEG, PNG or WebP images.'],
    ['10 MB', { ...photo, size: 10 * MEGABYTE }, null],
    ['a byte more', { ...photo, size: 10 * MEGABYTE + 1 }, 'A photo can be at most 10 MB.'],
    ['too many pixels', { ...photo, pixels: 40_000_001 }, 'A photo can have at most 40 megapixels.'],
  ])('checks %s', (_, file, problem) => {
    expect(photoProblems([file], 0)).toEqual([problem]);
  });

  it('fills an event up to its limit without counting invalid files', () => {
    const film = { ...photo, type: 'video/mp4' };
    expect(photoProblems([film, photo, photo, photo], 18)).toEqual([
      'Photos must be JPEG, PNG or WebP images.',
      null,
      null,
      'An event can have at most 20 photos.',
    ]);
  });
});
