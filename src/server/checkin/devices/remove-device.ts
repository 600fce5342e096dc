import { authorizeEvent } from '#server/events/authorize-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { lockDeviceOf, removeDevice } from './devices.sql.ts';

/** Ends the device's grant on all servers within seconds. The device can come back with the code unless that changes. */
export async function removeCheckInDevice(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { eventId, deviceId }: { eventId: string; deviceId: string },
): Promise<void> {
  await authorizeEvent({ db }, actor, 'check-in.manage', eventId);
  await inTransaction(db, async (tx) => {
    const device = await lockDeviceOf(tx, actor.organizationId, { eventId, deviceId });
    if (!device) throw new AppError('device.not-found');
    if (device.endsAt === null) throw new AppError('device.own-browser');
    if (device.removedAt) return;
    await removeDevice(tx, { eventId, deviceId });
    await recordAuditEvent(tx, {
      action: 'remove-check-in-device',
      by: actor,
      subject: deviceId,
      eventId,
      at: clock.now(),
    });
  });
}
