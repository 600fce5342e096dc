/** POST /v1/checkout/sessions: its parameters, its rules, and the session that comes of it. */

import { newId, randomText } from '../ids.ts';
import { insertObject } from '../objects.ts';
import {
  type CheckoutSession,
  type LineItem,
  neverSetOnSession,
  type SessionInside,
} from '../shapes/checkout-session.ts';
import { stamp, type Work } from '../operation-context.ts';
import { invalidRequest } from './errors.ts';
import {
  atLeast,
  choice,
  flag,
  ignored,
  integer,
  list,
  metadata,
  object,
  optional,
  parameters,
  shortText,
  text,
  url,
  usd,
} from './parameters.ts';

const SMALLEST_TOTAL = 50;
const LARGEST_TOTAL = 99_999_999;
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const line = object({
  quantity: atLeast(1),
  price_data: object({
    currency: usd,
    unit_amount: atLeast(0),
    product_data: object({
      name: shortText(250),
      description: optional(text),
      metadata,
      images: ignored,
      tax_code: ignored,
    }),
    tax_behavior: ignored,
  }),
  metadata,
});

type Line = ReturnType<typeof line>;

export const sessionParameters = parameters({
  mode: choice('payment'),
  line_items: list(line),
  success_url: url,
  cancel_url: optional(url),
  client_reference_id: optional(shortText(200)),
  currency: optional(usd),
  customer_email: optional(text),
  expires_at: optional(integer),
  allowed_payment_method_types: optional(list(choice('card'))),
  automatic_tax: optional(object({ enabled: flag })),
  adaptive_pricing: optional(object({ enabled: flag })),
  allow_promotion_codes: optional(flag),
  billing_address_collection: optional(choice('auto', 'required')),
  customer_creation: optional(choice('always', 'if_required')),
  submit_type: optional(choice('auto', 'book', 'donate', 'pay', 'subscribe')),
  locale: optional(text),
  metadata,
  payment_intent_data: optional(
    object({
      description: optional(text),
      metadata,
      transfer_group: optional(text),
      receipt_email: ignored,
      statement_descriptor: ignored,
      statement_descriptor_suffix: ignored,
    }),
  ),
  branding_settings: ignored,
  custom_text: ignored,
  payment_method_collection: ignored,
  payment_method_options: ignored,
  ui_mode: optional(choice('hosted', 'hosted_page')),
});

type Given = ReturnType<typeof sessionParameters>;

export async function newSession(work: Work, given: Given): Promise<CheckoutSession> {
  if (work.account !== null) {
    throw invalidRequest('The sandbox charges on the platform only: send no Stripe-Account with a Checkout Session.');
  }
  const lines = given.line_items.map((item) => lineItem(work, item));
  const total = lines.reduce((sum, { amount_total }) => sum + amount_total, 0);
  checkTotal(total);
  const id = newId('cs_test');
  const body = sessionBody(work, given, id, total);
  await insertObject<'checkout.session'>(work, body, insideOf(given, lines));
  return body;
}

function sessionBody(work: Work, given: Given, id: string, total: number): CheckoutSession {
  return {
    id,
    object: 'checkout.session',
    ...neverSetOnSession,
    adaptive_pricing: given.adaptive_pricing ?? null,
    allow_promotion_codes: given.allow_promotion_codes ?? null,
    allowed_payment_method_types: given.allowed_payment_method_types ?? null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: given.automatic_tax?.enabled ?? false, liability: null, provider: null, status: null },
    billing_address_collection: given.billing_address_collection ?? null,
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    created: stamp(work),
    currency: 'usd',
    customer_creation: given.customer_creation ?? 'if_required',
    customer_details: null,
    customer_email: given.customer_email ?? null,
    expires_at: expiryOf(work, given.expires_at),
    livemode: false,
    locale: given.locale ?? null,
    metadata: given.metadata,
    mode: 'payment',
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: total === 0 ? 'no_payment_required' : 'unpaid',
    status: 'open',
    submit_type: given.submit_type ?? null,
    success_url: given.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    url: `${work.publicUrl}/sandbox/pay/${id}`,
  };
}

function insideOf({ payment_intent_data: intent }: Given, lines: LineItem[]): SessionInside {
  return {
    csrf: randomText(32),
    lines,
    intent: {
      description: intent?.description ?? null,
      metadata: intent?.metadata ?? {},
      transfer_group: intent?.transfer_group ?? null,
    },
    paymentIntentId: null,
    declines: 0,
    challenged: null,
  };
}

function lineItem(work: Work, { quantity, metadata: given, price_data }: Line): LineItem {
  const { unit_amount, product_data } = price_data;
  const total = unit_amount * quantity;
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: 'usd',
    description: product_data.name,
    metadata: given,
    price: {
      id: newId('price'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: stamp(work),
      currency: 'usd',
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: newId('prod'),
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount,
      unit_amount_decimal: String(unit_amount),
    },
    quantity,
  };
}

/** Zero is allowed: a no-cost order, which only collects an e-mail address. */
function checkTotal(total: number): void {
  if (total > 0 && total < SMALLEST_TOTAL) {
    throw invalidRequest("The Checkout Session's total amount due must add up to at least $0.50 usd", {
      code: 'amount_too_small',
    });
  }
  if (total > LARGEST_TOTAL) {
    throw invalidRequest("The Checkout Session's total amount must be no more than $999,999.99", {
      code: 'amount_too_large',
    });
  }
}

function expiryOf(work: Work, wished: number | undefined): number {
  const created = stamp(work);
  if (wished === undefined) return created + DAY;
  if (wished < created + 30 * MINUTE) {
    throw invalidRequest('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', {
      param: 'expires_at',
    });
  }
  if (wished > created + DAY) {
    throw invalidRequest('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    });
  }
  return wished;
}
