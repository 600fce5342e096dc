import { useLayoutEffect, useState } from 'react';
import type { TicketType } from '#contract/app/events.ts';
import { checkoutErrors } from '#messages/checkout.ts';
import { type StoredCartItem, storeCart, storedCart } from '#web/buyer-storage.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { type AddDenial, type Choice, cartLines, chooseTickets } from './cart.ts';

const addDenialMessages: Record<AddDenial, (name: string) => string> = {
  'too-few-left': (name) => checkoutErrors['checkout.sold-out']({ name }),
  'too-many-tickets': () => checkoutErrors['checkout.too-many-tickets'],
};

/** The cart of one event, stored per browser tab. */
export function useCart(eventId: string, tickets: readonly TicketType[]) {
  const [cart, setCart] = useState<readonly StoredCartItem[]>([]);
  // The server renders an empty cart; a layout effect fills it in before the first paint.
  useLayoutEffect(() => setCart(storedCart(eventId)), [eventId]);

  function save(next: readonly StoredCartItem[]) {
    storeCart(eventId, next);
    setCart(next);
  }

  function choose(ticket: TicketType, choice: Choice) {
    const chosen = chooseTickets(cart, tickets, ticket, choice);
    if (typeof chosen === 'string') return toast.error(addDenialMessages[chosen](ticket.ticketName));
    save(chosen);
  }

  return {
    lines: cartLines(cart, tickets),
    add: (ticket: TicketType) => choose(ticket, { add: 1 }),
    change: (ticket: TicketType, quantity: number) => choose(ticket, { set: quantity }),
    clear: () => save([]),
  };
}
