import { useState } from 'react';
import type { PublicEvent } from '#contract/events.ts';
import { notOnSaleYet } from '#contract/waiting-room-words.ts';
import { selectableFrom } from '#domain/waiting-room.ts';

export interface SaleGate {
  /** Null once a checkout may be opened; until then, what its button says instead. */
  closed: string | null;
  /** Whether tickets may be put into the cart. */
  mayChoose: boolean;
}

const OPEN: SaleGate = { closed: null, mayChoose: true };

/** Whether a checkout may be opened; the server decides it again. */
export function useSaleGate({ salesStartAt, buyersPerMinute }: PublicEvent) {
  const hasRoom = buyersPerMinute !== undefined;
  const [gate, setGate] = useState(() => (salesStartAt ? gateBefore(new Date(salesStartAt), hasRoom) : OPEN));
  const [looks, setLooks] = useState(0);
  return {
    ...(salesStartAt ? gate : OPEN),
    setGate,
    /** Counts how often somebody wanted another look at the sale. */
    looks,
    look: () => setLooks((count) => count + 1),
  };
}

/** Until the sale itself is known. */
function gateBefore(start: Date, hasRoom: boolean): SaleGate {
  const now = new Date();
  return { closed: hasRoom || now < start ? notOnSaleYet : null, mayChoose: now >= selectableFrom(start, hasRoom) };
}
