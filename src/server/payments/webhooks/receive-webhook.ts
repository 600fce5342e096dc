/** Takes in what the card company reports. It is stored before it is answered, and acted on after. */
import { badSignature, webhookReceived } from '#contract/checkout.ts';
import { isOrderId } from '#server/orders/find-order.ts';
import { invalid } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import type { WebhookEvent } from '#server/platform/ports/payment-processor.ts';
import { insertWebhookEvent } from './webhooks.sql.ts';

export async function receiveWebhook(
  deps: Pick<Deps, 'db' | 'cards' | 'clock' | 'log'>,
  rawBody: Buffer,
  signature: string | undefined,
) {
  const { db, cards, clock, log } = deps;
  const notice = cards.readNotice(rawBody, signature);
  if (!notice) throw invalid(badSignature);

  const { noticeId, type, paymentId, accountId, payload } = notice;
  const order = notice.order && isOrderId(notice.order.orderId) ? notice.order : null;
  const subject = subjectOf({ ...notice, order }, cards.hintOf(payload).about);
  const receivedAt = clock.now();
  if (subject === null) log.debug({ noticeId, type }, 'a notice about nothing of ours');

  await inTransaction(db, async (tx) => {
    const isNew = await insertWebhookEvent(tx, {
      id: noticeId,
      type,
      eventId: order?.eventId ?? null,
      orderId: order?.orderId ?? null,
      paymentId,
      accountId,
      subject,
      payload,
      receivedAt,
      processedAt: subject === null ? receivedAt : null,
    });
    // A repeated delivery is normal. What the first one asks for is done, queued, or found by the sweep.
    if (isNew && subject !== null) await enqueue(tx, 'apply-notice', { noticeId }, { key: webhookJobKey(subject) });
  });
  return { msg: webhookReceived };
}

type About = ReturnType<Deps['cards']['hintOf']>['about'];

/** Whatever the notices of one subject say, one look at the card company tells all of it. */
function subjectOf({ order, paymentId, accountId }: WebhookEvent, about: About): string | null {
  if (about === 'nothing') return null;
  if (about === 'balance') return 'balance';
  if (about === 'account') return accountId && `account ${accountId}`;
  if (order) return `order ${order.orderId}`;
  // A payment that names no order of ours was not made by us; what is given back of one does not always say whose it is.
  return about === 'sale' || about === 'end' || about === 'fee' ? null : paymentId && `payment ${paymentId}`;
}

/** Notices of one subject that wait at the same time are one job. The sweep's query spells the same key. */
export const webhookJobKey = (subject: string): string => `notice ${subject}`;
