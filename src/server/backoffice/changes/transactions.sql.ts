/** Rows by the transaction that wrote them, as for the offline ticket list (docs/decisions/0032). */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** A transaction, in 64 bits. Null: all rows. */
export type ChangedSince = string | null;

/** Ids of transactions in rows have 32 bits, of which half are in the past. */
const COMPARABLE = 2n ** 31n - 2n ** 20n;

interface OpenTransactions {
  /** Every transaction before this one has ended. What is read after this call includes their writes. */
  upTo: string;
  /** The next transaction gets this id, or a later one. */
  next: string;
}

export async function openTransactions(db: Db): Promise<OpenTransactions> {
  const { rows } = await sql<OpenTransactions>`
    select pg_snapshot_xmin(s)::text as up_to, pg_snapshot_xmax(s)::text as next from pg_current_snapshot() as s`.execute(
    db,
  );
  const [found] = rows;
  if (!found) throw new Error('no snapshot');
  return found;
}

/** False of a transaction that this database can't have had, or that is too long ago to compare. */
export const isComparable = (since: string, { next }: OpenTransactions): boolean =>
  BigInt(since) <= BigInt(next) && BigInt(next) - BigInt(since) < COMPARABLE;

/** @param row the table, or its alias */
export const isChanged = (row: string, since: ChangedSince): RawBuilder<boolean> =>
  since === null ? sql<boolean>`true` : sql<boolean>`age(${sql.ref(`${row}.xmin`)}) <= age(${since}::text::xid8::xid)`;
