import { authorizeEvent } from '#server/events/authorize-event.ts';
import { replaceAttendantCode } from '#server/events/replace-attendant-code.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newAttendantCode } from '#server/platform/ids.ts';
import { expireDevices, lockDevices } from './devices.sql.ts';

/** Invalidates the old code and every grant that was issued for it. */
export async function changeAttendantCode(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  eventId: string,
): Promise<{ attendantCode: string }> {
  await authorizeEvent({ db }, actor, 'check-in.manage', eventId);
  const { organizationId } = actor;
  const attendantCode = newAttendantCode();
  await inTransaction(db, async (tx) => {
    if (!(await replaceAttendantCode(tx, { eventId, organizationId, attendantCode })))
      throw new AppError('event.not-found');
    // A device that enters concurrently is either expired too, or sees the new code.
    await lockDevices(tx, eventId);
    await expireDevices(tx, eventId);
    await recordAuditEvent(tx, {
      action: 'rotate-attendant-code',
      by: actor,
      subject: eventId,
      eventId,
      at: clock.now(),
    });
  });
  return { attendantCode };
}
