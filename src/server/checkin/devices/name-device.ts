import { DEVICE_NAME_MAX } from '#domain/limits.ts';
import { keyDevice, numberedDevice, organizerDevice } from '#messages/check-in.ts';
import type { LiveDevice } from './devices.sql.ts';

/**
 * Device names are unique among the open devices of an event, ignoring case. A default number is not reused while a
 * removed device that had it may still have scans to sync.
 */
export function nameDevice(given: string, others: readonly LiveDevice[]): string {
  const isTaken = nameChecker(given === '' ? others : others.filter(({ isOpen }) => isOpen));
  for (let number = 1; ; number++) {
    const name = given === '' ? numberedDevice(number) : withNumber(given, number);
    if (!isTaken(name)) return name;
  }
}

/** The name of a member without a device is reserved. */
function nameChecker(devices: readonly LiveDevice[]): (name: string) => boolean {
  const names = new Set([organizerDevice, ...devices.map(({ name }) => name)].map((name) => name.toLowerCase()));
  return (name) => names.has(name.toLowerCase());
}

const LONE_HIGH_SURROGATE = /[\ud800-\udbff]$/;

function withNumber(given: string, number: number): string {
  if (number === 1) return given;
  const suffix = ` (${number})`;
  return cut(given, DEVICE_NAME_MAX - suffix.length) + suffix;
}

const cut = (name: string, length: number) => name.slice(0, length).replace(LONE_HIGH_SURROGATE, '').trimEnd();

export const nameOfKey = (name: string): string => cut(keyDevice(name), DEVICE_NAME_MAX);

/** Of the address only the part that names the person: attendants see the name, too. */
export const nameOfMember = ({ name, email }: { name: string; email: string }): string =>
  cut(name === '' ? email.slice(0, email.lastIndexOf('@')) : name, DEVICE_NAME_MAX);
