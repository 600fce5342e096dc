import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** Everything in the database as one text. Excludes the sandbox's tables, which stand for Stripe's. */
export async function wholeDatabase(db: Db): Promise<string> {
  const { rows } = await sql<{ text: string | null }>`
    select query_to_xml(format('select * from %I.%I', table_schema, table_name), false, false, '')::text as text
      from information_schema.tables
     where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`.execute(db);
  return rows.map(({ text }) => text).join('\n');
}
