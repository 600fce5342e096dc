import type { Deps } from '#server/platform/deps.ts';
import { sweepSessions } from './accounts.sql.ts';
import { sweepLinks } from './email-links.sql.ts';

/** Deletes expired sessions and links to keep the tables small. They no longer work either way. */
export async function sweepAccounts({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await sweepSessions(db, clock.now());
  await sweepLinks(db, clock.now());
}
