import { useLayoutEffect, useState } from 'react';
import { checkoutRefusals, soldOut } from '#contract/checkout-words.ts';
import type { TicketType } from '#contract/events.ts';
import { type Pick, storeCart, storedCart } from '#web/buyer-memory.ts';
import { toast } from '#web/ui/toast.ts';
import { type AddObstacle, addObstacle, cartLines, setQuantity } from './cart.ts';

const addSentences: Record<AddObstacle, (ticketName: string) => string> = {
  'too-few-left': soldOut,
  'too-many-tickets': () => checkoutRefusals['too-many-tickets'],
};

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
    const inCart = lines.find((line) => line.ticketName === ticket.ticketName)?.quantity ?? 0;
    const obstacle = quantity > inCart ? addObstacle(lines, ticket, quantity) : null;
    if (obstacle) return toast.error(addSentences[obstacle](ticket.ticketName));
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
