import { useEffect, useEffectEvent } from 'react';
import type { TicketType } from '#contract/app/events.ts';
import { nextChange } from './sales-windows.ts';

/** Reloads the event when sales of a ticket type begin or end, and again until that shows. */
export function useSalesWindows(tickets: readonly TicketType[], reload: () => void): void {
  const reloadNow = useEffectEvent(reload);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      const delay = nextChange(tickets, Date.now());
      if (delay === null) return;
      timer = setTimeout(() => {
        reloadNow();
        schedule();
      }, delay);
    };
    schedule();
    return () => clearTimeout(timer);
  }, [tickets]);
}
