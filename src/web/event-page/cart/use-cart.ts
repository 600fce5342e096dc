import { useLayoutEffect, useState } from 'react';
import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import { notEnoughLeft, tooManyOf, tooManyTickets } from '#messages/sales/cart.ts';
import { type StoredCartItem, storeCart, storedCart } from '#web/buyer-storage.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { type AddDenial, type Choice, cartLines, chooseTickets, orderMaxOf } from './cart.ts';

type Event = Pick<PublicEvent, 'eventId' | 'tickets' | 'maxPerOrder'>;

const addDenialMessages: Record<AddDenial, (ticket: TicketType, event: Event) => string> = {
  'too-few-left': ({ ticketName: name }) => notEnoughLeft({ name }),
  'too-many': ({ ticketName: name, maxPerOrder: max = 0 }) => tooManyOf({ name, max }),
  'too-many-tickets': (ticket, event) => tooManyTickets({ max: orderMaxOf(ticket, event) }),
};

/** The cart of one event, stored per browser tab. */
export function useCart(event: Event) {
  const { eventId, tickets } = event;
  const [cart, setCart] = useState<readonly StoredCartItem[]>([]);
  // The server renders an empty cart; a layout effect fills it in before the first paint.
  useLayoutEffect(() => setCart(storedCart(eventId)), [eventId]);

  function save(next: readonly StoredCartItem[]) {
    storeCart(eventId, next);
    setCart(next);
  }

  function choose(ticket: TicketType, choice: Choice) {
    const chosen = chooseTickets(cart, event, ticket, choice);
    if (typeof chosen === 'string') return toast.error(addDenialMessages[chosen](ticket, event));
    save(chosen);
  }

  return {
    lines: cartLines(cart, tickets),
    add: (ticket: TicketType, namedCents?: number) => choose(ticket, { add: 1, namedCents }),
    change: (ticket: TicketType, quantity: number) => choose(ticket, { set: quantity }),
    clear: () => save([]),
  };
}
