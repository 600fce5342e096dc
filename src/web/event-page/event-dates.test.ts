import { describe, expect, it } from 'vitest';
import { eventDates } from './event-dates.ts';

const event = {
  startDate_startTime: '2026-06-13T00:00:00.000Z',
  endDate_endTime: '2026-06-13T03:30:00.000Z',
  timezone: 'America/New_York',
};

describe('eventDates', () => {
  it('uses the timezone of the event', () => {
    expect(eventDates(event, 'America/New_York')).toEqual({
      month: 'Jun',
      day: '12',
      start: 'Friday, June 12, 2026 at 8:00 PM EDT',
      end: 'Friday, June 12, 2026 at 11:30 PM EDT',
      viewer: null,
    });
  });

  it('adds the time and weekday for the viewer', () => {
    expect(eventDates(event, 'Europe/Berlin').viewer).toMatch(/^Sat 2:00 AM (CEST|GMT\+2)$/);
  });

  it('adds nothing when the viewer’s clock shows the same time', () => {
    expect(eventDates(event, 'America/Toronto').viewer).toBeNull();
  });
});
