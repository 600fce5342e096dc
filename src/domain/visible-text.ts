/** Titles and names contain no characters that show nothing: two of them that look the same are the same. */

import { UNSEEN } from './name-key.ts';

/** Marks that turn the direction of a text. Right-to-left scripts need them in longer texts. */
const DIRECTION_MARK = /^[\u061c\u200e\u200f]$/;

/** Scripts in which a joiner changes how the letters next to it look. */
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Bengali}\\p{Script=Devanagari}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}\\p{Script=Khmer}\\p{Script=Malayalam}\\p{Script=Myanmar}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Syriac}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Tibetan}';
const EMOJI = '\\p{Extended_Pictographic}\\u{1f3fb}-\\u{1f3ff}';

/** Joiners between such letters or between emoji, and what makes a sign an emoji. */
const NEEDED = new RegExp(
  [
    `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
    `(?<=[${EMOJI}\\ufe0f])\\u200d(?=[${EMOJI}])`,
    `(?<=[${EMOJI}])[\\ufe0e\\ufe0f]`,
    '\\ufe0f(?=\\u20e3)',
  ].join('|'),
  'gu',
);

/** The text without what shows nothing; empty if there is nothing else. Line breaks and tabs stay. */
export function visibleText(text: string, { keepsDirection = false }: { keepsDirection?: boolean } = {}): string {
  if (text.replace(UNSEEN, '').trim() === '') return '';
  const needed = new Set([...text.matchAll(NEEDED)].map(({ index }) => index));
  return text.replace(UNSEEN, (character: string, index: number) =>
    needed.has(index) || (keepsDirection && DIRECTION_MARK.test(character)) ? character : '',
  );
}
