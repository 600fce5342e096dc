import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type Accent,
  CONTRAST_MIN,
  contrast,
  DARK_GROUNDS,
  LIGHT_GROUNDS,
  readAccent,
  TEXT_ON_ACCENT,
} from './accent.ts';

/** A color of the hue, as in CSS. */
function hsl(hue: number, saturation: number, lightness: number): string {
  const part = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const value = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

const HUES = Array.from({ length: 360 }, (_, hue) => hue);

function problemsOf(accent: Accent): string[] {
  return [accent.light, accent.lightHover]
    .flatMap((color) => unreadable(color, [...LIGHT_GROUNDS, TEXT_ON_ACCENT.light]))
    .concat(
      [accent.dark, accent.darkHover].flatMap((color) => unreadable(color, [...DARK_GROUNDS, TEXT_ON_ACCENT.dark])),
    );
}

const unreadable = (color: string, grounds: readonly string[]) =>
  grounds.filter((ground) => contrast(color, ground) < CONTRAST_MIN).map((ground) => `${color} on ${ground}`);

describe.each([
  ['vivid', 1, 0.5],
  ['dark', 0.9, 0.25],
  ['pastel', 0.6, 0.8],
  ['muted', 0.3, 0.4],
] as const)('360 %s hues', (_name, saturation, lightness) => {
  it('are accepted if readable in light and dark, or get a suggestion that is [PAGE-3]', () => {
    const wrong = HUES.flatMap((hue) => {
      const typed = hsl(hue, saturation, lightness);
      const read = readAccent(typed);
      if ('light' in read) return problemsOf(read);
      const again = readAccent(read.suggestion);
      return 'light' in again ? problemsOf(again) : [`${typed}: the suggestion ${read.suggestion} is refused`];
    });
    expect(wrong).toEqual([]);
  });
});

it('keeps the color of a readable accent, however it is typed', () => {
  for (const typed of ['#B3261E', 'b3261e', ' #b3261e ']) expect(readAccent(typed)).toMatchObject({ light: '#b3261e' });
});

it('refuses what is no color, and what is hard to read', () => {
  for (const typed of ['red', '', '#12345', '#1234567', 'rgb(0,0,0)', '#ffffff', '#ffc23c', '#767676'])
    expect(readAccent(typed)).toEqual({ suggestion: expect.stringMatching(/^#[0-9a-f]{6}$/) });
});

it('suggests a neighbor: a color just too light barely changes', () => {
  const read = readAccent('#767676');
  const suggestion = 'suggestion' in read ? read.suggestion : '';
  expect(Number.parseInt(suggestion.slice(1, 3), 16)).toBeGreaterThan(0x60);
});

it('knows the grounds of the style sheet', () => {
  const tokens = readFileSync(new URL('../../web/ui/styles/tokens.css', import.meta.url), 'utf8');
  const pair = (name: string) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens)?.slice(1) ?? [];
  const [bg, surface, sunken, raised] = ['bg', 'surface', 'sunken', 'raised'].map(pair);
  expect([bg?.[0], surface?.[0], sunken?.[0]]).toEqual(LIGHT_GROUNDS);
  expect([bg?.[1], surface?.[1], sunken?.[1], raised?.[1]]).toEqual(DARK_GROUNDS);
  expect(tokens).toContain(`--ink: ${TEXT_ON_ACCENT.dark};`);
  expect(bg?.[0]).toBe(TEXT_ON_ACCENT.light);
});
