/** Runs the operator's invariant checks on a test database. */

import { runInvariant } from '#server/backoffice/doctor/checks.sql.ts';
import { readInvariants } from '#server/backoffice/doctor/invariants.ts';
import type { Db } from '#server/platform/database.ts';

export const invariants = readInvariants();

/** One line per violation; none when all is well. */
export async function brokenInvariants(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const { query } of invariants) {
    const rows = await runInvariant(db, query);
    found.push(...rows.map((row) => `${row.invariant}: ${row.subject}: ${row.found}`));
  }
  return found;
}
