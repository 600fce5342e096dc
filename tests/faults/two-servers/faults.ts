/** Faults in one of two servers, or in what both depend on, under load. Each fault ends what it started. */
import { publicEvent } from '#contract/app/events.ts';
import { until } from '#tests/support/metrics.ts';
import { planFault } from '#tests/support/money.ts';
import { siteOf } from '#tests/support/site-of.ts';
import type { SeededRandom } from '../histories/seeded-random.ts';
import { wasOverloaded } from './http-client.ts';
import type { Crowd } from './load.ts';
import { pause } from './pause.ts';
import { breakSomeConnection, failSomeWrites, restartPostgres, withClient } from './postgres.ts';
import { lockedForLong, outOfConnections } from './shortage.ts';

export interface Fault {
  name: string;
  /** Starts and ends the fault while the load runs. Returns the violations. */
  run(crowd: Crowd, random: SeededRandom): Promise<string[]>;
}

const BACK_IN_SECONDS = 10;
const OTHER_IDLE = 'the other server did nothing meanwhile';

export const faults: readonly Fault[] = [
  { name: 'a server is killed', run: killOne },
  { name: 'a server is stopped', run: stopOne },
  { name: 'the database restarts three times', run: restartDatabase },
  { name: 'connections break', run: loseConnections },
  { name: 'every fifth write fails', run: failWrites },
  { name: 'a row stays locked', run: lockedForLong },
  { name: 'the database is out of connections', run: outOfConnections },
  {
    name: 'Stripe is down',
    run: (crowd, random) => failStripeCalls(crowd, random, ['error_before', 'drop_before']),
  },
  {
    name: 'Stripe responds too late',
    run: (crowd, random) => failStripeCalls(crowd, random, ['error_after', 'drop_after', 'slow']),
  },
  { name: 'Stripe limits the request rate', run: (crowd, random) => failStripeCalls(crowd, random, ['status:429']) },
];

async function killOne({ stage, operations }: Crowd, random: SeededRandom): Promise<string[]> {
  const killed = random.between(0, 1);
  const from = operations.length;
  await stage.servers[killed]?.kill();
  await pause(1_500);
  const others = operations.slice(from).filter(({ server, is }) => server !== killed && is === 'done');
  await stage.bringBack();
  return others.length > 0 ? [] : [OTHER_IDLE];
}

/** The stopped server finishes its requests; the other may be briefly overloaded. */
async function stopOne({ stage, operations }: Crowd, random: SeededRandom): Promise<string[]> {
  const stopped = random.between(0, 1);
  const from = operations.length;
  const begun = Date.now();
  const exitCode = await stage.servers[stopped]?.stop();
  const seconds = (Date.now() - begun) / 1000;
  await pause(1_500);
  const during = operations.slice(from);
  await stage.bringBack();
  const found: string[] = [];
  if (!during.some(({ server, is }) => server !== stopped && is === 'done')) found.push(OTHER_IDLE);
  if (exitCode !== 0) found.push(`it ended with ${exitCode}`);
  if (seconds > 30) found.push(`it took ${seconds} s`);
  for (const one of during) {
    const { id, what, server, startedAt, is, message } = one;
    if (is !== 'unknown') continue;
    if (server !== stopped && wasOverloaded(one)) continue;
    if (server !== stopped) found.push(`#${id} ${what} at the other server failed: ${message}`);
    else if (startedAt < begun) found.push(`#${id} ${what} was in flight and got no response: ${message}`);
  }
  return found;
}

async function restartDatabase({ stage }: Crowd, random: SeededRandom): Promise<string[]> {
  const found: string[] = [];
  for (let time = 0; time < 3; time++) {
    await restartPostgres(postgresFolder(), random.pick(['fast', 'immediate']));
    const back = performance.now();
    await bothServe(stage);
    const seconds = (performance.now() - back) / 1000;
    if (seconds > BACK_IN_SECONDS) found.push(`the servers were back only after ${seconds.toFixed(1)} s`);
  }
  return found;
}

/** Binaries of the run's own PostgreSQL, from `startPostgres`. */
function postgresFolder(): string {
  const folder = process.env['HANDSTAMP_TEST_FOLDER'];
  if (!folder) throw new Error('this part needs its own PostgreSQL');
  return folder;
}

async function bothServe({ servers, db }: Crowd['stage']): Promise<void> {
  for (const server of servers) {
    await until('the server is ready again', async () => (await fetch(`${server.url}/readyz`)).status === 200, 30);
    await until(
      'a page from the database loads again',
      async () => {
        const event = await db
          .selectFrom('events')
          .select('id')
          .executeTakeFirst()
          .catch(() => null);
        return event ? (await siteOf(server).call(publicEvent, { eventId: event.id })).status < 500 : false;
      },
      30,
    );
  }
}

async function loseConnections({ stage }: Crowd, random: SeededRandom): Promise<string[]> {
  await withClient(stage.address, async (client) => {
    for (let time = 0; time < 25; time++) {
      await breakSomeConnection(client, (pids) => random.pick(pids));
      await pause(80);
    }
  });
  return [];
}

async function failWrites({ stage, operations }: Crowd): Promise<string[]> {
  const from = operations.length;
  await withClient(stage.address, async (client) => {
    const end = await failSomeWrites(client);
    await pause(3_000);
    await end();
  });
  const during = operations.slice(from);
  const failed = during.filter(({ is }) => is === 'unknown');
  // Five identical draws have odds of one in three thousand. Faults of the test's own Stripe calls show here as well.
  const found = failed.length > 3 ? failed.map(({ id, what, message }) => `#${id} ${what} failed: ${message}`) : [];
  return during.some(({ is }) => is === 'done') ? found : ['no request succeeded'];
}

/** Pages and check-in depend on no external service. */
async function failStripeCalls(crowd: Crowd, random: SeededRandom, modes: readonly string[]): Promise<string[]> {
  const { stage, operations } = crowd;
  const from = operations.length;
  for (const { sandboxUrl } of stage.servers)
    await planFault({ sandboxUrl }, { match: { path: '/*' }, mode: random.pick(modes), times: 100_000, ms: 2_000 });
  await pause(3_000);
  const during = operations.slice(from);
  for (const { sandboxUrl } of stage.servers) await fetch(`${sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
  const scans = during.filter(({ what }) => what === 'scan');
  const slow = scans.filter(({ is, tookMs }) => is === 'unknown' || tookMs > 2_000);
  return slow.map(({ id, tookMs, message }) => `#${id} check-in took ${tookMs} ms: ${message}`);
}
