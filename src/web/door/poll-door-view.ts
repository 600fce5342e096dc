/** Asks how it goes at the doors, every few seconds while somebody looks, and more seldom while nobody answers. */
import { doorView } from '#contract/door.ts';
import type { DoorView } from '#contract/door-view-words.ts';
import { CallError, call } from '#web/api.ts';

interface Listener {
  seen(view: DoorView): void;
  missed(error: unknown): void;
  /** Not logged in any more, or no event of this organizer: asking again changes nothing. */
  refused(status: 401 | 404): void;
}

const EVERY_MS = 3000;
const SELDOM_MS = 30_000;
/** A line that has gone silent says nothing of it by itself. */
const PATIENCE_MS = 10_000;

export async function followDoors(eventId: string, tell: Listener, signal: AbortSignal): Promise<void> {
  let misses = 0;
  while (!signal.aborted) {
    try {
      const view = await call(
        doorView,
        { eventId },
        { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) },
      );
      if (signal.aborted) return;
      misses = 0;
      tell.seen(view);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallError && (error.status === 401 || error.status === 404))
        return tell.refused(error.status);
      misses += 1;
      tell.missed(error);
    }
    await pause(Math.min(EVERY_MS * 2 ** misses, SELDOM_MS), signal);
  }
}

/** Over at once when the reader or the network comes back; never over while nobody looks. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    let isDue = false;
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const endIfSeen = () => {
      if (document.visibilityState === 'visible') end();
    };
    const timer = setTimeout(() => {
      isDue = true;
      endIfSeen();
    }, ms);
    const onReturn = () => {
      if (isDue) endIfSeen();
    };
    signal.addEventListener('abort', end, { signal: over.signal });
    document.addEventListener('visibilitychange', onReturn, { signal: over.signal });
    window.addEventListener('online', endIfSeen, { signal: over.signal });
  });
}
