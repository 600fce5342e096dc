import { deviceNotFound, organizerBrowserNotRemovable } from '#contract/app/check-in-devices.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { lockDeviceOf, removeDevice } from './devices.sql.ts';

/** Ends the device's grant on all servers within seconds. The device can come back with the code unless that changes. */
export async function removeCheckInDevice(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organizerId: string,
  { eventId, deviceId }: { eventId: string; deviceId: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const device = await lockDeviceOf(tx, organizerId, { eventId, deviceId });
    if (!device) throw notFound(deviceNotFound);
    if (device.endsAt === null) throw conflict(organizerBrowserNotRemovable);
    if (device.removedAt) return;
    await removeDevice(tx, { eventId, deviceId });
    await recordAuditEvent(tx, {
      action: 'remove-check-in-device',
      actorId: organizerId,
      subject: deviceId,
      eventId,
      at: clock.now(),
    });
  });
}
