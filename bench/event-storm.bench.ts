import { setTimeout as sleep } from 'node:timers/promises';
import { publicEvent } from '#contract/app/events.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Sample } from './harness/benchmark.ts';
import { benchmark } from './harness/benchmark.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { type Answer, get, load } from './harness/load.ts';
import { openShop } from './harness/shop.ts';

const CONNECTIONS = 64;
const CHANGES_PER_SECOND = 500;
const DESCRIPTION = 'Six horns in a cellar, two sets and a long break. '.repeat(40);
/** Inspects one answer in 16: inspecting all of them would slow the load generator. */
const SAMPLED = 16;
const STALE_AT_MOST_MS = 500;

export const bench = benchmark({
  name: 'event-storm',
  what: `${CONNECTIONS} connections read an event while a number on its page changes ${CHANGES_PER_SECOND} times a second, each time in its own commit.`,
  metrics: [
    {
      target: { atLeast: 0.8 },
      baseline: 'the same without changes',
      ratio: ({ storm, quiet }) => storm.perSecond / quiet.perSecond,
      value: ({ storm }) => storm.perSecond,
      unit: 'req/s',
    },
    {
      name: 'event-storm/staleness',
      target: { atMost: STALE_AT_MOST_MS },
      baseline: 'milliseconds from a change to the last stale answer',
      ratio: ({ storm }) => storm['staleMs'] ?? Number.POSITIVE_INFINITY,
      value: ({ storm }) => storm['staleMs'] ?? Number.POSITIVE_INFINITY,
      unit: 'ms',
    },
    {
      name: 'event-storm/changes',
      target: { atLeast: CHANGES_PER_SECOND * 0.9 },
      baseline: 'changes made per second',
      ratio: ({ storm }) => storm['changesPerSecond'] ?? 0,
      value: ({ storm }) => storm['changesPerSecond'] ?? 0,
      unit: 'changes/s',
    },
  ],
  async open() {
    const shop = await openShop({ processes: 1 });
    const [event] = await putOnSale(shop.ownerPool, { types: 6 });
    await shop.ownerPool.query('update events set description = $1', [DESCRIPTION]);
    const path = publicEvent.path.replace(':eventId', event?.eventId ?? '');
    const storm = await stormOf(shop.ownerPool, event?.types[0]?.id ?? '');
    const read = (seconds: number, onAnswer: (answer: Answer) => void = () => {}) =>
      load({ origins: shop.origins, connections: CONNECTIONS, seconds, next: () => get(path), onAnswer });
    return {
      contestants: {
        quiet: (seconds) => read(seconds),
        async storm(seconds): Promise<Sample> {
          let count = 0;
          let staleMs = 0;
          const changing = storm.run(seconds);
          const sample = await read(seconds, ({ body }) => {
            count += 1;
            if (count % SAMPLED === 0) staleMs = Math.max(staleMs, storm.staleMs(body));
          });
          return { ...sample, staleMs, changesPerSecond: (await changing) / seconds };
        },
      },
      async check({ quiet, storm: stormy }) {
        await sleep(STALE_AT_MOST_MS);
        const { body } = await fetch(`${shop.origins[0]}${path}`).then(async (reply) => ({
          body: await reply.bytes(),
        }));
        const isLast = storm.momentIn(Buffer.from(body)) === (await storm.lastMoment());
        return [
          ...([quiet, stormy].every((sample) => sample['status200'] === sample['count'])
            ? []
            : ['some answers were not 200']),
          ...(isLast ? [] : ['the last change is not shown']),
        ];
      },
      close: () => shop.close(),
    };
  },
});

/** Writes the time of the change as `ticketQuantity`, in ms since the start, so that every answer shows its age. */
async function stormOf(pool: Pool, typeId: string) {
  const epoch = Date.now() - 1_000_000;
  const moment = `(extract(epoch from clock_timestamp()) * 1000 - ${epoch})::integer`;
  const change = `update ticket_types set quantity = ${moment} where id = '${typeId}'`;
  const momentIn = (body: Buffer) => {
    const at = body.indexOf('"ticketQuantity":');
    return Number.parseInt(body.toString('latin1', at + 17, at + 30), 10);
  };
  await pool.query(change);
  /** Answers before the first change of a run count as fresh, whatever their age. */
  let startedAt = 0;
  return {
    momentIn,
    staleMs: (body: Buffer) => Date.now() - epoch - Math.max(startedAt, momentIn(body)),
    async lastMoment(): Promise<number | undefined> {
      const { rows } = await pool.query<{ quantity: number }>('select quantity from ticket_types where id = $1', [
        typeId,
      ]);
      return rows[0]?.quantity;
    },
    /** Resolves to the number of changes. Runs inside PostgreSQL, so that the load generator spends no CPU on it. */
    async run(seconds: number): Promise<number> {
      startedAt = Date.now() - epoch;
      const client = await pool.connect();
      try {
        await client.query('set statement_timeout = 0');
        await client.query(`do $$
          declare begun timestamptz := clock_timestamp(); made integer := 0;
          begin
            while clock_timestamp() < begun + make_interval(secs => ${seconds}) loop
              ${change};
              commit;
              made := made + 1;
              perform pg_sleep_until(begun + make_interval(secs => made / ${CHANGES_PER_SECOND}.0));
            end loop;
            perform set_config('bench.changes', made::text, false);
          end $$`);
        const { rows } = await client.query<{ made: number }>(`select current_setting('bench.changes')::int as made`);
        return rows[0]?.made ?? 0;
      } finally {
        client.release(true);
      }
    },
  };
}
