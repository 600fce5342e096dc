import { describe, expect, it } from 'vitest';
import { correctableUntil, denyTransfer, denyTransfers, TRANSFERS_MAX } from './ticket-transfers.ts';

const startsAt = new Date('2026-06-12T20:00:00Z');
const before = new Date(startsAt.getTime() - 1);
const event = { startsAt, cancelledAt: null, allowsTicketTransfer: true };
const ticket = { state: 'valid', disputedAt: null, transferredCount: 0 } as const;

describe('a transfer [HOLDER-2]', () => {
  it.each([
    ['a valid ticket before the start', {}, {}, before, null],
    ['a ticket at the start', {}, {}, startsAt, 'closed'],
    ['a ticket where it is turned off', {}, { allowsTicketTransfer: false }, before, 'off'],
    ['a ticket after the start where it is turned off', {}, { allowsTicketTransfer: false }, startsAt, 'closed'],
    ['a ticket of a cancelled event', {}, { cancelledAt: before }, before, 'ended'],
    ['the last transfer', { transferredCount: TRANSFERS_MAX - 1 }, {}, before, null],
    ['one transfer more', { transferredCount: TRANSFERS_MAX }, {}, before, 'limit'],
    ['a scanned ticket', { state: 'scanned' as const }, {}, before, 'scanned'],
    ['a refunding ticket', { state: 'refunding' as const }, {}, before, 'ended'],
    ['a refunded ticket', { state: 'refunded' as const }, {}, before, 'ended'],
    ['a void ticket', { state: 'void' as const }, {}, before, 'ended'],
    ['a disputed ticket', { disputedAt: before }, {}, before, 'disputed'],
  ])('of %s', (_case, ticketChange, eventChange, now, denial) => {
    expect(denyTransfer({ ...ticket, ...ticketChange }, { ...event, ...eventChange }, now)).toBe(denial);
  });

  it('is denied for all tickets of an event by the same rule', () => {
    expect(denyTransfers(event, before)).toBeNull();
    expect(denyTransfers(event, startsAt)).toBe('closed');
  });
});

describe('a typo in the address [ORDER-2]', () => {
  const order = { paidAt: startsAt, totalCents: 100, linkVersion: 0 };
  it('is corrected within an hour, once, and not for a free order', () => {
    expect(correctableUntil(order)).toEqual(new Date('2026-06-12T21:00:00Z'));
    expect(correctableUntil({ ...order, totalCents: 0 })).toBeNull();
    expect(correctableUntil({ ...order, linkVersion: 1 })).toBeNull();
  });
});
