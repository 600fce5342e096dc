import type { DoorDevice } from '#contract/door-view-words.ts';

/** Online devices sync every few seconds. One that is silent this long is offline or asleep. */
const SILENT_MS = 60_000;

export type ShownState = DoorDevice['state'] | 'silent';

export function deviceState({ state, seenAt }: Pick<DoorDevice, 'state' | 'seenAt'>, now: number): ShownState {
  return state === 'open' && now - seenAt > SILENT_MS ? 'silent' : state;
}

/**
 * Devices in use or with pending scans, the last to enter first. Not sorted by when they were seen: rows that move every few
 * seconds are unreadable and lose focus.
 */
export function devicesAtDoor(devices: readonly DoorDevice[]): DoorDevice[] {
  return byEntry(devices.filter(isAtDoor));
}

export function devicesLeft(devices: readonly DoorDevice[]): DoorDevice[] {
  return byEntry(devices.filter((device) => !isAtDoor(device)));
}

const isAtDoor = ({ state, pending }: DoorDevice) => state === 'open' || pending > 0;
const byEntry = (devices: readonly DoorDevice[]) =>
  devices.toSorted((a, b) => b.enteredAt - a.enteredAt || a.id.localeCompare(b.id));
