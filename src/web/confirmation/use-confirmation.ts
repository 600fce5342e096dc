import { useCallback, useEffect, useState } from 'react';
import { type Confirmation, checkoutSession } from '#contract/app/checkout.ts';
import { CallError, call } from '#web/api.ts';
import { readSavedTickets, removeSavedTickets, type SavedTickets } from './saved-tickets.ts';

/** Delays between polls while the order is processing; the last one repeats. */
const POLL_DELAYS_MS = [1000, 1000, 2000, 3000, 5000];
const DELAYED_AFTER_MS = 60_000;
/** At the door, saved tickets beat a slow connection. */
const SHOW_SAVED_AFTER_MS = 2000;

export const confirmationFailed = 'Failed to fetch confirmation data';

export type ConfirmationState =
  | { kind: 'loading' }
  | { kind: 'answered'; confirmation: Confirmation }
  /** Still processing after a minute; the tickets will arrive by email. */
  | { kind: 'delayed' }
  /** Shows the saved copy while the server is slow or unreachable. */
  | { kind: 'saved'; tickets: SavedTickets }
  | { kind: 'failed'; msg: string | undefined };

/** Polls the order of a checkout session until it is settled. */
export function useConfirmation(sessionId: string) {
  const [state, setState] = useState<ConfirmationState>({ kind: 'loading' });
  const [retries, setRetries] = useState(0);

  useEffect(() => {
    let isCancelled = false;
    const startedAt = Date.now();

    async function poll() {
      let hasPaid = false;
      for (let polls = 0; !isCancelled; polls += 1) {
        const next = await fetchConfirmation(sessionId);
        if (isCancelled) return;
        const isProcessing = next.kind === 'answered' && next.confirmation.status === 'processing';
        // After a payment, a lost connection must not alarm the buyer.
        if (!isProcessing && !(hasPaid && next.kind === 'failed')) return setState(next);
        hasPaid = true;
        if (Date.now() - startedAt > DELAYED_AFTER_MS) return setState({ kind: 'delayed' });
        if (isProcessing) setState(next);
        await new Promise((resume) => setTimeout(resume, POLL_DELAYS_MS[polls] ?? POLL_DELAYS_MS.at(-1)));
      }
    }

    async function showSaved() {
      const tickets = await readSavedTickets(sessionId);
      if (tickets && !isCancelled) setState((now) => (now.kind === 'loading' ? { kind: 'saved', tickets } : now));
    }

    // Keeps showing saved tickets during a retry.
    setState((now) => (now.kind === 'saved' ? now : { kind: 'loading' }));
    const savedTimer = setTimeout(showSaved, SHOW_SAVED_AFTER_MS);
    void poll();
    return () => {
      isCancelled = true;
      clearTimeout(savedTimer);
    };
  }, [sessionId, retries]);

  const retry = useCallback(() => setRetries((count) => count + 1), []);
  const needsNetwork = state.kind === 'saved' || state.kind === 'failed';
  useEffect(() => {
    if (!needsNetwork) return;
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [needsNetwork, retry]);
  return { state, retry };
}

async function fetchConfirmation(sessionId: string): Promise<ConfirmationState> {
  try {
    const confirmation = await call(checkoutSession, { sessionId });
    if (confirmation.status !== 'confirmed') await removeSavedTickets(sessionId);
    return { kind: 'answered', confirmation };
  } catch (error) {
    const { status, msg } = error instanceof CallError ? error : { status: 0, msg: undefined };
    const tickets = isUnreachable(status) ? await readSavedTickets(sessionId) : null;
    if (tickets) return { kind: 'saved', tickets };
    if (status === NOT_FOUND) await removeSavedTickets(sessionId);
    return { kind: 'failed', msg };
  }
}

const NOT_FOUND = 404;

/** No answer, a garbled one, or a busy server: none of these says anything about the tickets. */
const isUnreachable = (status: number) => status < 400 || status === 429 || status >= 500;
