import { useCallback, useEffect, useState } from 'react';
import { type Confirmation, checkoutSession } from '#contract/checkout.ts';
import { CallError, call } from '#web/api.ts';
import { dropKept, type KeptTickets, keptTickets } from './saved-tickets.ts';

/** Waits between questions while the tickets are being made; the last one repeats. */
const WAITS_MS = [1000, 1000, 2000, 3000, 5000];
const PATIENCE_MS = 60_000;
/** At a door, nobody waits longer for a line that is hardly there. */
const KEPT_AFTER_MS = 2000;

export const confirmationFailed = 'Failed to fetch confirmation data';

export type ConfirmationState =
  | { is: 'loading' }
  | { is: 'answered'; confirmation: Confirmation }
  /** A minute has passed. Nothing is lost: the tickets follow by e-mail. */
  | { is: 'delayed' }
  /** Nobody answers, or not yet, and this device has saved what it saw the last time. */
  | { is: 'kept'; tickets: KeptTickets }
  | { is: 'failed'; msg: string | undefined };

/** The order behind a checkout session, asked again and again while it is being settled. */
export function useConfirmation(sessionId: string) {
  const [state, setState] = useState<ConfirmationState>({ is: 'loading' });
  const [round, setRound] = useState(0);

  useEffect(() => {
    let isOver = false;
    const startedAt = Date.now();

    async function follow() {
      let isKnown = false;
      for (let asked = 0; !isOver; asked += 1) {
        const next = await ask(sessionId);
        if (isOver) return;
        const isWaiting = next.is === 'answered' && next.confirmation.status === 'processing';
        // Once the payment is known, a lost connection is no reason to frighten the buyer.
        if (!isWaiting && !(isKnown && next.is === 'failed')) return setState(next);
        isKnown = true;
        if (Date.now() - startedAt > PATIENCE_MS) return setState({ is: 'delayed' });
        if (isWaiting) setState(next);
        await new Promise((resume) => setTimeout(resume, WAITS_MS[asked] ?? WAITS_MS.at(-1)));
      }
    }

    async function showKept() {
      const tickets = await keptTickets(sessionId);
      if (tickets && !isOver) setState((now) => (now.is === 'loading' ? { is: 'kept', tickets } : now));
    }

    // What is shown at a door stays there while it is asked again.
    setState((now) => (now.is === 'kept' ? now : { is: 'loading' }));
    const late = setTimeout(showKept, KEPT_AFTER_MS);
    void follow();
    return () => {
      isOver = true;
      clearTimeout(late);
    };
  }, [sessionId, round]);

  const askAgain = useCallback(() => setRound((rounds) => rounds + 1), []);
  const wantsNetwork = state.is === 'kept' || state.is === 'failed';
  useEffect(() => {
    if (!wantsNetwork) return;
    addEventListener('online', askAgain);
    return () => removeEventListener('online', askAgain);
  }, [wantsNetwork, askAgain]);
  return { state, askAgain };
}

async function ask(sessionId: string): Promise<ConfirmationState> {
  try {
    const confirmation = await call(checkoutSession, { sessionId });
    if (confirmation.status !== 'confirmed') await dropKept(sessionId);
    return { is: 'answered', confirmation };
  } catch (error) {
    const { status, msg } = error instanceof CallError ? error : { status: 0, msg: undefined };
    const tickets = isUnreachable(status) ? await keptTickets(sessionId) : null;
    if (tickets) return { is: 'kept', tickets };
    if (status === NOT_FOUND) await dropKept(sessionId);
    return { is: 'failed', msg };
  }
}

const NOT_FOUND = 404;

/** No answer, one that nobody understood, or that it is too much just now: that says nothing of the tickets. */
const isUnreachable = (status: number) => status < 400 || status === 429 || status >= 500;
