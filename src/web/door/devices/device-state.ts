import { type CheckInDevice } from '#contract/app/check-in-devices.ts';

/** Online devices sync every few seconds. One that is silent this long is offline or asleep. */
const SILENT_MS = 60_000;

export type ShownState = CheckInDevice['state'] | 'silent';

export function deviceState({ state, seenAt }: Pick<CheckInDevice, 'state' | 'seenAt'>, now: number): ShownState {
  return state === 'open' && now - seenAt > SILENT_MS ? 'silent' : state;
}

/**
 * Devices in use or with pending scans, the last to enter first. Not sorted by when they were seen: rows that move every few
 * seconds are unreadable and lose focus.
 */
export function devicesAtDoor(devices: readonly CheckInDevice[]): CheckInDevice[] {
  return byEntry(devices.filter(isAtDoor));
}

export function devicesLeft(devices: readonly CheckInDevice[]): CheckInDevice[] {
  return byEntry(devices.filter((device) => !isAtDoor(device)));
}

const isAtDoor = ({ state, pending }: CheckInDevice) => state === 'open' || pending > 0;
const byEntry = (devices: readonly CheckInDevice[]) =>
  devices.toSorted((a, b) => b.enteredAt - a.enteredAt || a.id.localeCompare(b.id));
