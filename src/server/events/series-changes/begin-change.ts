/** Stores a change of several dates, which a job carries out. See docs/decisions/0078. */
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { deleteEarlierChanges, findChange, insertChange, isChanging, lockSeriesChanges } from './series-changes.sql.ts';
import type { StoredEdit } from './series-edit.ts';

export interface NewChange {
  id: string;
  seriesId: string;
  /** Null: each date is cancelled. */
  edit: StoredEdit | null;
  dates: readonly { eventId: string; part: 'own' | 'scope' | 'title' }[];
  at: Date;
}

/** Idempotent by its id. One edit of a series at a time; cancelling waits for none. */
export async function beginChange(tx: Db, actor: Actor, { id, seriesId, edit, dates, at }: NewChange): Promise<void> {
  await lockSeriesChanges(tx, seriesId);
  if (await findChange(tx, id)) return;
  if (edit && (await isChanging(tx, seriesId))) throw new AppError('series-change.running');
  await deleteEarlierChanges(tx, seriesId);
  const change = {
    id,
    seriesId,
    userId: actor.userId,
    kind: edit ? ('edit' as const) : ('cancel' as const),
    edit: edit && JSON.stringify(edit),
    createdAt: at,
    completedAt: null,
  };
  await insertChange(tx, change, dates);
  await enqueue(tx, 'change-series', { changeId: id }, { queue: `series ${seriesId}` });
}
