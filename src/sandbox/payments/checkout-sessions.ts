/** Checkout Session lifecycle: open, then either complete or expired. */

import { lockObject, type Stored, saveObject } from '#sandbox/objects.ts';
import type { OperationContext } from '#sandbox/operation-context.ts';
import type { CheckoutSession } from '#sandbox/shapes/checkout-session.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';

export type StoredSession = Stored<'checkout.session'>;

/** Locks the session, which serializes payment, expiry and double clicks. Expires the session first if it is overdue. */
export async function lockSession(ctx: OperationContext, id: string): Promise<StoredSession | null> {
  const session = await lockObject(ctx, 'checkout.session', id);
  if (session?.body.status === 'open' && session.body.expires_at <= ctx.now) await expireSession(ctx, session);
  return session;
}

export async function expireSession(ctx: OperationContext, session: StoredSession): Promise<void> {
  session.body.status = 'expired';
  session.body.url = null;
  await saveObject(ctx, session);
  await emitEvent(ctx, 'checkout.session.expired', session.body);
}

export async function completeSession(
  ctx: OperationContext,
  session: StoredSession,
  buyer: { email: string; name: string | null; zip: string | null },
  {
    paymentIntentId,
    paymentStatus,
  }: { paymentIntentId: string | null; paymentStatus: CheckoutSession['payment_status'] },
): Promise<void> {
  Object.assign(session.body, {
    status: 'complete',
    payment_status: paymentStatus,
    payment_intent: paymentIntentId,
    url: null,
    customer_details: customerDetails(buyer),
  } satisfies Partial<CheckoutSession>);
  session.inside.challenged = null;
  await saveObject(ctx, session);
  await emitEvent(ctx, 'checkout.session.completed', session.body);
}

/** `success_url` with the session id filled in. */
export function successUrl({ success_url, id }: CheckoutSession): string | null {
  return success_url?.replaceAll(/(?:\{|%7B)CHECKOUT_SESSION_ID(?:\}|%7D)/gi, id) ?? null;
}

function customerDetails({ email, name, zip }: { email: string; name: string | null; zip: string | null }) {
  const address = { city: null, country: 'US', line1: null, line2: null, postal_code: zip, state: null };
  return {
    address: zip === null ? null : address,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  } satisfies CheckoutSession['customer_details'];
}
