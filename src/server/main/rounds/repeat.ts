import type { Deps } from '#server/platform/deps.ts';

export interface Repeated {
  /** Starts the next run now, unless one is in progress. */
  runNow(): void;
  stop(): Promise<void>;
}

interface FailureOptions {
  /** Log message. */
  onFailure: string;
  /** Pause after a failure. */
  pauseMs: number;
}

/** Repeats the work, pausing for the time it returns. */
export function repeat({ log }: Pick<Deps, 'log'>, onError: FailureOptions, work: () => Promise<number>): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isStopped = false;

  function run(): void {
    clearTimeout(timer);
    if (running || isStopped) return;
    running = work()
      .catch((error: unknown) => {
        log.warn({ err: error }, onError.onFailure);
        return onError.pauseMs;
      })
      .then((pauseMs) => {
        running = null;
        if (!isStopped) timer = setTimeout(run, pauseMs);
      });
  }

  run();
  return {
    runNow: run,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
