/** Charging a card for a session: the intent, the charge, the balance, and the events in Stripe's order. */

import { completeSession, type KeptSession } from './checkout-sessions.ts';
import { openDispute } from './disputes.ts';
import { warnOfFraud } from './early-fraud-warnings.ts';
import { tell } from './events.ts';
import { failIntent, intentOf, type KeptIntent, paymentError, succeedIntent } from './payment-intents.ts';
import { clearsAt } from './balances.ts';
import { newCharge } from './new-charge.ts';
import { insertObject, type Kept, saveObject } from './objects.ts';
import type { Payer } from './shapes/checkout-session.ts';
import type { PaymentError } from './shapes/payment-intent.ts';
import { type CardEffect, testCardNamed } from './test-cards.ts';
import type { Work } from './operation-context.ts';

export type PaymentResult = { outcome: 'done' } | { outcome: 'challenged' } | { outcome: 'declined'; message: string };

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
  const refusal = { code: 'payment_intent_authentication_failure', declineCode: null, message };
  await decline(work, session, intent, paymentError('card_error', refusal));
  return { outcome: 'declined', message };
}

/** The total is zero: the buyer leaves an e-mail address, and nothing is charged. */
export async function completeWithoutPayment(work: Work, session: KeptSession, email: string): Promise<void> {
  const buyer = { email, name: null, zip: null };
  await completeSession(work, session, buyer, { paymentIntentId: null, paymentStatus: 'no_payment_required' });
}

async function challenge(work: Work, session: KeptSession, intent: KeptIntent, payer: Payer): Promise<PaymentResult> {
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
  intent: KeptIntent,
  payer: Payer,
  authenticated: boolean,
): Promise<PaymentResult> {
  const { decline: refusal, fundsAtOnce, refundOutcome, aftermath } = testCardNamed(payer.card.name).effect;
  const body = newCharge(work, intent.body, payer, { decline: refusal, authenticated });
  const inside = { refundOutcome };

  if (refusal) {
    await insertObject<'charge'>(work, body, inside);
    await decline(work, session, intent, paymentError('card_error', refusal, body.id));
    await tell(work, 'charge.failed', body);
    return { outcome: 'declined', message: refusal.message };
  }

  const availableOn = fundsAtOnce ? work.now : clearsAt(work.now);
  await succeedIntent(work, intent, { body, inside, availableOn }, () =>
    completeSession(work, session, payer, { paymentIntentId: intent.body.id, paymentStatus: 'paid' }),
  );
  await followUp(work, { body, inside }, aftermath);
  return { outcome: 'done' };
}

async function followUp(work: Work, charge: Kept<'charge'>, aftermath: CardEffect['aftermath']): Promise<void> {
  if (aftermath === 'fraud-warning') await warnOfFraud(work, charge.body);
  if (aftermath === 'inquiry') await openDispute(work, charge, { kind: 'inquiry', reason: 'general' });
  if (aftermath === 'fraud-dispute') await openDispute(work, charge, { kind: 'chargeback', reason: 'fraudulent' });
  if (aftermath === 'goods-dispute') {
    await openDispute(work, charge, { kind: 'chargeback', reason: 'product_not_received' });
  }
}

async function decline(work: Work, session: KeptSession, intent: KeptIntent, error: PaymentError): Promise<void> {
  session.inside.declines += 1;
  await saveObject(work, session);
  await failIntent(work, intent, error);
}
