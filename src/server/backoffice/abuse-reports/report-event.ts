import type { reportEvent as call } from '#contract/app/abuse-reports.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { AppError } from '#server/platform/app-error.ts';
import { clientNetwork, networkHash } from '#server/platform/client-network.ts';
import type { Deps } from '#server/platform/deps.ts';
import { PUBLIC_ID } from '#server/platform/ids.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { insertReport, isPublished } from './reports.sql.ts';

/** Anyone may report an event. Repeating a report changes nothing. */
export async function reportEvent(
  { db, clock, appSecret, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'rateLimiter'>,
  { eventId, reportId: id, reason, text, honeypot }: InputOf<typeof call>,
  ip: string,
): Promise<void> {
  // A bot gets the answer that it expects.
  if (honeypot) return;
  const network = clientNetwork(ip);
  if (network !== null) await consumeLimit(rateLimiter, 'report-event', network);
  if (!PUBLIC_ID.test(eventId) || !(await isPublished(db, eventId))) throw new AppError('event.not-found');
  // Bounds what the alert has to compare, however many networks take part.
  await consumeLimit(rateLimiter, 'report-event-event', eventId);
  const hash = networkHash(appSecret, eventId, ip);
  await insertReport(db, { id, eventId, reason, text, networkHash: hash, at: clock.now() });
}
