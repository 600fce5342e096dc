/** What a frame on another website does: it says how high it is, and reads its event again. */
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PublicEvent } from '#contract/app/events.ts';
import { useSalesWindows } from '../use-sales-windows.ts';

export type EventReply = PublicEvent | { msg: string };

/** Tells the website around it how high the content is, and what it is about. Only websites that are listed load it. */
export function useFrameHeight(content: RefObject<HTMLElement | null>, title: string): void {
  useEffect(() => {
    const shown = content.current;
    if (!shown || window.parent === window) return;
    const observer = new ResizeObserver(() =>
      window.parent.postMessage({ handstamp: title, height: shown.offsetHeight }, '*'),
    );
    observer.observe(shown);
    return () => observer.disconnect();
  }, [content, title]);
}

/** Older ones are read again when their page is shown. */
const FRESH_MS = 30_000;

/** Read again when the frame comes back into view, and when a ticket type begins or ends to sell. */
export function useFreshEvent(eventId: string, first: EventReply): EventReply {
  const [reply, setReply] = useState(first);
  const readAt = useRef<number | null>(null);

  async function read() {
    readAt.current = Date.now();
    try {
      // Not by the contract's call: the frame would load the schemas of all events.
      const answer = await fetch(`/api/public/event/${eventId}`);
      const next: unknown = await answer.json();
      if (answer.ok && isReply(next)) setReply(next);
    } catch {
      // It keeps what it shows. The checkout reads the event again.
    }
  }

  const readIfOld = useEffectEvent(() => {
    if (document.visibilityState === 'visible' && Date.now() - (readAt.current ?? 0) > FRESH_MS) void read();
  });
  useEffect(() => {
    readAt.current ??= Date.now();
    const onShow = () => readIfOld();
    document.addEventListener('visibilitychange', onShow);
    window.addEventListener('pageshow', onShow);
    return () => {
      document.removeEventListener('visibilitychange', onShow);
      window.removeEventListener('pageshow', onShow);
    };
  }, []);
  useSalesWindows('tickets' in reply ? reply.tickets : NONE, () => void read());
  return reply;
}

const NONE: PublicEvent['tickets'] = [];

/** Trusted without a check: the same server wrote the page. */
function isReply(reply: unknown): reply is EventReply {
  return typeof reply === 'object' && reply !== null && ('tickets' in reply || 'msg' in reply);
}
