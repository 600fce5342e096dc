import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanUpOnExit } from '#tests/support/clean-up-on-exit.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';
import { type EmbeddedPostgres, runEmbeddedPostgres } from './run-postgres.ts';
import { StartFailure } from './start-failure.ts';

const MODULE = new URL('run-postgres.ts', import.meta.url).href;

let dataDir: string;
let clearAway: () => Promise<void>;
const running: EmbeddedPostgres[] = [];

/** A stopped database with a table `kept`. Tests copy it, which is faster than a new one. */
let used: { dataDir: string; clearAway: () => Promise<void> };
beforeAll(async () => {
  const usedDir = makeDataDirectory();
  used = { dataDir: usedDir, clearAway: cleanUpOnExit(usedDir) };
  const postgres = await start(usedDir);
  await query(postgres, 'create table kept as select 1 as n');
  await stop();
});
afterAll(() => used.clearAway());

/** Keeps the owner of the files. */
const copyUsed = () => execFileSync('cp', ['-a', path.join(used.dataDir, 'postgres'), dataDir]);

beforeEach(() => {
  dataDir = makeDataDirectory();
  clearAway = cleanUpOnExit(dataDir);
});

afterEach(async () => {
  for (const postgres of running.splice(0)) await postgres.stop();
  await clearAway();
});

async function start(directory = dataDir) {
  const postgres = await runEmbeddedPostgres({ dataDir: directory, durable: false });
  running.push(postgres);
  return postgres;
}

async function stop() {
  await running.pop()?.stop();
}

async function query(postgres: EmbeddedPostgres, statement: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
  await client.end();
  return rows;
}

/** Starts the database in a child process that the test can kill. */
async function startElsewhere() {
  const program = `
    const { runEmbeddedPostgres } = await import('${MODULE}');
    const { connectionString } = await runEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
    console.log(connectionString);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error('it did not start');
  return { child, postgres: { connectionString: String(line).trim(), stop: async () => {} } };
}

const startError = (directory = dataDir) =>
  start(directory).then(
    () => 'it started',
    (error: unknown) => (error instanceof StartFailure ? error.message : String(error)),
  );

describe('embedded PostgreSQL', () => {
  it('keeps data across a restart, uses UTF-8 and UTC, and accepts only this account', async () => {
    await query(await start(), "create table kept as select 'Zoë' as name");
    await stop();

    const postgres = await start();

    expect(await query(postgres, 'select name, upper(name) from kept')).toEqual([['Zoë', 'ZOË']]);
    const settings =
      "select current_setting('timezone'), current_setting('listen_addresses'), pg_encoding_to_char(encoding)";
    expect(await query(postgres, `${settings} from pg_database where datname = current_database()`)).toEqual([
      ['UTC', '', 'UTF8'],
    ]);
    const socketDirectory = new URL(postgres.connectionString).searchParams.get('host') ?? '';
    expect(statSync(socketDirectory).mode & 0o777).toBe(0o700);
    await stop();
    expect(existsSync(socketDirectory)).toBe(false);
  });

  it('takes over a PostgreSQL left running by a killed server', async () => {
    copyUsed();
    const killed = await startElsewhere();
    await query(killed.postgres, 'update kept set n = 2');
    const left = readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0];
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');

    const postgres = await start();

    expect(await query(postgres, 'select n from kept')).toEqual([[2]]);
    expect(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]).not.toBe(left);
  });

  it('rejects a directory in use, names the server, and leaves it running', async () => {
    copyUsed();
    const other = await startElsewhere();

    const message = await startError();

    expect(message).toContain(`Another Handstamp (pid ${other.child.pid}) is using the database in ${dataDir}`);
    expect(await query(other.postgres, 'select 1')).toEqual([[1]]);
    other.child.kill('SIGKILL');
    await once(other.child, 'exit');
  });

  it('lets only one of two concurrent first starts succeed', async () => {
    const outcomes = await Promise.allSettled([startElsewhere(), startError()]);

    const [elsewhere, here] = outcomes;
    const winners = [elsewhere.status === 'fulfilled', here.status === 'fulfilled' && here.value === 'it started'];
    expect(winners.filter(Boolean)).toHaveLength(1);
    if (elsewhere.status === 'fulfilled') elsewhere.value.child.kill('SIGKILL');
  });

  it('ignores a pid file whose pid now belongs to another process', async () => {
    copyUsed();
    const lines = [
      process.pid,
      path.join(dataDir, 'postgres'),
      1,
      5432,
      '/tmp/handstamp-gone',
      '',
      '5432001 0',
      'ready',
    ];
    writeFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`);

    expect(await query(await start(), 'select n from kept')).toEqual([[1]]);
  });

  it('removes the leftovers of a killed first start', async () => {
    const leftover = path.join(dataDir, 'postgres.new-999999999');
    mkdirSync(leftover);
    writeFileSync(path.join(leftover, 'PG_VERSION'), '18\n');

    await start();

    expect(readdirSync(dataDir)).toEqual(['postgres']);
  });

  it('puts the database where the account that runs it has access', async () => {
    chmodSync(dataDir, 0o700);

    await query(await start(), 'create table kept as select 1 as n');
    await stop();

    expect(await query(await start(), 'select n from kept')).toEqual([[1]]);
    const isRoot = process.getuid?.() === 0;
    expect(realpathSync(path.join(dataDir, 'postgres')).startsWith(isRoot ? '/var/lib/handstamp/' : dataDir)).toBe(
      true,
    );
  });
});

describe('an unusable database directory', () => {
  it('is reported if it holds other files', async () => {
    mkdirSync(path.join(dataDir, 'postgres'));
    writeFileSync(path.join(dataDir, 'postgres', 'diary.txt'), 'dear');

    expect(await startError()).toContain(`${dataDir}/postgres is not a complete PostgreSQL database.`);
    expect(existsSync(path.join(dataDir, 'postgres', 'diary.txt'))).toBe(true);
  });

  it('is reported if another PostgreSQL version created it', async () => {
    copyUsed();
    writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '15\n');

    expect(await startError()).toContain('was made by PostgreSQL 15; this version of Handstamp runs PostgreSQL 18.');
  });

  it("is reported with PostgreSQL's own message if files are damaged", async () => {
    copyUsed();
    truncateSync(path.join(dataDir, 'postgres', 'global', 'pg_control'), 100);

    const message = await startError();

    expect(message).toContain(`PostgreSQL did not start on ${dataDir}/postgres.`);
    expect(message).toContain('pg_control');
    expect(message).toContain('restore a backup of that directory');
  });

  it('is reported if DATA_DIR is a file', async () => {
    const file = path.join(dataDir, 'notes.txt');
    writeFileSync(file, '');

    expect(await startError(file)).toContain(`${file} cannot be used as a data directory by this account (EEXIST).`);
  });
});
