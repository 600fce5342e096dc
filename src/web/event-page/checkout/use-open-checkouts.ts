/** This browser's unpaid tickets: of this event, and of others once there are too many. */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { OpenCheckout } from '#contract/app/checkout.ts';
import type { TicketType } from '#contract/app/events.ts';
import { CHECKOUT_LOOKUP_INTERVAL_SECONDS } from '#domain/limits.ts';
import { mayHaveOpenCheckouts, noteOpenCheckouts } from '#web/buyer-storage.ts';
import { loadCode } from '#web/load-code.ts';

/** A checkout that is still processing after these polls is being paid. */
const POLLS_MAX = 6;

/** This device's clock may be ahead of the server's. */
const SHORTEST_DELAY_MS = 5_000;

const NONE: readonly OpenCheckout[] = [];

/**
 * @param returnCount how often the buyer came back to this page instance; each return reads them again
 * @param onEnd a reservation for this event may have ended, so that others can have its tickets
 */
export function useOpenCheckouts(eventId: string, returnCount: number, onEnd: () => void) {
  const [checkouts, setCheckouts] = useState(NONE);
  const [reads, setReads] = useState(0);
  const refresh = useCallback(() => setReads((count) => count + 1), []);
  const [hasEnded, setHasEnded] = useState(false);
  const endsAt = Math.min(...checkouts.filter((one) => one.eventId === eventId).map(endOf));

  const isDue = useRef(false);

  const handleEnd = useEffectEvent(() => {
    isDue.current = true;
    refresh();
    onEnd();
  });
  useEffect(() => {
    if (!Number.isFinite(endsAt)) return;
    const timer = setTimeout(handleEnd, Math.max(endsAt - Date.now(), SHORTEST_DELAY_MS));
    return () => clearTimeout(timer);
  }, [endsAt, reads]);

  useEffect(() => {
    let isCancelled = false;
    const add = (more: readonly OpenCheckout[]) => {
      if (!isCancelled) setCheckouts((shown) => [...shown, ...more]);
    };
    const onList = (all: readonly OpenCheckout[]) => {
      if (isCancelled) return;
      setHasEnded(isDue.current && all.every((one) => one.eventId !== eventId));
      isDue.current = false;
    };
    setCheckouts(NONE);
    if (mayHaveOpenCheckouts())
      readOpen(eventId, { add, onList, isCancelled: () => isCancelled }).catch(() => {
        // Without an answer there is nothing to lead back to.
      });
    return () => {
      isCancelled = true;
    };
  }, [eventId, reads, returnCount]);

  return { checkouts, hasEnded, refresh };
}

const endOf = ({ reservedUntil }: OpenCheckout) => Date.parse(reservedUntil);

interface Reading {
  onList: (all: readonly OpenCheckout[]) => void;
  /** Shows more of them. */
  add: (checkouts: readonly OpenCheckout[]) => void;
  isCancelled: () => boolean;
}

async function readOpen(eventId: string, { add, onList, isCancelled }: Reading): Promise<void> {
  const { readCheckout, readOpenCheckouts } = await loadCode(() => import('../event-calls.ts'));
  const { checkouts } = await readOpenCheckouts();
  noteOpenCheckouts(checkouts.length > 0);
  onList(checkouts);
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
