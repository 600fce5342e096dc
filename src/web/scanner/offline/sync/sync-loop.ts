import { LIST_POLL_MS } from '#contract/app/check-in-devices.ts';
import { retryDelay } from '../connection.ts';

/**
 * Calls `sync` every few seconds while the page is visible, less often after failures, and never concurrently. `sync` returns
 * whether it succeeded. Returns a function that stops the loop.
 */
export function startSyncLoop(sync: () => Promise<boolean>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isRunning = false;
  let isTriggered = false;
  let isStopped = false;

  async function run() {
    clearTimeout(timer);
    if (isRunning || isStopped || document.hidden) return;
    isRunning = true;
    isTriggered = false;
    const isDone = await sync().catch(() => false);
    isRunning = false;
    failures = isDone ? 0 : failures + 1;
    const delay = isDone ? LIST_POLL_MS : retryDelay(failures);
    if (!isStopped) timer = setTimeout(() => void run(), isTriggered ? 0 : delay);
  }

  /** A trigger only: browsers report "online" on networks that lead nowhere. */
  const runNow = () => {
    isTriggered = true;
    void run();
  };
  const triggers = [
    [window, 'online'],
    [window, 'offline'],
    [document, 'visibilitychange'],
  ] as const;
  for (const [source, name] of triggers) source.addEventListener(name, runNow);
  runNow();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    for (const [source, name] of triggers) source.removeEventListener(name, runNow);
  };
}
