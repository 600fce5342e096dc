import { describe, expect, it } from 'vitest';
import { settlesAt } from '#domain/settlement.ts';
import { denyWithdrawal } from './comps.ts';

const eventEndsAt = new Date('2026-06-13T03:00:00Z');
const settled = settlesAt(eventEndsAt);
const before = new Date(settled.getTime() - 1);

describe('withdrawing a comp [COMP-4]', () => {
  it.each([
    ['valid', before, null],
    ['valid', settled, 'window-closed'],
    ['scanned', before, 'already-scanned'],
    ['refunding', before, 'already-withdrawn'],
    ['refunded', settled, 'already-withdrawn'],
    ['void', before, 'void'],
  ] as const)('%s at %s: %s', (state, now, denial) => {
    expect(denyWithdrawal({ state, eventEndsAt }, now)).toBe(denial);
  });
});
