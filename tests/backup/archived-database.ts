/** A PostgreSQL of Debian with the backups that we ship, in a folder of its own. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '#tests/support/metrics.ts';
import { query } from '#tests/support/query.ts';

const DEPLOY = new URL('../../deploy/backup/', import.meta.url);
export const PROGRAMS = '/usr/lib/postgresql/15/bin';
const SHIPPED = { data: '/var/lib/postgresql/17/main', program: 'pgbackrest --stanza' };

/** Empty where pgBackRest or its PostgreSQL is missing. */
export const installed = ['/usr/bin/pgbackrest'].filter(
  (program) => existsSync(program) && existsSync(path.join(PROGRAMS, 'postgres')),
);

export interface ArchivedDatabase {
  folder: string;
  /** The folder of pgBackRest's settings. */
  configPath: string;
  repository: string;
  connectionString: string;
  pgbackrest(command: string, ...options: string[]): string;
  /** Without blocking this process, whose buyers go on. */
  backUpMeanwhile(type: 'full' | 'diff'): Promise<void>;
  /** Resolves once everything written so far is in the repository. */
  untilArchived(): Promise<void>;
  /** Restores into a folder of its own and starts it there; the other one keeps running. */
  restoreTo(target: string): Promise<{ connectionString: string; close(): Promise<void> }>;
  close(): Promise<void>;
}

export async function openArchivedDatabase(): Promise<ArchivedDatabase> {
  const account = accountOfPostgres();
  const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-archive-'));
  chmodSync(folder, 0o755);
  const own = (file: string) => {
    giveTo(account, file);
    return file;
  };
  own(folder);
  const folderOf = (name: string) => {
    mkdirSync(path.join(folder, name), { mode: 0o700 });
    return own(path.join(folder, name));
  };
  const [repository, log, lock] = [folderOf('repository'), folderOf('log'), folderOf('lock')];
  const data = path.join(folder, 'data');
  const configPath = folderOf('pgbackrest');
  const shipped = replaced('pgbackrest.conf', {
    '/var/lib/pgbackrest': repository,
    [SHIPPED.data]: data,
    '/var/run/postgresql': folder,
  });
  const paths = `[global]\nlog-path=${log}\nlock-path=${lock}\npg1-user=postgres\n`;
  // In two files, as install.sh does.
  for (const [name, text] of [
    ['pgbackrest/pgbackrest.conf', `${shipped}\n${paths}`],
    ['pgbackrest/conf.d/secrets.conf', '[global]\nrepo1-cipher-pass=a passphrase for tests\n'],
  ] as const) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    own(path.dirname(path.join(folder, name)));
    writeFileSync(path.join(folder, name), text);
    own(path.join(folder, name));
  }

  const run = (program: string, args: readonly string[]): string =>
    execFileSync(program, args, { ...account, cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const pgbackrest = (command: string, ...options: string[]) =>
    run('pgbackrest', [`--config-path=${configPath}`, '--stanza=handstamp', ...options, command]);

  run(path.join(PROGRAMS, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8']);
  const archiving = replaced('postgresql.conf', {
    [SHIPPED.program]: `pgbackrest --config-path=${configPath} --stanza`,
  });
  const main = await start(data, { folder, account, settings: archiving });
  await query(address(folder, 'postgres'), 'create database handstamp');
  pgbackrest('stanza-create');
  pgbackrest('check');

  return {
    folder,
    configPath,
    repository,
    connectionString: address(folder, 'handstamp'),
    pgbackrest,
    async backUpMeanwhile(type) {
      const args = [`--config-path=${configPath}`, '--stanza=handstamp', `--type=${type}`, 'backup'];
      await promisify(execFile)('pgbackrest', args, { ...account, cwd: '/' });
    },
    untilArchived: () => untilArchived(address(folder, 'handstamp')),
    async restoreTo(target) {
      const place = mkdtempSync(path.join(tmpdir(), 'handstamp-restored-'));
      chmodSync(place, 0o755);
      own(place);
      const restored = path.join(place, 'data');
      const time = ['--type=time', `--target=${target}`, '--target-action=promote'];
      pgbackrest('restore', `--pg1-path=${restored}`, ...time, '--archive-mode=off');
      const copy = await start(restored, { folder: place, account, settings: '' });
      const connectionString = address(place, 'handstamp');
      await until(
        'the restored database is promoted',
        async () => {
          const [row] = await query(connectionString, 'select pg_is_in_recovery() as recovering').catch(() => []);
          return row?.recovering === false;
        },
        120,
      );
      return {
        connectionString,
        async close() {
          await end(copy);
          rmSync(place, { recursive: true, force: true });
        },
      };
    },
    async close() {
      await end(main);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Placement {
  /** Of its socket. */
  folder: string;
  account: Account;
  settings: string;
}

async function start(data: string, { folder, account, settings }: Placement): Promise<ChildProcess> {
  const file = path.join(folder, 'postgresql.conf');
  const own = {
    listen_addresses: "''",
    unix_socket_directories: `'${folder}'`,
    max_connections: '150',
    timezone: 'UTC',
  };
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(file, `${settings}\n${lines.join('\n')}\n`);
  giveTo(account, file);
  const args = ['-D', data, '-c', `config_file=${file}`, '-c', `hba_file=${path.join(data, 'pg_hba.conf')}`];
  const server = spawn(path.join(PROGRAMS, 'postgres'), args, {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  server.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await until(
    'PostgreSQL answers',
    async () => {
      if (server.exitCode !== null) throw new Error(log);
      return query(address(folder, 'postgres'), 'select 1').then(
        () => true,
        () => false,
      );
    },
    120,
  );
  return server;
}

async function untilArchived(connectionString: string): Promise<void> {
  const [ended] = await query(connectionString, 'select pg_walfile_name(pg_switch_wal()) as wal');
  await until('the WAL is archived', async () => {
    const [archiver] = await query(connectionString, 'select last_archived_wal as wal from pg_stat_archiver');
    return String(archiver?.wal) >= String(ended?.wal);
  });
}

const address = (folder: string, database: string) =>
  `postgres://postgres@/${database}?host=${encodeURIComponent(folder)}`;

interface Account {
  uid?: number;
  gid?: number;
}

function giveTo({ uid, gid }: Account, file: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
}

/** PostgreSQL refuses to run as root. */
function accountOfPostgres(): Account {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function replaced(file: string, replacements: Record<string, string>): string {
  let text = readFileSync(new URL(file, DEPLOY), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`deploy/backup/${file} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
}
