/** Whom the form of an event or an order writes to. */
import type { ContactPage } from '#contract/app/sales/contact.ts';
import { findOrderOfPage } from '#server/orders/core/orders.sql.ts';
import { orderOfToken } from '#server/orders/order-link.ts';
import { openUntil } from '#server/orders/order-page/show-order.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import { EVENT_ID } from '#server/platform/ids.ts';
import { eventToContact } from './contact.sql.ts';

type Found = NonNullable<Awaited<ReturnType<typeof eventToContact>>>;

interface Contact {
  event: Found;
  state: ContactPage['state'];
  /** Null for a visitor, and once the address is erased. */
  buyer: { orderId: string; email: string; name: string | null } | null;
}

/** @param about an event's id or an order's token */
export async function findContact(
  deps: Pick<Deps, 'db' | 'appSecret' | 'clock'>,
  about: string,
): Promise<Contact | null> {
  const ref = orderOfToken(deps, about);
  const eventId = ref?.eventId ?? about;
  const event = EVENT_ID.test(eventId) ? await eventToContact(deps.db, eventId) : undefined;
  if (!event) return null;
  const order = ref ? await findOrderOfPage(deps.db, ref) : undefined;
  const email = order?.state === 'paid' && order.buyerEmail && !isErased(order.buyerEmail) ? order.buyerEmail : null;
  return {
    event,
    state: stateOf(event, deps.clock.now()),
    buyer: order && email !== null ? { orderId: order.orderId, email, name: order.buyerName } : null,
  };
}

function stateOf(event: Found, now: Date): Contact['state'] {
  if (now >= openUntil(event)) return 'closed';
  return event.suspendedAt !== null || event.organizationName === null || !event.hasReader ? 'unreachable' : 'open';
}

export async function readContactPage(
  deps: Pick<Deps, 'db' | 'appSecret' | 'clock'>,
  about: string,
): Promise<ContactPage | null> {
  const found = await findContact(deps, about);
  if (!found) return null;
  const { event, state, buyer } = found;
  const { eventId, title, organizationName } = event;
  return { about, eventId, title, organizationName, email: buyer?.email ?? null, state };
}
