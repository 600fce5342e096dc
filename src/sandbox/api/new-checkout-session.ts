/** POST /v1/checkout/sessions: parameters, validation, and the new session. */

import { newId, randomText } from '../ids.ts';
import { insertObject } from '../objects.ts';
import { type OperationContext, timestamp } from '../operation-context.ts';
import {
  type CheckoutSession,
  type LineItem,
  type SessionInside,
  unsetSessionFields,
} from '../shapes/checkout-session.ts';
import { invalidRequest } from './errors.ts';
import {
  atLeast,
  boolean,
  ignored,
  integer,
  list,
  metadata,
  object,
  oneOf,
  optional,
  parameters,
  shortText,
  text,
  url,
  usd,
} from './parameters.ts';

const MIN_TOTAL_CENTS = 50;
const MAX_TOTAL_CENTS = 99_999_999;
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const lineItemParameters = object({
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

type LineItemInput = ReturnType<typeof lineItemParameters>;

export const sessionParameters = parameters({
  mode: oneOf('payment'),
  line_items: list(lineItemParameters),
  success_url: url,
  cancel_url: optional(url),
  client_reference_id: optional(shortText(200)),
  currency: optional(usd),
  customer_email: optional(text),
  expires_at: optional(integer),
  allowed_payment_method_types: optional(list(oneOf('card'))),
  automatic_tax: optional(object({ enabled: boolean })),
  adaptive_pricing: optional(object({ enabled: boolean })),
  allow_promotion_codes: optional(boolean),
  billing_address_collection: optional(oneOf('auto', 'required')),
  customer_creation: optional(oneOf('always', 'if_required')),
  submit_type: optional(oneOf('auto', 'book', 'donate', 'pay', 'subscribe')),
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
  ui_mode: optional(oneOf('hosted', 'hosted_page')),
});

type SessionInput = ReturnType<typeof sessionParameters>;

export async function createSession(ctx: OperationContext, params: SessionInput): Promise<CheckoutSession> {
  if (ctx.account !== null) {
    throw invalidRequest(
      'The sandbox only supports Checkout Sessions on the platform. Remove the Stripe-Account header.',
    );
  }
  const lineItems = params.line_items.map((item) => newLineItem(ctx, item));
  const total = lineItems.reduce((sum, { amount_total }) => sum + amount_total, 0);
  checkTotal(total);
  const id = newId('cs_test');
  const body = sessionBody(ctx, params, id, total);
  await insertObject<'checkout.session'>(ctx, body, initialInside(params, lineItems));
  return body;
}

function sessionBody(ctx: OperationContext, params: SessionInput, id: string, total: number): CheckoutSession {
  return {
    id,
    object: 'checkout.session',
    ...unsetSessionFields,
    adaptive_pricing: params.adaptive_pricing ?? null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: params.automatic_tax?.enabled ?? false, liability: null, provider: null, status: null },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: timestamp(ctx),
    currency: 'usd',
    customer_creation: params.customer_creation ?? 'if_required',
    customer_details: null,
    customer_email: params.customer_email ?? null,
    expires_at: expiresAt(ctx, params.expires_at),
    livemode: false,
    locale: params.locale ?? null,
    metadata: params.metadata,
    mode: 'payment',
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: total === 0 ? 'no_payment_required' : 'unpaid',
    status: 'open',
    submit_type: params.submit_type ?? null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    url: `${ctx.publicUrl}/sandbox/pay/${id}`,
  };
}

function initialInside({ payment_intent_data: intent }: SessionInput, lineItems: LineItem[]): SessionInside {
  return {
    csrf: randomText(32),
    lines: lineItems,
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

function newLineItem(ctx: OperationContext, { quantity, metadata: params, price_data }: LineItemInput): LineItem {
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
    metadata: params,
    price: {
      id: newId('price'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: timestamp(ctx),
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

/** Zero is valid: a free order only collects an email address. */
function checkTotal(total: number): void {
  if (total > 0 && total < MIN_TOTAL_CENTS) {
    throw invalidRequest("The Checkout Session's total amount due must add up to at least $0.50 usd", {
      code: 'amount_too_small',
    });
  }
  if (total > MAX_TOTAL_CENTS) {
    throw invalidRequest("The Checkout Session's total amount must be no more than $999,999.99", {
      code: 'amount_too_large',
    });
  }
}

function expiresAt(ctx: OperationContext, requested: number | undefined): number {
  const created = timestamp(ctx);
  if (requested === undefined) return created + DAY;
  if (requested < created + 30 * MINUTE) {
    throw invalidRequest('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', {
      param: 'expires_at',
    });
  }
  if (requested > created + DAY) {
    throw invalidRequest('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    });
  }
  return requested;
}
