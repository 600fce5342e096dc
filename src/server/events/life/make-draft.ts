import { updateEvent } from '#server/events/edit-event.sql.ts';
import { setAttendantCode } from '#server/events/events.sql.ts';
import { lockToAdd, requireRoomForDraft } from '#server/events/terms-to-publish.ts';
import type { Db } from '#server/platform/database.ts';
import { newAttendantCode } from '#server/platform/ids.ts';

/** Hides a published event that has no orders. Its attendant code ends; publishing it again begins with another one. */
export async function makeDraft(
  tx: Db,
  { id: eventId, organizationId, seriesId }: { id: string; organizationId: string; seriesId: string | null },
): Promise<void> {
  await lockToAdd(tx, organizationId);
  await requireRoomForDraft(tx, organizationId, seriesId);
  await updateEvent(tx, eventId, { publishedAt: null });
  await setAttendantCode(tx, { eventId, organizationId, attendantCode: newAttendantCode() });
}
