import type { findTickets as call } from '#contract/app/check-in-devices.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { ticketsEndingIn } from './find-tickets.sql.ts';

const RESULTS_MAX = 20;

/** Every search counts toward the limit, even a successful one: trying all endings would reveal the guest list. */
export async function findTickets(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  { eventId, deviceId }: Attendant,
  lastDigits: InputOf<typeof call>['lastDigits'],
): Promise<ReplyOf<typeof call>> {
  await consumeLimit(rateLimiter, 'find-ticket', deviceId);
  await consumeLimit(rateLimiter, 'find-ticket-event', eventId);
  const found = await ticketsEndingIn(db, { eventId, lastDigits, limit: RESULTS_MAX + 1 });
  const tickets = found.slice(0, RESULTS_MAX).map(({ scannedAt, ...ticket }) => ({
    ...ticket,
    scannedAt: scannedAt && scannedAt.getTime(),
  }));
  return { tickets, isMore: found.length > RESULTS_MAX };
}
