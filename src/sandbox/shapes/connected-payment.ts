/** A transfer and its reversal on the connected account: a payment and its refund. */

import { unsetChargeFields } from './charge.ts';
import type { Transfer, TransferReversal } from './transfer.ts';

export function connectedPayment(transfer: Transfer, balanceTransaction: string) {
  return {
    ...unsetChargeFields,
    id: transfer.destination_payment,
    object: 'charge',
    amount: transfer.amount,
    amount_captured: transfer.amount,
    amount_refunded: 0,
    balance_transaction: balanceTransaction,
    billing_details: {
      address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
      email: null,
      name: null,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: null,
    captured: true,
    created: transfer.created,
    currency: 'usd',
    description: transfer.description,
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    outcome: null,
    paid: true,
    payment_intent: null,
    payment_method: null,
    payment_method_details: { type: 'stripe_account', stripe_account: {} },
    refunded: false,
    source_transfer: transfer.id,
    status: 'succeeded',
    transfer_group: transfer.transfer_group,
  } as const;
}

export function connectedRefund(
  transfer: Transfer,
  reversal: TransferReversal,
  id: string,
  balanceTransaction: string,
) {
  return {
    id,
    object: 'refund',
    amount: reversal.amount,
    balance_transaction: balanceTransaction,
    charge: transfer.destination_payment,
    created: reversal.created,
    currency: 'usd',
    customer: null,
    customer_account: null,
    metadata: {},
    payment_intent: null,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: reversal.id,
    status: 'succeeded',
    transfer_reversal: null,
  } as const;
}
