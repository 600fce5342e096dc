import { myTicketsSent } from '#messages/sales/find-tickets.ts';
import { orderUrl, ticketUrl } from '#server/orders/order-link.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { comingOrdersOf, comingTicketsOf } from './outbox.sql.ts';
import type { FoundOrder } from './templates/my-tickets.ts';

/** Responds identically for every address, with the same timing: a job looks for orders. */
export async function emailMyTickets(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  { email, honeypot, ip }: { email: string; honeypot?: string | undefined; ip: string },
): Promise<{ msg: string }> {
  if (honeypot) return { msg: myTicketsSent };
  await consumeLimit(rateLimiter, 'my-tickets-address', ip);
  const isTooOften = (await rateLimiter.consume('my-tickets', email.toLowerCase())) !== null;
  if (!isTooOften) await enqueue(db, 'send-my-tickets', { email });
  return { msg: myTicketsSent };
}

/** Only to addresses that have tickets, so that strangers get no email from a mistyped address. */
export async function sendMyTickets(
  { db, clock, ...limits }: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'rateLimitScale'>,
  { email }: { email: string },
): Promise<void> {
  const [found] = [...(await comingOrdersOf(db, email)), ...(await comingTicketsOf(db, email))];
  if (!found) return;
  // As it was typed when ordering: another spelling may be another mailbox.
  const toAddress = found.buyerEmail ?? email;
  await queueLimitedEmail(db, limits, { kind: 'my-tickets', subjectId: newId(), toAddress, now: clock.now() });
}

/** The pages of the address's orders and tickets for upcoming events, soonest first. */
export async function comingLinksOf(
  deps: Pick<Deps, 'db' | 'appSecret' | 'publicUrl'>,
  email: string,
): Promise<FoundOrder[]> {
  const orders = await comingOrdersOf(deps.db, email);
  const held = await comingTicketsOf(deps.db, email);
  const links = [
    ...orders.map((order) => ({ ...order, tickets: Number(order.tickets), url: orderUrl(deps, order) })),
    ...held.map((ticket) => ({ ...ticket, tickets: 1, url: ticketUrl(deps, ticket) })),
  ];
  return links.sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime());
}
