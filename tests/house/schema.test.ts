/** The types of the tables are written by hand, for their unions and comments. The database must agree with them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snakeCase } from '#server/backoffice/api/snake-case.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
});
afterAll(() => app.close());

/** `name`, `name?` if it may be null, `name=` if an insert may leave it out. */
type Columns = string[];

/** Reads the tables of an interface as the formatter writes it: one column a line, or a short table on one line. */
function tablesIn(text: string): Map<string, Columns> {
  const body = /export interface \w+Tables \{\n([\s\S]*?)\n\}/.exec(text)?.[1] ?? '';
  const tables = [...body.matchAll(/^ {2}(\w+): \{( .+ )?(?:\n([\s\S]*?)\n {2})?\};$/gm)];
  return new Map(
    tables.map(([, name = '', short, long]) => {
      const columns = (short ?? long ?? '').matchAll(/(?:^ {4}|(?:^|;) )(\w+): ((?:[^;{]|\{[^}]*\})+)/gm);
      return [snakeCase(name), [...columns].map(([, column = '', type = '']) => shapeOf(column, type)).sort()];
    }),
  );
}

function shapeOf(column: string, type: string): string {
  const isNullable = /\| null\b/.test(type);
  const isOptional = /^Generated|undefined/.test(type) || isNullable;
  return `${snakeCase(column)}${isNullable ? '?' : ''}${isOptional ? '=' : ''}`;
}

async function tablesOfDatabase(): Promise<Map<string, Columns>> {
  const { rows } = await sql<{ table: string; column: string; isNullable: boolean; isOptional: boolean }>`
    select c.table_name as "table", c.column_name as "column", c.is_nullable = 'YES' and t.table_type <> 'VIEW' as is_nullable,
           c.column_default is not null or c.is_identity = 'YES' or c.is_generated = 'ALWAYS'
             or c.is_nullable = 'YES' and t.table_type <> 'VIEW' as is_optional
      from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
     where c.table_schema = 'public'`.execute(app.db);
  const tables = Map.groupBy(rows, ({ table }) => table);
  return new Map(
    [...tables].map(([table, columns]) => [
      table,
      columns
        .map(({ column, isNullable, isOptional }) => `${column}${isNullable ? '?' : ''}${isOptional ? '=' : ''}`)
        .sort(),
    ]),
  );
}

/** Written and read by SQL functions and raw statements only. */
const UNTYPED = [
  'event_views',
  'link_views',
  'last_backup',
  'last_backup_check',
  'schema_functions',
  'schema_migrations',
  'schema_release',
  'ticket_hours',
  'ticket_hours_now',
  'ticket_total_changes',
  'ticket_totals',
];

describe('constraints', () => {
  const unchecked = async () =>
    (await sql<{ name: string }>`select conname as name from pg_constraint where not convalidated`.execute(app.db))
      .rows;

  it('hold for all rows that were there before', async () => {
    expect(await unchecked()).toEqual([]);
    await sql`alter table users add constraint planted check (true) not valid`.execute(app.db);
    expect(await unchecked()).toEqual([{ name: 'planted' }]);
    await sql`alter table users drop constraint planted`.execute(app.db);
  });
});

describe('the types of the tables', () => {
  it('agree with the database, column by column', async () => {
    const files = await filesOf(['src/server/platform/schema/*.ts']);
    const texts = await Promise.all(files.map((file) => readFile(join(repository, file), 'utf8')));
    const typed = new Map(texts.flatMap((text) => [...tablesIn(text)]));
    const stored = await tablesOfDatabase();
    for (const table of UNTYPED) stored.delete(table);

    expect(typed.size).toBeGreaterThan(30);
    expect(Object.fromEntries([...typed].sort())).toEqual(Object.fromEntries([...stored].sort()));
  });

  it('are read with their nulls and defaults', () => {
    const text = `export interface SomeTables {
  short: { id: string; madeAt: Generated<Date>; note: string | null };
  long: {
    id: string;
    /** A comment: with a colon. */
    tags: ColumnType<{ a: string; b: number }[], string | undefined, string>;
  };
}`;
    expect(Object.fromEntries(tablesIn(text))).toEqual({
      short: ['id', 'made_at=', 'note?='],
      long: ['id', 'tags='],
    });
  });
});
