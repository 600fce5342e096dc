import { eventNotFound } from '#contract/events.ts';
import { noteAct } from '#server/audit/note-act.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { endDevices } from '#server/door/end-devices.ts';
import { newAttendantCode } from '#server/new-id.ts';
import { notFound } from '#server/refusal.ts';
import { setAttendantCode } from './admission.sql.ts';

/** Shuts out whoever has the old code, at once and at all doors: also those who were let in with it. */
export async function changeAttendantCode(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organizerId: string,
  eventId: string,
): Promise<{ attendantCode: string }> {
  const attendantCode = newAttendantCode();
  await inTransaction(db, async (tx) => {
    if (!(await setAttendantCode(tx, { eventId, organizerId, attendantCode }))) throw notFound(eventNotFound);
    await endDevices(tx, eventId);
    await noteAct(tx, {
      act: 'rotate-attendant-code',
      actorId: organizerId,
      subject: eventId,
      eventId,
      at: clock.now(),
    });
  });
  return { attendantCode };
}
