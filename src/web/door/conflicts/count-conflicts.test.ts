import { describe, expect, it } from 'vitest';
import { type SyncConflict } from '#contract/app/check-in-devices.ts';
import { invalidAdmissions, syncConflictMessages } from '#messages/check-in-dashboard.ts';
import { conflictKeys, countDoubleAdmissions } from './count-conflicts.ts';

const conflict = (result: SyncConflict['result'], confirmationNumber: string | null): SyncConflict => ({
  result,
  ticketName: confirmationNumber && 'Floor',
  isAddOn: false,
  confirmationNumber,
  at: 1,
  device: 'Gate 1',
  firstAt: null,
  firstDevice: null,
});

describe('sync conflicts', () => {
  it('count a ticket that was admitted three times once', () => {
    const conflicts = [
      conflict('double', '1'),
      conflict('double', '2'),
      conflict('double', '1'),
      conflict('refunded', '3'),
    ];

    expect(countDoubleAdmissions(conflicts)).toBe(2);
  });

  it('have distinct keys even when identical', () => {
    const keys = conflictKeys([conflict('unknown', null), conflict('unknown', null), conflict('refunded', '3')]);

    expect(new Set(keys).size).toBe(3);
  });

  it('keep their keys when a new one comes first', () => {
    const old = [conflict('double', '1'), conflict('refunded', '3')];

    expect(conflictKeys([conflict('disputed', '9'), ...old]).slice(1)).toEqual(conflictKeys(old));
  });

  it('each have their own text', () => {
    expect(new Set(Object.values(syncConflictMessages)).size).toBe(7);
    expect(invalidAdmissions(1)).toBe('1 guest got in with a bad ticket.');
    expect(invalidAdmissions(1200)).toBe('1,200 guests got in with bad tickets.');
  });
});
