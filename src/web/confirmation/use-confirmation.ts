import { useCallback, useEffect, useState } from 'react';
import { type Confirmation, checkoutSession } from '#contract/checkout.ts';
import { CallError, call } from '#web/api.ts';

/** Waits between questions while the tickets are being made; the last one repeats. */
const WAITS_MS = [1000, 1000, 2000, 3000, 5000];
const PATIENCE_MS = 60_000;

export const confirmationFailed = 'Failed to fetch confirmation data';

export type ConfirmationState =
  | { is: 'loading' }
  | { is: 'answered'; confirmation: Confirmation }
  /** A minute has passed. Nothing is lost: the tickets follow by e-mail. */
  | { is: 'delayed' }
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

    setState({ is: 'loading' });
    void follow();
    return () => {
      isOver = true;
    };
  }, [sessionId, round]);

  const askAgain = useCallback(() => setRound((rounds) => rounds + 1), []);
  return { state, askAgain };
}

async function ask(sessionId: string): Promise<ConfirmationState> {
  try {
    return { is: 'answered', confirmation: await call(checkoutSession, { sessionId }) };
  } catch (error) {
    return { is: 'failed', msg: error instanceof CallError ? error.msg : undefined };
  }
}
