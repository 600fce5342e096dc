/** The rules of Citus for tables that are distributed by event. docs/scale.md lists what breaks them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { repository } from './planted-tree.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
});
afterAll(() => app.close());

/** They may be about no event, or an operator reads them across all. They would be copied to every machine. */
const COPIED = [
  'abuse_reports',
  'affiliate_codes',
  'audit_events',
  'discrepancies',
  'operator_actions',
  'webhook_deliveries',
  'webhook_events',
];

/** With the column that says where a row is. */
const DISTRIBUTED = sql`
  select a.attrelid as "table", a.attnum as "column"
    from pg_attribute a join pg_class t on t.oid = a.attrelid
   where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and t.relname <> all (${COPIED})
     and a.attname = case when t.relname = 'events' then 'id' else 'event_id' end`;

async function namesFrom(query: ReturnType<typeof sql<{ name: string }>>): Promise<string[]> {
  const { rows } = await query.execute(app.db);
  return rows.map(({ name }) => name).sort();
}

const uniqueElsewhere = () =>
  namesFrom(sql<{ name: string }>`
    with distributed as (${DISTRIBUTED})
    select i.indexrelid::regclass::text as name
      from pg_index i join distributed d on d."table" = i.indrelid
     where i.indisunique and not d."column" = any (i.indkey::int2[])`);

/** Both sides are distributed, and the event of one is not compared with the event of the other. */
const acrossEvents = () =>
  namesFrom(sql<{ name: string }>`
    with distributed as (${DISTRIBUTED})
    select c.conname as name
      from pg_constraint c
      join distributed here on here."table" = c.conrelid
      join distributed there on there."table" = c.confrelid
     where c.contype = 'f' and array_position(c.conkey, here."column") is distinct from array_position(c.confkey, there."column")`);

const fromCopied = () =>
  namesFrom(sql<{ name: string }>`
    with distributed as (${DISTRIBUTED})
    select c.conname as name
      from pg_constraint c join distributed there on there."table" = c.confrelid
     where c.contype = 'f' and c.conrelid not in (select "table" from distributed)
       and c.connamespace = 'public'::regnamespace`);

/** What a reference does when its event changes: only deleting is allowed. */
const passingOn = () =>
  namesFrom(sql<{ name: string }>`
    with distributed as (${DISTRIBUTED})
    select c.conname as name
      from pg_constraint c join distributed here on here."table" = c.conrelid
     where c.contype = 'f' and here."column" = any (c.conkey)
       and (c.confupdtype not in ('a', 'r') or c.confdeltype not in ('a', 'r', 'c'))`);

describe('the schema, distributed by event', () => {
  it('has the event in every key, but for what docs/scale.md lists', async () => {
    const page = await readFile(join(repository, 'docs/scale.md'), 'utf8');
    const [, table = ''] = page.split('| in the way |');
    const listed = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name).sort();
    const found = await Promise.all([uniqueElsewhere(), acrossEvents(), fromCopied(), passingOn()]);

    expect(found.flat().sort()).toEqual(listed);
  });

  it('has an event in each row of a distributed table', async () => {
    const optional = await namesFrom(sql<{ name: string }>`
      with distributed as (${DISTRIBUTED})
      select a.attrelid::regclass::text as name
        from distributed d join pg_attribute a on a.attrelid = d."table" and a.attnum = d."column"
       where not a.attnotnull`);

    expect(optional).toEqual([]);
  });
});
