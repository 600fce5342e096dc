/** The containers of compose.yaml: the built image, and the scripts of the others, with a database next to them. */
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { until } from '#tests/support/metrics.ts';
import { type Running, run, start } from './commands.ts';
import { type DebianPostgres, makeDebianPostgres } from './debian-postgres.ts';
import { buildImage, type Image, type InContainer } from './image.ts';

const CONTAINER = new URL('../../deploy/container', import.meta.url).pathname;
const USER = 10_001;
const START_SECONDS = 120;

let image: Image;
let postgres: DebianPostgres;
let folder: string;
let port: number;
let inContainer: InContainer;
let password: string;
let server: Running | undefined;

beforeAll(async () => {
  image = await buildImage();
  folder = mkdtempSync(path.join(tmpdir(), 'handstamp-containers-'));
  chmodSync(folder, 0o755);
  cpSync(CONTAINER, path.join(folder, 'compose'), { recursive: true });
  await run(path.join(folder, 'compose/prepare.sh'), ['tickets.example']);
  password = readFileSync(path.join(folder, 'compose/secrets/DATABASE_PASSWORD'), 'utf8');
  postgres = await makeDebianPostgres(folder, password);
  await postgres.start();
  await query('create database handstamp', 'postgres');
  const data = path.join(folder, 'data');
  mkdirSync(data);
  chownSync(data, USER, USER);
  port = await freePort();
  inContainer = {
    env: { ...settings(), PORT: String(port), TRUST_PROXY: '1' },
    folders: { [data]: '/data', [postgres.socket]: '/run/postgresql', ...secrets() },
  };
});

afterEach(stopServer);
afterAll(async () => {
  await postgres.stop();
  await image.remove();
  rmSync(folder, { recursive: true });
});

it('serves as a user without rights, and writes to its data folder only', async () => {
  await run('touch', [`${folder}/before`]);
  await startServer();

  expect(await run('pgrep', ['-u', String(USER), '-f', '^/usr/local/bin/node src/server/main/main.ts'])).toMatch(
    /^\d+/,
  );
  expect(await image.run(['sh', '-c', healthCheck()], inContainer)).toBe('');
  expect(await image.run(['node', 'scripts/run-checks.mjs'], inContainer)).toContain('All checks passed.');
  const eventId = await query(`select id from events where is_published limit 1`);
  const asTheProxyDoes = { headers: { 'x-forwarded-for': '203.0.113.7' } };
  const picture = await fetch(`http://127.0.0.1:${port}/og/${eventId}.png`, asTheProxyDoes);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await picture.bytes()).length).toBeGreaterThan(10_000);
  // The builder makes those of /etc, and a place for each secret.
  const written = ['-newer', `${folder}/before`, '-type', 'f', '-not', '-regex', '.*/\\(etc\\|run/secrets\\)/.*'];
  expect(await run('find', [image.root, ...written])).toBe('');
});

it('is backed up as it works, and restored to a second', async () => {
  const backups = path.join(folder, 'compose/backup');
  const around = {
    BACKUP: backups,
    DATA: path.join(folder, 'data'),
    PASSWORD_FILE: path.join(folder, 'compose/secrets/DATABASE_PASSWORD'),
    PGHOST: postgres.socket,
    PGDATA: path.join(postgres.volume, 'current'),
    PATH: postgres.path,
  };
  const titled = (title: string) =>
    query(`update events set title = '${title}' where id = (select min(id) from events)`);
  const title = () => query('select title from events order by id limit 1');
  const backup = start(path.join(CONTAINER, 'backup.sh'), [], { env: around });
  await until('the database is copied', async () => backup.printed().includes('Copied to'), 60);
  expect(await query(`select count(*) from last_backup where finished_at > now() - interval '1 minute'`)).toBe('1');

  await titled('Before the mistake');
  await sleepToNextSecond();
  const moment = await query('select date_trunc($$second$$, clock_timestamp())::text');
  await sleepToNextSecond();
  await titled('The mistake');
  const position = await query('select pg_current_wal_lsn()');
  const received = `select coalesce(bool_or(flush_lsn >= '${position}'), false) from pg_stat_replication`;
  await until('the log has been received', async () => (await query(received)) === 'true');

  await expect(run(path.join(CONTAINER, 'restore.sh'), [moment], { env: around })).rejects.toThrow('Stop the database');
  await postgres.stop();
  await backup.stop();
  await run(path.join(CONTAINER, 'restore.sh'), [moment], { env: around });
  await postgres.start();
  await until('the database takes changes', async () => (await query('select pg_is_in_recovery()')) === 'false');
  expect(await title()).toBe('Before the mistake');

  await postgres.stop();
  await run(path.join(CONTAINER, 'restore.sh'), [], { env: around });
  await postgres.start();
  await until('the database takes changes', async () => (await query('select pg_is_in_recovery()')) === 'false');
  expect(await title()).toBe('The mistake');
  await image.run(['node', 'scripts/appoint-admin.mjs', 'restored'], inContainer);
  await startServer();
  // All is well, but for the money that waits.
  const found = await image.run(['sh', '-c', 'node scripts/run-checks.mjs || true'], inContainer);
  expect(found.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([
    expect.stringContaining('Payouts and refunds wait'),
  ]);
});

async function startServer(): Promise<void> {
  const started = image.start(['node', 'src/server/main/main.ts'], inContainer);
  server = started;
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('the server is ready', isReady, START_SECONDS).catch((error: unknown) => {
    throw new Error(started.printed(), { cause: error });
  });
}

/** By its own process, as a container's end does: the builder's would not pass the signal on. */
async function stopServer(): Promise<void> {
  if (!server) return;
  await run('pkill', ['-TERM', '-u', String(USER), '-f', '^/usr/local/bin/node src/server/main/main.ts']);
  await server.stop();
  server = undefined;
}

/** The command of the Dockerfile, for a shell. */
function healthCheck(): string {
  const dockerfile = readFileSync(path.join(CONTAINER, 'Dockerfile'), 'utf8');
  const command = /^HEALTHCHECK .*\\\n\s+CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]';
  return (JSON.parse(command) as string[]).map((word) => `'${word}'`).join(' ');
}

/** Each file by itself, as compose does: the server can't read the folder around them. */
function secrets(): Record<string, string> {
  const ours = path.join(folder, 'compose/secrets');
  const names = readdirSync(ours).filter((name) => name !== 'DATABASE_PASSWORD');
  return Object.fromEntries(names.map((name) => [path.join(ours, name), `/run/secrets/${name}`]));
}

function settings(): Record<string, string> {
  const lines = readFileSync(path.join(folder, 'compose/settings.env'), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

/** The only value. */
async function query(sql: string, database = 'handstamp'): Promise<string> {
  const client = new pg.Client({ host: postgres.socket, user: 'handstamp', password, database });
  await client.connect();
  try {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
    return String(rows[0]?.[0]);
  } finally {
    await client.end();
  }
}

const sleepToNextSecond = () => new Promise((resolve) => setTimeout(resolve, 1100));
