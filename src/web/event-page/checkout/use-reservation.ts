import { useEffect, useEffectEvent, useState } from 'react';
import { heldGivenBack } from '#contract/checkout-words.ts';
import { heldNotLoaded, outage } from '#contract/page-words.ts';
import { heldHandle, rememberHeld } from '#web/buyer-memory.ts';
import { CallError, messageFrom } from '#web/call-error.ts';
import { CodeNotLoadedError } from '#web/load-code.ts';
import { toast } from '#web/ui/toast.ts';
import { loadEventCalls } from '../load-event-calls.ts';

/** What a waiting buyer is shown. `before` is null until it is known. */
export interface HeldPlace {
  before: number | null;
  aboutSeconds: number;
  /** What would ask for it did not load. */
  isUnasked?: boolean;
}

interface Ends {
  /** The payment page is there. */
  onPage: (page: { id: string; url: string }) => void;
  /** The tickets are no longer held. */
  onOver: () => void;
}

const AGAIN_AFTER_SECONDS = 4;

/**
 * Waits for the payment page of tickets that are held, asking as often as the server wants to be asked. A reload goes on
 * where it was, and so does the address that ends with the handle.
 */
export function useHeld(eventId: string, { onPage, onOver }: Ends) {
  const [handle, setHandle] = useState<string | null>(null);
  const [place, setPlace] = useState<HeldPlace>(UNKNOWN);
  const arrive = useEffectEvent((page: { id: string; url: string }) => {
    drop();
    onPage(page);
  });
  const end = useEffectEvent((msg: string) => {
    drop();
    toast.error(msg);
    onOver();
  });

  useEffect(() => setHandle(handleInAddress() ?? heldHandle(eventId)), [eventId]);

  useEffect(() => {
    if (handle === null) return;
    rememberHeld(eventId, handle);
    let isOver = false;
    let timer: number | undefined;

    async function follow(asked: string) {
      const answer = await loadEventCalls()
        .then(({ readHeld }) => readHeld(asked))
        .catch((error: unknown) => error);
      if (isOver) return;
      const next = afterAnswer(answer, asked);
      if (next.is === 'over') return end(next.msg);
      if (next.is === 'page') return arrive(next.page);
      if (next.place) setPlace(next.place);
      rememberHeld(eventId, next.handle);
      timer = window.setTimeout(() => void follow(next.handle), next.inSeconds * 1000);
    }

    void follow(handle);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [handle, eventId]);

  function drop() {
    rememberHeld(eventId, null);
    setHandle(null);
    setPlace(UNKNOWN);
  }

  async function giveBack() {
    if (handle === null) return;
    try {
      const { leaveHeld } = await loadEventCalls();
      await leaveHeld(heldHandle(eventId) ?? handle);
      drop();
      toast.success(heldGivenBack);
      onOver();
    } catch (error) {
      toast.error(error instanceof CodeNotLoadedError ? heldNotLoaded : messageFrom(error, outage));
    }
  }

  return { held: handle === null ? null : place, hold: setHandle, giveBack };
}

const UNKNOWN: HeldPlace = { before: null, aboutSeconds: 0 };

type Next =
  | { is: 'over'; msg: string }
  | { is: 'page'; page: { id: string; url: string } }
  | { is: 'waiting'; handle: string; place: HeldPlace | null; inSeconds: number };

interface Answer {
  id: string;
  url: string;
  held?: { handle: string; before: number; aboutSeconds: number; askInSeconds: number } | undefined;
}

/** A clear no ends the wait. A line that breaks, or a busy server, does not: the tickets are still held. */
function afterAnswer(answer: unknown, handle: string): Next {
  if (isAnswer(answer)) {
    const { id, url, held } = answer;
    if (!held) return { is: 'page', page: { id, url } };
    return { is: 'waiting', handle: held.handle, place: held, inSeconds: held.askInSeconds };
  }
  if (answer instanceof CallError && (answer.status === 404 || answer.status === 409))
    return { is: 'over', msg: messageFrom(answer, outage) };
  const place = answer instanceof CodeNotLoadedError ? { ...UNKNOWN, isUnasked: true } : null;
  return { is: 'waiting', handle, place, inSeconds: AGAIN_AFTER_SECONDS };
}

const isAnswer = (answer: unknown): answer is Answer =>
  !(answer instanceof Error) && typeof answer === 'object' && answer !== null && 'url' in answer;

/** `#held=...`, once: whoever comes back to the page later comes for something else. */
function handleInAddress(): string | null {
  const handle = new URLSearchParams(window.location.hash.slice(1)).get('held');
  if (handle !== null) window.history.replaceState(window.history.state, '', window.location.pathname);
  return handle;
}
