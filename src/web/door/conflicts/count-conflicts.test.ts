import { describe, expect, it } from 'vitest';
import type { DoorFinding } from '#contract/door-view-words.ts';
import { admittedWrongly, findingWords } from '#contract/door-view-words.ts';
import { doublesOf, keysOf } from './count-conflicts.ts';

const finding = (outcome: DoorFinding['outcome'], confirmationNumber: string | null): DoorFinding => ({
  outcome,
  ticketName: confirmationNumber && 'Floor',
  confirmationNumber,
  at: 1,
  device: 'Gate 1',
  firstAt: null,
  firstDevice: null,
});

describe('the findings of a door', () => {
  it('count a ticket that came in three times once', () => {
    const findings = [finding('double', '1'), finding('double', '2'), finding('double', '1'), finding('refunded', '3')];

    expect(doublesOf(findings)).toBe(2);
  });

  it('are told apart also where all that is known of them is the same', () => {
    const keys = keysOf([finding('unknown', null), finding('unknown', null), finding('refunded', '3')]);

    expect(new Set(keys).size).toBe(3);
  });

  it('keep their keys when a new one comes in front', () => {
    const old = [finding('double', '1'), finding('refunded', '3')];

    expect(keysOf([finding('disputed', '9'), ...old]).slice(1)).toEqual(keysOf(old));
  });

  it('each have words of their own', () => {
    expect(new Set(Object.values(findingWords)).size).toBe(5);
    expect(admittedWrongly(1)).toBe('1 guest was let in whose ticket was not good.');
    expect(admittedWrongly(1200)).toBe('1,200 guests were let in whose tickets were not good.');
  });
});
