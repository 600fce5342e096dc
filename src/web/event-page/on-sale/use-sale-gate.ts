import { useState } from 'react';
import type { PublicEvent } from '#contract/app/events.ts';
import { selectableFrom } from '#domain/waiting-room.ts';
import { notOnSaleYet } from '#messages/waiting-room.ts';

export interface SaleGate {
  /** The label of the closed checkout button; null once checkout is open. */
  closedLabel: string | null;
  /** Whether tickets can be added to the cart. */
  canChoose: boolean;
}

const OPEN: SaleGate = { closedLabel: null, canChoose: true };

/** Whether checkout is open. The server checks again. */
export function useSaleGate({ salesStartAt, buyersPerMinute }: PublicEvent) {
  const hasRoom = buyersPerMinute !== undefined;
  const [gate, setGate] = useState(() => (salesStartAt ? initialGate(new Date(salesStartAt), hasRoom) : OPEN));
  const [refreshes, setRefreshes] = useState(0);
  return {
    ...(salesStartAt ? gate : OPEN),
    setGate,
    /** Counts the requests to poll the sale again. */
    refreshes,
    refresh: () => setRefreshes((count) => count + 1),
  };
}

/** The gate before the first poll. */
function initialGate(start: Date, hasRoom: boolean): SaleGate {
  const now = new Date();
  return {
    closedLabel: hasRoom || now < start ? notOnSaleYet : null,
    canChoose: now >= selectableFrom(start, hasRoom),
  };
}
