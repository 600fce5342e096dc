/**
 * Acts on what the card company reports. A notice is only a hint, and may come late, twice or out of order: whatever it
 * says, its subject is brought to where the card company says it is now, together with all other notices about it.
 */
import { accountChanged } from '#server/payments/payouts/payout-account-changed.ts';
import { sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { processMoneyEvents, type WebhookDeps } from './process-money-events.ts';
import { markProcessed, type UnprocessedEvent, unprocessedEvent, unprocessedEventsOf } from './webhooks.sql.ts';

const AT_ONCE = 500;

export async function processWebhookEvent(deps: WebhookDeps, noticeId: string): Promise<void> {
  const notice = await unprocessedEvent(deps.db, noticeId);
  if (!notice) return;
  // Only those that were there before the card company is asked: what comes later may say something newer.
  const notices = notice.subject === null ? [notice] : await unprocessedEventsOf(deps.db, notice.subject, AT_ONCE);

  const done = await applyAll(deps, notices);
  if (done.length === 0) return;
  // After the effect: a crash in between repeats the effect, which then finds nothing left to do.
  await markProcessed(
    deps.db,
    done.map(({ id }) => id),
    deps.clock.now(),
  );
}

/** @returns the notices that nothing more is to be done about */
async function applyAll(deps: WebhookDeps, notices: readonly UnprocessedEvent[]): Promise<readonly UnprocessedEvent[]> {
  const [first] = notices;
  switch (first && deps.cards.hintOf(JSON.parse(first.payload)).about) {
    case 'balance':
      await sendWaitingPayouts(deps);
      return notices;
    case 'account':
      if (first?.accountId) await accountChanged(deps, { accountId: first.accountId });
      return notices;
    default:
      return processMoneyEvents(deps, notices);
  }
}
