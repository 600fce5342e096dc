import { useState } from 'react';
import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import type { StoredCartItem } from '#web/buyer-storage.ts';
import { type Choice, cartLines, chooseTickets } from '../cart/cart.ts';
import { denialText } from '../cart/denial-text.ts';

/** The cart of a frame lasts as long as its page: browsers block storage there, and what is paid elsewhere would stay in it. */
export function useFrameCart(event: Pick<PublicEvent, 'tickets' | 'maxPerOrder'>) {
  const [cart, setCart] = useState<readonly StoredCartItem[]>([]);
  const [problem, setProblem] = useState<string | null>(null);

  function choose(ticket: TicketType, choice: Choice) {
    const chosen = chooseTickets(cart, event, ticket, choice);
    if (typeof chosen === 'string') return setProblem(denialText(chosen, ticket, event));
    setProblem(null);
    setCart(chosen);
  }

  return {
    lines: cartLines(cart, event.tickets),
    problem,
    setProblem,
    add: (ticket: TicketType, namedCents?: number) => choose(ticket, { add: 1, namedCents }),
    change: (ticket: TicketType, quantity: number) => choose(ticket, { set: quantity }),
  };
}
