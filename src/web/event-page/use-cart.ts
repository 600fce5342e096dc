import { useLayoutEffect, useState } from 'react';
import { checkoutRefusals, soldOut } from '#contract/checkout-words.ts';
import type { TicketType } from '#contract/events.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { type Pick, storeCart, storedCart } from '#web/buyer-memory.ts';
import { toast } from '#web/ui/toast.ts';
import { cartLines, mostOf, setQuantity, ticketCount } from './cart.ts';

/** The cart of one event, kept for the browser tab. */
export function useCart(eventId: string, tickets: readonly TicketType[]) {
  const [cart, setCart] = useState<readonly Pick[]>([]);
  // The server does not know this tab's cart; it comes before the first paint of the browser's own.
  useLayoutEffect(() => setCart(storedCart(eventId)), [eventId]);
  const lines = cartLines(cart, tickets);

  function keep(next: readonly Pick[]) {
    storeCart(eventId, next);
    setCart(next);
  }

  function change(ticket: TicketType, quantity: number) {
    const others = ticketCount(lines.filter((line) => line.ticketName !== ticket.ticketName));
    const inCart = lines.find((line) => line.ticketName === ticket.ticketName)?.quantity ?? 0;
    if (quantity > inCart && quantity > mostOf(ticket)) return toast.error(soldOut(ticket.ticketName));
    if (quantity > inCart && others + quantity > ORDER_TICKETS_MAX)
      return toast.error(checkoutRefusals['too-many-tickets']);
    keep(setQuantity(cart, ticket.ticketName, quantity));
  }

  return {
    lines,
    add: (ticket: TicketType) => {
      change(ticket, (lines.find((line) => line.ticketName === ticket.ticketName)?.quantity ?? 0) + 1);
    },
    change,
    clear: () => keep([]),
  };
}
