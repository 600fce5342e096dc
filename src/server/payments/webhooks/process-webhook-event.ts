/**
 * Processes Stripe's webhook events. Events may arrive late, twice or out of order, so an event is only a hint: its
 * subject is synced with the current state at Stripe, which covers all other pending events of the subject as well.
 */
import { hasReceivedPayment } from '#domain/payment.ts';
import { findOrder, type KnownOrder } from '#server/orders/core/orders.sql.ts';
import { settleOrder } from '#server/payments/checkout/fulfill-order.ts';
import { payoutAccountChanged } from '#server/payments/payouts/payout-account-changed.ts';
import { sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { settlePayment } from '#server/payments/reconciliation/settle-payment.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { WebhookSubject } from '#server/platform/ports/payment-processor.ts';
import {
  markProcessed,
  refundsOfOrder,
  type UnprocessedEvent,
  unprocessedEvent,
  unprocessedEventsOf,
} from './webhooks.sql.ts';

type WebhookDeps = Pick<Deps, 'db' | 'paymentProcessor' | 'payoutAccounts' | 'clock' | 'log'>;

/** An order is stored before its payment page opens. One that is still missing after this time is foreign or lost. */
const ORDER_MISSING_SECONDS = 10 * 60;

const SALE_SUBJECTS: ReadonlySet<WebhookSubject['about']> = new Set(['sale', 'end', 'fee']);

const BATCH_SIZE = 500;

export async function processWebhookEvent(deps: WebhookDeps, webhookEventId: string): Promise<void> {
  const event = await unprocessedEvent(deps.db, webhookEventId);
  if (!event) return;
  // Read before Stripe is called: an event that arrives later may report a newer state.
  const events = event.subject === null ? [event] : await unprocessedEventsOf(deps.db, event.subject, BATCH_SIZE);

  const processed = await applyAll(deps, events);
  if (processed.length === 0) return;
  // Marked last: after a crash the events are processed again, which is idempotent.
  await markProcessed(
    deps.db,
    processed.map(({ id }) => id),
  );
}

/** @returns the events that need no further processing */
async function applyAll(deps: WebhookDeps, events: readonly UnprocessedEvent[]): Promise<readonly UnprocessedEvent[]> {
  const [first] = events;
  switch (first && deps.paymentProcessor.webhookSubject(JSON.parse(first.payload)).about) {
    case 'balance':
      await sendWaitingPayouts(deps);
      return events;
    case 'account':
      if (first?.accountId) await payoutAccountChanged(deps, { accountId: first.accountId });
      return events;
    default:
      return processMoneyEvents(deps, events);
  }
}

/** Processes the events of one order or one payment. Returns those that need no further processing. */
async function processMoneyEvents(
  deps: WebhookDeps,
  events: readonly UnprocessedEvent[],
): Promise<readonly UnprocessedEvent[]> {
  const ref = referenceIn(events);
  const order = await findOrder(deps.db, ref);
  if (!order && ref.order) return giveUpOnOld(deps, events);

  switch (await changeIn(deps, events, order)) {
    case 'none':
      return events;
    case 'sale':
      if (order) await settleOrder(deps, order);
      return events;
    case 'payment': {
      // Payments other than the order's own may name the order in their metadata.
      const paymentIds = new Set([order?.paymentId, ...events.map(({ paymentId }) => paymentId)]);
      let allSettled = true;
      for (const paymentId of paymentIds) {
        const settled = paymentId ? await settlePayment(deps, paymentId) : 'foreign';
        if (settled !== 'settled' && settled !== 'foreign') allSettled = false;
      }
      return allSettled ? events : giveUpOnOld(deps, events);
    }
  }
}

function referenceIn(events: readonly UnprocessedEvent[]) {
  const named = events.find(({ eventId, orderId }) => eventId !== null && orderId !== null);
  const order = named?.eventId && named.orderId ? { eventId: named.eventId, orderId: named.orderId } : null;
  return { order, paymentId: events.find(({ paymentId }) => paymentId !== null)?.paymentId ?? null };
}

/** Newer events stay unprocessed, so the sweep retries them. */
function giveUpOnOld({ log }: WebhookDeps, events: readonly UnprocessedEvent[]): readonly UnprocessedEvent[] {
  const abandoned = events.filter(({ ageSeconds }) => ageSeconds > ORDER_MISSING_SECONDS);
  for (const { id, type, orderId } of abandoned) {
    log.warn(
      { webhookEventId: id, type, orderId },
      'gave up on a webhook event of an unknown order; reconciliation will cover it',
    );
  }
  return abandoned;
}

/**
 * Most events only repeat what we did ourselves: cancelling an event causes thousands of refund events. Those cost one
 * query and no call to Stripe.
 */
async function changeIn(
  { db, paymentProcessor }: WebhookDeps,
  events: readonly UnprocessedEvent[],
  order: KnownOrder | null,
): Promise<'none' | 'sale' | 'payment'> {
  const hints = events.map(({ payload }) => paymentProcessor.webhookSubject(JSON.parse(payload)));
  const refunds = order && hints.some(isAboutRefunds) ? await refundsOfOrder(db, order) : [];
  const changes = hints.filter((hint) => {
    if (hint.about === 'sale') return order && !hasReceivedPayment(order);
    if (hint.about === 'end') return order?.state === 'reserved';
    if (hint.about === 'fee') return order && !order.hasFee;
    if (hint.about === 'refund') return !isKnownRefund(hint, refunds);
    return hint.about === 'refunded' ? !isKnownSum(hint.cents, refunds) : hint.about === 'dispute';
  });
  if (changes.length === 0) return 'none';
  return changes.every(({ about }) => SALE_SUBJECTS.has(about)) ? 'sale' : 'payment';
}

const isAboutRefunds = ({ about }: WebhookSubject) => about === 'refund' || about === 'refunded';

type Refund = Awaited<ReturnType<typeof refundsOfOrder>>[number];
type RefundHint = Extract<WebhookSubject, { about: 'refund' }>;

/** Whether the event only repeats what our records already say. */
function isKnownRefund({ stripeRefundId, refundId, state }: RefundHint, refunds: readonly Refund[]): boolean {
  const refund = refunds.find((row) => row.stripeRefundId === stripeRefundId || row.id === refundId);
  if (!refund) return false;
  // Our own call is in flight. It records the response itself.
  if (refund.state === 'claimed') return state !== 'failed';
  if (refund.state === 'sent') return state === 'pending' || (state === 'succeeded' && refund.settledAt !== null);
  return refund.state === 'failed' || (refund.state === 'refused' && state === 'failed');
}

/** Refunds in flight count as known: Stripe sends a separate event for each of them. */
function isKnownSum(refundedCents: number, refunds: readonly Refund[]): boolean {
  const known = refunds.filter(({ state }) => state === 'sent' || state === 'claimed');
  return refundedCents <= known.reduce((sum, { cents }) => sum + cents, 0);
}
