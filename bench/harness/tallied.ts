import type { Pool } from '#server/platform/database.ts';
import type { Sample } from './benchmark.ts';
import type { BenchEvent } from './events-on-sale.ts';

export interface Tallied {
  run(seconds: number): Promise<Sample>;
  /** Sum of the counts since the start, including the warm-up. */
  total(): number;
}

/** Sums up a contestant's answers, to compare them with the database. */
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

/**
 * Returns a message if the number of orders differs from the number of confirmed reservations, or if there are none.
 */
export async function wrongOrderCount(pool: Pool, events: readonly BenchEvent[], confirmed: number): Promise<string[]> {
  const ids = events.map(({ eventId }) => eventId);
  const { rows } = await pool.query<{ orders: number }>(
    'select count(*)::int as orders from orders where event_id = any ($1)',
    [ids],
  );
  const orders = rows[0]?.orders;
  if (confirmed === 0) return [`no cart was confirmed, there are ${orders} orders`];
  return orders === confirmed ? [] : [`${confirmed} carts were confirmed, there are ${orders} orders`];
}
