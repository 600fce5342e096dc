import pg from 'pg';
import type { Pool } from '#server/platform/database.ts';

/** A server that does not answer in time counts as gone: a crashed host closes no connection. */
const TIMEOUT_MS = 2_000;

export interface Listener {
  /** Resolves once the notifications of all earlier commits have been delivered. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export interface News {
  onNotification(channel: string, payload: string): void;
  /** Called once, when the connection ends for any reason. */
  onEnd(): void;
}

/** Uses a dedicated connection, which stays available while the pool is exhausted. */
export async function listen(pool: Pool, channels: readonly string[], news: News): Promise<Listener> {
  const client = new pg.Client({
    ...pool.options,
    application_name: 'handstamp changes',
    keepAlive: true,
    query_timeout: TIMEOUT_MS,
    connectionTimeoutMillis: TIMEOUT_MS,
  });
  let isListening = false;
  const end = () => {
    if (!isListening) return;
    isListening = false;
    news.onEnd();
  };
  client.on('error', end);
  client.on('end', end);
  client.on('notification', ({ channel, payload }) => news.onNotification(channel, payload ?? ''));
  try {
    await client.connect();
    await client.query(channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join('; '));
    isListening = true;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }

  return {
    async catchUp() {
      try {
        // PostgreSQL delivers pending notifications before it reports a statement as complete.
        await client.query('select 1');
      } catch {
        void client.end().catch(() => {});
        end();
      }
    },
    close: () => client.end(),
  };
}
