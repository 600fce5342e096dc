/** This browser's unpaid tickets: of this event, and of others once there are too many. */
import { useCallback, useEffect, useState } from 'react';
import type { OpenCheckout } from '#contract/app/checkout.ts';
import type { TicketType } from '#contract/app/events.ts';
import { CHECKOUT_LOOKUP_INTERVAL_SECONDS } from '#domain/limits.ts';
import { mayHaveOpenCheckouts, noteOpenCheckouts } from '#web/buyer-storage.ts';
import { loadCode } from '#web/load-code.ts';

/** A checkout that is still processing after these polls is being paid. */
const POLLS_MAX = 6;

const NONE: readonly OpenCheckout[] = [];

/** @param returnCount how often the buyer came back to this page instance; each return reads them again */
export function useOpenCheckouts(eventId: string, returnCount: number) {
  const [checkouts, setCheckouts] = useState(NONE);
  const [reads, setReads] = useState(0);
  const refresh = useCallback(() => setReads((count) => count + 1), []);

  useEffect(() => {
    let isCancelled = false;
    const add = (more: readonly OpenCheckout[]) => {
      if (!isCancelled) setCheckouts((shown) => [...shown, ...more]);
    };
    setCheckouts(NONE);
    if (mayHaveOpenCheckouts())
      readOpen(eventId, { add, isCancelled: () => isCancelled }).catch(() => {
        // Without an answer there is nothing to lead back to.
      });
    return () => {
      isCancelled = true;
    };
  }, [eventId, reads, returnCount]);

  return { checkouts, refresh };
}

interface Reading {
  add: (checkouts: readonly OpenCheckout[]) => void;
  isCancelled: () => boolean;
}

async function readOpen(eventId: string, { add, isCancelled }: Reading): Promise<void> {
  const { readCheckout, readOpenCheckouts } = await loadCode(() => import('../event-calls.ts'));
  const { checkouts } = await readOpenCheckouts();
  noteOpenCheckouts(checkouts.length > 0);
  add(checkouts.filter((checkout) => checkout.eventId !== eventId || checkout.sessionId === null));
  for (const checkout of checkouts)
    if (checkout.eventId === eventId && checkout.sessionId !== null && (await isUnpaid(checkout.sessionId)))
      add([checkout]);

  async function isUnpaid(sessionId: string): Promise<boolean> {
    for (let polls = 0; polls < POLLS_MAX && !isCancelled(); polls += 1) {
      const { status } = await readCheckout(sessionId);
      if (status !== 'processing') return status === 'unpaid';
      // The server throttles this call; an earlier one, perhaps before a reload, has just used it.
      await new Promise((resume) => setTimeout(resume, CHECKOUT_LOOKUP_INTERVAL_SECONDS * 1000));
    }
    return false;
  }
}

/** The ticket types as this buyer can buy them: their own reserved tickets are available to them. */
export function withOwnTickets<Type extends TicketType>(types: readonly Type[], own: readonly OpenCheckout[]): Type[] {
  return types.map((type) => {
    const reserved = own
      .flatMap(({ tickets }) => tickets)
      .reduce((sum, { ticketId, quantity }) => sum + (ticketId === type.ticketId ? quantity : 0), 0);
    return { ...type, available: type.available + reserved };
  });
}
