import { describe, expect, it } from 'vitest';
import {
  denyPayout,
  denyRefund,
  denyRepeatedRefund,
  isSettled,
  PAYOUT_DENIALS,
  refundableEnd,
  settlesAt,
} from './settlement.ts';

const endsAt = new Date('2026-06-12T23:00:00Z');
const settled = new Date('2026-06-13T23:00:00Z');
const justBefore = new Date(settled.getTime() - 1);

describe('the settlement of an event', () => {
  it('is exactly 24 hours after its end', () => {
    expect(settlesAt(endsAt)).toEqual(settled);
    expect(isSettled(endsAt, justBefore)).toBe(false);
    expect(isSettled(endsAt, settled)).toBe(true);
  });
});

describe('a refund', () => {
  it.each([
    ['valid', justBefore, null],
    ['valid', settled, 'window-closed'],
    ['refunding', justBefore, 'already-refunded'],
    ['refunding', settled, 'already-refunded'],
    ['refunded', justBefore, 'already-refunded'],
    ['scanned', justBefore, 'already-scanned'],
    ['scanned', settled, 'already-scanned'],
    ['void', justBefore, 'void'],
    ['void', settled, 'void'],
  ] as const)('of a %s ticket at %o: %s', (state, now, denial) => {
    expect(denyRefund({ state, eventEndsAt: endsAt }, now)).toBe(denial);
  });
});

describe('the end that refunds count from', () => {
  const after = new Date(endsAt.getTime() + 1);

  it.each([
    ['is that of the event', null, endsAt],
    ['stays after an earlier undo of a check-in', new Date(endsAt.getTime() - 1), endsAt],
    ['moves to a later undo [WINDOW-0]', after, after],
  ])('%s', (_case, undoneAt, expected) => {
    expect(refundableEnd(endsAt, undoneAt)).toEqual(expected);
  });
});

describe('a payout', () => {
  const event = { endsAt, cancelledAt: null, isPaidOut: false, hasOpenObjections: false };
  const sold = { paidTickets: 3, freeTickets: 0, netCents: 80_73, debtDeductedCents: 0, onHoldCents: 0 };
  const noPaid = { ...sold, paidTickets: 0, netCents: 0 };

  it.each([
    ['is due once the event has settled', event, sold, settled, null],
    ['is denied before then', event, sold, justBefore, 'too-early'],
    ['is denied for a cancelled event', { ...event, cancelledAt: endsAt }, sold, settled, 'event-cancelled'],
    ['is paid once', { ...event, isPaidOut: true }, sold, settled, 'already-paid-out'],
    ['waits for objections [WINDOW-0]', { ...event, hasOpenObjections: true }, sold, settled, 'objections-open'],
    ['requires a sale', event, noPaid, settled, 'nothing-sold'],
    ['requires a paid ticket', event, { ...noPaid, freeTickets: 1 }, settled, 'only-free-tickets'],
    ['waits for disputes', event, { ...noPaid, freeTickets: 1, onHoldCents: 1 }, settled, 'all-disputed'],
    ['must exceed the fees', event, { ...sold, netCents: 0 }, settled, 'fees-exceed-sales'],
    ['is denied below zero', event, { ...sold, netCents: -1 }, settled, 'fees-exceed-sales'],
    ['may be as little as a cent', event, { ...sold, netCents: 1 }, settled, null],
    ['may settle a debt and transfer nothing', event, { ...sold, netCents: 0, debtDeductedCents: 1 }, settled, null],
  ] as const)('%s', (_case, of, statement, now, denial) => {
    expect(denyPayout(of, statement, now)).toBe(denial);
  });

  it('checks the event before its sales', () => {
    const cancelled = { ...event, cancelledAt: endsAt, isPaidOut: true };
    expect(denyPayout(cancelled, noPaid, justBefore)).toBe('event-cancelled');
    expect(denyPayout({ ...event, isPaidOut: true }, noPaid, justBefore)).toBe('already-paid-out');
    expect(denyPayout(event, noPaid, justBefore)).toBe('too-early');
    expect(PAYOUT_DENIALS.slice(0, 3)).toEqual(['event-cancelled', 'already-paid-out', 'too-early']);
  });
});

describe('repeated refunds', () => {
  const sixth = { cents: 24_00, otherOrders: 5, isCounted: false, isMoved: false };

  it.each([
    ['ask-organizer', sixth],
    ['ask-organizer', { ...sixth, otherOrders: 9 }],
    [null, { ...sixth, otherOrders: 4 }],
    [null, { ...sixth, cents: 0 }],
    [null, { ...sixth, isCounted: true }],
    [null, { ...sixth, isMoved: true }],
  ])('get %s [POLICY-7]', (denial, refund) => {
    expect(denyRepeatedRefund(refund)).toBe(denial);
  });
});
