/** Cancels the coming dates of a series. Drafts have nothing to cancel; past dates and those paid out stay as they are. */
import { authorize } from '#server/accounts/policies.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { beginChange } from './begin-change.ts';
import { comingDates, findChange, hasSeries } from './series-changes.sql.ts';

export async function cancelSeries(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  { seriesId, changeId }: { seriesId: string; changeId: string },
): Promise<{ changeId: string }> {
  await consumeLimit(rateLimiter, 'cancel-event', actor.userId);
  await authorizeToCancel(db, actor, seriesId);
  if (await findChange(db, changeId)) return { changeId };
  const dates = (await datesToCancel(db, seriesId)).map(({ eventId }) => ({ eventId, part: 'scope' as const }));
  if (dates.length === 0) throw new AppError('series-change.nothing-to-cancel');
  const change = { id: changeId, seriesId, edit: null, dates, at: clock.now() };
  await inTransaction(db, (tx) => beginChange(tx, actor, change));
  return { changeId };
}

export async function authorizeToCancel(db: Db, actor: Actor, seriesId: string): Promise<void> {
  if (!(await hasSeries(db, actor.organizationId, seriesId))) throw new AppError('event.not-found');
  authorize(actor, 'event.cancel');
}

export const datesToCancel = async (db: Db, seriesId: string) =>
  (await comingDates(db, seriesId)).filter(({ isPublished }) => isPublished);
