/** Two servers as separate processes on one database, with clients of either. */

import { login } from '#contract/app/accounts.ts';
import { type Db, openDatabase, openPool } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { advance, forgetKilledWorkers, type Healing, runEverything } from '#tests/support/heal.ts';
import { Visitor } from '#tests/support/http-visitor.ts';
import { attendantOf, expectOk, onboardedOrganizer, PASSWORD } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const APP_SECRET = 'a secret for both servers of more than 32 characters';

export interface TwoServers extends Healing {
  servers: readonly [Product, Product];
  db: Db;
  /** Connection string of the database owner. */
  address: string;
  deps: Pick<Deps, 'appSecret'>;
  organizer: Actor & { email: string };
  now(): Date;
  visitor(): Visitor;
  /** Advances the clock for both servers and runs everything that is due. */
  advance(seconds: number): Promise<void>;
  /** Restarts killed servers and releases their jobs. */
  bringBack(): Promise<void>;
  /** Closes the test's own connections, which reopen on use. */
  closeConnections(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param environments of each server, beyond the shared one
 * @param inboxUrl where to read email that the servers do not keep
 */
export async function openTwoServers(
  environments: readonly [Record<string, string>, Record<string, string>] = [{}, {}],
  inboxUrl?: string,
): Promise<TwoServers> {
  const database = await createTestDatabase();
  const address = database.connectionString;
  const common = { DATABASE_URL: address, APP_SECRET, RATE_LIMIT_SCALE: '0' };
  const [first, second] = await Promise.all(environments.map((own) => startProduct({ ...common, ...own })));
  if (!first || !second) throw new Error('two servers are needed');
  const pool = openPool(`${address}&application_name=faults`, () => {});
  const db = openDatabase(pool);
  const { email } = await onboardedOrganizer({ ...siteOf(first), ...(inboxUrl && { publicUrl: inboxUrl }) });
  const actor = await actorOf(db, email);
  let passed = 0;
  const healing = { db, sandboxUrl: second.sandboxUrl, otherSandboxUrls: [first.sandboxUrl] };
  return {
    ...healing,
    servers: [first, second],
    address,
    deps: { appSecret: [APP_SECRET] },
    organizer: { ...actor, email },
    now: () => new Date(Date.now() + passed * 1000),
    visitor: () => new Visitor(second.url),
    async advance(seconds) {
      passed += seconds;
      await advance(healing, seconds);
      await runEverything(healing);
    },
    async bringBack() {
      const servers = [first, second];
      const areAlive = await Promise.all(servers.map(isAlive));
      await forgetKilledWorkers(db, areAlive.filter(Boolean).length);
      for (const [index, server] of servers.entries()) if (!areAlive[index]) await server.start();
    },
    async closeConnections() {
      const ends =
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
      await pool.query(ends);
      await pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
    },
    async close() {
      await Promise.all([first.remove(), second.remove()]);
      await pool.end();
      await database.drop();
    },
  };
}

const isAlive = async ({ url }: Product): Promise<boolean> =>
  fetch(`${url}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Clients of one event: an organizer and two check-in devices for each server. They keep their cookies. */
export interface Actors {
  organizers: readonly Visitor[];
  devices: readonly (readonly Visitor[])[];
}

/** Sessions and grants expire within a day, so clients log in again after that. */
export async function actorsAt({ servers, organizer, db }: TwoServers, eventId: string): Promise<Actors> {
  const logged = new Visitor(servers[0].url);
  expectOk(await logged.call(login, { email: organizer.email, password: PASSWORD }));
  const { attendantCode } = await db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select('attendantCode')
    .executeTakeFirstOrThrow();
  const devices: Visitor[] = [];
  for (let device = 0; device < 2; device++)
    devices.push(await attendantOf(siteOf(servers[device % 2] ?? servers[0]), eventId, attendantCode));
  return {
    organizers: servers.map((server) => sameAt(server, logged)),
    devices: servers.map((server) => devices.map((device) => sameAt(server, device))),
  };
}

function sameAt({ url }: Product, visitor: Visitor): Visitor {
  const same = new Visitor(url);
  for (const [name, value] of visitor.cookies) same.cookies.set(name, value);
  return same;
}
