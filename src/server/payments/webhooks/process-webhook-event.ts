/**
 * Processes Stripe's webhook events. Events may arrive late, twice or out of order, so an event is only a hint: its
 * subject is synced with the current state at Stripe, which covers all other pending events of the subject as well.
 */
import { payoutAccountChanged } from '#server/payments/payouts/payout-account-changed.ts';
import { sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { processMoneyEvents, type WebhookDeps } from './process-money-events.ts';
import { markProcessed, type UnprocessedEvent, unprocessedEvent, unprocessedEventsOf } from './webhooks.sql.ts';

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
    deps.clock.now(),
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
