import { describe, expect, it } from 'vitest';
import { DEVICE_NAME_MAX } from '#domain/limits.ts';
import { nameDevice } from './name-device.ts';

const open = (name: string) => ({ id: name, name, isOpen: true });
const removed = (name: string) => ({ id: name, name, isOpen: false });

describe('the name of a device at the door', () => {
  it.each([
    ['as it was given', 'Gate 2', [open('Gate 1')], 'Gate 2'],
    ['with a number behind it where another one has it', 'Gate 2', [open('Gate 2')], 'Gate 2 (2)'],
    ['with the next number where that is taken, too', 'Gate 2', [open('Gate 2'), open('Gate 2 (2)')], 'Gate 2 (3)'],
    ['not told apart by its case alone', 'gate 2', [open('Gate 2')], 'gate 2 (2)'],
    ['free again once its device was removed', 'Gate 2', [removed('Gate 2')], 'Gate 2'],
    ["never the organizer's own", 'Organizer', [], 'Organizer (2)'],
    ['a number where none was given', '', [], 'Device 1'],
    ['the first free number', '', [open('Device 1'), open('Device 3')], 'Device 2'],
    ['not the number of a device that was removed, and may still have scans', '', [removed('Device 1')], 'Device 2'],
    ['a word like any other', '__proto__', [open('__proto__')], '__proto__ (2)'],
  ])('is %s', (_case, given, others, name) => {
    expect(nameDevice(given, others)).toBe(name);
  });

  it('is no longer than a name may be, and breaks no letter in two', () => {
    const given = `x${'🎪'.repeat(14)}`;
    const long = 'x'.repeat(DEVICE_NAME_MAX);

    expect(nameDevice(long, [open(long)])).toBe(`${'x'.repeat(DEVICE_NAME_MAX - 4)} (2)`);
    expect(nameDevice(given, [open(given)])).toBe(`x${'🎪'.repeat(12)} (2)`);
  });
});
