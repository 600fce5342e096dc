import { describe, expect, it } from 'vitest';
import { cancelledEvent, endedEvent, eventOnSale, lastSaturday } from './demo-events.ts';

const HOUR = 60 * 60 * 1000;

/** Starts of the demo when it is set up at that moment. */
const startsAt = (moment: Date) => [
  ...[eventOnSale, endedEvent, cancelledEvent].map(({ form }) => form(moment).startDate_startTime),
  lastSaturday(moment).startsAt.toISOString(),
];

describe('evenings of the demo', () => {
  it('exist when it is set up around midnight, also before a day of 25 hours', () => {
    const first = Date.parse('2026-10-20T04:30:00Z');
    const moments = Array.from({ length: 14 }, (_, day) => new Date(first + day * 24 * HOUR));
    const isTime = /^20\d\d-\d\d-\d\dT/;

    const without = moments.filter((moment) => !startsAt(moment).every((start) => isTime.test(start)));

    expect(without).toEqual([]);
  });
});
