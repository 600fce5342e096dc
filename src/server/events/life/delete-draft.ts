import { returnWaiver } from '#server/accounts/affiliates/affiliate-codes.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { forgetEvent } from '#server/accounts/team/change-members.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { lockOwnEvent } from '#server/events/edit-event.sql.ts';
import { findPhotos } from '#server/events/photos/photos.sql.ts';
import { removeUnusedFiles } from '#server/events/photos/unused-files.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction, isReferredTo } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { deleteEvent } from './life.sql.ts';

/** Deletes the draft with everything of it, except for files of photos that a copy shows. */
export async function deleteDraft(
  deps: Pick<Deps, 'db' | 'photos' | 'clock' | 'log'>,
  actor: Actor,
  eventId: string,
): Promise<void> {
  await authorizeEvent(deps, actor, 'event.edit', eventId);
  const fileNames = await inTransaction(deps.db, async (tx) => {
    const event = await lockOwnEvent(tx, actor.organizationId, eventId);
    if (!event) throw new AppError('event.not-found');
    await requireNotSuspended(tx, actor.organizationId);
    if (event.isPublished) throw new AppError('event.is-published');
    await recordAuditEvent(tx, { action: 'delete-draft', by: actor, ...aboutDeletion(eventId, deps.clock.now()) });
    // It was published once. The waiver goes to the next event.
    if (event.processingFeeWaived) await returnWaiver(tx, actor.organizationId);
    return removeDraft(tx, actor.organizationId, eventId);
  });
  await removeUnusedFiles(deps, fileNames);
}

export const aboutDeletion = (eventId: string, at: Date) => ({ subject: eventId, eventId, at });

/** The names of its photos' files, which copies may show. */
export async function removeDraft(tx: Db, organizationId: string, eventId: string): Promise<string[]> {
  const photos = await findPhotos(tx, [eventId]);
  await forgetEvent(tx, organizationId, eventId);
  await deleteEvent(tx, eventId).catch(rejectUnderReview);
  return photos.map(({ fileName }) => fileName);
}

/** Reports and what operators did stay, and so does the event that they are about. */
function rejectUnderReview(error: unknown): never {
  throw isReferredTo(error) ? new AppError('event.under-review') : error;
}
