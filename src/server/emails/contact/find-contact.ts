/** Whom the form of an event or an order writes to. */
import type { ContactPage } from '#contract/app/sales/contact.ts';
import { pageOfLink } from '#server/orders/find-by-link.ts';
import { orderOfToken, ticketOfToken } from '#server/orders/order-link.ts';
import { openUntil } from '#server/orders/order-page/show-order.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import { PUBLIC_ID } from '#server/platform/ids.ts';
import { eventToContact } from './contact.sql.ts';

type Found = NonNullable<Awaited<ReturnType<typeof eventToContact>>>;

interface Contact {
  event: Found;
  state: ContactPage['state'];
  /** Null for a visitor, and once the address is erased. */
  buyer: { orderId: string; email: string; name: string | null } | null;
}

/** @param about an event's id, or the token of an order or a ticket. A dead token still names its event. */
export async function findContact(
  deps: Pick<Deps, 'db' | 'appSecret' | 'clock'>,
  about: string,
): Promise<Contact | null> {
  const eventId = orderOfToken(deps, about)?.eventId ?? ticketOfToken(deps, about)?.eventId ?? about;
  const event = PUBLIC_ID.test(eventId) ? await eventToContact(deps.db, eventId) : undefined;
  if (!event) return null;
  const { order, ticket = null } = (eventId !== about && (await pageOfLink(deps, about))) || {};
  const address = ticket?.buyerEmail ?? order?.buyerEmail;
  const email = order?.state === 'paid' && address && !isErased(address) ? address : null;
  return {
    event,
    state: stateOf(event, deps.clock.now()),
    buyer: order && email !== null ? { orderId: order.orderId, email, name: ticket ? null : order.buyerName } : null,
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
