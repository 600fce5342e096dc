/** Faults of the database and its standby. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { METRICS_TOKEN, until } from '#tests/support/metrics.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { query } from '#tests/support/query.ts';
import { openPrometheus, type Prometheus } from './prometheus/open-prometheus.ts';
import { openReplicatedDatabase, type ReplicatedDatabase } from './replicated-database.ts';
import { checkedAfterCure } from './run-job.ts';
import { type Fault, seeFireAndClear } from './see-alert.ts';

let database: ReplicatedDatabase;
let prometheus: Prometheus;
let product: Product;

beforeAll(async () => {
  database = await openReplicatedDatabase();
  const { address } = database.primary;
  product = await startProduct({ DATABASE_URL: address, METRICS_TOKEN, LOG_LEVEL: 'silent' });
  // As docs/running.md says: without it, PostgreSQL shows no standbys.
  await query(address, 'grant pg_read_all_stats to handstamp_app');
  prometheus = await openPrometheus([product]);
  await untilStreaming();
});
afterAll(async () => {
  await prometheus?.close();
  await product?.remove();
  await database?.close();
});

/** As Prometheus knows it, which is later than PostgreSQL. */
const untilStreaming = () =>
  until('the standby streams', async () => (await prometheus.query('handstamp_database_replicas'))[0] === 1, 60);

async function freeze(kind?: string): Promise<() => Promise<void>> {
  const pids = await database.standby.pids(kind);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return async () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

const faults: Fault[] = [
  {
    alerts: ['HandstampDatabaseDown'],
    fault: 'the database is stopped',
    async fail() {
      database.primary.stop();
      return async () => {
        await database.primary.start();
        await untilStreaming();
      };
    },
  },
  {
    alerts: ['HandstampReplicationLate'],
    fault: 'the standby stops replaying',
    fail: () => freeze('startup'),
  },
  {
    alerts: ['HandstampStandbyLost'],
    fault: 'the standby is stopped',
    async fail() {
      database.standby.stop();
      return () => database.standby.start();
    },
  },
  {
    alerts: ['HandstampStandbyLost'],
    fault: 'the standby freezes, with its connection open',
    fail: () => freeze(),
  },
];

describe('A fault of the database', () => {
  it.each(faults)('makes its alerts fire until it is mended: $fault', (fault) =>
    seeFireAndClear(
      prometheus,
      checkedAfterCure(fault, () => database.primary.address),
    ),
  );
});
