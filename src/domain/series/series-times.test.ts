import { describe, expect, it } from 'vitest';
import { daysBetween, dayTimeOf, localOf } from './series-times.ts';

describe('times of a series [SERIES-5]', () => {
  it.each([
    ['2026-06-12T20:00', '2026-06-12T23:30', 0, '23:30'],
    ['2026-06-12T20:00', '2026-06-13T01:00', 1, '01:00'],
    ['2026-03-07T20:00', '2026-03-08T02:30', 1, '02:30'],
    ['2027-01-01T00:30', '2026-12-31T10:00', -1, '10:00'],
    ['2028-02-28T20:00', '2028-03-01T20:00', 2, '20:00'],
  ])('count the days from %s to %s', (start, local, days, time) => {
    expect(dayTimeOf(start, local)).toEqual({ days, time });
    expect(localOf(start, { days, time })).toBe(local);
  });

  it('count days and not hours', () => {
    expect(daysBetween('2026-03-07T23:59', '2026-03-08T00:00')).toBe(1);
    expect(daysBetween('2026-03-08T00:00', '2026-03-07T23:59')).toBe(-1);
  });
});
