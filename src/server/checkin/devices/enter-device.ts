import { CHECK_IN_DEVICES_MAX } from '#domain/limits.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Attendant, KeyHolder } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import {
  addMemberDevice,
  type LiveDevice,
  liveDevicesOf,
  lockDevices,
  markDeviceSeen,
  memberName,
  type OpenDevice,
  upsertDevice,
} from './devices.sql.ts';
import { nameDevice, nameOfKey, nameOfMember } from './name-device.ts';

/** Includes removed devices until their grant expires: every process caches their ids until then. */
const LIVE_DEVICES_MAX = 5 * CHECK_IN_DEVICES_MAX;

interface EnteringDevice {
  eventId: string;
  /** Version of the code that was entered. */
  codeVersion: number;
  /** The device of this browser's previous grant, if that is still valid. */
  earlierId: string | null;
  /** The attendant's choice; may be empty. */
  name: string;
  endsAt: Date;
}

/**
 * A browser that enters again stays the same device, so that the list collects no stale devices and pending offline scans
 * keep their device.
 *
 * @returns the device's id, or null if the code was changed concurrently
 */
export function enterDevice(db: Db, { eventId, codeVersion, earlierId, name, endsAt }: EnteringDevice) {
  return inTransaction(db, async (tx) => {
    await lockDevices(tx, eventId);
    const devices = await liveDevicesOf(tx, eventId);
    const own = devices.find(({ id, isOpen }) => id === earlierId && isOpen);
    const others = devices.filter((device) => device !== own);
    if (!own) denyTooManyDevices(others);

    const id = own?.id ?? newId();
    const uniqueName = own && name === '' ? own.name : nameDevice(name, others);
    return (await upsertDevice(tx, { eventId, id, name: uniqueName, endsAt, codeVersion })) ? id : null;
  });
}

/** Members don't count: a team always gets in. */
function denyTooManyDevices(devices: readonly LiveDevice[]): void {
  const granted = devices.filter(({ isMember }) => !isMember);
  const open = granted.filter(({ isOpen }) => isOpen);
  if (open.length >= CHECK_IN_DEVICES_MAX || granted.length >= LIVE_DEVICES_MAX) throw new AppError('device.too-many');
}

/**
 * Records a poll and the number of scans not yet synced; null once the device was removed. A member's browser enters no
 * code, so its row is created here.
 */
export async function touchDevice(db: Db, attendant: Attendant, pending: number): Promise<OpenDevice | null> {
  const device = await markDeviceSeen(db, attendant, pending);
  if (device) return device;
  return attendant.isMember ? enterMember(db, attendant, pending) : null;
}

/** Under the member's own name, so that a team sees who admitted a guest. */
async function enterMember(db: Db, attendant: Attendant, pending: number): Promise<OpenDevice> {
  const name = nameOfMember(await memberName(db, attendant.deviceId));
  return enterNamed(db, attendant, { name, pending });
}

/** A program that checks in has a row like a member. */
export async function enterKey(db: Db, { keyId, keyName }: KeyHolder, eventId: string): Promise<void> {
  const device = { eventId, deviceId: keyId };
  const isKnown = await markDeviceSeen(db, device, 0);
  if (!isKnown) await enterNamed(db, device, { name: nameOfKey(keyName), pending: 0 });
}

interface Entry {
  name: string;
  pending: number;
}

function enterNamed(db: Db, device: Pick<Attendant, 'eventId' | 'deviceId'>, { name, pending }: Entry) {
  const { eventId, deviceId } = device;
  return inTransaction(db, async (tx) => {
    await lockDevices(tx, eventId);
    const others = (await liveDevicesOf(tx, eventId)).filter(({ id }) => id !== deviceId);
    return addMemberDevice(tx, device, { name: nameDevice(name, others), pending });
  });
}
