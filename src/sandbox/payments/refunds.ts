/** Refunds. The test card decides whether they succeed at once, later, or fail. */

import { invalidRequest } from '#sandbox/api/errors.ts';
import { newId } from '#sandbox/ids.ts';
import { lockBalance, readBalance, recordBalanceTransaction } from '#sandbox/money/balances.ts';
import { findObjectsBy, insertObject, lockObject, type Stored, saveObject } from '#sandbox/objects.ts';
import { type OperationContext, timestamp } from '#sandbox/operation-context.ts';
import type { Metadata } from '#sandbox/shapes/metadata.ts';
import type { Refund, RefundInside } from '#sandbox/shapes/refund.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';
import { resolveFraudWarnings } from './early-fraud-warnings.ts';

const SETTLEMENT_SECONDS = 60 * 60;

/** Requires the lock on the charge. */
export async function refundCharge(
  ctx: OperationContext,
  charge: Stored<'charge'>,
  request: { amount: number | undefined; reason: string | null; metadata: Metadata },
): Promise<Refund> {
  const amount = await refundableAmount(ctx, charge, request.amount);
  await lockBalance(ctx, null);
  const { available, pending } = await readBalance(ctx, null);
  const { status, inside } = initialState(ctx, charge, available + pending >= amount);
  const id = newId('re');
  const awaitsFunds = status === 'pending' && inside.settlesAt === null;
  const body: Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: awaitsFunds ? null : await debitBalance(ctx, id, amount),
    charge: charge.body.id,
    created: timestamp(ctx),
    currency: 'usd',
    customer: null,
    customer_account: null,
    destination_details: destinationOf(charge),
    metadata: request.metadata,
    payment_intent: charge.body.payment_intent,
    payment_method: charge.body.payment_method,
    ...(status === 'pending' ? { pending_reason: awaitsFunds ? 'insufficient_funds' : 'processing' } : {}),
    reason: request.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  };
  await insertObject<'refund'>(ctx, body, inside);

  charge.body.amount_refunded += amount;
  charge.body.refunded = charge.body.amount_refunded === charge.body.amount;
  await saveObject(ctx, charge);

  await emitEvent(ctx, 'refund.created', body);
  await emitEvent(ctx, 'charge.refunded', charge.body, {
    previous: { amount_refunded: charge.body.amount_refunded - amount },
  });
  if (charge.body.refunded) await resolveFraudWarnings(ctx, charge.body.id);
  return body;
}

/** Settles due refunds and retries those that lacked funds. */
export async function settleRefunds(ctx: OperationContext): Promise<void> {
  const { rows } = await ctx.tx.query<{ id: string }>(
    `select id from sandbox.objects where kind = 'refund' and due_at <= $1
     union all
     select id from sandbox.objects where kind = 'refund' and body->>'pending_reason' = 'insufficient_funds'`,
    [ctx.now],
  );
  for (const { id } of rows) {
    const found = await lockObject(ctx, 'refund', id);
    if (!found) continue;
    if (found.body.pending_reason === 'insufficient_funds') await retryRefundAwaitingFunds(ctx, found);
    // Another process may have settled it first.
    else if (found.inside.settlesAt === null) continue;
    else if (found.inside.becomes === 'succeeded') await succeedRefund(ctx, found);
    else await failRefund(ctx, found);
  }
}

