import { numberedDevice, organizerDevice } from '#contract/admission.ts';
import { DEVICE_NAME_MAX } from '#domain/limits.ts';
import type { LiveDevice } from './devices.sql.ts';

/**
 * What a device is called beside the others: no two that are at the door have the same name, whatever its case. A number is
 * not given again while a device that had it may still have scans to hand in.
 */
export function nameDevice(given: string, others: readonly LiveDevice[]): string {
  const isTaken = takenBy(given === '' ? others : others.filter(({ isOpen }) => isOpen));
  for (let place = 1; ; place++) {
    const name = given === '' ? numberedDevice(place) : inPlace(given, place);
    if (!isTaken(name)) return name;
  }
}

/** Nobody else is called what the organizer's own browser is. */
function takenBy(devices: readonly LiveDevice[]): (name: string) => boolean {
  const names = new Set([organizerDevice, ...devices.map(({ name }) => name)].map((name) => name.toLowerCase()));
  return (name) => names.has(name.toLowerCase());
}

const HALF_A_LETTER = /[\ud800-\udbff]$/;

function inPlace(given: string, place: number): string {
  if (place === 1) return given;
  const ending = ` (${place})`;
  const room = given.slice(0, DEVICE_NAME_MAX - ending.length);
  return room.replace(HALF_A_LETTER, '') + ending;
}
