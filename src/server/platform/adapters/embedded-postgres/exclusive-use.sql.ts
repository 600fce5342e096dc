/**
 * Ensures that only one Handstamp uses the embedded database, with a session-level advisory lock. PostgreSQL releases it as soon
 * as the holder dies, and unlike a pid file it cannot be confused by a reused process id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { advisoryLocks } from '#server/platform/locks.ts';
import { DATABASE_USER } from './initialize.ts';

const HOLDER_NAME = 'handstamp of pid ';

export interface ExclusiveUse {
  release(): Promise<void>;
}

/** Returns the claim, or the process id of the Handstamp that holds it. */
export async function claimExclusiveUse(socketDirectory: string): Promise<ExclusiveUse | { heldBy: string }> {
  const client = await connect(socketDirectory);
  // After a server is killed, PostgreSQL takes a moment to detect it.
  for (let attempt = 0; attempt < 15; attempt++) {
    const { rows } = await client.query<{ claimed: boolean }>('select pg_try_advisory_lock($1) as claimed', [
      advisoryLocks.embeddedDatabase,
    ]);
    if (rows[0]?.claimed) return keepClaim(client, socketDirectory);
    await sleep(100);
  }
  const { rows } = await client.query<{ holder: string }>(
    `select a.application_name as holder from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.objid = $1 and l.granted`,
    [advisoryLocks.embeddedDatabase],
  );
  await client.end();
  return { heldBy: (rows[0]?.holder ?? '').replace(HOLDER_NAME, '') || 'unknown' };
}

export async function createDatabaseOnce(socketDirectory: string, name: string) {
  const client = await connect(socketDirectory);
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (rows.length === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  await client.end();
}

async function connect(socketDirectory: string) {
  const client = new Client({
    host: socketDirectory,
    user: DATABASE_USER,
    database: 'postgres',
    application_name: `${HOLDER_NAME}${process.pid}`,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

// If one session crashes, PostgreSQL terminates all of them and restarts, so the claim is renewed.
function keepClaim(first: Client, socketDirectory: string): ExclusiveUse {
  let client = first;
  let released = false;
  const claimAgain = async () => {
    while (!released) {
      await sleep(1000, undefined, { ref: false });
      const again = await connect(socketDirectory).catch(() => undefined);
      if (!again) continue;
      client = again;
      watch();
      await again.query('select pg_advisory_lock($1)', [advisoryLocks.embeddedDatabase]).catch(() => {});
      return;
    }
  };
  const watch = () => client.once('end', () => void claimAgain());
  watch();
  return {
    async release() {
      released = true;
      await client.end();
    },
  };
}
