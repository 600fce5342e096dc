/** Charging a card for a session: the intent, the charge, the balance, and the events in Stripe's order. */

import { completeSession, type KeptSession } from './checkout-sessions.ts';
import { tell } from './events.ts';
import { newId } from './ids.ts';
import { cardFeeCents, clearsAt, post } from './money.ts';
import { newCharge } from './new-charge.ts';
import { insertObject, type Kept, lockObject, saveObject } from './objects.ts';
import type { Payer } from './shapes/checkout-session.ts';
import { neverSetOnIntent, type PaymentError, type PaymentIntent } from './shapes/payment-intent.ts';
import { type Decline, testCardNamed } from './test-cards.ts';
import { stamp, type Work } from './work.ts';

export type PaymentResult = { outcome: 'paid' } | { outcome: 'challenged' } | { outcome: 'declined'; message: string };

/** The caller holds the session's row and has seen that it is open. */
export async function pay(work: Work, session: KeptSession, payer: Payer): Promise<PaymentResult> {
  const intent = await intentOf(work, session);
  if (testCardNamed(payer.card.name).effect.challenge) return await challenge(work, session, intent, payer);
  return await charge(work, session, intent, payer, false);
}

/** The buyer has answered the bank. Null when no question is open. */
export async function answerChallenge(
  work: Work,
  session: KeptSession,
  confirmed: boolean,
): Promise<PaymentResult | null> {
  const payer = session.inside.challenged;
  if (!payer) return null;
  const intent = await intentOf(work, session);
  session.inside.challenged = null;
  if (confirmed) return await charge(work, session, intent, payer, true);

  const message =
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
  await failIntent(
    work,
    session,
    intent,
    cardError({ code: 'payment_intent_authentication_failure', declineCode: null, message }),
  );
  return { outcome: 'declined', message };
}

/** The total is zero: the buyer leaves an e-mail address, and nothing is charged. */
export async function completeWithoutPayment(work: Work, session: KeptSession, email: string): Promise<void> {
  await completeSession(work, session, { email, name: null, zip: null }, null);
}

async function intentOf(work: Work, session: KeptSession): Promise<Kept<'payment_intent'>> {
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
  await insertObject<'payment_intent'>(work, body, {});
  await tell(work, 'payment_intent.created', body);
  session.inside.paymentIntentId = id;
  await saveObject(work, session);
  return { body, inside: {} };
}

async function challenge(
  work: Work,
  session: KeptSession,
  intent: Kept<'payment_intent'>,
  payer: Payer,
): Promise<PaymentResult> {
  const url = `${work.publicUrl}/sandbox/pay/${session.body.id}/challenge`;
  intent.body.status = 'requires_action';
  intent.body.next_action = { type: 'redirect_to_url', redirect_to_url: { return_url: session.body.success_url, url } };
  await saveObject(work, intent);
  session.inside.challenged = payer;
  await saveObject(work, session);
  await tell(work, 'payment_intent.requires_action', intent.body);
  return { outcome: 'challenged' };
}

async function charge(
  work: Work,
  session: KeptSession,
  intent: Kept<'payment_intent'>,
  payer: Payer,
  authenticated: boolean,
): Promise<PaymentResult> {
  const { decline, fundsAtOnce, refundOutcome } = testCardNamed(payer.card.name).effect;
  const body = newCharge(work, intent.body, payer, { decline, authenticated });

  if (decline) {
    await insertObject<'charge'>(work, body, { refundOutcome });
    await failIntent(work, session, intent, { ...cardError(decline), charge: body.id });
    await tell(work, 'charge.failed', body);
    return { outcome: 'declined', message: decline.message };
  }

  // Stripe fills the charge's balance transaction a moment later, and says so with charge.updated.
  const charged = { ...body };
  const fee = cardFeeCents(body.amount);
  body.balance_transaction = await post(work, {
    account: null,
    amount: body.amount,
    fee,
    type: 'charge',
    reportingCategory: 'charge',
    source: body.id,
    description: body.description,
    availableOn: fundsAtOnce ? work.now : clearsAt(work.now),
  });
  await insertObject<'charge'>(work, body, { refundOutcome });
  Object.assign(intent.body, {
    status: 'succeeded',
    amount_received: intent.body.amount,
    last_payment_error: null,
    latest_charge: body.id,
    next_action: null,
    payment_method: body.payment_method,
  } satisfies Partial<PaymentIntent>);
  await saveObject(work, intent);

  await tell(work, 'charge.succeeded', charged);
  await tell(work, 'payment_intent.succeeded', intent.body);
  await completeSession(work, session, payer, intent.body.id);
  await tell(work, 'charge.updated', body, { previous: { balance_transaction: null } });
  return { outcome: 'paid' };
}

async function failIntent(
  work: Work,
  session: KeptSession,
  intent: Kept<'payment_intent'>,
  error: PaymentError,
): Promise<void> {
  Object.assign(intent.body, {
    status: 'requires_payment_method',
    last_payment_error: error,
    latest_charge: error.charge ?? intent.body.latest_charge,
    next_action: null,
  } satisfies Partial<PaymentIntent>);
  await saveObject(work, intent);
  session.inside.declines += 1;
  await saveObject(work, session);
  await tell(work, 'payment_intent.payment_failed', intent.body);
}

const cardError = ({ code, declineCode, message }: Decline): PaymentError => ({
  type: 'card_error',
  code,
  ...(declineCode ? { decline_code: declineCode } : {}),
  message,
  doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
});
