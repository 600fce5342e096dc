import { KNOWN_BROWSER_DAYS } from '#domain/retention.ts';
import type { Deps } from '#server/platform/deps.ts';
import { sweepChallenges, sweepKnownBrowsers } from './accounts.sql.ts';
import { sweepLinks } from './email-links.sql.ts';
import { sweepFormerSlugs, sweepInvitations } from './organizations.sql.ts';
import { sweepSessions } from './sessions.sql.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes expired sessions, logins under way, links, invitations and former addresses to keep the tables small. They no longer work either way. */
export async function sweepAccounts({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await sweepSessions(db, clock.now());
  await sweepChallenges(db, clock.now());
  await sweepKnownBrowsers(db, new Date(clock.now().getTime() - KNOWN_BROWSER_DAYS * DAY_MS));
  await sweepLinks(db, clock.now());
  await sweepInvitations(db, clock.now());
  await sweepFormerSlugs(db, clock.now());
}
