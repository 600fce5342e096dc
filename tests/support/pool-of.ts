import { sql } from 'kysely';
import { APPLICATION_ROLE } from '#server/platform/application-role.sql.ts';
import { openPool, type Pool } from '#server/platform/database.ts';
import type { TestApp } from './test-app.ts';

/** Opens additional database connections for what a test starts itself. */
export async function poolOf({ db }: Pick<TestApp, 'db'>): Promise<Pool> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const address = new URL(process.env['HANDSTAMP_TEST_POSTGRES'] ?? '');
  address.pathname = `/${rows[0]?.name}`;
  return openPool(address.href, () => {}, APPLICATION_ROLE);
}
