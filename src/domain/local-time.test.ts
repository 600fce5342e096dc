import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantOf, localTimeOf } from './local-time.ts';

const NEW_YORK = 'America/New_York';

describe('a wall clock in a time zone', () => {
  it.each([
    ['2026-06-12T20:00', NEW_YORK, '2026-06-13T00:00:00.000Z'],
    ['2026-12-31T23:30', 'America/Los_Angeles', '2027-01-01T07:30:00.000Z'],
    ['2026-06-12T20:00Z', NEW_YORK, '2026-06-12T20:00:00.000Z'],
    ['2026-06-12T20:00:00-04:00', 'America/Denver', '2026-06-13T00:00:00.000Z'],
  ])('%s in %s is %s', (local, zone, instant) => {
    expect(instantOf(local, zone, 'earlier')).toEqual(new Date(instant));
  });

  it.each([
    '',
    'tomorrow',
    '2026-13-01T10:00',
    '2026-02-30T10:00',
    '2026-06-12T25:00',
    '2026-06-12T10:60',
    '2026-06-12',
  ])('cannot read "%s"', (text) => {
    expect(instantOf(text, NEW_YORK, 'earlier')).toBe('malformed');
  });

  it('has no 2:30 in the night when the clocks go forward', () => {
    expect(instantOf('2027-03-14T02:30', NEW_YORK, 'earlier')).toBe('skipped-hour');
  });

  it('has two readings of 1:30 in the night when the clocks go back', () => {
    expect(instantOf('2027-11-07T01:30', NEW_YORK, 'earlier')).toEqual(new Date('2027-11-07T05:30:00Z'));
    expect(instantOf('2027-11-07T01:30', NEW_YORK, 'later')).toEqual(new Date('2027-11-07T06:30:00Z'));
  });

  it('reads back every instant that it shows', () => {
    const minutes = fc.integer({ min: Date.UTC(2024, 0) / 60_000, max: Date.UTC(2030, 0) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(NEW_YORK, 'America/Chicago', 'America/Denver'), (minute, zone) => {
        const instant = new Date(minute * 60_000);
        const local = localTimeOf(instant, zone);
        const readings = [instantOf(local, zone, 'earlier'), instantOf(local, zone, 'later')];
        expect(readings).toContainEqual(instant);
      }),
    );
  });
});
