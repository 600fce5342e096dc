/** What makes two names the same. A file of its own, because the event page loads none of the rest. */

/** Controls, line separators, fillers and blanks that are no white space, and what Unicode calls ignorable. */
export const UNSEEN =
  /(?![\n\t])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

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
