import type { PhotoArrangement } from '#contract/app/photos.ts';
import { ALT_TEXT_MAX, characterCount } from '#domain/limits.ts';
import { denyArrangement } from '#domain/sales/photos.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { photoUrlsOf } from './list-photos.ts';
import { fileNameOf } from './photo-files.ts';
import { findPhotos, lockEvent, storeArrangement } from './photos.sql.ts';

/** Saves the order, the cover, the focal points and the texts of all photos. Returns their URLs. */
export async function arrangePhotos(
  deps: Pick<Deps, 'db' | 'clock' | 'publicUrl'>,
  actor: Actor,
  { eventId, ...arrangement }: PhotoArrangement,
): Promise<string[]> {
  await authorizeEvent(deps, actor, 'event.edit', eventId);
  if (arrangement.photos.some(({ altText }) => characterCount(altText) > ALT_TEXT_MAX))
    throw new AppError('photo.alt-text-too-long');
  // What is no photo of ours is one of another event.
  const nameOf = (url: string) => fileNameOf(deps, url) ?? url;
  const photos = arrangement.photos.map(({ url, altText, focus }) => ({ fileName: nameOf(url), altText, focus }));
  const cover = arrangement.cover === null ? null : nameOf(arrangement.cover);
  const seen = arrangement.seen.map(nameOf);

  await inTransaction(deps.db, async (tx) => {
    await lockEvent(tx, eventId);
    await requireNotSuspended(tx, actor.organizationId);
    const stored = (await findPhotos(tx, [eventId])).map(({ fileName }) => fileName);
    const arranged = photos.map(({ fileName }) => fileName);
    const denial = denyArrangement(stored, { seen, arranged, cover });
    if (denial) throw new AppError(`photo.${denial}`);
    await storeArrangement(tx, eventId, { photos, cover });
    await recordAuditEvent(tx, { action: 'edit-event', by: actor, subject: eventId, eventId, at: deps.clock.now() });
  });
  return photoUrlsOf(deps, eventId);
}
