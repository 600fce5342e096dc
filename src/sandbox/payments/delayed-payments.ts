/** Bank account payments: the session completes at once, and the payment succeeds or fails an hour later. */

import { newId } from '#sandbox/ids.ts';
import { availableAt } from '#sandbox/money/balances.ts';
import { findObject, insertObject, lockObject, saveObject } from '#sandbox/objects.ts';
import type { OperationContext } from '#sandbox/operation-context.ts';
import type { BankPayer } from '#sandbox/shapes/checkout-session.ts';
import type { PaymentIntent } from '#sandbox/shapes/payment-intent.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';
import { completeSession, type StoredSession } from './checkout-sessions.ts';
import { newBankCharge } from './new-charge.ts';
import { failIntent, findOrCreateIntent, type StoredIntent, succeedIntent, toPaymentError } from './payment-intents.ts';
import { testBankAccountNamed } from './test-bank-accounts.ts';

const SETTLEMENT_SECONDS = 60 * 60;

/** Requires the lock on an open session. */
export async function payFromBankAccount(
  ctx: OperationContext,
  session: StoredSession,
  payer: BankPayer,
): Promise<void> {
  const intent = await findOrCreateIntent(ctx, session);
  Object.assign(intent.body, {
    status: 'processing',
    payment_method: newId('pm'),
    last_payment_error: null,
    next_action: null,
    payment_method_types: ['us_bank_account'],
  } satisfies Partial<PaymentIntent>);
  intent.inside = { settlesAt: ctx.now + SETTLEMENT_SECONDS, underWay: { session: session.body.id, payer } };
  await saveObject(ctx, intent);
  await emitEvent(ctx, 'payment_intent.processing', intent.body);
  await completeSession(ctx, session, payer, { paymentIntentId: intent.body.id, paymentStatus: 'unpaid' });
}

/** Intents that are due to settle, earliest first. */
export async function findDueDelayedPayments({ tx, now }: Pick<OperationContext, 'tx' | 'now'>): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from sandbox.objects
      where kind = 'payment_intent' and due_at <= $1 order by due_at`,
    [now],
  );
  return rows.map(({ id }) => id);
}

export async function settleDelayedPayment(ctx: OperationContext, id: string): Promise<void> {
  // Same lock order as the payment: session, then intent.
  const unlocked = await findObject(ctx, 'payment_intent', id);
  const session =
    unlocked?.inside.underWay && (await lockObject(ctx, 'checkout.session', unlocked.inside.underWay.session));
  const intent = session && (await lockObject(ctx, 'payment_intent', id));
  if (!session || !intent?.inside.underWay || (intent.inside.settlesAt ?? Number.POSITIVE_INFINITY) > ctx.now) return;

  if (intent.body.status === 'processing') await settleIntent(ctx, session, intent, intent.inside.underWay.payer);
  else {
    // Canceled while processing.
    intent.inside = { settlesAt: null, underWay: null };
    await saveObject(ctx, intent);
  }
}

async function settleIntent(
  ctx: OperationContext,
  session: StoredSession,
  intent: StoredIntent,
  payer: BankPayer,
): Promise<void> {
  const { failure } = testBankAccountNamed(payer.bank.name);
  const body = newBankCharge(ctx, intent.body, payer, failure);
  const inside = { refundOutcome: 'succeeds' } as const;

  if (failure) {
    await insertObject<'charge'>(ctx, body, inside);
    await emitEvent(ctx, 'charge.failed', body);
    await failIntent(ctx, intent, toPaymentError('invalid_request_error', failure, body.id));
    await emitEvent(ctx, 'checkout.session.async_payment_failed', session.body);
    return;
  }

  await succeedIntent(ctx, intent, { body, inside, availableOn: availableAt(ctx.now) }, async () => {
    session.body.payment_status = 'paid';
    await saveObject(ctx, session);
    await emitEvent(ctx, 'checkout.session.async_payment_succeeded', session.body);
  });
}
