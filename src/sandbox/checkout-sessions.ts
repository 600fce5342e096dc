/** The life of a Checkout Session: open, then complete or expired, exactly one of them. */

import { tell } from './events.ts';
import { type Kept, lockObject, saveObject } from './objects.ts';
import type { CheckoutSession } from './shapes/checkout-session.ts';
import type { Work } from './operation-context.ts';

export type KeptSession = Kept<'checkout.session'>;

/**
 * Holds the session's row: of a payment, an expiry and a second click the first decides, and the others see its result.
 * A session whose time is over is expired by whoever looks at it first.
 */
export async function lockSession(work: Work, id: string): Promise<KeptSession | null> {
  const session = await lockObject(work, 'checkout.session', id);
  if (session?.body.status === 'open' && session.body.expires_at <= work.now) await expireSession(work, session);
  return session;
}

export async function expireSession(work: Work, session: KeptSession): Promise<void> {
  session.body.status = 'expired';
  session.body.url = null;
  await saveObject(work, session);
  await tell(work, 'checkout.session.expired', session.body);
}

export async function completeSession(
  work: Work,
  session: KeptSession,
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
  await saveObject(work, session);
  await tell(work, 'checkout.session.completed', session.body);
}

/** Where the buyer goes after paying: success_url with the session's id put in. */
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
