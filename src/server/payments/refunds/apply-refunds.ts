/**
 * Brings an order's refunds in line with what the card company says of its payment: ours move on, and those that were
 * made at the card company itself are recorded. May be called at any time and any number of times.
 */

import type { OrderRef } from '#domain/order.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { PaymentReading, ProcessorRefundState } from '#server/platform/ports/payment-processor.ts';
import { recordFailed, recordProgress, recordRefused, recordSent } from './record-answer.ts';
import { recordExternalRefundOf, recordOrphanedRefund } from './record-external-refund.ts';
import { type LockedOrder, lockOrderForRefund } from './refunded-tickets.sql.ts';
import { lockRefundsOf } from './refunds.sql.ts';
import { voidTicketsOf } from './void-tickets.ts';

type RefundRow = Awaited<ReturnType<typeof lockRefundsOf>>[number];

export async function applyRefunds(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  order: OrderRef,
  reading: Pick<PaymentReading, 'chargedCents' | 'refunds'>,
): Promise<void> {
  if (reading.refunds.length === 0) return;
  const news = await inTransaction(db, async (tx) => {
    const locked = await lockOrderForRefund(tx, order);
    // Its money is not in the books before it is settled, so nothing of it can go out.
    if (!locked || locked.state === 'held' || locked.state === 'expired') return [];

    const rows = await lockRefundsOf(tx, order);
    const news: News[] = [];
    for (const refund of oursFirst(reading.refunds, rows)) {
      const kind = await applyOne(tx, locked, rows, refund);
      if (kind) news.push({ kind, refund });
    }
    if (isFullyRefunded(reading) && (await hasLivingExternal(tx, order))) await voidTicketsOf(tx, order);
    return news;
  });
  const { eventId, orderId } = order;
  for (const { kind, refund } of news) log.error({ eventId, orderId, ...refund }, NEWS[kind]);
}

/** Ours before those made outside: what could not be delivered is what somebody then paid there. */
function oursFirst(refunds: readonly ProcessorRefundState[], rows: readonly RefundRow[]): ProcessorRefundState[] {
  const isKnown = ({ providerRefundId, refundId }: ProcessorRefundState) =>
    rows.some((row) => row.providerRefundId === providerRefundId || row.id === refundId);
  return [...refunds.filter(isKnown), ...refunds.filter((refund) => !isKnown(refund))];
}

interface News {
  kind: keyof typeof NEWS;
  refund: ProcessorRefundState;
}

/** What a person has to look at. */
const NEWS = {
  failed: 'a refund could not be delivered: the money is owed to the buyer',
  external: 'a refund was made at the card company itself',
  forgotten: 'a refund that our books had forgotten was written down again',
};

async function applyOne(
  tx: Db,
  order: LockedOrder,
  rows: readonly RefundRow[],
  refund: ProcessorRefundState,
): Promise<News['kind'] | null> {
  const { providerRefundId, state } = refund;
  const known = rows.find((row) => row.providerRefundId === providerRefundId);
  if (known) return progress(tx, order, known, refund);

  const ours = rows.find((row) => row.id === refund.refundId);
  if (ours?.state === 'claimed') {
    if (state !== 'failed') await recordSent(tx, order, ours.id, refund);
    else await recordRefused(tx, order, { refundId: ours.id, words: wordsOf(refund), isBuyerWaiting: false });
    return null;
  }
  // What had failed before anyone looked has moved nothing.
  if (state === 'failed') return null;
  if (!ours && (await recordOrphanedRefund(tx, order, refund))) return 'forgotten';
  await recordExternalRefundOf(tx, order, refund);
  return 'external';
}

async function progress(
  tx: Db,
  order: LockedOrder,
  { id: refundId, reason, state, cents, movedAt, settledAt }: RefundRow,
  refund: ProcessorRefundState,
): Promise<News['kind'] | null> {
  if (state !== 'sent') return null;
  const sent = { eventId: order.eventId, refundId, cents, movedAt, settledAt };
  await recordProgress(tx, sent, refund, order.now);
  if (refund.state !== 'failed') return null;
  // What our books say has left comes back into them, also where the card company never moved it: earlier versions
  // booked that as soon as it had accepted the refund.
  const hasMoved = refund.hasMoved || movedAt !== null;
  await recordFailed(tx, order, sent, { hasMoved, isExternal: reason === 'external' });
  return 'failed';
}

function isFullyRefunded({ chargedCents, refunds }: Pick<PaymentReading, 'chargedCents' | 'refunds'>): boolean {
  const given = refunds.filter(({ state }) => state !== 'failed').reduce((sum, { cents }) => sum + cents, 0);
  return given >= chargedCents;
}

/** Our own refunds void nothing: each is of one ticket. */
async function hasLivingExternal(tx: Db, order: OrderRef): Promise<boolean> {
  const rows = await lockRefundsOf(tx, order);
  return rows.some(({ reason, state }) => reason === 'external' && state === 'sent');
}

function wordsOf({ providerRefundId, failure }: ProcessorRefundState): string {
  return `${providerRefundId} failed: ${failure ?? 'no reason given'}`;
}
