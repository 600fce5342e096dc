import { describe, expect, it } from 'vitest';
import { localTimeOf } from '#domain/local-time.ts';
import { nextDate } from './next-date.ts';

const NEW_YORK = 'America/New_York';

/** Local start and end of the copy of an event that lasts three hours. */
function copyOf(start: string, now: string): [start: string, end: string] {
  const startsAt = new Date(start);
  const original = { startsAt, endsAt: new Date(startsAt.getTime() + 3 * 3_600_000), timezone: NEW_YORK };
  const date = nextDate(original, new Date(now));
  expect(localTimeOf(date.startsAt, NEW_YORK)).toBe(date.start);
  return [date.start, localTimeOf(date.endsAt, NEW_YORK)];
}

describe('the date of a copy', () => {
  it.each([
    ['a week after an event that lies ahead', '2026-06-13T00:00:00Z', '2026-05-01T12:00:00Z', '2026-06-19T20:00'],
    ['a week after one that starts now', '2026-06-13T00:00:00Z', '2026-06-13T00:00:00Z', '2026-06-19T20:00'],
    ['the same evening, hours ahead', '2026-06-13T00:00:00Z', '2026-06-19T20:00:00Z', '2026-06-19T20:00'],
    [
      'a week later, minutes after that evening began',
      '2026-06-13T00:00:00Z',
      '2026-06-20T00:01:00Z',
      '2026-06-26T20:00',
    ],
    [
      'at the same local time after clocks went back',
      '2026-10-24T00:00:00Z',
      '2026-11-01T12:00:00Z',
      '2026-11-06T20:00',
    ],
    [
      'at the same local time after clocks went forward',
      '2026-03-07T01:00:00Z',
      '2026-03-08T12:00:00Z',
      '2026-03-13T20:00',
    ],
    ['years later', '2020-02-29T01:00:00Z', '2026-11-28T12:00:00Z', '2026-12-04T20:00'],
    ['a week after the night that skips its hour', '2026-03-01T07:30:00Z', '2026-03-02T00:00:00Z', '2026-03-15T02:30'],
  ])('is %s', (_what, startsAt, now, expected) => {
    expect(copyOf(startsAt, now)[0]).toBe(expected);
  });

  it('ends at the same local time, and not in a skipped hour', () => {
    expect(copyOf('2026-10-24T00:00:00Z', '2026-11-01T12:00:00Z')).toEqual(['2026-11-06T20:00', '2026-11-06T23:00']);
    // From 11:30 PM to 2:30 AM, a week before the night that skips 2:30 AM.
    expect(copyOf('2026-03-01T04:30:00Z', '2026-03-02T00:00:00Z')).toEqual(['2026-03-14T23:30', '2026-03-15T02:30']);
  });
});
