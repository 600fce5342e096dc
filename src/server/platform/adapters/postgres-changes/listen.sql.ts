import pg from 'pg';
import type { Pool } from '#server/platform/database.ts';

/** Longer, and the other side counts as gone: a host that vanishes closes no connection. */
const PATIENCE_MS = 2_000;

export interface Listener {
  /** Resolves once all that was committed before has been told. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export interface News {
  onNotification(channel: string, payload: string): void;
  /** Once, whoever ended it. */
  onEnd(): void;
}

/** A connection of its own, beside the pool's: it has to be there while all of those are busy. */
export async function listen(pool: Pool, channels: readonly string[], news: News): Promise<Listener> {
  const client = new pg.Client({
    ...pool.options,
    application_name: 'handstamp changes',
    keepAlive: true,
    query_timeout: PATIENCE_MS,
    connectionTimeoutMillis: PATIENCE_MS,
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
        // PostgreSQL hands over its waiting notifications before it answers that a statement is done.
        await client.query('select 1');
      } catch {
        void client.end().catch(() => {});
        end();
      }
    },
    close: () => client.end(),
  };
}
