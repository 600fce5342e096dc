import { useLayoutEffect, useState } from 'react';
import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import { type StoredCartItem, storeCart, storedCart } from '#web/buyer-storage.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { type Choice, cartLines, chooseTickets } from './cart.ts';
import { denialText } from './denial-text.ts';

type Event = Pick<PublicEvent, 'eventId' | 'tickets' | 'maxPerOrder'>;

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
    if (typeof chosen === 'string') return toast.error(denialText(chosen, ticket, event));
    save(chosen);
  }

  return {
    lines: cartLines(cart, tickets),
    add: (ticket: TicketType, namedCents?: number) => choose(ticket, { add: 1, namedCents }),
    change: (ticket: TicketType, quantity: number) => choose(ticket, { set: quantity }),
    clear: () => save([]),
  };
}
