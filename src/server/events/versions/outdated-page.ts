import { LRUCache } from 'lru-cache';
import type { ChangedPage } from '#contract/app/sales/page-changes.ts';
import { materialChanges } from '#domain/sales/page-versions.ts';
import { changeSentence } from '#messages/records/page-changes.ts';
import { type Db, perDatabase } from '#server/platform/database.ts';
import { contentsOf } from './versions.sql.ts';

interface Outdated {
  eventId: string;
  /** The version that the buyer's page has. */
  shown: number;
  present: number;
}

/** What a buyer must be told before an order; null if nothing, or if there is no such version. */
export async function outdatedPage(db: Db, outdated: Outdated): Promise<ChangedPage | null> {
  const { eventId, shown, present } = outdated;
  const key = `${eventId} ${shown} ${present}`;
  const known = comparisonsOf(db).get(key);
  if (known) return known.changed;
  const changed = await compare(db, outdated);
  comparisonsOf(db).set(key, { changed });
  return changed;
}

/** Versions don't change, and thousands of pages may show the same outdated one. */
const comparisonsOf = perDatabase(() => new LRUCache<string, { changed: ChangedPage | null }>({ max: 1_000 }));

async function compare(db: Db, { eventId, shown, present }: Outdated): Promise<ChangedPage | null> {
  const contents = await contentsOf(db, eventId, [shown, present]);
  const [before, after] = [shown, present].map((wanted) => contents.find(({ version }) => version === wanted)?.content);
  const changes = before && after ? materialChanges(before, after) : [];
  if (changes.length === 0) return null;
  return {
    pageVersion: present,
    changes: changes.map((change) => ({ what: change.what, msg: changeSentence(change) })),
  };
}
