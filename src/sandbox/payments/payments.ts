/** Card payments: intent, charge, balance transaction, and events in Stripe's order. */

import { availableAt } from '#sandbox/money/balances.ts';
import { insertObject, type Stored, saveObject } from '#sandbox/objects.ts';
import type { OperationContext } from '#sandbox/operation-context.ts';
import type { Payer } from '#sandbox/shapes/checkout-session.ts';
import type { PaymentError } from '#sandbox/shapes/payment-intent.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';
import { completeSession, type StoredSession } from './checkout-sessions.ts';
import { openDispute } from './disputes.ts';
import { createFraudWarning } from './early-fraud-warnings.ts';
import { newCharge } from './new-charge.ts';
import { failIntent, findOrCreateIntent, type StoredIntent, succeedIntent, toPaymentError } from './payment-intents.ts';
import { type CardBehavior, testCardNamed } from './test-cards.ts';

export type PaymentResult =
  | { outcome: 'succeeded' }
  | { outcome: 'challenged' }
  | { outcome: 'declined'; message: string };

/** Requires the lock on an open session. */
export async function pay(ctx: OperationContext, session: StoredSession, payer: Payer): Promise<PaymentResult> {
  const intent = await findOrCreateIntent(ctx, session);
  if (testCardNamed(payer.card.name).behavior.requiresChallenge) return await challenge(ctx, session, intent, payer);
  return await charge(ctx, session, intent, payer, false);
}

/** Completes or fails a 3D Secure challenge. Null when none is pending. */
export async function answerChallenge(
  ctx: OperationContext,
  session: StoredSession,
  confirmed: boolean,
): Promise<PaymentResult | null> {
  const payer = session.inside.challenged;
  if (!payer) return null;
  const intent = await findOrCreateIntent(ctx, session);
  session.inside.challenged = null;
  if (confirmed) return await charge(ctx, session, intent, payer, true);

  const message =
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
  const authenticationError = { code: 'payment_intent_authentication_failure', declineCode: null, message };
  await decline(ctx, session, intent, toPaymentError('card_error', authenticationError));
  return { outcome: 'declined', message };
}

/** Completes a session with a total of zero, which only collects an email address. */
export async function completeWithoutPayment(
  ctx: OperationContext,
  session: StoredSession,
  email: string,
): Promise<void> {
  const buyer = { email, name: null, zip: null };
  await completeSession(ctx, session, buyer, { paymentIntentId: null, paymentStatus: 'no_payment_required' });
}

async function challenge(
  ctx: OperationContext,
  session: StoredSession,
  intent: StoredIntent,
  payer: Payer,
): Promise<PaymentResult> {
  const url = `${ctx.publicUrl}/sandbox/pay/${session.body.id}/challenge`;
  intent.body.status = 'requires_action';
  intent.body.next_action = { type: 'redirect_to_url', redirect_to_url: { return_url: session.body.success_url, url } };
  await saveObject(ctx, intent);
  session.inside.challenged = payer;
  await saveObject(ctx, session);
  await emitEvent(ctx, 'payment_intent.requires_action', intent.body);
  return { outcome: 'challenged' };
}

async function charge(
  ctx: OperationContext,
  session: StoredSession,
  intent: StoredIntent,
  payer: Payer,
  authenticated: boolean,
): Promise<PaymentResult> {
  const { decline: declined, hasInstantFunds, refundOutcome, followUp } = testCardNamed(payer.card.name).behavior;
  const body = newCharge(ctx, intent.body, payer, { decline: declined, authenticated });
  const inside = { refundOutcome };

  if (declined) {
    await insertObject<'charge'>(ctx, body, inside);
    await decline(ctx, session, intent, toPaymentError('card_error', declined, body.id));
    await emitEvent(ctx, 'charge.failed', body);
    return { outcome: 'declined', message: declined.message };
  }

  const availableOn = hasInstantFunds ? ctx.now : availableAt(ctx.now);
  await succeedIntent(ctx, intent, { body, inside, availableOn }, () =>
    completeSession(ctx, session, payer, { paymentIntentId: intent.body.id, paymentStatus: 'paid' }),
  );
  await runFollowUp(ctx, { body, inside }, followUp);
  return { outcome: 'succeeded' };
}

async function runFollowUp(
  ctx: OperationContext,
  charge: Stored<'charge'>,
  followUp: CardBehavior['followUp'],
): Promise<void> {
  if (followUp === 'fraud-warning') await createFraudWarning(ctx, charge.body);
  if (followUp === 'inquiry') await openDispute(ctx, charge, { kind: 'inquiry', reason: 'general' });
  if (followUp === 'fraud-dispute') await openDispute(ctx, charge, { kind: 'chargeback', reason: 'fraudulent' });
  if (followUp === 'goods-dispute') {
    await openDispute(ctx, charge, { kind: 'chargeback', reason: 'product_not_received' });
  }
}

async function decline(
  ctx: OperationContext,
  session: StoredSession,
  intent: StoredIntent,
  error: PaymentError,
): Promise<void> {
  session.inside.declines += 1;
  await saveObject(ctx, session);
  await failIntent(ctx, intent, error);
}
