/** Reads data again and again while the page is visible, and backs off after failures. */
import { CallError } from '#web/api.ts';

export interface Poll<View> {
  read(signal: AbortSignal): Promise<View>;
  everyMs: number;
}

interface Listener<View> {
  onView(view: View): void;
  onError(error: unknown): void;
  /** Logged out, or not this organizer's event: polling stops. */
  onDenied(status: 401 | 404): void;
}

const POLL_MAX_MS = 30_000;
/** A dropped connection may never report an error. */
const TIMEOUT_MS = 10_000;

export async function poll<View>(
  { read, everyMs }: Poll<View>,
  listener: Listener<View>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const view = await read(AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
      if (signal.aborted) return;
      failures = 0;
      listener.onView(view);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallError && (error.status === 401 || error.status === 404))
        return listener.onDenied(error.status);
      failures += 1;
      listener.onError(error);
    }
    await pause(Math.min(everyMs * 2 ** failures, POLL_MAX_MS), signal);
  }
}

/** Ends early when the network returns; while the page is hidden, waits until it is visible again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    let isDue = false;
    const end = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const endIfVisible = () => {
      if (document.visibilityState === 'visible') end();
    };
    const timer = setTimeout(() => {
      isDue = true;
      endIfVisible();
    }, ms);
    const onReturn = () => {
      if (isDue) endIfVisible();
    };
    signal.addEventListener('abort', end, { signal: done.signal });
    document.addEventListener('visibilitychange', onReturn, { signal: done.signal });
    window.addEventListener('online', endIfVisible, { signal: done.signal });
  });
}
