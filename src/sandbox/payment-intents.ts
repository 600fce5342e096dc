/** The payment intent of a session: made by the first attempt, and where each attempt leaves it. */

import type { KeptSession } from './checkout-sessions.ts';
import { tell } from './events.ts';
import { newId } from './ids.ts';
import { cardFeeCents, post } from './balances.ts';
import { insertObject, type Kept, lockObject, saveObject } from './objects.ts';
import type { Charge, ChargeInside } from './shapes/charge.ts';
import { neverSetOnIntent, type PaymentError, type PaymentIntent } from './shapes/payment-intent.ts';
import type { Decline } from './test-cards.ts';
import { stamp, type Work } from './operation-context.ts';

export type KeptIntent = Kept<'payment_intent'>;

/** The caller holds the session's row. */
export async function intentOf(work: Work, session: KeptSession): Promise<KeptIntent> {
  const known = session.inside.paymentIntentId;
  const found = known === null ? null : await lockObject(work, 'payment_intent', known);
  if (found) return found;

  const id = newId('pi');
  const body: PaymentIntent = {
    id,
    object: 'payment_intent',
    ...neverSetOnIntent,
    amount: session.body.amount_total,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${newId('pm').slice(3)}`,
    created: stamp(work),
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
  const intent: KeptIntent = { body, inside: { settlesAt: null, underWay: null } };
  await insertObject<'payment_intent'>(work, body, intent.inside);
  await tell(work, 'payment_intent.created', body);
  session.inside.paymentIntentId = id;
  await saveObject(work, session);
  return intent;
}

/** Books the charge and tells of it in Stripe's order; `tellOfSession` comes in between. */
export async function succeedIntent(
  work: Work,
  intent: KeptIntent,
  charge: { body: Charge; inside: ChargeInside; availableOn: number },
  tellOfSession: () => Promise<void>,
): Promise<void> {
  const { body, inside, availableOn } = charge;
  // Stripe fills the charge's balance transaction a moment later, and says so with charge.updated.
  const charged = { ...body };
  body.balance_transaction = await post(work, {
    account: null,
    amount: body.amount,
    fee: cardFeeCents(body.amount),
    type: 'charge',
    reportingCategory: 'charge',
    source: body.id,
    description: body.description,
    availableOn,
  });
  await insertObject<'charge'>(work, body, inside);
  Object.assign(intent.body, {
    status: 'succeeded',
    amount_received: intent.body.amount,
    last_payment_error: null,
    latest_charge: body.id,
    next_action: null,
    payment_method: body.payment_method,
  } satisfies Partial<PaymentIntent>);
  intent.inside = { settlesAt: null, underWay: null };
  await saveObject(work, intent);

  await tell(work, 'charge.succeeded', charged);
  await tell(work, 'payment_intent.succeeded', intent.body);
  await tellOfSession();
  await tell(work, 'charge.updated', body, { previous: { balance_transaction: null } });
}

export async function failIntent(work: Work, intent: KeptIntent, error: PaymentError): Promise<void> {
  Object.assign(intent.body, {
    status: 'requires_payment_method',
    last_payment_error: error,
    latest_charge: error.charge ?? intent.body.latest_charge,
    next_action: null,
  } satisfies Partial<PaymentIntent>);
  intent.inside = { settlesAt: null, underWay: null };
  await saveObject(work, intent);
  await tell(work, 'payment_intent.payment_failed', intent.body);
}

export const paymentError = (
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
