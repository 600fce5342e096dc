import { useCallback, useEffect, useState } from 'react';
import type { Confirmation, OrderAddress } from '#contract/app/checkout.ts';
import { loadCode } from '#web/load-code.ts';
import { addressOfPage, pathOf } from './order-address.ts';
import type { OrderState } from './order-calls.ts';

/** Delays between polls while the order is processing; the last one repeats. */
const POLL_DELAYS_MS = [1000, 1000, 2000, 3000, 5000];
const DELAYED_AFTER_MS = 60_000;
/** At the door, saved tickets beat a slow connection. */
const SHOW_SAVED_AFTER_MS = 2000;

/** What an order's page needs to call the server and to save tickets. The rendered page shows without it. */
export const loadOrderCalls = () => loadCode(() => import('./order-calls.ts'));

/** What the page came with is fresh on the first visit only; a later one in the same page load reads it again. */
let isFirstVisit = true;

/**
 * Polls the order until it is settled.
 *
 * @param rendered what the page came with; null if it has to ask
 */
export function useOrder(address: OrderAddress, rendered: Confirmation | null) {
  const [state, setState] = useState<OrderState>(
    rendered ? { kind: 'answered', confirmation: rendered } : { kind: 'loading' },
  );
  const [reads, setReads] = useState(0);
  const [isStale] = useState(() => !isFirstVisit);
  const readsNow = reads > 0 || rendered === null || isStale;
  useEffect(
    () => () => {
      isFirstVisit = false;
    },
    [],
  );

  useEffect(() => {
    if (!readsNow) return;
    let isCancelled = false;
    const startedAt = Date.now();

    async function poll() {
      let hasPaid = false;
      for (let polls = 0; !isCancelled; polls += 1) {
        const next = await stateAt(address);
        if (isCancelled) return;
        const isProcessing = next.kind === 'answered' && next.confirmation.status === 'processing';
        // After a payment, a lost connection must not alarm the buyer.
        if (!isProcessing && !(hasPaid && next.kind === 'failed'))
          return setState((now) => (next.kind === 'failed' && showsTickets(now) ? now : next));
        hasPaid = true;
        if (Date.now() - startedAt > DELAYED_AFTER_MS) return setState({ kind: 'delayed' });
        if (isProcessing) setState(next);
        await new Promise((resume) => setTimeout(resume, POLL_DELAYS_MS[polls] ?? POLL_DELAYS_MS.at(-1)));
      }
    }

    async function showSaved() {
      const { readSavedTickets } = await loadOrderCalls();
      const tickets = await readSavedTickets(pathOf(address));
      if (tickets && !isCancelled) setState((now) => (now.kind === 'loading' ? { kind: 'saved', tickets } : now));
    }

    // Keeps showing tickets while it reads again.
    setState((now) => (showsTickets(now) ? now : { kind: 'loading' }));
    const savedTimer = setTimeout(showSaved, SHOW_SAVED_AFTER_MS);
    void poll();
    return () => {
      isCancelled = true;
      clearTimeout(savedTimer);
    };
  }, [address, reads, readsNow]);

  const read = useCallback(() => setReads((count) => count + 1), []);
  const needsNetwork = state.kind === 'saved' || state.kind === 'failed';
  useEffect(() => {
    if (!needsNetwork) return;
    addEventListener('online', read);
    return () => removeEventListener('online', read);
  }, [needsNetwork, read]);

  const ended = state.kind === 'answered' && isOver(state.confirmation) ? state.confirmation : null;
  useEffect(() => {
    if (!ended) return;
    const pages = [pathOf(address), ...(ended.details ? [pathOf(addressOfPage(ended.details))] : [])];
    loadOrderCalls().then(
      ({ removeSavedTickets }) => removeSavedTickets(pages),
      () => {},
    );
  }, [ended, address]);

  // At the door the page goes to sleep and wakes up: meanwhile a ticket may have been scanned.
  const isConfirmed = state.kind === 'answered' && state.confirmation.status === 'confirmed';
  useEffect(() => {
    if (!isConfirmed) return;
    const onShown = () => {
      if (!document.hidden) read();
    };
    document.addEventListener('visibilitychange', onShown);
    return () => document.removeEventListener('visibilitychange', onShown);
  }, [isConfirmed, read]);
  return { state, read };
}

const showsTickets = (state: OrderState): boolean =>
  state.kind === 'saved' || (state.kind === 'answered' && state.confirmation.status === 'confirmed');

/** Code that doesn't load is a lost connection. */
const stateAt = (address: OrderAddress): Promise<OrderState> =>
  loadOrderCalls().then(
    ({ orderAt }) => orderAt(address),
    () => ({ kind: 'failed', msg: undefined }),
  );

/** Its tickets no longer admit anyone. */
const isOver = ({ status, details }: Confirmation): boolean => status === 'refunded' || details?.isCancelled === true;
