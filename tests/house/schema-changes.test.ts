/** Migrations run while the previous release sells tickets: docs/upgrades.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseMigration, readMigrations } from '#server/platform/migrations/migration-files.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { repository } from './planted-tree.ts';
import { problemsOf, readFunctions } from './schema-change.ts';
import { filesOf } from './tree-files.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
/** Written when a release is made: docs/running.md. */
const RELEASED = new URL('released-functions.txt', import.meta.url);

let database: TestDatabase;
let client: pg.Client;
let releases: string[];

async function connect(template?: string): Promise<[TestDatabase, pg.Client]> {
  const opened = await createTestDatabase(template);
  const connection = new pg.Client({ connectionString: opened.connectionString });
  await connection.connect();
  return [opened, connection];
}

beforeAll(async () => {
  [database, client] = await connect();
  const changelog = await readFile(join(repository, 'CHANGELOG.md'), 'utf8');
  releases = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].flatMap(([, version]) => version ?? []);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('each migration since the rules', () => {
  it('stops no sale, and takes nothing from the previous release [UP-1]', async () => {
    const [empty, connection] = await connect('template1');
    const problems: string[] = [];
    for (const migration of await readMigrations(FOLDER)) {
      if (!migration.followsRules) await connection.query(migration.text);
      else
        problems.push(
          ...(await problemsOf(connection, migration, { releases, keeps: true })).map(
            (problem) => `${migration.name} ${problem}`,
          ),
        );
    }
    await connection.end();
    await empty.drop();

    expect(problems).toEqual([]);
  });

  const locks = (tables: string) => `-- Locks ${tables}: an instant.\n`;
  const contract = '-- Contract since 0.1.0: nothing reads it.\n';
  const alone = '-- Outside a transaction\n-- Locks nothing: sales go on.\n';

  it.each([
    ['a new column', `${locks('orders')}alter table orders add column spare text`],
    ['a new column with a default', `${locks('orders')}alter table orders add column spare text not null default ''`],
    ['a new table', `${locks('events')}create table spares (id uuid primary key, event_id text references events)`],
    ['a new reference', `${locks('orders, series')}alter table orders add column spare text references series`],
    [
      'an index of a new table',
      `${locks('nothing')}create table spares (id uuid); create index spares_id on spares (id)`,
    ],
    ['an index of a small table', `${locks('plans')}create index spare on plans (name)`],
    [
      'a constraint to validate later',
      `${locks('orders')}alter table orders add constraint spare check (id is not null) not valid`,
    ],
    ['what no release reads', `${contract}${locks('orders')}alter table orders drop column page_version`],
    ['an index that sales overtake', `${alone}create index concurrently spare on orders (id);`],
    ['the validation of a constraint', `${alone}alter table orders validate constraint spare;`],
  ])('may have %s', async (_what, text) => {
    expect(await problemsOf(client, parseMigration('9000-orders.sql', text), { releases, keeps: false })).toEqual([]);
  });

  it('may be as in the examples of docs/upgrades.md', async () => {
    const page = await readFile(join(repository, 'docs/upgrades.md'), 'utf8');
    const examples = [...page.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);

    expect(examples).toHaveLength(3);
    for (const text of examples)
      expect(await problemsOf(client, parseMigration('9000-orders.sql', text), { releases, keeps: false })).toEqual([]);
  });

  it.each([
    ['alter table orders rename column page_version to version', ['drops orders.page_version']],
    ['alter table orders drop column page_version', ['drops orders.page_version']],
    [
      'alter table orders alter column page_version type bigint',
      ['reads all of orders while writes wait', 'rewrites orders', 'changes the type of orders.page_version'],
    ],
    [
      'alter table orders alter column page_version set not null',
      ['reads all of orders while writes wait', 'denies null in orders.page_version'],
    ],
    [
      'alter table orders add column spare text not null',
      ['reads all of orders while writes wait', "requires orders.spare, which the previous release doesn't write"],
    ],
    [
      'alter table orders add column spare uuid default gen_random_uuid()',
      ['reads all of orders while writes wait', 'rewrites orders'],
    ],
    ['alter table orders add constraint spare check (page_version > 1)', ['reads all of orders while writes wait']],
    ['alter table orders alter column state drop default', []],
    ['create index spare on orders (page_version)', ['reads all of orders while writes wait']],
    [
      "alter table orders add column spare text; update orders set spare = ''",
      ['reads all of orders while writes wait'],
    ],
  ])('may not: %s', async (text, expected) => {
    const problems = await problemsOf(client, parseMigration('9000-orders.sql', locks('orders') + text), {
      releases,
      keeps: false,
    });

    expect(problems).toEqual(expected);
  });

  it.each([
    ['drops a table', locks('look_files'), 'drop table look_files', ['drops look_files']],
    ['renames a table', locks('look_files'), 'alter table look_files rename to files', ['drops look_files']],
    [
      'drops a function',
      locks('nothing'),
      'drop function business_now cascade',
      ['drops business_now() returns timestamp with time zone'],
    ],
    [
      'updates every row',
      locks('nothing'),
      'update orders set page_version = 1',
      ['changes rows of all of orders at once'],
    ],
    [
      'locks what it does not name',
      locks('nothing'),
      'alter table orders add column spare text',
      ['locks orders, and its head says nothing'],
    ],
    ['says nothing', '', 'create table spares (id uuid)', ['its head has no line "-- Locks ...: ..."']],
    [
      'ends a promise to no release',
      `-- Contract since 9.0.0: none.\n${locks('orders')}`,
      'alter table orders drop column page_version',
      ['is a contract since 9.0.0, which is not released'],
    ],
    [
      'runs anything outside a transaction',
      alone,
      'create index spare on orders (id);',
      ['outside a transaction, it is not one statement that blocks no one'],
    ],
  ])('fails one that %s', async (_what, head, text, expected) => {
    expect(
      await problemsOf(client, parseMigration('9000-orders.sql', head + text), { releases, keeps: false }),
    ).toEqual(expected);
  });
});

describe('functions of the previous release', () => {
  it('are there for its servers, with their arguments and results [UP-1]', async () => {
    const current = await readFunctions(client);
    if (process.env['RELEASED_FUNCTIONS'] === 'write') await writeFile(RELEASED, `${current.join('\n')}\n`);
    const released = (await readFile(RELEASED, 'utf8')).trim().split('\n');

    expect(released.length).toBeGreaterThan(50);
    expect(released.filter((routine) => !current.includes(routine))).toEqual([]);
  });

  it('are not dropped where they are defined [UP-1]', async () => {
    const files = await filesOf(['src/server/**/*.functions.sql']);
    const texts = await Promise.all(files.map((file) => readFile(join(repository, file), 'utf8')));

    expect(files.filter((_, index) => /^\s*drop function/im.test(texts[index] ?? ''))).toEqual([]);
  });
});
