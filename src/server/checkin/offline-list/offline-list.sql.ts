import { type RawBuilder, sql } from 'kysely';
import type { ListState } from '#contract/app/check-in-devices.ts';
import type { Db } from '#server/platform/database.ts';

/** All reads in `work` see the same snapshot. */
export function inSnapshot<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/** `upTo`: every transaction before this one has ended, so the snapshot includes all of their writes. */
export async function eventForList(tx: Db, eventId: string) {
  return tx
    .selectFrom('events')
    .where('id', '=', eventId)
    .select([
      'title',
      'timezone',
      'cancelledAt',
      'startsAt',
      'endsAt',
      'checkInOpensAt',
      'checkInClosesAt',
      sql<string>`pg_snapshot_xmin(pg_current_snapshot())::text`.as('upTo'),
      sql<Date>`clock_timestamp()`.as('readAt'),
    ])
    .executeTakeFirst();
}

export interface ListedTicketType {
  id: string;
  name: string;
  isAddOn: boolean;
  quantity: number;
  removedAt: Date | null;
}

/** Types on sale first, by position; then removed ones, most recent first. */
export async function ticketTypesForList(tx: Db, eventId: string): Promise<ListedTicketType[]> {
  return tx
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .select(['id', 'name', 'isAddOn', 'quantity', 'removedAt'])
    .orderBy('removedAt', (order) => order.desc().nullsFirst())
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export async function typesWithTickets(tx: Db, eventId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .select('ticketTypeId')
    .distinct()
    .execute();
  return rows.map(({ ticketTypeId }) => ticketTypeId);
}

/** From the totals, without reading the tickets. */
export async function ticketsIssued(tx: Db, eventId: string): Promise<number> {
  const { issued } = await tx
    .selectFrom('ticketTotalsNow')
    .where('eventId', '=', eventId)
    .select(({ fn }) => fn.sum<string | null>('issued').as('issued'))
    .executeTakeFirstOrThrow();
  return Number(issued ?? 0);
}

/** Compares 32-bit transaction ids, which wrap around: `age` counts back from the current transaction. */
export const isAtOrAfter = (transaction: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
  sql<boolean>`age(${transaction}) <= age(${other})`;

export interface ListedRow {
  /** The last twelve hex digits of the ticket's id. */
  key: string;
  number: string;
  type: string;
  state: ListState;
  xmin: string;
  device: string | null;
}

const FETCH_SIZE = 2_000;

/** Streams all tickets, or those changed since an earlier `upTo`, with a cursor in the transaction of `inSnapshot`. */
export async function* listedTickets(tx: Db, eventId: string, since: string | null): AsyncGenerator<ListedRow[]> {
  const isNew = since === null ? sql`true` : isAtOrAfter(sql`xmin`, sql`${since}::text::xid8::xid`);
  await sql`
    declare listed no scroll cursor for
    select right(id::text, 12) as key, confirmation_number as number, ticket_type_id as type,
           listed_state(state, disputed_at) as state,
           xmin, case when state = 'scanned' then scanned_by end as device
      from tickets
     where event_id = ${eventId} and ${isNew}`.execute(tx);
  for (;;) {
    const { rows } = await sql<ListedRow>`fetch forward ${sql.lit(FETCH_SIZE)} from listed`.execute(tx);
    yield rows;
    if (rows.length < FETCH_SIZE) return;
  }
}
