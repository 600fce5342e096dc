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

/** A database that was used and stopped, with a table `kept`: copied, which is quicker than to begin another one. */
let used: { dataDir: string; clearAway: () => Promise<void> };
beforeAll(async () => {
  const usedDir = makeDataDirectory();
  used = { dataDir: usedDir, clearAway: cleanUpOnExit(usedDir) };
  const postgres = await start(usedDir);
  await ask(postgres, 'create table kept as select 1 as n');
  await stop();
});
afterAll(() => used.clearAway());

/** Of the same owner as the first, whose files they are. */
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

async function ask(postgres: EmbeddedPostgres, question: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text: question, rowMode: 'array' });
  await client.end();
  return rows;
}

/** A server in a process of its own, which the test may kill. */
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

const refusal = (directory = dataDir) =>
  start(directory).then(
    () => 'it started',
    (error: unknown) => (error instanceof StartFailure ? error.message : String(error)),
  );

describe('the embedded PostgreSQL', () => {
  it('keeps what was written over a restart, in UTF-8 and UTC, and listens to nobody but this account', async () => {
    await ask(await start(), "create table kept as select 'Zoë' as name");
    await stop();

    const postgres = await start();

    expect(await ask(postgres, 'select name, upper(name) from kept')).toEqual([['Zoë', 'ZOË']]);
    const settings =
      "select current_setting('timezone'), current_setting('listen_addresses'), pg_encoding_to_char(encoding)";
    expect(await ask(postgres, `${settings} from pg_database where datname = current_database()`)).toEqual([
      ['UTC', '', 'UTF8'],
    ]);
    const socketDirectory = new URL(postgres.connectionString).searchParams.get('host') ?? '';
    expect(statSync(socketDirectory).mode & 0o777).toBe(0o700);
    await stop();
    expect(existsSync(socketDirectory)).toBe(false);
  });

  it('takes over what a killed server left running', async () => {
    copyUsed();
    const killed = await startElsewhere();
    await ask(killed.postgres, 'update kept set n = 2');
    const left = readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0];
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');

    const postgres = await start();

    expect(await ask(postgres, 'select n from kept')).toEqual([[2]]);
    expect(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]).not.toBe(left);
  });

  it('refuses a directory that a living server uses, names that server, and does not disturb it', async () => {
    copyUsed();
    const other = await startElsewhere();

    const said = await refusal();

    expect(said).toContain(`Another Handstamp (pid ${other.child.pid}) is using the database in ${dataDir}`);
    expect(await ask(other.postgres, 'select 1')).toEqual([[1]]);
    other.child.kill('SIGKILL');
    await once(other.child, 'exit');
  });

  it('lets one of two first starts win, and tells the other', async () => {
    const outcomes = await Promise.allSettled([startElsewhere(), refusal()]);

    const [elsewhere, here] = outcomes;
    const winners = [elsewhere.status === 'fulfilled', here.status === 'fulfilled' && here.value === 'it started'];
    expect(winners.filter(Boolean)).toHaveLength(1);
    if (elsewhere.status === 'fulfilled') elsewhere.value.child.kill('SIGKILL');
  });

  it('does not believe a pid file whose number now belongs to another process', async () => {
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

    expect(await ask(await start(), 'select n from kept')).toEqual([[1]]);
  });

  it('removes what a killed first start left half made', async () => {
    const leftover = path.join(dataDir, 'postgres.new-999999999');
    mkdirSync(leftover);
    writeFileSync(path.join(leftover, 'PG_VERSION'), '18\n');

    await start();

    expect(readdirSync(dataDir)).toEqual(['postgres']);
  });

  it('keeps the database where the account that runs it can reach it', async () => {
    chmodSync(dataDir, 0o700);

    await ask(await start(), 'create table kept as select 1 as n');
    await stop();

    expect(await ask(await start(), 'select n from kept')).toEqual([[1]]);
    const isRoot = process.getuid?.() === 0;
    expect(realpathSync(path.join(dataDir, 'postgres')).startsWith(isRoot ? '/var/lib/handstamp/' : dataDir)).toBe(
      true,
    );
  });
});

describe('a database directory that cannot be used', () => {
  it('says so of a directory that holds something else', async () => {
    mkdirSync(path.join(dataDir, 'postgres'));
    writeFileSync(path.join(dataDir, 'postgres', 'diary.txt'), 'dear');

    expect(await refusal()).toContain(`${dataDir}/postgres is not a complete PostgreSQL database.`);
    expect(existsSync(path.join(dataDir, 'postgres', 'diary.txt'))).toBe(true);
  });

  it('says so of one made by another version of PostgreSQL', async () => {
    copyUsed();
    writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '15\n');

    expect(await refusal()).toContain('was made by PostgreSQL 15; this version of Handstamp runs PostgreSQL 18.');
  });

  it("repeats PostgreSQL's own words about damaged files", async () => {
    copyUsed();
    truncateSync(path.join(dataDir, 'postgres', 'global', 'pg_control'), 100);

    const said = await refusal();

    expect(said).toContain(`PostgreSQL did not start on ${dataDir}/postgres.`);
    expect(said).toContain('pg_control');
    expect(said).toContain('restore a backup of that directory');
  });

  it('says so of a DATA_DIR that is a file', async () => {
    const file = path.join(dataDir, 'notes.txt');
    writeFileSync(file, '');

    expect(await refusal(file)).toContain(`${file} cannot be used as a data directory by this account (EEXIST).`);
  });
});
