import { describe, expect, it } from 'vitest';
import { DEVICE_NAME_MAX } from '#domain/limits.ts';
import { nameDevice, nameOfMember } from './name-device.ts';

const open = (name: string) => ({ id: name, name, isOpen: true, isMember: false });
const removed = (name: string) => ({ ...open(name), isOpen: false });

describe('the name of a device', () => {
  it.each([
    ['the one given', 'Gate 2', [open('Gate 1')], 'Gate 2'],
    ['numbered if another device has it', 'Gate 2', [open('Gate 2')], 'Gate 2 (2)'],
    ['given the next number if that is taken too', 'Gate 2', [open('Gate 2'), open('Gate 2 (2)')], 'Gate 2 (3)'],
    ['compared without case', 'gate 2', [open('Gate 2')], 'gate 2 (2)'],
    ['available again once its device is removed', 'Gate 2', [removed('Gate 2')], 'Gate 2'],
    ['never that of a member without a device', 'Organizer', [], 'Organizer (2)'],
    ['a default number if none is given', '', [], 'Device 1'],
    ['the first free number', '', [open('Device 1'), open('Device 3')], 'Device 2'],
    ['not the number of a removed device, which may still have scans', '', [removed('Device 1')], 'Device 2'],
    ['safe with a property of Object', '__proto__', [open('__proto__')], '__proto__ (2)'],
  ])('is %s', (_case, given, others, name) => {
    expect(nameDevice(given, others)).toBe(name);
  });

  it('stays within the length limit without splitting a surrogate pair', () => {
    const given = `x${'🎪'.repeat(14)}`;
    const long = 'x'.repeat(DEVICE_NAME_MAX);

    expect(nameDevice(long, [open(long)])).toBe(`${'x'.repeat(DEVICE_NAME_MAX - 4)} (2)`);
    expect(nameDevice(given, [open(given)])).toBe(`x${'🎪'.repeat(12)} (2)`);
  });
});

describe("a member's own name [ROLE-3]", () => {
  it.each([
    ['first and last', 'Mara Quill', 'mara@example.com', 'Mara Quill'],
    ['of the address without its domain', '', 'mara.quill@example.com', 'mara.quill'],
    [
      'cut to the length of a device name',
      'Wolfeschlegelsteinhausen Bergerdorff',
      'w@example.com',
      'Wolfeschlegelsteinhausen Berge',
    ],
  ])('is %s', (_case, name, email, own) => {
    expect(nameOfMember({ name, email })).toBe(own);
  });
});
