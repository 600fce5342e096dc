/** Payment intents. The first payment attempt of a session creates its intent. */

import { newId } from '#sandbox/ids.ts';
import { processingFeeCents, recordBalanceTransaction } from '#sandbox/money/balances.ts';
import { insertObject, lockObject, type Stored, saveObject } from '#sandbox/objects.ts';
import { type OperationContext, timestamp } from '#sandbox/operation-context.ts';
import type { Charge, ChargeInside } from '#sandbox/shapes/charge.ts';
import { type PaymentError, type PaymentIntent, unsetIntentFields } from '#sandbox/shapes/payment-intent.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';
import type { StoredSession } from './checkout-sessions.ts';
import type { Decline } from './test-cards.ts';

export type StoredIntent = Stored<'payment_intent'>;

/** Requires the lock on the session. */
export async function findOrCreateIntent(ctx: OperationContext, session: StoredSession): Promise<StoredIntent> {
  const existingId = session.inside.paymentIntentId;
  const found = existingId === null ? null : await lockObject(ctx, 'payment_intent', existingId);
  if (found) return found;

  const id = newId('pi');
  const body: PaymentIntent = {
    id,
    object: 'payment_intent',
    ...unsetIntentFields,
    amount: session.body.amount_total,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${newId('pm').slice(3)}`,
    created: timestamp(ctx),
    currency: 'usd',
    description: session.inside.intent.description,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: session.inside.intent.metadata,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
    transfer_group: session.inside.intent.transfer_group,
  };
  const intent: StoredIntent = { body, inside: { settlesAt: null, underWay: null } };
  await insertObject<'payment_intent'>(ctx, body, intent.inside);
  await emitEvent(ctx, 'payment_intent.created', body);
  session.inside.paymentIntentId = id;
  await saveObject(ctx, session);
  return intent;
}

/** Records the charge and emits events in Stripe's order, with the session's events in between. */
export async function succeedIntent(
  ctx: OperationContext,
  intent: StoredIntent,
  charge: { body: Charge; inside: ChargeInside; availableOn: number },
  emitSessionEvents: () => Promise<void>,
): Promise<void> {
  const { body, inside, availableOn } = charge;
  // Stripe sets the charge's balance transaction later and reports it with charge.updated.
  const chargeBefore = { ...body };
  body.balance_transaction = await recordBalanceTransaction(ctx, {
    account: null,
    amount: body.amount,
    fee: processingFeeCents(body.amount),
    type: 'charge',
    reportingCategory: 'charge',
    source: body.id,
    description: body.description,
    availableOn,
  });
  await insertObject<'charge'>(ctx, body, inside);
  Object.assign(intent.body, {
    status: 'succeeded',
    amount_received: intent.body.amount,
    last_payment_error: null,
    latest_charge: body.id,
    next_action: null,
    payment_method: body.payment_method,
  } satisfies Partial<PaymentIntent>);
  intent.inside = { settlesAt: null, underWay: null };
  await saveObject(ctx, intent);

  await emitEvent(ctx, 'charge.succeeded', chargeBefore);
  await emitEvent(ctx, 'payment_intent.succeeded', intent.body);
  await emitSessionEvents();
  await emitEvent(ctx, 'charge.updated', body, { previous: { balance_transaction: null } });
}

export async function failIntent(ctx: OperationContext, intent: StoredIntent, error: PaymentError): Promise<void> {
  Object.assign(intent.body, {
    status: 'requires_payment_method',
    last_payment_error: error,
    latest_charge: error.charge ?? intent.body.latest_charge,
    next_action: null,
  } satisfies Partial<PaymentIntent>);
  intent.inside = { settlesAt: null, underWay: null };
  await saveObject(ctx, intent);
  await emitEvent(ctx, 'payment_intent.payment_failed', intent.body);
}

export const toPaymentError = (
  type: PaymentError['type'],
  { code, declineCode, message }: Decline,
  charge?: string,
): PaymentError => ({
  type,
  code,
  ...(declineCode ? { decline_code: declineCode } : {}),
  message,
  ...(charge ? { charge } : {}),
  doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
});
