/** Giving money back: at once, later, or not after all, as the card decides. */

import { invalidRequest } from './api/errors.ts';
import { closeWarnings } from './early-fraud-warnings.ts';
import { tell } from './events.ts';
import { newId } from './ids.ts';
import { balanceOf, lockBalance, post } from './balances.ts';
import { insertObject, type Kept, lockObject, objectsWhere, saveObject } from './objects.ts';
import type { Metadata } from './shapes/metadata.ts';
import type { Refund, RefundInside } from './shapes/refund.ts';
import { stamp, type Work } from './operation-context.ts';

const LATER_SECONDS = 60 * 60;

/** The caller holds the charge's row. */
export async function refundCharge(
  work: Work,
  charge: Kept<'charge'>,
  wish: { amount: number | undefined; reason: string | null; metadata: Metadata },
): Promise<Refund> {
  const amount = await refundableAmount(work, charge, wish.amount);
  await lockBalance(work, null);
  const { available, pending } = await balanceOf(work, null);
  const { status, inside } = firstState(work, charge, available + pending >= amount);
  const id = newId('re');
  const waits = status === 'pending' && inside.settlesAt === null;
  const body: Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: waits ? null : await takeFromBalance(work, id, amount),
    charge: charge.body.id,
    created: stamp(work),
    currency: 'usd',
    customer: null,
    customer_account: null,
    destination_details: destinationOf(charge),
    metadata: wish.metadata,
    payment_intent: charge.body.payment_intent,
    payment_method: charge.body.payment_method,
    ...(status === 'pending' ? { pending_reason: waits ? 'insufficient_funds' : 'processing' } : {}),
    reason: wish.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  };
  await insertObject<'refund'>(work, body, inside);

  charge.body.amount_refunded += amount;
  charge.body.refunded = charge.body.amount_refunded === charge.body.amount;
  await saveObject(work, charge);

  await tell(work, 'refund.created', body);
  await tell(work, 'charge.refunded', charge.body, {
    previous: { amount_refunded: charge.body.amount_refunded - amount },
  });
  if (charge.body.refunded) await closeWarnings(work, charge.body.id);
  return body;
}

/** Settles the refunds whose moment has come, and those that were waiting for money. */
export async function settleRefunds(work: Work): Promise<void> {
  const { rows } = await work.tx.query<{ id: string }>(
    `select id from sandbox.objects where kind = 'refund' and due_at <= $1
     union all
     select id from sandbox.objects where kind = 'refund' and body->>'pending_reason' = 'insufficient_funds'`,
    [work.now],
  );
  for (const { id } of rows) {
    const found = await lockObject(work, 'refund', id);
    if (!found) continue;
    if (found.body.pending_reason === 'insufficient_funds') await payWaitingRefund(work, found);
    // Another process may have been first.
    else if (found.inside.settlesAt === null) continue;
    else if (found.inside.becomes === 'succeeded') await succeed(work, found);
    else await failRefund(work, found);
  }
}

/** Whether a refund waits for money to come in. */
export async function anyRefundWaits(db: Work['tx']): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from sandbox.objects where kind = 'refund' and body->>'pending_reason' = 'insufficient_funds' limit 1`,
  );
  return Boolean(rowCount);
}

async function refundableAmount(work: Work, { body }: Kept<'charge'>, wished: number | undefined): Promise<number> {
  const rest = body.amount - body.amount_refunded;
  if (!body.paid) throw invalidRequest(`This charge (${body.id}) has not been paid and cannot be refunded.`);
  if (rest === 0)
    throw invalidRequest(`Charge ${body.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (body.disputed && (await isHeldByDispute(work, body.id))) {
    throw invalidRequest(`Charge ${body.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  }
  const amount = wished ?? rest;
  if (amount <= rest) return amount;
  throw invalidRequest(
    `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(rest)})`,
    { param: 'amount' },
  );
}

/** An inquiry leaves the money with the seller, and a won dispute has given it back: both may be refunded. */
async function isHeldByDispute(work: Work, chargeId: string): Promise<boolean> {
  const disputes = await objectsWhere(work, 'dispute', 'charge', chargeId);
  return disputes.some(({ body }) => !body.is_charge_refundable);
}

function firstState(
  work: Work,
  { inside }: Kept<'charge'>,
  hasFunds: boolean,
): { status: Refund['status']; inside: RefundInside } {
  if (!hasFunds) return { status: 'pending', inside: { settlesAt: null, becomes: 'succeeded' } };
  const later = work.now + LATER_SECONDS;
  if (inside.refundOutcome === 'succeeds-later')
    return { status: 'pending', inside: { settlesAt: later, becomes: 'succeeded' } };
  if (inside.refundOutcome === 'fails-later')
    return { status: 'succeeded', inside: { settlesAt: later, becomes: 'failed' } };
  return { status: 'succeeded', inside: { settlesAt: null, becomes: 'succeeded' } };
}

const destinationOf = ({ body }: Kept<'charge'>): Refund['destination_details'] =>
  body.payment_method_details.type === 'card'
    ? {
        type: 'card',
        card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      }
    : { type: 'us_bank_transfer', us_bank_transfer: { reference: null, reference_status: 'pending' } };

const takeFromBalance = (work: Work, source: string, amount: number) =>
  post(work, { account: null, amount: -amount, type: 'refund', reportingCategory: 'refund', source });

async function payWaitingRefund(work: Work, refund: Kept<'refund'>): Promise<void> {
  await lockBalance(work, null);
  const { available, pending } = await balanceOf(work, null);
  if (available + pending < refund.body.amount) return;
  refund.body.balance_transaction = await takeFromBalance(work, refund.body.id, refund.body.amount);
  await succeed(work, refund);
}

async function succeed(work: Work, refund: Kept<'refund'>): Promise<void> {
  refund.body.status = 'succeeded';
  refund.inside.settlesAt = null;
  delete refund.body.pending_reason;
  await saveObject(work, refund);
  await tell(work, 'refund.updated', refund.body, { previous: { status: 'pending' } });
  await tell(work, 'charge.refund.updated', refund.body, { previous: { status: 'pending' } });
}

/** The buyer's bank has sent the money back. The caller holds the refund's row. */
export async function failRefund(work: Work, refund: Kept<'refund'>): Promise<void> {
  const { body } = refund;
  const previous = { status: body.status };
  body.status = 'failed';
  body.failure_reason = 'lost_or_stolen_card';
  delete body.pending_reason;
  // One that was still waiting for money has taken none.
  if (body.balance_transaction !== null) {
    body.failure_balance_transaction = await post(work, {
      account: null,
      amount: body.amount,
      type: 'refund_failure',
      reportingCategory: 'refund_failure',
      source: body.id,
    });
  }
  refund.inside.settlesAt = null;
  await saveObject(work, refund);

  const charge = await lockObject(work, 'charge', body.charge);
  if (charge) {
    charge.body.amount_refunded -= body.amount;
    charge.body.refunded = false;
    await saveObject(work, charge);
  }
  await tell(work, 'refund.updated', body, { previous });
  await tell(work, 'charge.refund.updated', body, { previous });
  await tell(work, 'refund.failed', body, { previous });
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
