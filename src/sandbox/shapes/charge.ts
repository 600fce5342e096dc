/** The `charge` object. */

import type { Metadata } from './metadata.ts';

export const unsetChargeFields = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  customer: null,
  failure_balance_transaction: null,
  fraud_details: {},
  on_behalf_of: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
};

export type Charge = typeof unsetChargeFields & {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  balance_transaction: string | null;
  billing_details: {
    address: { city: null; country: string; line1: null; line2: null; postal_code: string | null; state: null };
    email: string;
    name: string | null;
    phone: null;
    tax_id: null;
  };
  calculated_statement_descriptor: string | null;
  captured: boolean;
  created: number;
  currency: 'usd';
  description: string | null;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  livemode: false;
  metadata: Metadata;
  outcome: ChargeOutcome;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details:
    | { type: 'card'; card: ChargedCard }
    | { type: 'us_bank_account'; us_bank_account: ChargedBankAccount };
  refunded: boolean;
  status: 'succeeded' | 'failed';
  transfer_group: string | null;
};

export interface ChargeOutcome {
  advice_code: null;
  network_advice_code: null;
  network_decline_code: string | null;
  network_status: 'approved_by_network' | 'declined_by_network';
  reason: string | null;
  risk_level: 'normal';
  risk_score: number;
  seller_message: string;
  type: 'authorized' | 'issuer_declined';
}

export interface ChargedCard {
  amount_authorized: number | null;
  authorization_code: null;
  brand: string;
  checks: { address_line1_check: null; address_postal_code_check: 'pass' | null; cvc_check: 'pass' | 'fail' };
  country: 'US';
  electronic_commerce_indicator: null;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  funding: 'credit';
  installments: null;
  last4: string;
  mandate: null;
  network: string;
  network_transaction_id: null;
  regulated_status: 'unregulated';
  three_d_secure: { authentication_flow: 'challenge'; result: 'authenticated'; version: '2.2.0' } | null;
  transaction_link_id: null;
  wallet: null;
}

export interface ChargedBankAccount {
  account_holder_type: 'individual';
  account_type: 'checking';
  bank_name: string;
  fingerprint: null;
  last4: string;
  payment_reference: null;
  routing_number: string;
}

/** How refunds of this charge turn out, as the test card determines. */
export interface ChargeInside {
  refundOutcome: 'succeeds' | 'succeeds-later' | 'fails-later';
}
