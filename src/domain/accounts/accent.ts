/**
 * An organization's accent: one color for text, links and buttons on its pages. In light mode it is used as typed, so it needs enough
 * contrast with every ground there. In dark mode a lighter tone of its hue stands in, because no color is readable on both.
 */

/** WCAG 2.2, AA, for text. */
export const CONTRAST_MIN = 4.5;

/** The tokens `--bg`, `--surface` and `--sunken`, and in the dark `--raised`. Text on the accent has the color of `--bg` or `--ink`. */
export const LIGHT_GROUNDS = ['#faf7f0', '#ffffff', '#f1ece0'] as const;
export const DARK_GROUNDS = ['#0e1020', '#171a30', '#0a0c19', '#20243f'] as const;
export const TEXT_ON_ACCENT = { light: '#faf7f0', dark: '#15172b' } as const;

/** What is proposed in place of something that isn't a color: the product's own. */
const DEFAULT_ACCENT = '#2b3bd1';

export interface Accent {
  /** As typed, in lowercase. */
  light: string;
  lightHover: string;
  dark: string;
  darkHover: string;
}

/** The tones of an accent, or the closest color of the same hue that is readable. */
export function readAccent(typed: string): Accent | { suggestion: string } {
  const color = /^#?([0-9a-f]{6})$/i.exec(typed.trim())?.[1]?.toLowerCase();
  if (color === undefined) return { suggestion: DEFAULT_ACCENT };
  const light = `#${color}`;
  if (!isReadableOn(light, LIGHT_GROUNDS)) return { suggestion: toward(light, 0, LIGHT_GROUNDS) };
  const dark = isReadableOn(light, DARK_GROUNDS) ? light : toward(light, 1, DARK_GROUNDS);
  return { light, lightHover: shifted(light, -0.08), dark, darkHover: shifted(dark, 0.06) };
}

export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const isReadableOn = (color: string, grounds: readonly string[]) =>
  grounds.every((ground) => contrast(color, ground) >= CONTRAST_MIN);

const STEPS = 1000;

/** The first readable color on the way to black (0) or white (1), by perceived lightness. */
function toward(color: string, end: 0 | 1, grounds: readonly string[]): string {
  const from = okLabOf(color);
  for (let step = 1; step < STEPS; step++) {
    const candidate = hexOf({ ...from, lightness: from.lightness + ((end - from.lightness) * step) / STEPS });
    if (isReadableOn(candidate, grounds)) return candidate;
  }
  return end === 0 ? '#000000' : '#ffffff';
}

function shifted(color: string, by: number): string {
  const from = okLabOf(color);
  return hexOf({ ...from, lightness: Math.min(1, Math.max(0, from.lightness + by)) });
}

/** Linear red, green and blue, 0 to 1. */
type Rgb = readonly [red: number, green: number, blue: number];

function linearOf(hex: string): Rgb {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function luminance(hex: string): number {
  const [red, green, blue] = linearOf(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** OKLab (Björn Ottosson, 2020): equal steps of lightness look equal, and the hue stays. */
interface OkLab {
  lightness: number;
  a: number;
  b: number;
}

function okLabOf(hex: string): OkLab {
  const [red, green, blue] = linearOf(hex);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** Loses chroma where the screen can't show the color. */
function hexOf(color: OkLab): string {
  let chroma = 1;
  while (chroma > 0 && !linearFrom(color, chroma).every((value) => value > -0.0001 && value < 1.0001)) chroma -= 0.02;
  const channels = linearFrom(color, Math.max(0, chroma)).map((value) => {
    const visible = Math.min(1, Math.max(0, value));
    const encoded = visible <= 0.0031308 ? visible * 12.92 : 1.055 * visible ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

function linearFrom({ lightness, a, b }: OkLab, chroma: number): Rgb {
  const l = (lightness + chroma * (0.3963377774 * a + 0.2158037573 * b)) ** 3;
  const m = (lightness - chroma * (0.1055613458 * a + 0.0638541728 * b)) ** 3;
  const s = (lightness - chroma * (0.0894841775 * a + 1.291485548 * b)) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
