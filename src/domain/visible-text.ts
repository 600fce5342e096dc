/** Titles and names contain no characters that show nothing: two of them that look the same are the same. */

/** Controls, line separators, fillers and blanks that are no white space, and what Unicode calls ignorable. */
const UNSEEN =
  /(?![\n\t])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

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

/** Names with the same key differ only in letter case, width, or what shows nothing: they are the same name. */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').replace(UNSEEN, '').replace(/\s+/g, ' ').trim().toUpperCase().toLowerCase();

interface Named {
  id: string;
  name: string;
}

/**
 * Matches the rows of a form to what is stored by id, then by name; the others are new. All ids go first, so that a row can't match by
 * name what another row names by id.
 */
export function matchNamed<Stored extends Named>(
  rows: readonly { id: string | undefined; name: string }[],
  stored: readonly Stored[],
): { matched: (Stored | undefined)[]; unmatched: Stored[] } {
  const unmatched = new Set(stored);
  const take = (isMatch: (one: Stored) => boolean) => {
    const found = [...unmatched].find(isMatch);
    if (found) unmatched.delete(found);
    return found;
  };
  const byId = rows.map((row) => take(({ id }) => id === row.id));
  const matched = rows.map((row, index) => byId[index] ?? take(({ name }) => nameKey(name) === nameKey(row.name)));
  return { matched, unmatched: [...unmatched] };
}
