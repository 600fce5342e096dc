import { describe, expect, it } from 'vitest';
import { type CheckInDevice } from '#contract/app/check-in-devices.ts';
import { removalConsequences } from '#messages/check-in-dashboard.ts';
import { deviceState, devicesAtDoor, devicesLeft } from './device-state.ts';

const NOW = Date.parse('2026-06-12T23:02:14Z');

function device(name: string, change: Partial<CheckInDevice> = {}): CheckInDevice {
  return {
    id: name,
    name,
    enteredAt: NOW - 60_000,
    seenAt: NOW,
    lastScanAt: null,
    admitted: 0,
    pending: 0,
    state: 'open',
    isMember: false,
    ...change,
  };
}

const namesOf = (devices: readonly CheckInDevice[]) => devices.map(({ name }) => name);

describe('a device', () => {
  it('is silent after a minute without contact', () => {
    expect(deviceState(device('Gate 1', { seenAt: NOW - 60_000 }), NOW)).toBe('open');
    expect(deviceState(device('Gate 1', { seenAt: NOW - 60_001 }), NOW)).toBe('silent');
  });

  it('stays removed, however long ago it was seen', () => {
    expect(deviceState(device('Gate 1', { seenAt: 0, state: 'removed' }), NOW)).toBe('removed');
  });

  it('is sorted by entry, not by contact, the latest first', () => {
    const late = device('Late', { enteredAt: NOW - 1000, seenAt: NOW - 9000 });
    const early = device('Early', { seenAt: NOW });

    expect(namesOf(devicesAtDoor([early, late]))).toEqual(['Late', 'Early']);
    expect(namesOf(devicesAtDoor([late, { ...early, seenAt: NOW + 1 }]))).toEqual(['Late', 'Early']);
  });

  it('stays listed while it has pending scans', () => {
    const devices = [device('Waits', { state: 'removed', pending: 2 }), device('Gone', { state: 'ended' })];

    expect(namesOf(devicesAtDoor(devices))).toEqual(['Waits']);
    expect(namesOf(devicesLeft(devices))).toEqual(['Gone']);
  });
});

describe('removing a device', () => {
  const WAITING = /waiting to sync/;

  it('mentions pending scans only if there are any', () => {
    expect(removalConsequences(device('Gate 1')).join(' ')).not.toMatch(WAITING);
    expect(removalConsequences(device('Gate 1', { pending: 1 })).join(' ')).toContain(
      '1 scan is still waiting to sync. It stays on the device until someone enters the code there again.',
    );
    expect(removalConsequences(device('Gate 1', { pending: 7 })).join(' ')).toContain('They stay on the device');
  });
});
