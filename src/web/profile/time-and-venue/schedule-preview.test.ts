import { describe, expect, it } from 'vitest';
import { spokenLength, spokenTime, timeProblem, usualEnd } from './schedule-preview.ts';

const NEW_YORK = 'America/New_York';
const spoken = (local: string, viewerZone: string) => spokenTime(local, NEW_YORK, 'earlier', viewerZone);

describe('the typed times in words', () => {
  it('adds the reader’s own time where their clock shows another one', () => {
    expect(spoken('2026-06-12T20:00', NEW_YORK)).toBe('Friday, June 12, 2026 at 8:00 PM EDT');
    expect(spoken('2026-06-12T20:00', 'America/Toronto')).toBe('Friday, June 12, 2026 at 8:00 PM EDT');
    expect(spoken('2026-06-12T20:00', 'America/Chicago')).toBe(
      'Friday, June 12, 2026 at 8:00 PM EDT — 7:00 PM for you',
    );
    expect(spoken('2026-06-12T20:00', 'Europe/Paris')).toBe(
      'Friday, June 12, 2026 at 8:00 PM EDT — 2:00 AM on Saturday for you',
    );
  });

  it('says nothing about an hour that the clocks skip, and warns of it', () => {
    const times = { timezone: NEW_YORK, start: '2027-03-14T02:30', end: '' } as const;
    expect(spoken(times.start, NEW_YORK)).toBeNull();
    expect(timeProblem(times, new Date('2027-01-01'))).toBe(
      'Start date/time does not exist: the clocks go forward then',
    );
  });

  it('warns of a start in the past before an end is typed', () => {
    const now = new Date('2026-06-12T23:59:00Z');
    expect(timeProblem({ timezone: NEW_YORK, start: '2026-06-12T20:00', end: '' }, now)).toBeNull();
    expect(timeProblem({ timezone: NEW_YORK, start: '2026-06-12T19:59', end: '' }, now)).toBe(
      'Start date/time must be in the future',
    );
  });

  it('counts real hours in the night on which the clocks change, and proposes an end three of them later', () => {
    const start = '2027-03-13T23:30';
    expect(usualEnd(start, NEW_YORK)).toBe('2027-03-14T03:30');
    expect(spokenLength({ timezone: NEW_YORK, start, end: '2027-03-14T03:30' })).toBe('3 hr');
    expect(spokenLength({ timezone: NEW_YORK, start, end: '2027-03-14T04:00' })).toBe('3 hr 30 min');
    expect(spokenLength({ timezone: NEW_YORK, start, end: '2027-03-16T00:30' })).toBe('2 days');
  });
});
