/** What a promo code does to the page. */
import type { TicketType } from '#contract/app/events.ts';
import type { AppliedPromoCode } from '#contract/app/sales/promo-codes.ts';
import { countDiscounted, discountLines, isDiscounted, promoPrice, usesPerOrder } from '#domain/sales/promo-codes.ts';
import { type CartLine, listCents, type ShownTicket, unitCents } from '../cart/cart.ts';

/** The page's tickets at the code's prices, then those that are sold only with it. */
export function ticketsWith(tickets: readonly TicketType[], applied: AppliedPromoCode): ShownTicket[] {
  const promo = promoOf(applied);
  const isUsedUp = usesPerOrder(applied) === 0;
  const shown = tickets.map((ticket) => {
    const listed = { ticketTypeId: ticket.ticketId, listPriceCents: listCents(ticket) };
    return isUsedUp || !isDiscounted(listed, promo)
      ? ticket
      : { ...ticket, promoCents: promoPrice(listed.listPriceCents, promo) };
  });
  const isListed = new Set(tickets.map(({ ticketId }) => ticketId));
  const unlocked = applied.tickets.filter(({ ticketId, isHidden }) => isHidden === true && !isListed.has(ticketId));
  return [...shown, ...unlocked.map((ticket) => (isUsedUp ? { ...ticket, available: 0 } : ticket))];
}

/** The price of each line. As many tickets have the discount as the code has left, the most expensive ones first. */
export function centsWith(lines: readonly CartLine[], applied: AppliedPromoCode): number[] {
  const priced = priceLines(lines, applied);
  return lines.map(({ ticketId }) =>
    priced
      .filter((line) => line.ticketTypeId === ticketId)
      .reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0),
  );
}

/** How many tickets have the discount, and how many more the code is for. */
export const splitOf = (lines: readonly CartLine[], applied: AppliedPromoCode) =>
  countDiscounted(priceLines(lines, applied), promoOf(applied));

const priceLines = (lines: readonly CartLine[], applied: AppliedPromoCode) =>
  discountLines(
    lines.map((line) => ({
      ticketTypeId: line.ticketId,
      listPriceCents: unitCents(line),
      quantity: line.quantity,
    })),
    promoOf(applied),
  );

const promoOf = (applied: AppliedPromoCode) => ({
  ...applied,
  id: applied.promoCodeId,
  typeIds: applied.tickets.map(({ ticketId }) => ticketId),
});
