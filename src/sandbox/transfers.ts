/** Moving money between the platform's balance and a connected account's. Both sides are booked at once. */

import { canReceiveTransfers } from './accounts.ts';
import { invalidRequest, noSuch } from './api/errors.ts';
import { tell } from './events.ts';
import { newId } from './ids.ts';
import { balanceOf, lockBalance, post } from './balances.ts';
import { insertObject, insertWire, type Kept, lockObject, objectsWhere, saveObject } from './objects.ts';
import { connectedPayment, connectedRefund } from './shapes/connected-payment.ts';
import type { Metadata } from './shapes/metadata.ts';
import type { Transfer, TransferReversal } from './shapes/transfer.ts';
import { stamp, type Work } from './operation-context.ts';

export interface TransferWish {
  amount: number;
  destination: string;
  description: string | null;
  transferGroup: string | null;
  sourceTransaction: string | null;
  metadata: Metadata;
}

export async function transfer(work: Work, wish: TransferWish): Promise<Transfer> {
  const destination = await lockObject(work, 'v2.core.account', wish.destination);
  if (!destination) throw noSuch('destination', wish.destination, 'destination', 400);
  if (destination.body.closed) {
    throw invalidRequest(`The account ${wish.destination} has been closed and cannot receive transfers.`, {
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
  const availableOn = await fundsFor(work, wish);

  const id = newId('tr');
  const destinationPayment = newId('py');
  const { account, amount } = { account: wish.destination, amount: wish.amount };
  const source = { source: id, description: wish.description, availableOn };
  const body: Transfer = {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: await post(work, {
      account: null,
      amount: -amount,
      type: 'transfer',
      reportingCategory: 'transfer',
      ...source,
    }),
    created: stamp(work),
    currency: 'usd',
    description: wish.description,
    destination: wish.destination,
    destination_payment: destinationPayment,
    livemode: false,
    metadata: wish.metadata,
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: wish.sourceTransaction,
    source_type: 'card',
    transfer_group: wish.transferGroup,
  };
  await insertObject<'transfer'>(work, body, {});
  const received = await post(work, {
    account,
    amount,
    type: 'payment',
    reportingCategory: 'charge',
    ...source,
    source: destinationPayment,
  });
  const payment = connectedPayment(body, received);
  await insertWire({ ...work, account }, payment, {});
  await tell(work, 'transfer.created', body);
  await tell(work, 'payment.created', payment, { account });
  return body;
}

/** The caller holds the transfer's row. */
export async function reverseTransfer(
  work: Work,
  { body, inside }: Kept<'transfer'>,
  wish: { amount: number | undefined; description: string | null; metadata: Metadata },
): Promise<TransferReversal> {
  const amount = reversibleAmount(body, wish.amount);
  await lockBalance(work, body.destination);
  const connected = await balanceOf(work, body.destination);
  if (connected.available + connected.pending < amount)
    throw tooLittle('The destination account has insufficient funds for this reversal.');

  const id = newId('trr');
  const destinationRefund = newId('pyr');
  const taken = await post(work, {
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
    balance_transaction: await post(work, {
      account: null,
      amount,
      type: 'transfer_refund',
      reportingCategory: 'transfer_reversal',
      source: id,
      description: wish.description,
    }),
    created: stamp(work),
    currency: 'usd',
    destination_payment_refund: destinationRefund,
    metadata: wish.metadata,
    source_refund: null,
    transfer: body.id,
  };
  await insertObject<'transfer_reversal'>(work, reversal, {});
  await insertWire(
    { ...work, account: body.destination },
    connectedRefund(body, reversal, destinationRefund, taken),
    {},
  );

  const { amount_reversed, reversed } = body;
  body.amount_reversed += amount;
  body.reversed = body.amount_reversed === body.amount;
  // Stripe shows the ten newest here; the rest is behind the list's own address.
  const { data, has_more } = body.reversals;
  body.reversals.data = [reversal, ...data].slice(0, 10);
  body.reversals.has_more = has_more || data.length === 10;
  await saveObject(work, { body, inside });
  await tell(work, 'transfer.reversed', body);
  await tell(work, 'transfer.updated', body, { previous: { amount_reversed, reversed } });
  return reversal;
}

function reversibleAmount({ id, amount, amount_reversed }: Transfer, wished: number | undefined): number {
  const rest = amount - amount_reversed;
  if (rest === 0) throw invalidRequest(`Transfer ${id} is already fully reversed.`);
  if (wished === undefined || wished <= rest) return wished ?? rest;
  throw invalidRequest(
    `Reversal amount (${dollars(wished)}) is greater than unreversed amount on transfer (${dollars(rest)})`,
    { param: 'amount' },
  );
}

/** Checks that the money is there, and says from when on it can be used. */
async function fundsFor(work: Work, { amount, sourceTransaction }: TransferWish): Promise<number> {
  if (sourceTransaction !== null) return await fundsOfCharge(work, sourceTransaction, amount);
  await lockBalance(work, null);
  const { available } = await balanceOf(work, null);
  if (available < amount) {
    throw tooLittle(
      'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card.',
    );
  }
  return work.now;
}

/** A transfer tied to a charge may take what that charge brought, even before it has cleared. */
async function fundsOfCharge(work: Work, chargeId: string, amount: number): Promise<number> {
  const charge = await lockObject(work, 'charge', chargeId);
  if (!charge?.body.paid) throw noSuch('charge', chargeId, 'source_transaction', 400);
  const siblings = await objectsWhere(work, 'transfer', 'source_transaction', chargeId);
  const used = siblings.reduce((sum, { body }) => sum + body.amount, 0);
  if (used + amount > charge.body.amount) {
    throw invalidRequest('The sum of transfers from this source_transaction is greater than its amount.', {
      param: 'amount',
    });
  }
  const { rows } = await work.tx.query<{ availableOn: number }>(
    'select available_on as "availableOn" from sandbox.balance_transactions where id = $1',
    [charge.body.balance_transaction],
  );
  return Math.max(work.now, rows[0]?.availableOn ?? work.now);
}

const tooLittle = (message: string) => invalidRequest(message, { code: 'balance_insufficient' });

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
