/**
 * The style sheet of an accent. A file of our own origin, because the content security policy allows no inline style. It replaces
 * the colors of links and buttons while a page links it.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DARK_GROUNDS, LIGHT_GROUNDS, readAccent, TEXT_ON_ACCENT } from '#domain/accounts/accent.ts';
import { type Db, perDatabase } from '#server/platform/database.ts';
import { findLook, insertLook } from './look.sql.ts';

/** By accent: hashes of stored files. */
const storedIn = perDatabase(() => new LRUCache<string, string>({ max: 1000 }));

/** The hash of the file; null without an accent, or with one that a stricter rule refuses since. */
export async function lookOf(db: Db, accent: string | null): Promise<string | null> {
  if (accent === null) return null;
  const stored = storedIn(db);
  const known = stored.get(accent);
  if (known !== undefined) return known;
  const css = cssOf(accent);
  if (css === null) return null;
  const hash = createHash('sha256').update(css).digest('base64url').slice(0, 22);
  // Again after an update that words the file differently.
  await insertLook(db, { hash, css });
  stored.set(accent, hash);
  return hash;
}

export const readLook = (db: Db, hash: string): Promise<string | null> => findLook(db, hash);

function cssOf(accent: string): string | null {
  const tones = readAccent(accent);
  if (!('light' in tones)) return null;
  const pairs = {
    blue: [tones.light, tones.dark],
    'blue-hover': [tones.lightHover, tones.darkHover],
    'blue-soft': [LIGHT_GROUNDS[2], DARK_GROUNDS[3]],
    'btn-bg': [tones.light, tones.dark],
    'btn-text': [TEXT_ON_ACCENT.light, TEXT_ON_ACCENT.dark],
    'btn-hover': [tones.lightHover, tones.darkHover],
    accent: [tones.light, tones.dark],
  };
  const lines = Object.entries(pairs).map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`);
  return `:root{${lines.join(';')}}`;
}
