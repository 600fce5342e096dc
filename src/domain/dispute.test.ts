import { describe, expect, it } from 'vitest';
import { deadlineOf, disputeStep, lossShares } from './dispute.ts';

describe('a dispute', () => {
  it.each([
    [null, 'inquiry', { opens: false, ends: false }],
    ['inquiry', 'closed', { opens: false, ends: false }],
    ['inquiry', 'open', { opens: true, ends: false }],
    [null, 'open', { opens: true, ends: false }],
    ['open', 'won', { opens: false, ends: true }],
    ['open', 'lost', { opens: false, ends: true }],
    [null, 'won', { opens: true, ends: true }],
    [null, 'lost', { opens: true, ends: true }],
    [null, 'closed', { opens: false, ends: false }],
    ['inquiry', 'won', { opens: true, ends: true }],
    ['inquiry', 'lost', { opens: true, ends: true }],
  ] as const)('goes from %s to %s', (from, to, step) => {
    expect(disputeStep(from, to)).toEqual(step);
  });

  it.each([
    ['open', 'open'],
    ['open', 'inquiry'],
    ['open', 'closed'],
    ['inquiry', 'inquiry'],
    ['won', 'lost'],
    ['lost', 'open'],
    ['closed', 'open'],
    ['lost', 'lost'],
  ] as const)('never goes from %s to %s', (from, to) => {
    expect(disputeStep(from, to)).toBeNull();
  });
});

describe('a lost dispute', () => {
  it.each([
    ['is charged to the organizer first', 24_00, [30_00, 10_00], [24_00, 0]],
    ['is charged to the buyer next', 24_00, [20_00, 10_00], [20_00, 4_00]],
    ['charges each at most their balance', 24_00, [10_00, 5_00], [10_00, 5_00]],
    ['charges nothing to empty balances', 24_00, [0, 0], [0, 0]],
    ['charges nothing to an organizer with a negative balance', 24_00, [-5_00, 30_00], [0, 24_00]],
    ['charges nothing to a buyer with a negative balance', 24_00, [20_00, -5_00], [20_00, 0]],
  ] as const)('%s', (_case, cents, [organizerLeft, buyerLeft], [organizerCents, buyerCents]) => {
    const left = { organizerCents: organizerLeft, buyerCents: buyerLeft };
    expect(lossShares(cents, left)).toEqual({ organizerCents, buyerCents });
  });
});

describe('the deadline of a dispute', () => {
  const dueAt = new Date('2026-12-07T20:00:00Z');
  const before = (days: number, hours = 0) => new Date(dueAt.getTime() - (days * 24 + hours) * 60 * 60 * 1000);

  it.each([
    ['later', 5, 120, before(5)],
    ['later', 3, 72, before(3)],
    ['soon', 2, 71, before(2, 23)],
    ['soon', 0, 1, before(0, 1)],
    ['soon', 0, 0, new Date(dueAt.getTime() - 1)],
    ['over', 0, 0, dueAt],
    ['over', 0, 0, before(-1)],
  ] as const)('is %s with %i days or %i hours left [EVID-1]', (urgency, days, hours, now) => {
    expect(deadlineOf(dueAt, now)).toEqual({ urgency, days, hours });
  });
});
