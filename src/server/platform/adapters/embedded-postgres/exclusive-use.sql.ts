/**
 * Who uses the embedded database: one Handstamp at a time.
 *
 * The claim is an advisory lock held by an open session. PostgreSQL drops it the moment the holder dies, however it dies,
 * and no process id that was given away again can be mistaken for it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DATABASE_USER } from './initialize.ts';

const CLAIM = 0x68_61_6e_64;
const HOLDER_NAME = 'handstamp of pid ';

export interface SoleUse {
  release(): Promise<void>;
}

/** The claim, or the process id of the Handstamp that holds it. */
export async function claimSoleUse(socketDirectory: string): Promise<SoleUse | { heldBy: string }> {
  const client = await connect(socketDirectory);
  // A server that was just killed may need a moment until PostgreSQL notices.
  for (let tries = 0; tries < 15; tries++) {
    const { rows } = await client.query<{ claimed: boolean }>('select pg_try_advisory_lock($1) as claimed', [CLAIM]);
    if (rows[0]?.claimed) return keepClaim(client, socketDirectory);
    await sleep(100);
  }
  const { rows } = await client.query<{ holder: string }>(
    `select a.application_name as holder from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.objid = $1 and l.granted`,
    [CLAIM],
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

// When one of its sessions crashes, PostgreSQL ends them all and carries on: the claim is made again.
function keepClaim(first: Client, socketDirectory: string): SoleUse {
  let client = first;
  let released = false;
  const claimAgain = async () => {
    while (!released) {
      await sleep(1000, undefined, { ref: false });
      const again = await connect(socketDirectory).catch(() => undefined);
      if (!again) continue;
      client = again;
      watch();
      await again.query('select pg_advisory_lock($1)', [CLAIM]).catch(() => {});
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
