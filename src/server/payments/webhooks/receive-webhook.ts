/** Receives Stripe's webhook events: stores each one before answering and processes it in a job. */
import { webhookReceived } from '#messages/requests.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isUuid } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import type { WebhookEvent } from '#server/platform/ports/payment-processor.ts';
import { insertWebhookEvent } from './webhooks.sql.ts';

export async function receiveWebhook(
  deps: Pick<Deps, 'db' | 'paymentProcessor' | 'log'>,
  rawBody: Buffer,
  signature: string | undefined,
) {
  const { db, paymentProcessor, log } = deps;
  const event = paymentProcessor.readWebhookEvent(rawBody, signature);
  if (!event) throw new AppError('webhook.bad-signature');

  const { webhookEventId, type, paymentId, accountId, payload } = event;
  const order = event.order && isUuid(event.order.orderId) ? event.order : null;
  const subject = subjectOf({ ...event, order }, paymentProcessor.webhookSubject(payload).about);
  if (subject === null)
    log.debug({ webhookEventId, type }, 'ignored a webhook event that concerns none of our objects');

  await inTransaction(db, async (tx) => {
    const isNew = await insertWebhookEvent(tx, {
      id: webhookEventId,
      type,
      eventId: order?.eventId ?? null,
      orderId: order?.orderId ?? null,
      paymentId,
      accountId,
      subject,
      payload,
      isIgnored: subject === null,
    });
    // Stripe repeats deliveries. The first one has been processed, is queued, or is found by the sweep.
    if (isNew && subject !== null)
      await enqueue(tx, 'process-webhook-event', { webhookEventId }, { key: webhookJobKey(subject) });
  });
  return { msg: webhookReceived };
}

type About = ReturnType<Deps['paymentProcessor']['webhookSubject']>['about'];

/** Events of one subject are processed together, because one read from Stripe covers all of them. */
function subjectOf({ order, paymentId, accountId }: WebhookEvent, about: About): string | null {
  if (about === 'nothing') return null;
  if (about === 'balance') return 'balance';
  if (about === 'account') return accountId && `account ${accountId}`;
  if (order) return `order ${order.orderId}`;
  // Our payments always name their order, but their refunds and disputes may not.
  return about === 'sale' || about === 'end' || about === 'fee' ? null : paymentId && `payment ${paymentId}`;
}

/** Pending events of one subject share a job. The sweep's query builds the same key. */
export const webhookJobKey = (subject: string): string => `webhook ${subject}`;
