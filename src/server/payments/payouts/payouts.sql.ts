import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { keyAnswered, keyInUse, nextKey } from '#server/platform/idempotency-keys.sql.ts';
import type { Schema, SettledStatement } from '#server/platform/schema.ts';

/** An event as a payout judges it; `undefined` when it is not this organizer's. */
export function eventToPayOut(db: Db, organizerId: string, eventId: string) {
  return ownEvent(db, organizerId, eventId).executeTakeFirst();
}

/** The same, with nobody cancelling it, refunding a ticket or paying it out until this transaction ends. */
export function lockEventToPayOut(db: Db, organizerId: string, eventId: string) {
  return ownEvent(db, organizerId, eventId).forNoKeyUpdate().executeTakeFirst();
}

function ownEvent(db: Db, organizerId: string, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizerId', '=', organizerId)
    .select([
      'id',
      'organizerId',
      'latestEndsAt',
      'cancelledAt',
      'processingFeeWaived',
      sql<Date>`business_now()`.as('now'),
    ]);
}

/** What belongs to a payout of the event is claimed and recorded by one at a time. */
export async function lockEventById(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['organizerId', sql<Date>`business_now()`.as('now')])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Two payouts of one organizer wait for each other here, so that they do not keep the same debt twice. */
export async function lockOrganizer(db: Db, organizerId: string): Promise<void> {
  await db.selectFrom('users').where('id', '=', organizerId).select('id').forNoKeyUpdate().execute();
}

export async function hasRefundUnderWay(db: Db, eventId: string): Promise<boolean> {
  const refund = await db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('ticketId', 'is not', null)
    .where('state', '=', 'claimed')
    .select('id')
    .executeTakeFirst();
  return refund !== undefined;
}

export type NewPayout = Pick<Schema['payouts'], 'eventId' | 'id' | 'seq' | 'cents' | 'accountId' | 'requestedAt'> & {
  statement: SettledStatement;
};

/** False when the event has this payout already. */
export async function insertPayout(db: Db, { statement, ...payout }: NewPayout): Promise<boolean> {
  const inserted = await db
    .insertInto('payouts')
    .values({ ...payout, statement: JSON.stringify(statement) })
    .onConflict((conflict) => conflict.columns(['eventId', 'seq']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function payoutRows(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('payouts')
    .where('eventId', 'in', eventIds)
    .select(['eventId', 'id', 'seq', 'state', 'accountId', 'statement', 'requestedAt', 'paidAt'])
    .orderBy('seq')
    .execute();
}

export async function eventRowsForPayout(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('events')
    .where('id', 'in', eventIds)
    .select([
      'id',
      'organizerId',
      'latestEndsAt',
      'cancelledAt',
      'processingFeeWaived',
      sql<Date>`business_now()`.as('now'),
    ])
    .execute();
}

export interface PayoutRef {
  eventId: string;
  payoutId: string;
}

/** Answers nothing when it was transferred. */
export async function startTransfer(db: Db, { eventId, payoutId }: PayoutRef) {
  return db
    .updateTable('payouts')
    .set({ triedAt: sql<Date>`business_now()`, keySince: keyInUse('payouts') })
    .where('eventId', '=', eventId)
    .where('id', '=', payoutId)
    .where('state', '<>', 'paid')
    .returning(['cents', 'accountId', 'attempt'])
    .executeTakeFirst();
}

export async function payoutIdsOf(db: Db, eventId: string): Promise<string[]> {
  const rows = await db.selectFrom('payouts').where('eventId', '=', eventId).select('id').execute();
  return rows.map(({ id }) => id);
}

/** Those tried longest ago first, so that a few that cannot be sent do not keep the others waiting. */
export async function unpaidPayouts(db: Db, limit: number) {
  return db
    .selectFrom('payouts')
    .where('state', '<>', 'paid')
    .select(['eventId', 'id as payoutId'])
    .orderBy('triedAt', (order) => order.asc().nullsFirst())
    .orderBy('requestedAt')
    .limit(limit)
    .execute();
}

export async function unpaidPayoutsInto(db: Db, accountId: string) {
  return db
    .selectFrom('payouts')
    .where('accountId', '=', accountId)
    .where('state', '<>', 'paid')
    .select(['eventId', 'id as payoutId'])
    .orderBy('requestedAt')
    .execute();
}

/** Of several who come back with the transfer, one records it. `null`: there was nothing to transfer. */
export async function markPaid(db: Db, { eventId, payoutId }: PayoutRef, transferId: string | null) {
  return db
    .updateTable('payouts')
    .set({ state: 'paid', transferId, refusal: null, paidAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('id', '=', payoutId)
    .where('state', '<>', 'paid')
    .returning(['seq', 'statement', 'paidAt'])
    .executeTakeFirst();
}

const KEYS = { first: keyAnswered, repeated: nextKey, none: {} };

export interface NotTransferred {
  state?: 'requested' | 'awaiting-funds' | 'awaiting-account';
  refusal: string;
}

/** True where the next call has another key: under this one the card company repeats its answer. */
export async function recordNotTransferred(
  db: Db,
  { eventId, payoutId }: PayoutRef,
  { attempt, answer }: { attempt: number; answer: 'first' | 'repeated' | 'none' },
  change: NotTransferred,
): Promise<boolean> {
  const noted = await db
    .updateTable('payouts')
    .set({ ...change, ...KEYS[answer] })
    .where('eventId', '=', eventId)
    .where('id', '=', payoutId)
    .where('attempt', '=', attempt)
    .where('state', '<>', 'paid')
    .returning('attempt')
    .executeTakeFirst();
  return noted !== undefined && noted.attempt !== attempt;
}

export async function organizerOf(db: Db, eventId: string) {
  return db
    .selectFrom('events as e')
    .innerJoin('users as u', 'u.id', 'e.organizerId')
    .where('e.id', '=', eventId)
    .select(['u.id as userId', 'u.email'])
    .executeTakeFirstOrThrow();
}
