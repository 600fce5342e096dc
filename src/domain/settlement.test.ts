import { describe, expect, it } from 'vitest';
import { denyPayout, denyRefund, isSettled, PAYOUT_DENIALS, settlesAt } from './settlement.ts';

const endsAt = new Date('2026-06-12T23:00:00Z');
const settled = new Date('2026-06-13T23:00:00Z');
const justBefore = new Date(settled.getTime() - 1);

describe('the settlement of an event', () => {
  it('comes 24 hours after its end, to the millisecond', () => {
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
  ] as const)('of a %s ticket at %o: %s', (state, now, obstacle) => {
    expect(denyRefund({ state, eventEndsAt: endsAt }, now)).toBe(obstacle);
  });
});

describe('a payout', () => {
  const event = { endsAt, cancelledAt: null, isPaidOut: false };
  const sold = { paidTickets: 3, freeTickets: 0, netCents: 80_73, keptForDebtCents: 0, withheldCents: 0 };
  const noPaid = { ...sold, paidTickets: 0, netCents: 0 };

  it.each([
    ['is due once the event has settled', event, sold, settled, null],
    ['waits until then', event, sold, justBefore, 'too-early'],
    ['is never paid for a cancelled event', { ...event, cancelledAt: endsAt }, sold, settled, 'event-cancelled'],
    ['is paid once', { ...event, isPaidOut: true }, sold, settled, 'already-paid-out'],
    ['needs a sale', event, noPaid, settled, 'nothing-sold'],
    ['needs a paid ticket', event, { ...noPaid, freeTickets: 1 }, settled, 'only-free-tickets'],
    ['waits for disputes', event, { ...noPaid, freeTickets: 1, withheldCents: 1 }, settled, 'all-disputed'],
    ['needs more than the fees', event, { ...sold, netCents: 0 }, settled, 'fees-exceed-sales'],
    ['is refused below zero', event, { ...sold, netCents: -1 }, settled, 'fees-exceed-sales'],
    ['may be as little as a cent', event, { ...sold, netCents: 1 }, settled, null],
    ['may settle a debt and bring nothing', event, { ...sold, netCents: 0, keptForDebtCents: 1 }, settled, null],
  ] as const)('%s', (_case, of, statement, now, obstacle) => {
    expect(denyPayout(of, statement, now)).toBe(obstacle);
  });

  it('checks the event before its sales', () => {
    const gone = { ...event, cancelledAt: endsAt, isPaidOut: true };
    expect(denyPayout(gone, noPaid, justBefore)).toBe('event-cancelled');
    expect(denyPayout({ ...event, isPaidOut: true }, noPaid, justBefore)).toBe('already-paid-out');
    expect(denyPayout(event, noPaid, justBefore)).toBe('too-early');
    expect(PAYOUT_DENIALS.slice(0, 3)).toEqual(['event-cancelled', 'already-paid-out', 'too-early']);
  });
});
