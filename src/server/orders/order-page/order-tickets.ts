/** The tickets of an order to take along: those that its page shows with a code. */
import { SOLD_STATES } from '#domain/tickets.ts';
import { findOrderTickets, findSeller } from '#server/orders/core/orders.sql.ts';
import { guestsOfOrder } from '#server/orders/details/order-guests.sql.ts';
import { isShownWith, pageOfLink } from '#server/orders/find-by-link.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { openUntil } from './show-order.ts';

export type OrderTickets = Awaited<ReturnType<typeof readOrderTickets>>;

export async function readOrderTickets(deps: Pick<Deps, 'db' | 'appSecret' | 'clock'>, token: string) {
  const { order, ticket = null } = (await pageOfLink(deps, token)) ?? {};
  if (order?.state !== 'paid' || deps.clock.now() >= openUntil(order)) throw new AppError('checkout.unknown');
  if (order.cancelledAt) throw new AppError('checkout.event-cancelled');
  const [all, seller, guests] = await Promise.all([
    findOrderTickets(deps.db, order),
    findSeller(deps.db, order),
    guestsOfOrder(deps.db, order),
  ]);
  const nameAt = (position: number) => guests.find((guest) => guest.position === position)?.name ?? null;
  const usable: readonly string[] = SOLD_STATES;
  const tickets = all
    .filter(isShownWith(ticket))
    .filter(({ state, disputedAt }) => usable.includes(state) && disputedAt === null);
  if (tickets.length === 0) throw new AppError('order.no-tickets');
  return { order, tickets: tickets.map((ticket) => ({ ...ticket, guestName: nameAt(ticket.position) })), seller };
}
