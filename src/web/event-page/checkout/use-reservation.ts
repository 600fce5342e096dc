import { useEffect, useEffectEvent, useState } from 'react';
import { reservationReleased } from '#messages/checkout.ts';
import { outage, queuedCheckoutNotLoaded } from '#messages/pages.ts';
import { storedReservation, storeReservation } from '#web/buyer-storage.ts';
import { CallError, messageFrom } from '#web/call-error.ts';
import { CodeNotLoadedError, loadCode } from '#web/load-code.ts';
import { toast } from '#web/ui/feedback/toast.ts';

/** The buyer's position in the checkout queue. `before` is null until it is known. */
export interface QueueStatus {
  before: number | null;
  aboutSeconds: number;
  /** The code that polls for it did not load. */
  isNotLoaded?: boolean;
}

interface ReservationEvents {
  /** The payment page is ready. */
  onPaymentPage: (page: { id: string; url: string }) => void;
  /** The reservation has ended. */
  onReleased: () => void;
}

const RETRY_SECONDS = 4;

/**
 * Polls for the payment page of reserved tickets, at the interval that the server requests. A reload resumes, and so does a link
 * with the handle.
 */
export function useReservation(eventId: string, { onPaymentPage: onPage, onReleased: onOver }: ReservationEvents) {
  const [handle, setHandle] = useState<string | null>(null);
  const [status, setStatus] = useState<QueueStatus>(UNKNOWN_STATUS);
  const finish = useEffectEvent((page: { id: string; url: string }) => {
    clear();
    onPage(page);
  });
  const expire = useEffectEvent((msg: string) => {
    clear();
    toast.error(msg);
    onOver();
  });

  useEffect(() => {
    const take = () => setHandle(handleInAddress() ?? storedReservation(eventId));
    take();
    // A link from this page to itself changes only the fragment.
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, [eventId]);

  useEffect(() => {
    if (handle === null) return;
    storeReservation(eventId, handle);
    let isCancelled = false;
    let timer: number | undefined;

    async function poll(current: string) {
      const answer = await loadCode(() => import('../event-calls.ts'))
        .then(({ readReservation }) => readReservation(current))
        .catch((error: unknown) => error);
      if (isCancelled) return;
      const next = nextStep(answer, current);
      if (next.is === 'ended') return expire(next.msg);
      if (next.is === 'page') return finish(next.page);
      if (next.status) setStatus(next.status);
      storeReservation(eventId, next.handle);
      timer = window.setTimeout(() => void poll(next.handle), next.inSeconds * 1000);
    }

    void poll(handle);
    return () => {
      isCancelled = true;
      window.clearTimeout(timer);
    };
  }, [handle, eventId]);

  function clear() {
    storeReservation(eventId, null);
    setHandle(null);
    setStatus(UNKNOWN_STATUS);
  }

  async function release() {
    if (handle === null) return;
    try {
      const { releaseReservation } = await loadCode(() => import('../event-calls.ts'));
      await releaseReservation(storedReservation(eventId) ?? handle);
      clear();
      toast.success(reservationReleased);
      onOver();
    } catch (error) {
      toast.error(error instanceof CodeNotLoadedError ? queuedCheckoutNotLoaded : messageFrom(error, outage));
    }
  }

  return { status: handle === null ? null : status, start: setHandle, release };
}

const UNKNOWN_STATUS: QueueStatus = { before: null, aboutSeconds: 0 };

type NextStep =
  | { is: 'ended'; msg: string }
  | { is: 'page'; page: { id: string; url: string } }
  | { is: 'waiting'; handle: string; status: QueueStatus | null; inSeconds: number };

interface Answer {
  id: string;
  url: string;
  queue?: { handle: string; before: number; aboutSeconds: number; askInSeconds: number } | undefined;
}

/** Only a 404 or 409 ends the wait: after a network error or with a busy server, the reservation still stands. */
function nextStep(answer: unknown, handle: string): NextStep {
  if (isAnswer(answer)) {
    const { id, url, queue } = answer;
    if (!queue) return { is: 'page', page: { id, url } };
    return { is: 'waiting', handle: queue.handle, status: queue, inSeconds: queue.askInSeconds };
  }
  if (answer instanceof CallError && (answer.status === 404 || answer.status === 409))
    return { is: 'ended', msg: messageFrom(answer, outage) };
  const status = answer instanceof CodeNotLoadedError ? { ...UNKNOWN_STATUS, isNotLoaded: true } : null;
  return { is: 'waiting', handle, status, inSeconds: RETRY_SECONDS };
}

const isAnswer = (answer: unknown): answer is Answer =>
  !(answer instanceof Error) && typeof answer === 'object' && answer !== null && 'url' in answer;

/** Reads `#queue=...` and removes it from the address, so that it applies once. */
function handleInAddress(): string | null {
  const handle = new URLSearchParams(window.location.hash.slice(1)).get('queue');
  if (handle !== null) window.history.replaceState(window.history.state, '', window.location.pathname);
  return handle;
}
