/** Paying from a bank account: the order is complete at once, the money an hour later, or not at all. */

import { completeSession, type KeptSession } from './checkout-sessions.ts';
import { tell } from './events.ts';
import { newId } from './ids.ts';
import { failIntent, intentOf, type KeptIntent, paymentError, succeedIntent } from './payment-intents.ts';
import { clearsAt } from './balances.ts';
import { newBankCharge } from './new-charge.ts';
import { findObject, insertObject, lockObject, saveObject } from './objects.ts';
import type { BankPayer } from './shapes/checkout-session.ts';
import type { PaymentIntent } from './shapes/payment-intent.ts';
import { testBankNamed } from './test-bank-accounts.ts';
import type { Work } from './operation-context.ts';

const LATER_SECONDS = 60 * 60;

/** The caller holds the session's row and has seen that it is open. */
export async function payFromBank(work: Work, session: KeptSession, payer: BankPayer): Promise<void> {
  const intent = await intentOf(work, session);
  Object.assign(intent.body, {
    status: 'processing',
    payment_method: newId('pm'),
    last_payment_error: null,
    next_action: null,
    payment_method_types: ['us_bank_account'],
  } satisfies Partial<PaymentIntent>);
  intent.inside = { settlesAt: work.now + LATER_SECONDS, underWay: { session: session.body.id, payer } };
  await saveObject(work, intent);
  await tell(work, 'payment_intent.processing', intent.body);
  await completeSession(work, session, payer, { paymentIntentId: intent.body.id, paymentStatus: 'unpaid' });
}

/** The intents whose bank has answered, the earliest first. */
export async function delayedPaymentsDue({ tx, now }: Pick<Work, 'tx' | 'now'>): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from sandbox.objects
      where kind = 'payment_intent' and due_at <= $1 order by due_at`,
    [now],
  );
  return rows.map(({ id }) => id);
}

export async function settleDelayedPayment(work: Work, id: string): Promise<void> {
  // The session's row first, as when it was paid.
  const known = await findObject(work, 'payment_intent', id);
  const session = known?.inside.underWay && (await lockObject(work, 'checkout.session', known.inside.underWay.session));
  const intent = session && (await lockObject(work, 'payment_intent', id));
  if (!session || !intent?.inside.underWay || (intent.inside.settlesAt ?? Number.POSITIVE_INFINITY) > work.now) return;

  if (intent.body.status === 'processing') await settle(work, session, intent, intent.inside.underWay.payer);
  else {
    // Canceled on the way.
    intent.inside = { settlesAt: null, underWay: null };
    await saveObject(work, intent);
  }
}

async function settle(work: Work, session: KeptSession, intent: KeptIntent, payer: BankPayer): Promise<void> {
  const { failure } = testBankNamed(payer.bank.name);
  const body = newBankCharge(work, intent.body, payer, failure);
  const inside = { refundOutcome: 'succeeds' } as const;

  if (failure) {
    await insertObject<'charge'>(work, body, inside);
    await tell(work, 'charge.failed', body);
    await failIntent(work, intent, paymentError('invalid_request_error', failure, body.id));
    await tell(work, 'checkout.session.async_payment_failed', session.body);
    return;
  }

  await succeedIntent(work, intent, { body, inside, availableOn: clearsAt(work.now) }, async () => {
    session.body.payment_status = 'paid';
    await saveObject(work, session);
    await tell(work, 'checkout.session.async_payment_succeeded', session.body);
  });
}
