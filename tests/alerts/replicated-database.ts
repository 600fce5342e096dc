/** PostgreSQL of Debian with a standby that streams from it. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { postgresPrograms } from '#tests/ha/cluster/shipped-files.ts';
import { cleanUpOnExit } from '#tests/support/clean-up-on-exit.ts';
import { until } from '#tests/support/metrics.ts';
import { query } from '#tests/support/query.ts';

export interface Node {
  /** Of the database `handstamp`. */
  address: string;
  start(): Promise<void>;
  /** Ends all its connections. */
  stop(): void;
  /** All its processes, or those of a kind such as `startup`, which replays the WAL. */
  pids(kind?: string): Promise<number[]>;
}

export interface ReplicatedDatabase {
  primary: Node;
  standby: Node;
  close(): Promise<void>;
}

export async function openReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const primary = openNode();
  const standby = openNode();
  const database: ReplicatedDatabase = {
    primary,
    standby,
    close: async () => {
      for (const { remove } of [standby, primary]) await remove();
    },
  };
  try {
    primary.run('initdb', ['-D', primary.data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8']);
    await primary.start();
    await query(primary.addressOf('postgres'), 'create database handstamp');
    const from = ['--host', primary.folder, '--username', 'postgres'];
    standby.run('pg_basebackup', [
      ...from,
      '--pgdata',
      standby.data,
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--no-sync',
    ]);
    await standby.start();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function openNode() {
  const account = accountOfPostgres();
  const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-node-'));
  chmodSync(folder, 0o755);
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, 'postgres');
  const addressOf = (name: string) => `postgres://postgres@/${name}?host=${encodeURIComponent(folder)}`;
  const run = (program: string, args: readonly string[]) =>
    execFileSync(path.join(postgresPrograms(), program), args, {
      ...account,
      cwd: '/',
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const answers = () =>
    query(addressOf('postgres'), 'select').then(
      () => true,
      () => false,
    );
  return {
    folder,
    data,
    run,
    addressOf,
    address: addressOf('handstamp'),
    async start() {
      const settings = {
        listen_addresses: '',
        unix_socket_directories: folder,
        max_connections: '150',
        timezone: 'UTC',
        fsync: 'off',
      };
      const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      spawn(path.join(postgresPrograms(), 'postgres'), ['-D', data, ...args], {
        ...account,
        cwd: '/',
        stdio: 'ignore',
      });
      await until('PostgreSQL answers', answers, 60);
    },
    stop: () => void run('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w']),
    async pids(kind?: string) {
      const of = kind === undefined ? 'pid <> pg_backend_pid()' : `backend_type = '${kind}'`;
      const rows = await query(addressOf('postgres'), `select pid from pg_stat_activity where ${of}`);
      return rows.map(({ pid }) => Number(pid));
    },
    remove: cleanUpOnExit(folder),
  };
}

/** PostgreSQL refuses to run as root. */
function accountOfPostgres(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
