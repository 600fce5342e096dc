import { useLayoutEffect, useState } from 'react';
import type { TicketType } from '#contract/app/events.ts';
import { checkoutErrors } from '#messages/checkout.ts';
import { type StoredCartItem, storeCart, storedCart } from '#web/buyer-storage.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { type AddDenial, cartLines, denyAdd, setQuantity } from './cart.ts';

const addDenialMessages: Record<AddDenial, (name: string) => string> = {
  'too-few-left': (name) => checkoutErrors['checkout.sold-out']({ name }),
  'too-many-tickets': () => checkoutErrors['checkout.too-many-tickets'],
};

/** The cart of one event, stored per browser tab. */
export function useCart(eventId: string, tickets: readonly TicketType[]) {
  const [cart, setCart] = useState<readonly StoredCartItem[]>([]);
  // The server renders an empty cart; a layout effect fills it in before the first paint.
  useLayoutEffect(() => setCart(storedCart(eventId)), [eventId]);
  const lines = cartLines(cart, tickets);

  function save(next: readonly StoredCartItem[]) {
    storeCart(eventId, next);
    setCart(next);
  }

  function change(ticket: TicketType, quantity: number) {
    const inCart = lines.find((line) => line.ticketName === ticket.ticketName)?.quantity ?? 0;
    const denial = quantity > inCart ? denyAdd(lines, ticket, quantity) : null;
    if (denial) return toast.error(addDenialMessages[denial](ticket.ticketName));
    save(setQuantity(cart, ticket.ticketName, quantity));
  }

  return {
    lines,
    add: (ticket: TicketType) => {
      change(ticket, (lines.find((line) => line.ticketName === ticket.ticketName)?.quantity ?? 0) + 1);
    },
    change,
    clear: () => save([]),
  };
}
