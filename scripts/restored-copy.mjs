/** PostgreSQL on a restored data directory: without a network port, away from the running database, and never archiving. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const PORT = 5432;
const ASK_EVERY_MS = 250;
const END = /last completed transaction was at log time (.+)$/m;

/**
 * @param {{ folder: string, programs: string, account: { uid?: number, gid?: number }, database: string }} options
 * `folder` has the data directory `data`. `account` runs PostgreSQL, which refuses to run as root.
 */
export async function startCopy({ folder, programs, account, database }) {
  // Debian keeps these two outside the data directory, so a backup doesn't have them.
  const file = (name, text) => {
    const place = path.join(folder, name);
    writeFileSync(place, text);
    if (account.uid !== undefined) chownSync(place, account.uid, account.gid);
    return place;
  };
  const settings = {
    hba_file: file('hba.conf', 'local all all trust\n'),
    ident_file: file('ident.conf', ''),
    listen_addresses: '',
    port: PORT,
    unix_socket_directories: folder,
    unix_socket_permissions: '0700',
    // A standby that answers queries needs settings at least as large as the primary's.
    hot_standby: 'off',
    archive_mode: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_messages: 'log',
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: 'off',
  };
  const server = spawn(
    path.join(programs, 'postgres'),
    ['-D', path.join(folder, 'data'), '-c', `config_file=${file('postgresql.conf', '')}`].concat(
      Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ),
    { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  server.stderr.on('data', (chunk) => (log += chunk));
  const ended = once(server, 'close').catch((error) => (log += error.message));
  const stop = async () => {
    server.kill('SIGINT');
    await ended;
  };
  const connectionString = `postgres://postgres@/${database}?host=${encodeURIComponent(folder)}&port=${PORT}`;
  while (!(await accepts(connectionString))) {
    if (server.exitCode !== null || server.pid === undefined) throw new Error(fatalIn(log));
    await sleep(ASK_EVERY_MS);
  }
  const endsAt = new Date(END.exec(log)?.[1] ?? NaN);
  if (Number.isNaN(endsAt.getTime())) {
    await stop();
    throw new Error('no WAL after the backup could be replayed');
  }
  return { connectionString, endsAt, stop };
}

async function accepts(connectionString) {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as recovering');
    return !rows[0].recovering;
  } catch (error) {
    // It exists no more than the backup does.
    if (error.code === '3D000') throw error;
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function fatalIn(log) {
  const lines = log.split('\n').filter((line) => /FATAL|PANIC|ERROR|could not/.test(line));
  return lines.slice(-3).join('\n') || log.slice(-500) || 'PostgreSQL ended';
}
