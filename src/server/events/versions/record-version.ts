/** Each state of a published page is stored once, as a numbered version. See docs/decisions/0077. */
import { PAGE_VERSIONS_PER_DAY_MAX } from '#domain/limits.ts';
import { pageChanges, repricedTypes } from '#domain/sales/page-versions.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import { insertVersion, type NewVersion, presentContent } from './versions.sql.ts';

/** Does nothing while the page shows what its last version says. The caller holds the event's lock. */
export async function recordVersion(tx: Db, eventId: string): Promise<void> {
  const next = await nextVersion(tx, eventId);
  if (!next) return;
  if (next.versionsToday >= PAGE_VERSIONS_PER_DAY_MAX) throw new AppError('edit.changed-too-often');
  await insertVersion(tx, eventId, next);
}

/** The version that publishing the present content makes; null if it makes none. */
export async function nextVersion(db: Db, eventId: string): Promise<(NewVersion & { versionsToday: number }) | null> {
  const present = await presentContent(db, eventId);
  if (!present || present.isSame) return null;
  const { version, content, hash, before, sellingTypes, versionsToday, now: changedAt } = present;
  const repriced = (before ? repricedTypes(before, content) : [])
    .map(([, { id }]) => id)
    .filter((id) => sellingTypes.includes(id));
  const isListed = before !== null && pageChanges(before, content, repriced).length > 0;
  return { version: version + 1, hash, content, isListed, repricedTypes: repriced, changedAt, versionsToday };
}
