import { organizerDevice } from '#contract/admission.ts';
import type { Attendant } from '#server/admission/read-grant.ts';
import type { Db } from '#server/database.ts';
import { type OpenDevice, seeDevice, seeOrganizersDevice } from './devices.sql.ts';

/**
 * Notes that the device is there, and how many scans it has not handed in; null once it was removed. The organizer's own
 * browser entered no code, and is noted here first.
 */
export async function touchDevice(db: Db, attendant: Attendant, pending: number): Promise<OpenDevice | null> {
  const key = { eventId: attendant.eventId, deviceId: attendant.grantId };
  const device =
    (await seeDevice(db, key, pending)) ?? (await seeOrganizersDevice(db, key, { name: organizerDevice, pending }));
  return device ?? null;
}
