/** Operator action: retries an action item. Everything retried here is idempotent. */
import { type ActionItemKind, operatorActions } from '#contract/app/action-items.ts';
import { operatorActionMessages } from '#messages/operator.ts';
import { endCheckout } from '#server/payments/checkout/close-checkouts.ts';
import { claimAdditionalPayout } from '#server/payments/payouts/claim-additional-payout.ts';
import { sendPayout } from '#server/payments/payouts/send-payout.ts';
import { settlePayment } from '#server/payments/reconciliation/settle-payment.ts';
import { claimRefundAgain } from '#server/payments/refunds/claim-refund-again.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { type ActionItemRow, findActionItem } from './action-items.sql.ts';
import { paymentOfRefund, requeueJob } from './admin.sql.ts';
import { recordOperatorAction } from './record-operator-action.ts';

type RetryDeps = Parameters<typeof sendPayout>[0] & Parameters<typeof settlePayment>[0] & Pick<Deps, 'clock'>;

interface RetryRequest {
  operatorId: string;
  sessionId: string;
  kind: ActionItemKind;
  subject: string;
}

export async function retryActionItem(
  deps: RetryDeps,
  { operatorId, sessionId, kind, subject }: RetryRequest,
): Promise<{ msg: string }> {
  if (!operatorActions[kind].includes('retry')) throw new AppError('action-item.not-possible');
  const item = await findActionItem(deps.db, kind, subject);
  if (!item) throw new AppError('action-item.gone');

  await inTransaction(deps.db, async (tx) => {
    const { eventId } = item;
    await recordOperatorAction(tx, {
      operatorId,
      sessionId,
      action: 'retry',
      kind,
      subject,
      eventId,
      at: deps.clock.now(),
    });
    await requeue(tx, item);
  });
  // After the commit: Stripe is never called inside a transaction.
  await retryNow(deps, item);
  return { msg: operatorActionMessages.retry.done };
}

async function requeue(tx: Db, { kind, subject, eventId }: ActionItemRow): Promise<void> {
  if (kind === 'webhook-unprocessed') await enqueue(tx, 'process-webhook-event', { webhookEventId: subject });
  if (kind === 'email-unsent') await enqueue(tx, 'send-email', { emailId: subject });
  if (kind === 'job-given-up') await requeueJob(tx, subject);
  if (!eventId) return;
  if (kind === 'refund-unsent') await enqueue(tx, 'send-refund', { eventId, refundId: subject });
  if (kind === 'reversal-unsettled') await enqueue(tx, 'send-reversal', { eventId, reversalId: subject });
}

async function retryNow(deps: RetryDeps, { kind, subject, eventId }: ActionItemRow): Promise<void> {
  if (!eventId) return;
  if (kind === 'order-reserved') await endCheckout(deps, { eventId, orderId: subject });
  if (kind === 'return-unpaid') await inTransaction(deps.db, (tx) => claimAdditionalPayout(deps, tx, eventId));
  if (kind === 'refund-refused') await claimRefundAgain(deps, { eventId, refundId: subject });
  if (kind === 'refund-unsettled') {
    const paymentId = await paymentOfRefund(deps.db, eventId, subject);
    if (paymentId) await settlePayment(deps, paymentId);
  }
  if (kind.startsWith('payout-')) await sendPayout(deps, { eventId, payoutId: subject });
}
