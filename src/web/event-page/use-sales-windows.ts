import { useEffect, useEffectEvent } from 'react';
import type { TicketType } from '#contract/app/events.ts';
import { nextChange } from './sales-windows.ts';

/** Reloads the event when sales of a ticket type begin or end. */
export function useSalesWindows(tickets: readonly TicketType[], reload: () => void): void {
  const reloadNow = useEffectEvent(reload);
  useEffect(() => {
    const delay = nextChange(tickets, Date.now());
    if (delay === null) return undefined;
    const timer = setTimeout(reloadNow, delay);
    return () => clearTimeout(timer);
  }, [tickets]);
}
