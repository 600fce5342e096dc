/** Builds a new charge, succeeded or declined. */

import { createHash } from 'node:crypto';
import { newId } from '#sandbox/ids.ts';
import { type OperationContext, timestamp } from '#sandbox/operation-context.ts';
import { type Charge, type ChargedCard, type ChargeOutcome, unsetChargeFields } from '#sandbox/shapes/charge.ts';
import type { BankPayer, Buyer, Payer } from '#sandbox/shapes/checkout-session.ts';
import type { PaymentIntent } from '#sandbox/shapes/payment-intent.ts';
import { type Decline, testCardNamed } from './test-cards.ts';

export function newCharge(
  ctx: OperationContext,
  intent: PaymentIntent,
  payer: Payer,
  { decline, authenticated }: { decline: Decline | null; authenticated: boolean },
): Charge {
  return {
    ...commonFields(ctx, intent, payer, decline),
    payment_method: newId('pm'),
    payment_method_details: { type: 'card', card: chargedCard(intent.amount, payer, decline, authenticated) },
  };
}

export function newBankCharge(
  ctx: OperationContext,
  intent: PaymentIntent,
  payer: BankPayer,
  failure: Decline | null,
): Charge {
  return {
    ...commonFields(ctx, intent, payer, failure),
    payment_method: intent.payment_method ?? newId('pm'),
    payment_method_details: {
      type: 'us_bank_account',
      us_bank_account: {
        account_holder_type: 'individual',
        account_type: 'checking',
        bank_name: 'STRIPE TEST BANK',
        fingerprint: null,
        last4: payer.bank.last4,
        payment_reference: null,
        routing_number: '110000000',
      },
    },
  };
}

/** Fields that do not depend on the payment method. */
function commonFields(
  ctx: OperationContext,
  intent: PaymentIntent,
  buyer: Buyer,
  decline: Decline | null,
): Omit<Charge, 'payment_method' | 'payment_method_details'> {
  const paid = decline === null;
  return {
    id: newId('ch'),
    object: 'charge',
    ...unsetChargeFields,
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: {
      address: { city: null, country: 'US', line1: null, line2: null, postal_code: buyer.zip, state: null },
      email: buyer.email,
      name: buyer.name,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: 'SANDBOX',
    captured: paid,
    created: timestamp(ctx),
    currency: 'usd',
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    outcome: outcomeOf(decline),
    paid,
    payment_intent: intent.id,
    refunded: false,
    status: paid ? 'succeeded' : 'failed',
    transfer_group: intent.transfer_group,
  };
}

function outcomeOf(decline: Decline | null): ChargeOutcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline ? (decline.declineCode ?? decline.code) : null,
    risk_level: 'normal',
    risk_score: 12,
    seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  };
}

/** Like Stripe's: the same for every payment with the card. */
const fingerprintOf = (cardName: string) =>
  createHash('sha256').update(`card ${cardName}`).digest('base64url').slice(0, 16);

function chargedCard(amount: number, { card, zip }: Payer, decline: Decline | null, authenticated: boolean) {
  const { brand } = testCardNamed(card.name);
  return {
    amount_authorized: decline ? null : amount,
    authorization_code: null,
    brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: zip === null ? null : 'pass',
      cvc_check: decline?.code === 'incorrect_cvc' ? 'fail' : 'pass',
    },
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    fingerprint: fingerprintOf(card.name),
    funding: 'credit',
    installments: null,
    last4: card.last4,
    mandate: null,
    network: brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: authenticated
      ? { authentication_flow: 'challenge', result: 'authenticated', version: '2.2.0' }
      : null,
    transaction_link_id: null,
    wallet: null,
  } satisfies ChargedCard;
}
