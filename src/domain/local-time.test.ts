import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantOf, localTimeOf, localTimeWithOffset } from './local-time.ts';

const NEW_YORK = 'America/New_York';

describe('a local time', () => {
  it.each([
    ['2026-06-12T20:00', NEW_YORK, '2026-06-13T00:00:00.000Z'],
    ['2026-12-31T23:30', 'America/Los_Angeles', '2027-01-01T07:30:00.000Z'],
    ['2026-06-12T20:00Z', NEW_YORK, '2026-06-12T20:00:00.000Z'],
    ['2026-06-12T20:00:00-04:00', 'America/Denver', '2026-06-13T00:00:00.000Z'],
    ['2026-06-12T20:00:30', NEW_YORK, '2026-06-13T00:00:00.000Z'],
    ['2026-06-12T20:00:30.125Z', NEW_YORK, '2026-06-12T20:00:30.125Z'],
  ])('converts %s in %s to %s', (local, zone, instant) => {
    expect(instantOf(local, zone, 'earlier')).toEqual(new Date(instant));
    expect(instantOf(local, zone, 'later')).toEqual(new Date(instant));
  });

  it.each([
    '',
    'tomorrow',
    '2026-13-01T10:00',
    '2026-02-30T10:00',
    '2026-06-12T25:00',
    '2026-06-12T10:60',
    '2026-06-12',
    '2026-00-12T10:00',
    '2026-06-31T10:00',
    '2026-06-12T99:99',
    '2026-06-12T10:00:0',
    '1 2026-06-12T10:00',
    '2026-06-12T10:00 1',
    '2026-13-01T10:00Z',
    '1 2026-06-12T10:00Z',
    '2026-06-12T10:00Z (UTC)',
  ])('rejects "%s" as malformed', (text) => {
    expect(instantOf(text, NEW_YORK, 'earlier')).toBe('malformed');
  });

  it('rejects 2:30 AM on the night the clocks go forward', () => {
    expect(instantOf('2027-03-14T02:30', NEW_YORK, 'earlier')).toBe('skipped-hour');
  });

  it('resolves 1:30 AM to either instant on the night the clocks go back', () => {
    expect(instantOf('2027-11-07T01:30', NEW_YORK, 'earlier')).toEqual(new Date('2027-11-07T05:30:00Z'));
    expect(instantOf('2027-11-07T01:30', NEW_YORK, 'later')).toEqual(new Date('2027-11-07T06:30:00Z'));
  });

  it.each([
    ['2026-06-13T00:00:00Z', NEW_YORK, '2026-06-12T20:00:00-04:00'],
    ['2026-01-05T09:05:00Z', 'America/Los_Angeles', '2026-01-05T01:05:00-08:00'],
    ['2026-06-12T20:00:59Z', 'UTC', '2026-06-12T20:00:00+00:00'],
    ['2026-06-12T20:00:00Z', 'Asia/Kolkata', '2026-06-13T01:30:00+05:30'],
    ['2026-01-12T20:00:00Z', 'America/St_Johns', '2026-01-12T16:30:00-03:30'],
  ])('formats %s in %s as %s', (instant, zone, shown) => {
    expect(localTimeWithOffset(new Date(instant), zone)).toBe(shown);
  });

  it('converts every instant to a local time and back', () => {
    const minutes = fc.integer({ min: Date.UTC(2024, 0) / 60_000, max: Date.UTC(2030, 0) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(NEW_YORK, 'America/Chicago', 'America/Denver'), (minute, zone) => {
        const instant = new Date(minute * 60_000);
        const local = localTimeOf(instant, zone);
        const instants = [instantOf(local, zone, 'earlier'), instantOf(local, zone, 'later')];
        expect(instants).toContainEqual(instant);
      }),
    );
  });
});
