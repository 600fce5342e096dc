import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { admitted } from '#contract/admission.ts';
import { headlineAndRest, lookOf, resultLooks } from './result-looks.ts';

const looks = Object.values(resultLooks);
const css = readFileSync(new URL('../scanner/scanner.module.css', import.meta.url), 'utf8');
const colours = new Map(
  Array.from(css.matchAll(/\[data-tone="(\w+)"\] \{\s*color: (#\w{6});/g), ([, tone = '', colour = '']) => [
    tone,
    colour,
  ]),
);
const WHITE = '#ffffff';
const GROUNDS = [WHITE, '#90ee90', '#e6e36b', '#fff0d6'];

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

describe('every result at the door', () => {
  it.each([
    ['outline', looks.map(({ outline }) => outline)],
    ['sign', looks.map(({ sign }) => sign)],
    ['melody', looks.map(({ notes }) => JSON.stringify(notes))],
    ['pulse', looks.map(({ pulses }) => JSON.stringify(pulses))],
    ['headline', looks.flatMap(({ headline }) => headline ?? [])],
  ])('has a %s of its own', (_, own) => {
    expect(new Set(own).size).toBe(own.length);
  });

  it('has a verdict in words: a headline, or a sentence that begins with it', () => {
    const without = Object.entries(resultLooks).filter(([, { headline }]) => headline === null);
    expect(without.map(([kind]) => kind)).toEqual(['admitted', 'admitted-offline', 'taken-back']);
  });

  it('is heard for at most a second, felt for less, and a yes never sounds or feels like a no', () => {
    for (const { notes, pulses } of looks) {
      expect(notes.reduce((sum, { ms }) => sum + ms + 30, 0)).toBeLessThanOrEqual(1000);
      expect(pulses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1000);
    }
    const hertz = (verdict: string) =>
      looks.filter((look) => look.verdict === verdict).map(({ notes }) => notes[0]?.hertz ?? 0);
    expect(Math.min(...hertz('go'))).toBeGreaterThan(2 * Math.max(...hertz('stop'), ...hertz('ask')));
  });

  it('stands out from every ground that it may lie on, also without colours', () => {
    for (const { tone } of looks) {
      const colour = colours.get(tone) ?? WHITE;
      for (const ground of GROUNDS) expect(contrast(colour, ground)).toBeGreaterThanOrEqual(3);
      // The words of a refusal are white on it.
      expect(contrast(colour, WHITE)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe('the words of a result', () => {
  it('begin with the verdict, and say the rest of the sentence below', () => {
    expect(headlineAndRest('admitted', admitted('Floor'))).toEqual({
      headline: 'Let them in',
      joint: ': ',
      rest: 'Floor.',
    });
    expect(headlineAndRest('admitted', admitted('Row 5: left')).rest).toBe('Row 5: left.');
    expect(headlineAndRest('admitted-offline', 'Let them in')).toEqual({
      headline: 'Let them in',
      joint: '',
      rest: '',
    });
  });

  it('keep the whole sentence under a headline', () => {
    expect(headlineAndRest('already-in', 'Already scanned at 7:32 PM, Gate 2.')).toEqual({
      headline: 'Already in',
      joint: ' ',
      rest: 'Already scanned at 7:32 PM, Gate 2.',
    });
  });

  it('change when the scan is taken back', () => {
    expect(lookOf({ kind: 'admitted', isTakenBack: false })).toBe('admitted');
    expect(lookOf({ kind: 'admitted', isTakenBack: true })).toBe('taken-back');
  });
});
