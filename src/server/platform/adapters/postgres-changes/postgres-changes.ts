/** Changes as PostgreSQL announces them (migrations/0016), over one connection that is opened anew whenever it is lost. */
import type { Logger } from 'pino';
import type { Pool } from '#server/platform/database.ts';
import type { Change, Changes } from '#server/platform/ports/changes.ts';
import { type Listener, listen } from './listen.sql.ts';

const CHANGE_OF: Record<string, (payload: string) => Change> = {
  event_changed: (eventId) => ({ what: 'event', eventId }),
  clock_moved: () => ({ what: 'clock' }),
};

const RETRY_MS = 250;
const BEAT_MS = 5_000;

export interface PostgresChanges extends Changes {
  close(): Promise<void>;
}

export async function openPostgresChanges(pool: Pool, log: Pick<Logger, 'warn'>): Promise<PostgresChanges> {
  const listeners: ((change: Change) => void)[] = [];
  const tell = (change: Change) => {
    for (const heard of listeners) heard(change);
  };
  let ear: Listener | null = null;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    try {
      const opened = await listen(pool, Object.keys(CHANGE_OF), {
        onNotification: (channel, payload) => {
          const change = CHANGE_OF[channel]?.(payload);
          if (change) tell(change);
        },
        onEnd: lose,
      });
      if (isClosed) return await opened.close();
      ear = opened;
      // What happened before was told to nobody here.
      tell({ what: 'anything' });
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'cannot listen for changes');
      connectLater();
    }
  }

  function lose(): void {
    if (isClosed) return;
    ear = null;
    tell({ what: 'anything' });
    log.warn('the connection that listens for changes was lost');
    connectLater();
  }

  function connectLater(): void {
    if (!isClosed) retry = setTimeout(() => void connect(), RETRY_MS).unref();
  }

  const catchUp = oneAfterTheOther(async () => ear?.catchUp());
  const beat = setInterval(() => void catchUp(), BEAT_MS).unref();
  await connect();

  return {
    isLive: () => ear !== null,
    onChange: (heard) => void listeners.push(heard),
    caughtUp: catchUp,
    async close() {
      isClosed = true;
      clearInterval(beat);
      clearTimeout(retry);
      await ear?.close();
      ear = null;
    },
  };
}

/** Whoever calls while one runs shares the next: the running one began before their call. */
function oneAfterTheOther(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    next = null;
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (!running) return run();
    next ??= running.then(run);
    return next;
  };
}
