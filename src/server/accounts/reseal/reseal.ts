/** Seals values under the first app secret again that an earlier one sealed, so that the earlier one can be removed. */
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { BEFORE_ALL_IDS } from '#server/platform/ids.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import type { AppSecret } from '#server/platform/secrets.ts';
import { replaceSealed, sealedAfter } from './reseal.sql.ts';
import { type SealedColumn, sealedColumns } from './sealed-columns.ts';

const PAGE = 500;

export async function reseal({ db, appSecret, log }: Pick<Deps, 'db' | 'appSecret' | 'log'>): Promise<void> {
  if (appSecret.length === 1) return;
  let resealed = 0;
  for await (const { column, id, sealed } of outdatedValues(db, appSecret)) {
    const value = unseal(appSecret, column.purpose, id, sealed);
    if (value === null) continue;
    await replaceSealed(db, column, { id, sealed, resealed: seal(appSecret, column.purpose, id, value) });
    resealed += 1;
  }
  if (resealed > 0) log.info({ resealed }, 'sealed values under the current app secret');
}

export interface SealedCounts {
  /** Sealed under an earlier secret, which is still needed. */
  outdated: number;
  /** Sealed under a secret that is gone. */
  unreadable: number;
}

export async function countOutdated(db: Db, appSecret: AppSecret): Promise<SealedCounts> {
  const counts = { outdated: 0, unreadable: 0 };
  for await (const { column, id, sealed } of outdatedValues(db, appSecret))
    counts[unseal(appSecret, column.purpose, id, sealed) === null ? 'unreadable' : 'outdated'] += 1;
  return counts;
}

interface SealedValue {
  column: SealedColumn;
  id: string;
  sealed: Buffer;
}

/** Every value that the first secret doesn't open. */
async function* outdatedValues(db: Db, [current]: AppSecret): AsyncGenerator<SealedValue> {
  for (const column of sealedColumns)
    for await (const { id, sealed } of rowsOf(db, column))
      if (unseal([current], column.purpose, id, sealed) === null) yield { column, id, sealed };
}

async function* rowsOf(db: Db, column: SealedColumn) {
  for (let after = BEFORE_ALL_IDS; ; ) {
    const rows = await sealedAfter(db, column, after, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
  }
}
