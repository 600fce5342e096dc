import { organizerDevice, tooManyDevices } from '#contract/admission.ts';
import { CHECK_IN_DEVICES_MAX } from '#domain/limits.ts';
import { conflict } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import {
  type LiveDevice,
  liveDevicesOf,
  lockDevices,
  type OpenDevice,
  putDevice,
  seeDevice,
  seeOrganizersDevice,
} from './devices.sql.ts';
import { nameDevice } from './name-device.ts';

/** Removed ones count here until their time is up: every process has them in mind for so long. */
const ENTRIES_MAX = 5 * CHECK_IN_DEVICES_MAX;

interface Entering {
  eventId: string;
  /** Of the code that was entered. */
  codeVersion: number;
  /** By a grant that this browser has and that is still good. */
  earlierId: string | null;
  /** As the attendant gave it; may be empty. */
  name: string;
  endsAt: Date;
}

/**
 * Who knows the code is at the door from here on. A browser that was there already stays the same device, so that the list of
 * devices holds none that nobody has any more, and scans that wait in it are still its own.
 *
 * @returns the device's id, or null where the code was changed in this very moment
 */
export function enterDevice(db: Db, { eventId, codeVersion, earlierId, name, endsAt }: Entering) {
  return inTransaction(db, async (tx) => {
    await lockDevices(tx, eventId);
    const devices = await liveDevicesOf(tx, eventId);
    const own = devices.find(({ id, isOpen }) => id === earlierId && isOpen);
    const others = devices.filter((device) => device !== own);
    if (!own) denyTooManyDevices(others);

    const id = own?.id ?? newId();
    const called = own && name === '' ? own.name : nameDevice(name, others);
    return (await putDevice(tx, { eventId, id, name: called, endsAt, codeVersion })) ? id : null;
  });
}

function denyTooManyDevices(devices: readonly LiveDevice[]): void {
  const open = devices.filter(({ isOpen }) => isOpen);
  if (open.length >= CHECK_IN_DEVICES_MAX || devices.length >= ENTRIES_MAX) throw conflict(tooManyDevices);
}

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
