import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Page } from './api.sql.ts';

const refunds = (db: Db) =>
  db
    .selectFrom('refunds')
    .select(['eventId', 'id', 'orderId', 'ticketId', 'cents', 'reason', 'state', 'createdAt', 'sentAt']);

const payouts = (db: Db) =>
  db
    .selectFrom('payouts')
    .select(['eventId', 'id', 'seq', 'state', 'cents', 'statement', 'transferId', 'requestedAt', 'paidAt']);

export type RefundRow = Awaited<ReturnType<typeof refundsFrom>>[number];
export type PayoutRow = Awaited<ReturnType<typeof payoutsFrom>>[number];

const isOneOf = (eventIds: readonly string[]) => sql<boolean>`event_id = any(${eventIds}::text[])`;
const isAfter = (id: string | null) => sql<boolean>`(${id}::uuid is null or id > ${id}::uuid)`;

/** By id, which begins with the time. */
export function refundsFrom(
  db: Db,
  eventIds: readonly string[],
  { orderId, after, limit }: Page & { orderId: string | null },
) {
  return refunds(db)
    .where(isOneOf(eventIds))
    .where(isAfter(after))
    .where(sql<boolean>`(${orderId}::uuid is null or order_id = ${orderId}::uuid)`)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export const refundOf = (db: Db, eventId: string, refundId: string) =>
  refunds(db).where('eventId', '=', eventId).where('id', '=', refundId).executeTakeFirst();

/** By id, which begins with the time. */
export function payoutsFrom(db: Db, eventIds: readonly string[], { after, limit }: Page) {
  return payouts(db).where(isOneOf(eventIds)).where(isAfter(after)).orderBy('id').limit(limit).execute();
}

export const payoutOf = (db: Db, eventId: string, payoutId: string) =>
  payouts(db).where('eventId', '=', eventId).where('id', '=', payoutId).executeTakeFirst();
