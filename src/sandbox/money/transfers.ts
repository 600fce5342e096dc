/** Transfers between the platform and connected accounts. Both balances change in one transaction. */

import { canReceiveTransfers } from '#sandbox/accounts/accounts.ts';
import { invalidRequest, resourceMissing } from '#sandbox/api/errors.ts';
import { newId } from '#sandbox/ids.ts';
import { findObjectsBy, insertObject, insertRawObject, lockObject, type Stored, saveObject } from '#sandbox/objects.ts';
import { type OperationContext, timestamp } from '#sandbox/operation-context.ts';
import { connectedPayment, connectedRefund } from '#sandbox/shapes/connected-payment.ts';
import type { Metadata } from '#sandbox/shapes/metadata.ts';
import type { Transfer, TransferReversal } from '#sandbox/shapes/transfer.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';
import { lockBalance, readBalance, recordBalanceTransaction } from './balances.ts';

export interface TransferRequest {
  amount: number;
  destination: string;
  description: string | null;
  transferGroup: string | null;
  sourceTransaction: string | null;
  metadata: Metadata;
}

export async function createTransfer(ctx: OperationContext, request: TransferRequest): Promise<Transfer> {
  const destination = await lockObject(ctx, 'v2.core.account', request.destination);
  if (!destination) throw resourceMissing('destination', request.destination, 'destination', 400);
  if (destination.body.closed) {
    throw invalidRequest(`The account ${request.destination} has been closed and cannot receive transfers.`, {
      code: 'account_invalid',
      param: 'destination',
    });
  }
  if (!canReceiveTransfers(destination)) {
    throw invalidRequest(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      { code: 'insufficient_capabilities_for_transfer' },
    );
  }
  const availableOn = await requireFunds(ctx, request);

  const id = newId('tr');
  const destinationPayment = newId('py');
  const { account, amount } = { account: request.destination, amount: request.amount };
  const common = { source: id, description: request.description, availableOn };
  const body: Transfer = {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: await recordBalanceTransaction(ctx, {
      account: null,
      amount: -amount,
      type: 'transfer',
      reportingCategory: 'transfer',
      ...common,
    }),
    created: timestamp(ctx),
    currency: 'usd',
    description: request.description,
    destination: request.destination,
    destination_payment: destinationPayment,
    livemode: false,
    metadata: request.metadata,
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: request.sourceTransaction,
    source_type: 'card',
    transfer_group: request.transferGroup,
  };
  await insertObject<'transfer'>(ctx, body, {});
  const credit = await recordBalanceTransaction(ctx, {
    account,
    amount,
    type: 'payment',
    reportingCategory: 'charge',
    ...common,
    source: destinationPayment,
  });
  const payment = connectedPayment(body, credit);
  await insertRawObject({ ...ctx, account }, payment, {});
  await emitEvent(ctx, 'transfer.created', body);
  await emitEvent(ctx, 'payment.created', payment, { account });
  return body;
}

/** Requires the lock on the transfer. */
export async function reverseTransfer(
  ctx: OperationContext,
  { body, inside }: Stored<'transfer'>,
  request: { amount: number | undefined; description: string | null; metadata: Metadata },
): Promise<TransferReversal> {
  const amount = reversibleAmount(body, request.amount);
  await lockBalance(ctx, body.destination);
  const connected = await readBalance(ctx, body.destination);
  if (connected.available + connected.pending < amount)
    throw balanceInsufficient('The destination account has insufficient funds for this reversal.');

  const id = newId('trr');
  const destinationRefund = newId('pyr');
  const debit = await recordBalanceTransaction(ctx, {
    account: body.destination,
    amount: -amount,
    type: 'payment_refund',
    reportingCategory: 'refund',
    source: destinationRefund,
  });
  const reversal: TransferReversal = {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: await recordBalanceTransaction(ctx, {
      account: null,
      amount,
      type: 'transfer_refund',
      reportingCategory: 'transfer_reversal',
      source: id,
      description: request.description,
    }),
    created: timestamp(ctx),
    currency: 'usd',
    destination_payment_refund: destinationRefund,
    metadata: request.metadata,
    source_refund: null,
    transfer: body.id,
  };
  await insertObject<'transfer_reversal'>(ctx, reversal, {});
  await insertRawObject(
    { ...ctx, account: body.destination },
    connectedRefund(body, reversal, destinationRefund, debit),
    {},
  );

  const { amount_reversed, reversed } = body;
  body.amount_reversed += amount;
  body.reversed = body.amount_reversed === body.amount;
  // Stripe embeds the ten newest reversals. The list endpoint returns the rest.
  const { data, has_more } = body.reversals;
  body.reversals.data = [reversal, ...data].slice(0, 10);
  body.reversals.has_more = has_more || data.length === 10;
  await saveObject(ctx, { body, inside });
  await emitEvent(ctx, 'transfer.reversed', body);
  await emitEvent(ctx, 'transfer.updated', body, { previous: { amount_reversed, reversed } });
  return reversal;
}

function reversibleAmount({ id, amount, amount_reversed }: Transfer, requested: number | undefined): number {
  const remaining = amount - amount_reversed;
  if (remaining === 0) throw invalidRequest(`Transfer ${id} is already fully reversed.`);
  if (requested === undefined || requested <= remaining) return requested ?? remaining;
  throw invalidRequest(
    `Reversal amount (${formatDollars(requested)}) is greater than unreversed amount on transfer (${formatDollars(remaining)})`,
    { param: 'amount' },
  );
}

/** Checks that the funds suffice and returns when they become available to the destination. */
async function requireFunds(ctx: OperationContext, { amount, sourceTransaction }: TransferRequest): Promise<number> {
  if (sourceTransaction !== null) return await chargeFundsAvailableAt(ctx, sourceTransaction, amount);
  await lockBalance(ctx, null);
  const { available } = await readBalance(ctx, null);
  if (available < amount) {
    throw balanceInsufficient(
      'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card.',
    );
  }
  return ctx.now;
}

/** A transfer with a `source_transaction` can use the charge's funds while they are pending. */
async function chargeFundsAvailableAt(ctx: OperationContext, chargeId: string, amount: number): Promise<number> {
  const charge = await lockObject(ctx, 'charge', chargeId);
  if (!charge?.body.paid) throw resourceMissing('charge', chargeId, 'source_transaction', 400);
  const siblings = await findObjectsBy(ctx, 'transfer', 'source_transaction', chargeId);
  const alreadyUsed = siblings.reduce((sum, { body }) => sum + body.amount, 0);
  if (alreadyUsed + amount > charge.body.amount) {
    throw invalidRequest('The sum of transfers from this source_transaction is greater than its amount.', {
      param: 'amount',
    });
  }
  const { rows } = await ctx.tx.query<{ availableOn: number }>(
    'select available_on as "availableOn" from sandbox.balance_transactions where id = $1',
    [charge.body.balance_transaction],
  );
  return Math.max(ctx.now, rows[0]?.availableOn ?? ctx.now);
}

const balanceInsufficient = (message: string) => invalidRequest(message, { code: 'balance_insufficient' });

const formatDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