export async function hasRefundAwaitingFunds(db: OperationContext['tx']): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from sandbox.objects where kind = 'refund' and body->>'pending_reason' = 'insufficient_funds' limit 1`,
  );
  return Boolean(rowCount);
}

async function refundableAmount(
  ctx: OperationContext,
  { body }: Stored<'charge'>,
  requested: number | undefined,
): Promise<number> {
  const remaining = body.amount - body.amount_refunded;
  if (!body.paid) throw invalidRequest(`This charge (${body.id}) has not been paid and cannot be refunded.`);
  if (remaining === 0)
    throw invalidRequest(`Charge ${body.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (body.disputed && (await isBlockedByDispute(ctx, body.id))) {
    throw invalidRequest(`Charge ${body.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  }
  const amount = requested ?? remaining;
  if (amount <= remaining) return amount;
  throw invalidRequest(
    `Refund amount (${formatDollars(amount)}) is greater than unrefunded amount on charge (${formatDollars(remaining)})`,
    { param: 'amount' },
  );
}

/** Charges with an inquiry or a won dispute stay refundable: their funds are on the balance. */
async function isBlockedByDispute(ctx: OperationContext, chargeId: string): Promise<boolean> {
  const disputes = await findObjectsBy(ctx, 'dispute', 'charge', chargeId);
  return disputes.some(({ body }) => !body.is_charge_refundable);
}

function initialState(
  ctx: OperationContext,
  { inside }: Stored<'charge'>,
  hasFunds: boolean,
): { status: Refund['status']; inside: RefundInside } {
  if (!hasFunds) return { status: 'pending', inside: { settlesAt: null, becomes: 'succeeded' } };
  const later = ctx.now + SETTLEMENT_SECONDS;
  if (inside.refundOutcome === 'succeeds-later')
    return { status: 'pending', inside: { settlesAt: later, becomes: 'succeeded' } };
  if (inside.refundOutcome === 'fails-later')
    return { status: 'succeeded', inside: { settlesAt: later, becomes: 'failed' } };
  return { status: 'succeeded', inside: { settlesAt: null, becomes: 'succeeded' } };
}

const destinationOf = ({ body }: Stored<'charge'>): Refund['destination_details'] =>
  body.payment_method_details.type === 'card'
    ? {
        type: 'card',
        card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      }
    : { type: 'us_bank_transfer', us_bank_transfer: { reference: null, reference_status: 'pending' } };

const debitBalance = (ctx: OperationContext, source: string, amount: number) =>
  recordBalanceTransaction(ctx, {
    account: null,
    amount: -amount,
    type: 'refund',
    reportingCategory: 'refund',
    source,
  });

async function retryRefundAwaitingFunds(ctx: OperationContext, refund: Stored<'refund'>): Promise<void> {
  await lockBalance(ctx, null);
  const { available, pending } = await readBalance(ctx, null);
  if (available + pending < refund.body.amount) return;
  refund.body.balance_transaction = await debitBalance(ctx, refund.body.id, refund.body.amount);
  await succeedRefund(ctx, refund);
}

async function succeedRefund(ctx: OperationContext, refund: Stored<'refund'>): Promise<void> {
  refund.body.status = 'succeeded';
  refund.inside.settlesAt = null;
  delete refund.body.pending_reason;
  await saveObject(ctx, refund);
  await emitEvent(ctx, 'refund.updated', refund.body, { previous: { status: 'pending' } });
  await emitEvent(ctx, 'charge.refund.updated', refund.body, { previous: { status: 'pending' } });
}

/** Fails a refund that the buyer's bank returned. Requires the lock on the refund. */
export async function failRefund(ctx: OperationContext, refund: Stored<'refund'>): Promise<void> {
  const { body } = refund;
  const previous = { status: body.status };
  body.status = 'failed';
  body.failure_reason = 'lost_or_stolen_card';
  delete body.pending_reason;
  // A refund without a balance transaction was still waiting for funds.
  if (body.balance_transaction !== null) {
    body.failure_balance_transaction = await recordBalanceTransaction(ctx, {
      account: null,
      amount: body.amount,
      type: 'refund_failure',
      reportingCategory: 'refund_failure',
      source: body.id,
    });
  }
  refund.inside.settlesAt = null;
  await saveObject(ctx, refund);

  const charge = await lockObject(ctx, 'charge', body.charge);
  if (charge) {
    charge.body.amount_refunded -= body.amount;
    charge.body.refunded = false;
    await saveObject(ctx, charge);
  }
  await emitEvent(ctx, 'refund.updated', body, { previous });
  await emitEvent(ctx, 'charge.refund.updated', body, { previous });
  await emitEvent(ctx, 'refund.failed', body, { previous });
}

const formatDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
