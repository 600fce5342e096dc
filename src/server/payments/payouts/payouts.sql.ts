import { sql } from 'kysely';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { isHeld } from '#server/payments/holds/holds.sql.ts';
import type { Db } from '#server/platform/database.ts';
import { keyAnswered, keyInUse, nextKey } from '#server/platform/idempotency-keys.sql.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import type { Schema } from '#server/platform/schema.ts';

/** `undefined` if the event belongs to another organization. */
export function eventToPayOut(db: Db, organizationId: string, eventId: string) {
  return ownEvent(db, organizationId, eventId).executeTakeFirst();
}

/** Also blocks cancelling, refunding and paying out the event until the transaction ends. */
export function lockEventToPayOut(db: Db, organizationId: string, eventId: string) {
  return ownEvent(db, organizationId, eventId).forNoKeyUpdate().executeTakeFirst();
}

/** How long a payout that is denied again and again is asked for. Its organizer can request it later, too. */
const ASKED_DAYS = 90;

/** Of organizations that chose automatic payouts, in order of id. What denies each is up to `denyPayout`. */
export async function duePayouts(db: Db, { after, limit }: { after: string; limit: number }) {
  const { rows } = await sql<{ eventId: string; organizationId: string }>`
    select e.id as event_id, e.organization_id
      from payout_accounts a
      join organizations o on o.id = a.organization_id
      join events e on e.organization_id = a.organization_id
     where a.requests_payouts and o.suspended_at is null
       and e.is_published and e.cancelled_at is null and e.payout_requested_at is null
       and e.latest_ends_at <= business_now() - make_interval(hours => ${SETTLEMENT_HOLD_HOURS})
       and e.latest_ends_at > business_now() - make_interval(days => ${ASKED_DAYS})
       and exists (select from tickets t where t.event_id = e.id and counts_as_sold(t.state) and t.price_cents > 0)
       and e.id > ${after}
     order by e.id
     limit ${limit}`.execute(db);
  return rows;
}

function ownEvent(db: Db, organizationId: string, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizationId', '=', organizationId)
    .select([
      'id',
      'organizationId',
      'latestEndsAt',
      'cancelledAt',
      'payoutRequestedAt',
      'processingFeeWaived',
      'feeTerms',
      sql<Date>`business_now()`.as('now'),
    ]);
}

/** Serializes claiming and recording payouts of the event. */
export async function lockEventById(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['organizationId', sql<Date>`business_now()`.as('now')])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
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

/**
 * Events whose payout waits: a buyer's objection to an early check-in is open, or was granted so recently that the ticket can still
 * be refunded.
 */
export async function eventsWithOpenObjections(db: Db, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (eventIds.length === 0) return new Set();
  const { rows } = await sql<{ eventId: string }>`
    select distinct c.event_id
      from early_check_ins c
      join tickets t on t.event_id = c.event_id and t.id = c.ticket_id
     where c.event_id = any (${[...eventIds]})
       and (c.objected_at is not null and c.ended_at is null and t.state = 'scanned'
            or c.outcome = 'undone' and t.state = 'valid' and business_now() < settles_at(c.ended_at))`.execute(db);
  return new Set(rows.map(({ eventId }) => eventId));
}

export type NewPayout = Pick<
  Schema['payouts'],
  'eventId' | 'id' | 'seq' | 'cents' | 'accountId' | 'requestedAt' | 'sendAfter'
> & {
  statement: SettledStatement;
};

/** @returns false if the event already has this payout */
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
    .select(['eventId', 'id', 'seq', 'state', 'accountId', 'statement', 'requestedAt', 'sendAfter', 'paidAt'])
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
      'organizationId',
      'latestEndsAt',
      'cancelledAt',
      'payoutRequestedAt',
      'processingFeeWaived',
      'feeTerms',
      sql<Date>`business_now()`.as('now'),
    ])
    .execute();
}

export interface PayoutRef {
  eventId: string;
  payoutId: string;
}

const mayBeSent = sql<boolean>`(send_after is null or send_after <= business_now())`;

/** @returns undefined if the payout was already transferred, is held, or is sent later */
export async function startTransfer(db: Db, { eventId, payoutId }: PayoutRef) {
  return db
    .updateTable('payouts')
    .set({ attemptedAt: sql<Date>`business_now()`, keySince: keyInUse('payouts') })
    .where('eventId', '=', eventId)
    .where('id', '=', payoutId)
    .where('state', '<>', 'paid')
    .where(mayBeSent)
    .where(({ not }) => not(isHeld(sql.ref('payouts.eventId'))))
    .returning(['cents', 'accountId', 'attempt'])
    .executeTakeFirst();
}

export async function payoutIdsOf(db: Db, eventId: string): Promise<string[]> {
  const rows = await db.selectFrom('payouts').where('eventId', '=', eventId).select('id').execute();
  return rows.map(({ id }) => id);
}

/** Least recently tried first, so that failing payouts don't block the others. */
export async function unpaidPayouts(db: Db, limit: number) {
  return db
    .selectFrom('payouts')
    .where('state', '<>', 'paid')
    .where(mayBeSent)
    .where(({ not }) => not(isHeld(sql.ref('payouts.eventId'))))
    .select(['eventId', 'id as payoutId'])
    .orderBy('attemptedAt', (order) => order.asc().nullsFirst())
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

/** Only the first of concurrent calls gets the row. `transferId` is null if there was nothing to transfer. */
export async function markPaid(db: Db, { eventId, payoutId }: PayoutRef, transferId: string | null) {
  return db
    .updateTable('payouts')
    .set({ state: 'paid', transferId, failureReason: null, paidAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('id', '=', payoutId)
    .where('state', '<>', 'paid')
    .returning(['seq', 'statement', 'paidAt'])
    .executeTakeFirst();
}

const KEYS = { first: keyAnswered, repeated: nextKey, none: {} };

export interface TransferFailure {
  state?: 'requested' | 'awaiting-funds' | 'awaiting-account';
  failureReason: string;
}

/** @returns whether the next call uses a new idempotency key; under the old one Stripe would repeat its response */
export async function recordTransferFailure(
  db: Db,
  { eventId, payoutId }: PayoutRef,
  { attempt, answer }: { attempt: number; answer: 'first' | 'repeated' | 'none' },
  change: TransferFailure,
): Promise<boolean> {
  const updated = await db
    .updateTable('payouts')
    .set({ ...change, ...KEYS[answer] })
    .where('eventId', '=', eventId)
    .where('id', '=', payoutId)
    .where('attempt', '=', attempt)
    .where('state', '<>', 'paid')
    .returning('attempt')
    .executeTakeFirst();
  return updated !== undefined && updated.attempt !== attempt;
}
