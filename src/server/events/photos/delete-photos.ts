import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { photoUrlsOf } from './list-photos.ts';
import { fileNameOf } from './photo-files.ts';
import { lockEvent, removePhotos } from './photos.sql.ts';
import { removeUnusedFiles } from './unused-files.ts';

interface Selection {
  eventId: string;
  /** As listed in the event, with or without the host. */
  urls: readonly string[];
}

/** Deletes all of the photos, or none if one belongs to another event. Returns the URLs of the remaining ones. */
export async function deletePhotos(
  deps: Pick<Deps, 'db' | 'photos' | 'clock' | 'publicUrl' | 'log'>,
  actor: Actor,
  { eventId, urls }: Selection,
): Promise<string[]> {
  await authorizeEvent(deps, actor, 'event.edit', eventId);
  if (urls.length === 0) throw new AppError('photo.none-selected');

  const selected = urls.map((url) => fileNameOf(deps, url));
  const fileNames = [...new Set(selected)].filter((name) => name !== null);
  if (selected.includes(null)) throw new AppError('photo.unknown');
  await inTransaction(deps.db, async (tx) => {
    await lockEvent(tx, eventId);
    await requireNotSuspended(tx, actor.organizationId);
    const removed = await removePhotos(tx, eventId, fileNames);
    if (removed < fileNames.length) throw new AppError('photo.unknown');
    await recordAuditEvent(tx, { action: 'edit-event', by: actor, subject: eventId, eventId, at: deps.clock.now() });
  });

  await removeUnusedFiles(deps, fileNames);
  return photoUrlsOf(deps, eventId);
}
