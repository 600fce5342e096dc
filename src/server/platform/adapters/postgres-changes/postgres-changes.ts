/** Receives change notifications through LISTEN/NOTIFY, and reconnects when the connection is lost. */
import type { Logger } from 'pino';
import type { Pool } from '#server/platform/database.ts';
import type { Change, Changes } from '#server/platform/ports/changes.ts';
import { type Listener, listen } from './listen.sql.ts';

const CHANGE_OF: Record<string, (payload: string) => Change> = {
  event_changed: (eventId) => ({ what: 'event', eventId }),
  organization_changed: (organizationId) => ({ what: 'organization', organizationId }),
  series_changed: (seriesId) => ({ what: 'series', seriesId }),
  clock_moved: () => ({ what: 'clock' }),
};

const RETRY_MS = 250;
const HEARTBEAT_MS = 5_000;

export interface PostgresChanges extends Changes {
  close(): Promise<void>;
}

export async function openPostgresChanges(pool: Pool, log: Pick<Logger, 'warn'>): Promise<PostgresChanges> {
  const listeners: ((change: Change) => void)[] = [];
  const publish = (change: Change) => {
    for (const notify of listeners) notify(change);
  };
  let listener: Listener | null = null;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    try {
      const opened = await listen(pool, Object.keys(CHANGE_OF), {
        onNotification: (channel, payload) => {
          const change = CHANGE_OF[channel]?.(payload);
          if (change) publish(change);
        },
        onEnd: onLost,
      });
      if (isClosed) return await opened.close();
      listener = opened;
      // Notifications sent before the connection opened were missed.
      publish({ what: 'anything' });
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'listening for changes failed, retrying',
      );
      connectLater();
    }
  }

  function onLost(): void {
    if (isClosed) return;
    listener = null;
    publish({ what: 'anything' });
    log.warn('the connection for change notifications was lost, reconnecting');
    connectLater();
  }

  function connectLater(): void {
    if (!isClosed) retry = setTimeout(() => void connect(), RETRY_MS).unref();
  }

  const catchUp = serialized(async () => listener?.catchUp());
  const heartbeat = setInterval(() => void catchUp(), HEARTBEAT_MS).unref();
  await connect();

  return {
    isLive: () => listener !== null,
    onChange: (callback) => void listeners.push(callback),
    catchUp: catchUp,
    async close() {
      isClosed = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      await listener?.close();
      listener = null;
    },
  };
}

/** Callers during a run share the next run, because the current one started before their call. */
function serialized(work: () => Promise<void>): () => Promise<void> {
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
