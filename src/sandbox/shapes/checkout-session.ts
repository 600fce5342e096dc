/** The `checkout.session` object and its line items (API version 2026-10-28.endive). */

import type { Metadata } from './metadata.ts';

export const unsetSessionFields = {
  adaptive_pricing: null,
  after_expiration: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer: null,
  customer_account: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  subscription: null,
  ui_mode: 'hosted_page',
  wallet_options: null,
};

export type CheckoutSession = Omit<typeof unsetSessionFields, 'adaptive_pricing'> & {
  id: string;
  object: 'checkout.session';
  adaptive_pricing: { enabled: boolean } | null;
  allow_promotion_codes: boolean | null;
  allowed_payment_method_types: string[] | null;
  amount_subtotal: number;
  amount_total: number;
  automatic_tax: { enabled: boolean; liability: null; provider: null; status: null };
  billing_address_collection: string | null;
  cancel_url: string | null;
  client_reference_id: string | null;
  created: number;
  currency: 'usd';
  customer_creation: string | null;
  customer_details: CustomerDetails | null;
  customer_email: string | null;
  expires_at: number;
  livemode: false;
  locale: string | null;
  metadata: Metadata;
  mode: 'payment';
  payment_intent: string | null;
  payment_method_types: string[];
  payment_status: 'unpaid' | 'paid' | 'no_payment_required';
  status: 'open' | 'complete' | 'expired';
  submit_type: string | null;
  success_url: string | null;
  total_details: { amount_discount: 0; amount_shipping: 0; amount_tax: 0 };
  url: string | null;
};

export interface CustomerDetails {
  address: {
    city: null;
    country: string | null;
    line1: null;
    line2: null;
    postal_code: string | null;
    state: null;
  } | null;
  business_name: null;
  email: string;
  individual_name: null;
  name: string | null;
  phone: null;
  tax_exempt: 'none';
  tax_ids: [];
}

export interface LineItem {
  id: string;
  object: 'item';
  adjustable_quantity: null;
  amount_discount: 0;
  amount_subtotal: number;
  amount_tax: 0;
  amount_total: number;
  currency: 'usd';
  description: string;
  metadata: Metadata;
  price: Price;
  quantity: number;
}

export interface Price {
  id: string;
  object: 'price';
  active: false;
  billing_scheme: 'per_unit';
  created: number;
  currency: 'usd';
  custom_unit_amount: null;
  livemode: false;
  lookup_key: null;
  metadata: Metadata;
  nickname: null;
  product: string;
  recurring: null;
  tax_behavior: 'unspecified';
  tiers_mode: null;
  transform_quantity: null;
  type: 'one_time';
  unit_amount: number;
  unit_amount_decimal: string;
}

/** Session state that the API does not expose. */
export interface SessionInside {
  csrf: string;
  lines: LineItem[];
  intent: { description: string | null; metadata: Metadata; transfer_group: string | null };
  /** Created by the first payment attempt. `payment_intent` stays null until the session completes. */
  paymentIntentId: string | null;
  declines: number;
  /** The payer while a 3D Secure challenge is pending. */
  challenged: Payer | null;
}

export interface Buyer {
  email: string;
  name: string | null;
  zip: string | null;
}

export interface Payer extends Buyer {
  card: CardInUse;
}

export interface BankPayer extends Buyer {
  /** `name` refers to `testBankAccounts`. */
  bank: { name: string; last4: string };
}

/** A card without its number, which is never stored. `name` refers to `testCards`. */
export interface CardInUse {
  name: string;
  last4: string;
  expMonth: number;
  expYear: number;
}
