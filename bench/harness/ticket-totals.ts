import type { Pool } from '#server/platform/database.ts';
import { invariants } from '#tests/support/invariants.ts';

const question = invariants.find(({ name }) => name === 'ticket-totals-equal-a-count')?.query ?? '';

/** Returns one message per event whose stored totals differ from a count of its tickets. */
export async function wrongTicketTotals(pool: Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    // Counts every ticket, which can take longer than a request may.
    await client.query("set statement_timeout = '120s'");
    const { rows } = await client.query<{ subject: string; found: string }>(question);
    return rows.map(({ subject, found }) => `totals of ${subject}: ${found}`);
  } finally {
    client.release(true);
  }
}
