import { useState } from 'react';
import type { PublicEvent } from '#contract/events.ts';

/** Whether a checkout may be opened; the server decides it again. */
export function useSaleGate({ salesStartAt, buyersPerMinute }: PublicEvent) {
  const [closed, setClosed] = useState<string | null>(() => {
    const isWaitedFor = buyersPerMinute !== undefined || (salesStartAt && new Date(salesStartAt) > new Date());
    return isWaitedFor ? 'Not on sale yet' : null;
  });
  const [looks, setLooks] = useState(0);
  return {
    closed: salesStartAt ? closed : null,
    setClosed,
    /** Counts how often somebody wanted another look at the sale. */
    looks,
    look: () => setLooks((count) => count + 1),
  };
}
