import type { Pool } from '#server/platform/database.ts';
import type { Sample } from './benchmark.ts';
import type { BenchEvent } from './events-on-sale.ts';

export interface Tallied {
  run(seconds: number): Promise<Sample>;
  /** What its samples counted since the beginning, the warming up included. */
  total(): number;
}

/** A contestant whose answers are added up, to be compared with what the database says. */
export function tallied(run: (seconds: number) => Promise<Sample>): Tallied {
  let total = 0;
  return {
    async run(seconds) {
      const sample = await run(seconds);
      total += sample['count'] ?? Number.NaN;
      return sample;
    },
    total: () => total,
  };
}

/** A sentence, if the orders of these events are not as many as were answered to hold tickets, or if there are none. */
export async function unlikeAnswers(pool: Pool, events: readonly BenchEvent[], held: number): Promise<string[]> {
  const ids = events.map(({ eventId }) => eventId);
  const { rows } = await pool.query<{ orders: number }>(
    'select count(*)::int as orders from orders where event_id = any ($1)',
    [ids],
  );
  const orders = rows[0]?.orders;
  if (held === 0) return [`no cart was told that it holds tickets, there are ${orders} orders`];
  return orders === held ? [] : [`${held} carts were told that they hold tickets, there are ${orders} orders`];
}
