/** What a promo code does to the page. */
import type { TicketType } from '#contract/app/events.ts';
import type { AppliedPromoCode } from '#contract/app/sales/promo-codes.ts';
import { discountLines } from '#domain/sales/promo-codes.ts';
import { type CartLine, listCents, type ShownTicket } from '../cart/cart.ts';

/** The page's tickets at the code's prices, then those that are sold only with it. */
export function ticketsWith(tickets: readonly TicketType[], applied: AppliedPromoCode): ShownTicket[] {
  const isListed = new Set(tickets.map(({ ticketId }) => ticketId));
  const changed = new Map(applied.tickets.map((ticket) => [ticket.ticketId, ticket.unitPriceCents]));
  const shown = tickets.map((ticket) => {
    const promoCents = changed.get(ticket.ticketId);
    return promoCents === undefined || promoCents === listCents(ticket) ? ticket : { ...ticket, promoCents };
  });
  return [...shown, ...applied.tickets.filter(({ ticketId }) => !isListed.has(ticketId))];
}

/** The price of each line. As many tickets have the discount as the code has left, the most expensive ones first. */
export function centsWith(lines: readonly CartLine[], applied: AppliedPromoCode): number[] {
  const promo = { ...applied, id: applied.promoCodeId, typeIds: applied.tickets.map(({ ticketId }) => ticketId) };
  const listed = lines.map((line) => ({
    ticketTypeId: line.ticketId,
    listPriceCents: listCents(line),
    quantity: line.quantity,
  }));
  const priced = discountLines(listed, promo);
  return listed.map(({ ticketTypeId }) =>
    priced
      .filter((line) => line.ticketTypeId === ticketTypeId)
      .reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0),
  );
}
