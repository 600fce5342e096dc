import type { Pool } from '#server/platform/database.ts';
import { invariants } from '#tests/support/invariants.ts';

const question = invariants.find(({ name }) => name === 'ticket-totals-equal-a-count')?.query ?? '';

/** A sentence for each event whose kept figures are not what a count of its tickets says. */
export async function wrongTicketTotals(pool: Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    // Counts every ticket that there is: it may take longer than a request.
    await client.query("set statement_timeout = '120s'");
    const { rows } = await client.query<{ subject: string; found: string }>(question);
    return rows.map(({ subject, found }) => `totals of ${subject}: ${found}`);
  } finally {
    client.release(true);
  }
}
