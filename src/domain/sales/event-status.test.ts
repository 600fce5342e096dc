import { describe, expect, it } from 'vitest';
import { type EventStanding, eventStatus } from './event-status.ts';

const now = new Date('2027-03-01T12:00:00Z');
const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const onSale: EventStanding = {
  isDraft: false,
  isCancelled: false,
  isPaidOut: false,
  startsAt: at(48),
  endsAt: at(52),
  salesStartAt: null,
  isPaused: false,
  isSoldOut: false,
};

describe('the status of an event', () => {
  it.each<[Partial<EventStanding>, string]>([
    [{}, 'on-sale'],
    [{ isDraft: true, endsAt: at(-1) }, 'draft'],
    [{ isDraft: true, isCancelled: true }, 'cancelled'],
    [{ isCancelled: true, endsAt: at(-1), isPaused: true }, 'cancelled'],
    [{ isPaidOut: true, endsAt: at(-1) }, 'paid-out'],
    [{ endsAt: at(0) }, 'ended'],
    [{ endsAt: at(0), isPaused: true }, 'ended'],
    [{ isPaused: true, startsAt: at(1) }, 'paused'],
    [{ startsAt: at(12) }, 'today'],
    [{ startsAt: at(-3), endsAt: at(1), isSoldOut: true }, 'today'],
    [{ startsAt: at(12.1) }, 'on-sale'],
    [{ salesStartAt: at(1), isSoldOut: true }, 'scheduled'],
    [{ salesStartAt: at(0) }, 'on-sale'],
    [{ isSoldOut: true }, 'sold-out'],
  ])('with %j is %s', (change, status) => {
    expect(eventStatus({ ...onSale, ...change }, now)).toBe(status);
  });
});
