import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { POSTER_HEIGHT, POSTER_WIDTH, posterSvg } from './poster.ts';

const ids = Array.from({ length: 240 }, (_, index) => `event-${index}`);

describe('the poster of an event without photos', () => {
  it('is always the same for an event', () => {
    expect(posterSvg('q8Zr1LkV0aXw3TnB')).toBe(posterSvg('q8Zr1LkV0aXw3TnB'));
  });

  // Dozens of events per composition, enough to reach every branch of the rendering.
  it.each([
    ['sun', 'e4e212d46c48e17b'],
    ['arcs', '775518d93807f4a0'],
    ['stripes', '6471e03db1fce204'],
    ['checker', '8fef762414ef7577'],
    ['wave', 'd0abf61ff7c78971'],
    ['steps', 'e68a2ff63429c3ff'],
  ])('never changes, rendered as %s', (shape, digest) => {
    const posters = ids.map(posterSvg).filter((svg) => shapeOf(svg) === shape);
    expect(createHash('sha256').update(posters.join()).digest('hex').slice(0, 16)).toBe(digest);
  });

  it('uses every background color and every composition', () => {
    const backgrounds = new Set(ids.map((id) => /fill="(#[0-9A-F]{6})"/.exec(posterSvg(id))?.[1]));
    const shapes = new Set(ids.map((id) => shapeOf(posterSvg(id))));

    expect(backgrounds).toEqual(new Set(['#2B3BD1', '#15172B', '#0B6E43', '#B3261E']));
    expect(shapes.size).toBe(6);
  });

  it('is a self-contained image of a few kilobytes for any id', () => {
    for (const id of [...ids, '', '<script>', '\u{1F3BA}']) {
      const svg = posterSvg(id);
      expect(svg).toMatch(new RegExp(`^<svg [^>]*viewBox="0 0 ${POSTER_WIDTH} ${POSTER_HEIGHT}"`));
      expect(svg).not.toMatch(/NaN|undefined|script|href|url\(/);
      expect(svg.length).toBeLessThan(12_000);
    }
  });
});

/** Detects the composition by a feature that only it has. */
function shapeOf(svg: string): string {
  if (svg.includes('opacity="0.16"')) return 'stripes';
  if (svg.includes('stroke-linecap')) return 'wave';
  if (svg.includes('opacity="0.42"')) return 'sun';
  if (/A\d+/.test(svg)) return 'arcs';
  if (svg.includes('<circle')) return 'steps';
  return 'checker';
}
