import { describe, expect, it } from 'vitest';
import {
  type CheckInHours,
  checkInHours,
  denyByHours,
  denyHours,
  denyScan,
  doorsOpenAt,
  moveHours,
} from './check-in-hours.ts';

const HOUR = 60 * 60 * 1000;
// From 8 PM to midnight in New York, on the evening before clocks fall back at 2 AM.
const startsAt = new Date('2026-11-01T00:00:00Z');
const endsAt = new Date('2026-11-01T04:00:00Z');
const event = { startsAt, endsAt };
const none = { checkInOpensAt: null, checkInClosesAt: null };
const after = (at: Date, hours: number, ms = 0) => new Date(at.getTime() + hours * HOUR + ms);

describe('check-in hours [WINDOW-1 WINDOW-2]', () => {
  it('are none unless one of them is set', () => {
    expect(checkInHours({ ...event, ...none })).toEqual({ opensAt: null, closesAt: null });
  });

  it('close 12 real hours after the end by default, also in the night of 25 hours [WINDOW-2]', () => {
    const opensAt = after(startsAt, -2);
    expect(checkInHours({ ...event, ...none, checkInOpensAt: opensAt })).toEqual({
      opensAt,
      closesAt: new Date('2026-11-01T16:00:00Z'),
    });
  });

  it('open 12 hours before the start by default', () => {
    const closesAt = after(endsAt, 1);
    expect(checkInHours({ ...event, ...none, checkInClosesAt: closesAt })).toEqual({
      opensAt: after(startsAt, -12),
      closesAt,
    });
  });

  it('tell buyers when the doors open, unless that is the earliest possible [WINDOW-1]', () => {
    const doors = (hours: number) => doorsOpenAt({ startsAt, checkInOpensAt: after(startsAt, hours) });
    expect(doors(-1)).toEqual(after(startsAt, -1));
    expect(doors(-12)).toBeNull();
    expect(doorsOpenAt({ startsAt, checkInOpensAt: null })).toBeNull();
  });

  it.each([
    ['any time', none, null],
    ['12 hours before the start', { checkInOpensAt: after(startsAt, -12) }, null],
    ['a moment earlier', { checkInOpensAt: after(startsAt, -12, -1) }, 'opens-too-early'],
    ['a closing at the start', { checkInClosesAt: startsAt }, null],
    ['a closing a moment earlier', { checkInClosesAt: after(startsAt, 0, -1) }, 'closes-out-of-range'],
    ['a closing 24 hours after the end', { checkInClosesAt: after(endsAt, 24) }, null],
    ['a closing a moment later', { checkInClosesAt: after(endsAt, 24, 1) }, 'closes-out-of-range'],
    ['an opening at the closing', { checkInOpensAt: endsAt, checkInClosesAt: endsAt }, null],
    ['an opening after it', { checkInOpensAt: after(endsAt, 1), checkInClosesAt: endsAt }, 'opens-after-closing'],
    ['an opening after the default closing', { checkInOpensAt: after(endsAt, 12, 1) }, 'opens-after-closing'],
  ])('of %s: %s', (_case, hours, denial) => {
    expect(denyHours({ ...event, ...none, ...hours })).toBe(denial);
  });

  it.each([
    ['move with start and end', { startsAt: after(startsAt, 24), endsAt: after(endsAt, 26) }, -3, 1],
    ['stay when nothing moves', event, -3, 1],
  ])('%s', (_case, to, before, afterEnd) => {
    const hours = { checkInOpensAt: after(startsAt, before), checkInClosesAt: after(endsAt, afterEnd) };
    expect(moveHours(hours, event, to)).toEqual({
      checkInOpensAt: after(to.startsAt, before),
      checkInClosesAt: after(to.endsAt, afterEnd),
    });
  });

  it('stay within what is allowed when the event gets shorter than their distance', () => {
    const hours = { checkInOpensAt: after(startsAt, 1), checkInClosesAt: after(endsAt, -2) };
    const shorter = { startsAt, endsAt: after(startsAt, 1) };
    const moved = moveHours(hours, event, shorter);
    expect(moved).toEqual({ checkInOpensAt: startsAt, checkInClosesAt: startsAt });
    expect(denyHours({ ...shorter, ...moved })).toBeNull();
    expect(moveHours(none, event, shorter)).toEqual(none);
  });
});

describe('a scan [WINDOW-3]', () => {
  const hours: CheckInHours = { opensAt: startsAt, closesAt: endsAt };

  it.each([
    ['before opening', after(startsAt, 0, -1), 'not-open'],
    ['at opening', startsAt, null],
    ['a moment before closing', after(endsAt, 0, -1), null],
    ['at closing', endsAt, 'closed'],
  ])('%s: %s', (_when, at, denial) => {
    expect(denyByHours(hours, at)).toBe(denial);
    expect(denyByHours({ opensAt: null, closesAt: null }, at)).toBeNull();
  });

  it('is denied for a cancelled event first, then by the hours, then by its ticket', () => {
    const ticket = { state: 'refunded', disputedAt: null, cancelledAt: null } as const;
    const early = after(startsAt, -1);
    expect(denyScan({ ...ticket, cancelledAt: early }, hours, early)).toBe('event-cancelled');
    expect(denyScan(ticket, hours, early)).toBe('not-open');
    expect(denyScan(ticket, hours, startsAt)).toBe('refunded');
    expect(denyScan({ ...ticket, state: 'valid' }, hours, startsAt)).toBeNull();
  });
});
