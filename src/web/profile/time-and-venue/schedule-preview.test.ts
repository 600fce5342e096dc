import { describe, expect, it } from 'vitest';
import { defaultEnd, describeDuration, describeTime, timeProblem } from './schedule-preview.ts';

const NEW_YORK = 'America/New_York';
const preview = (local: string, viewerZone: string) => describeTime(local, NEW_YORK, 'earlier', viewerZone);

describe('schedule preview', () => {
  it('adds the viewer’s own time if it differs', () => {
    expect(preview('2026-06-12T20:00', NEW_YORK)).toBe('Friday, June 12, 2026 at 8:00 PM EDT');
    expect(preview('2026-06-12T20:00', 'America/Toronto')).toBe('Friday, June 12, 2026 at 8:00 PM EDT');
    expect(preview('2026-06-12T20:00', 'America/Chicago')).toBe(
      'Friday, June 12, 2026 at 8:00 PM EDT (7:00 PM your time)',
    );
    expect(preview('2026-06-12T20:00', 'Europe/Paris')).toBe(
      'Friday, June 12, 2026 at 8:00 PM EDT (Sat 2:00 AM your time)',
    );
  });

  it('shows nothing for an hour skipped by daylight saving, and warns about it', () => {
    const times = { timezone: NEW_YORK, start: '2027-03-14T02:30', end: '' } as const;
    expect(preview(times.start, NEW_YORK)).toBeNull();
    expect(timeProblem(times, new Date('2027-01-01'))?.reason).toBe('start.skipped-hour');
  });

  it('warns about a start in the past before an end is typed', () => {
    const now = new Date('2026-06-12T23:59:00Z');
    expect(timeProblem({ timezone: NEW_YORK, start: '2026-06-12T20:00', end: '' }, now)).toBeNull();
    expect(timeProblem({ timezone: NEW_YORK, start: '2026-06-12T19:59', end: '' }, now)?.reason).toBe('start.in-past');
  });

  it('counts real hours on the night the clocks change, and suggests an end three hours later', () => {
    const start = '2027-03-13T23:30';
    expect(defaultEnd(start, NEW_YORK)).toBe('2027-03-14T03:30');
    expect(describeDuration({ timezone: NEW_YORK, start, end: '2027-03-14T03:30' })).toBe('3 hr');
    expect(describeDuration({ timezone: NEW_YORK, start, end: '2027-03-14T04:00' })).toBe('3 hr 30 min');
    expect(describeDuration({ timezone: NEW_YORK, start, end: '2027-03-16T00:30' })).toBe('2 days');
  });
});
