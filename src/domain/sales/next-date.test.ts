import { describe, expect, it } from 'vitest';
import { localTimeOf } from '#domain/local-time.ts';
import { msToNextDate } from './next-date.ts';

const NEW_YORK = 'America/New_York';

function nextDate(startsAt: string, now: string, timezone = NEW_YORK): string {
  const start = new Date(startsAt);
  return localTimeOf(new Date(start.getTime() + msToNextDate({ startsAt: start, timezone }, new Date(now))), timezone);
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
    expect(nextDate(startsAt, now)).toBe(expected);
  });
});
