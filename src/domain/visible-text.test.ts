import { describe, expect, it } from 'vitest';
import { nameKey } from './name-key.ts';
import { visibleText } from './visible-text.ts';

const codeOf = (character: string) => `U+${character.codePointAt(0)?.toString(16).toUpperCase()}`;
const INVISIBLE = [
  ['\u0000', '\u0007', '\u007f', '\u0085', '\u00ad', '\u034f', '\u061c', '\u115f', '\u1160', '\u17b4', '\u180e'],
  ['\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2028', '\u2029', '\u202e', '\u2060', '\u2063', '\u2066'],
  [
    '\u2800',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\ufff9',
    '\ufffe',
    '\ud800',
    '\u{1d173}',
    '\u{e0041}',
    '\u{e0101}',
  ],
].flat();

describe('a text of characters that show nothing', () => {
  it.each(INVISIBLE.map((character) => [codeOf(character), character]))('is empty: %s [LIFE-8]', (_code, character) => {
    for (const text of [character, character.repeat(20), ` ${character} ${character}`]) {
      expect(visibleText(text)).toBe('');
      expect(visibleText(text, { keepsDirection: true })).toBe('');
    }
  });

  it.each(INVISIBLE.map((character) => [codeOf(character), character]))(
    'is removed from a name, which stays the same name: %s [LIFE-8]',
    (_code, character) => {
      expect(visibleText(`V${character}IP${character}`)).toBe('VIP');
      expect(nameKey(`V${character}IP${character}`)).toBe(nameKey('VIP'));
    },
  );
});

describe('what scripts and emoji need', () => {
  it.each([
    'شب موسیقی می‌خواهم',
    'क्‍ष नाइट',
    '👨‍👩‍👧 family',
    '👩🏽‍🚀 and 🏳️‍🌈',
    '❤️ 1️⃣',
    'naïve Zoë\u0308',
    '日本の夜',
    '\u0600 ١٢',
    'plain',
    'Tab\tand\nline',
  ])('stays: %j', (text) => {
    expect(visibleText(text)).toBe(text);
  });

  it('is kept only where it is needed', () => {
    expect(visibleText('V\u200dIP \u200c❤\ufe0f\ufe0f\u200d!')).toBe('VIP ❤\ufe0f!');
    expect(visibleText('1\ufe0f')).toBe('1');
  });

  it('includes direction marks in longer texts', () => {
    const text = 'ליל ג׳אז! \u200f(בפנים)';
    expect(visibleText(text, { keepsDirection: true })).toBe(text);
    expect(visibleText(text)).toBe('ליל ג׳אז! (בפנים)');
  });
});

describe('two names', () => {
  it.each([
    ['letter case', 'General Admission', 'GENERAL ADMISSION'],
    ['letter case of other alphabets', 'Straße ΣΑΣ', 'STRASSE σας'],
    ['width', 'VIP 1', 'ＶＩＰ　１'],
    ['composition', 'Caf\u00e9', 'Cafe\u0301'],
    ['white space', 'Early bird', ' Early\u00a0 bird '],
    ['a joiner that is needed', 'می‌خواهم', 'میخواهم'],
    ['a sign for emoji', '❤️', '❤'],
  ])('that differ only in %s are the same [LIFE-8]', (_what, one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it('that look different are different', () => {
    const names = ['VIP', 'V.I.P.', 'VIP 1', 'VIP 2', 'Zoë', 'Zoe', '❤️', '💙'];
    expect(new Set(names.map(nameKey)).size).toBe(names.length);
  });
});
