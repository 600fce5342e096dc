import type { findTickets as call } from '#contract/door.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { ticketsEndingIn } from './find-tickets.sql.ts';

const SHOWN_AT_MOST = 20;

/** Every search is counted, also one that finds something: who goes through all endings reads out the guest list. */
export async function findTickets(
  { db, tries }: Pick<Deps, 'db' | 'tries'>,
  { eventId, grantId }: Attendant,
  lastDigits: InputOf<typeof call>['lastDigits'],
): Promise<ReplyOf<typeof call>> {
  await consumeLimit(tries, 'find-ticket', grantId);
  await consumeLimit(tries, 'find-ticket-event', eventId);
  const found = await ticketsEndingIn(db, { eventId, lastDigits, limit: SHOWN_AT_MOST + 1 });
  const tickets = found.slice(0, SHOWN_AT_MOST).map(({ scannedAt, ...ticket }) => ({
    ...ticket,
    scannedAt: scannedAt && scannedAt.getTime(),
  }));
  return { tickets, isMore: found.length > SHOWN_AT_MOST };
}
