import type { DoorDevice } from '#contract/door-view-words.ts';

/** A device with a network asks for news every few seconds: whoever has missed that many times has none, or sleeps. */
const SILENT_MS = 60_000;

export type ShownState = DoorDevice['state'] | 'silent';

export function stateOf({ state, seenAt }: Pick<DoorDevice, 'state' | 'seenAt'>, now: number): ShownState {
  return state === 'open' && now - seenAt > SILENT_MS ? 'silent' : state;
}

/**
 * Those at the door, and those that still have scans to hand in; the last to enter first. By when they entered and not by
 * when they were seen: rows that trade places every few seconds cannot be read, and lose the focus.
 */
export function devicesAtDoor(devices: readonly DoorDevice[]): DoorDevice[] {
  return byEntry(devices.filter(isAtDoor));
}

export function devicesGone(devices: readonly DoorDevice[]): DoorDevice[] {
  return byEntry(devices.filter((device) => !isAtDoor(device)));
}

const isAtDoor = ({ state, pending }: DoorDevice) => state === 'open' || pending > 0;
const byEntry = (devices: readonly DoorDevice[]) =>
  devices.toSorted((a, b) => b.enteredAt - a.enteredAt || a.id.localeCompare(b.id));
