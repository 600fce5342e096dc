/** Cancels the coming dates of a series. Drafts have nothing to cancel; past dates and those paid out stay as they are. */
import { authorize } from '#server/accounts/policies.ts';
import { ownEvent } from '#server/events/authorize-event.ts';
import { seriesOf } from '#server/events/life/life.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { beginChange } from './begin-change.ts';
import { comingDates, findChange } from './series-changes.sql.ts';

export async function cancelSeries(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  { eventId, changeId }: { eventId: string; changeId: string },
): Promise<{ changeId: string }> {
  await consumeLimit(rateLimiter, 'cancel-event', actor.userId);
  const seriesId = await seriesToCancelOf(db, actor, eventId);
  if (await findChange(db, changeId)) return { changeId };
  const dates = (await datesToCancel(db, seriesId)).map((date) => ({ eventId: date.eventId, part: 'scope' as const }));
  if (dates.length === 0) throw new AppError('series-change.nothing-to-cancel');
  const change = { id: changeId, seriesId, edit: null, dates, at: clock.now() };
  await inTransaction(db, (tx) => beginChange(tx, actor, change));
  return { changeId };
}

/** The series of the event, which may itself be a draft or over. */
export async function seriesToCancelOf(db: Db, actor: Actor, eventId: string): Promise<string> {
  if (!(await ownEvent({ db }, actor, eventId))) throw new AppError('event.not-found');
  authorize(actor, 'event.cancel');
  const seriesId = await seriesOf(db, actor.organizationId, eventId);
  if (seriesId === null) throw new AppError('series-change.no-series');
  return seriesId;
}

export const datesToCancel = async (db: Db, seriesId: string) =>
  (await comingDates(db, seriesId)).filter(({ isPublished }) => isPublished);
