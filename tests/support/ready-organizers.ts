/**
 * Databases with organizers who are ready to sell. Onboarding one takes a dozen calls and two password hashes, so the
 * first test file onboards a few in a template database, and all others copy it.
 */
import pg from 'pg';
import * as z from 'zod';
import { newOrganizer, onboard, type ReadyOrganizer, type Site } from './people.ts';
import { createTestDatabase, type TestDatabase, withConnection, withMaintenance } from './test-database.ts';

const TEMPLATE = 'template_with_organizers';
const COUNT = 24;
/** Locked while the template is made, so that other test files wait for it. */
const LOCK = 4_711;

const readyOrganizers = z.array(z.object({ email: z.string(), cookies: z.array(z.tuple([z.string(), z.string()])) }));

type StartApp = (
  database: TestDatabase,
  options: { runsJobs: boolean; publishesFunds: boolean },
) => Promise<Site & { close(): Promise<void> }>;

export async function createDatabaseWithOrganizers(
  startApp: StartApp,
): Promise<{ database: TestDatabase; organizers: ReadyOrganizer[] }> {
  const organizers = await withMaintenance(async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    return (await describedTemplate(client)) ?? makeTemplate(client, startApp);
  });
  const database = await createTestDatabase(TEMPLATE);
  await refreshLogins(database);
  return { database, organizers };
}

/** A login counts for some minutes, and a run takes longer: without this, a test's first steps depend on its age. */
async function refreshLogins({ connectionString }: TestDatabase): Promise<void> {
  await withConnection(connectionString, (client) =>
    client.query('update sessions set reauthenticated_at = now(), last_seen_at = now()'),
  );
}

/** The database comment of the template lists its organizers, readable by every process of the run. */
async function describedTemplate(client: pg.Client): Promise<ReadyOrganizer[] | null> {
  const { rows } = await client.query<{ description: string | null }>(
    `select shobj_description(oid, 'pg_database') as description from pg_database where datname = $1`,
    [TEMPLATE],
  );
  const [template] = rows;
  return template?.description ? readyOrganizers.parse(JSON.parse(template.description)) : null;
}

async function makeTemplate(client: pg.Client, startApp: StartApp): Promise<ReadyOrganizer[]> {
  const database = await createTestDatabase();
  const app = await startApp({ ...database, drop: async () => {} }, { runsJobs: true, publishesFunds: false });
  const organizers = await Promise.all(
    Array.from({ length: COUNT }, async (_, index) => {
      const { email, visitor } = await onboard(app, await newOrganizer(app, { email: `ready-${index}@example.com` }));
      return { email, cookies: [...visitor.cookies] };
    }),
  );
  await app.settle();
  await app.close();
  await client.query(`alter database ${new URL(database.connectionString).pathname.slice(1)} rename to ${TEMPLATE}`);
  await client.query(`comment on database ${TEMPLATE} is ${pg.escapeLiteral(JSON.stringify(organizers))}`);
  return organizers;
}
