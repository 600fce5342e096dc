/** A second session that holds locks, as a person with psql or a migration would. */
import pg from 'pg';

/** Resolves once the statement has its locks. The result ends the session. */
export async function holdLock(address: string, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: address });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  return () => client.end();
}
