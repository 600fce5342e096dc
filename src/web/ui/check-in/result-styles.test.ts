import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { admitted } from '#messages/check-in.ts';
import { headlineAndRest, resultStyles, styleNameOf } from './result-styles.ts';

const styles = Object.values(resultStyles);
const css = readFileSync(new URL('../../scanner/scanner.module.css', import.meta.url), 'utf8');
const colors = new Map(
  Array.from(css.matchAll(/\[data-tone="(\w+)"\] \{\s*color: (#\w{6});/g), ([, tone = '', color = '']) => [
    tone,
    color,
  ]),
);
const WHITE = '#ffffff';
const BACKGROUNDS = [WHITE, '#90ee90', '#e6e36b', '#bfe0ff', '#fff0d6'];

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

describe('check-in result styles', () => {
  it.each([
    ['outline', styles.map(({ outline }) => outline)],
    ['sign', styles.map(({ sign }) => sign)],
    ['melody', styles.map(({ notes }) => JSON.stringify(notes))],
    ['pulse', styles.map(({ pulses }) => JSON.stringify(pulses))],
    ['headline', styles.flatMap(({ headline }) => headline ?? [])],
  ])('has a unique %s', (_, own) => {
    expect(new Set(own).size).toBe(own.length);
  });

  it('states the result in a headline or at the start of its message', () => {
    const without = Object.entries(resultStyles).filter(([, { headline }]) => headline === null);
    expect(without.map(([kind]) => kind)).toEqual([
      'admitted',
      'admitted-offline',
      'handed-out',
      'handed-out-offline',
      'undone',
    ]);
  });

  it('limits sound and vibration, and never shares them between accept and reject', () => {
    for (const { notes, pulses } of styles) {
      expect(notes.reduce((sum, { ms }) => sum + ms + 30, 0)).toBeLessThanOrEqual(1000);
      expect(pulses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1000);
    }
    const hertz = (decision: string) =>
      styles.filter((style) => style.decision === decision).map(({ notes }) => notes[0]?.hertz ?? 0);
    expect(Math.min(...hertz('go'))).toBeGreaterThan(2 * Math.max(...hertz('stop'), ...hertz('ask')));
  });

  it('contrasts with every background, also without color', () => {
    for (const { tone } of styles) {
      const color = colors.get(tone) ?? WHITE;
      for (const background of BACKGROUNDS) expect(contrast(color, background)).toBeGreaterThanOrEqual(3);
      // Its text is white.
      expect(contrast(color, WHITE)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe('result text', () => {
  it('starts with the headline and puts the rest of the message below', () => {
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

  it('keeps the whole message under a headline', () => {
    expect(headlineAndRest('already-in', 'Already scanned at 7:32 PM, Gate 2.')).toEqual({
      headline: 'Already in',
      joint: ' ',
      rest: 'Already scanned at 7:32 PM, Gate 2.',
    });
  });

  it('changes after an undo', () => {
    expect(styleNameOf({ kind: 'admitted', isUndone: false })).toBe('admitted');
    expect(styleNameOf({ kind: 'admitted', isUndone: true })).toBe('undone');
  });
});
