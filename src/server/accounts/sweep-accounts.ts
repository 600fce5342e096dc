import type { Deps } from '#server/platform/deps.ts';
import { sweepSessions } from './accounts.sql.ts';
import { sweepLinks } from './email-links.sql.ts';

/** Removes sessions and links whose time is over. Neither opens anything any more: this only keeps the tables small. */
export async function sweepAccounts({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await sweepSessions(db, clock.now());
  await sweepLinks(db, clock.now());
}
