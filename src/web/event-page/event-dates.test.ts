import { describe, expect, it } from 'vitest';
import { eventDates } from './event-dates.ts';

const event = {
  startDate_startTime: '2026-06-13T00:00:00.000Z',
  endDate_endTime: '2026-06-13T03:30:00.000Z',
  timezone: 'America/New_York',
};

describe('the dates of an event', () => {
  it('are written in the zone of the event', () => {
    expect(eventDates(event, 'America/New_York')).toEqual({
      month: 'Jun',
      day: '12',
      start: 'Friday, June 12, 2026 at 8:00 PM EDT',
      end: 'Friday, June 12, 2026 at 11:30 PM EDT',
      viewer: null,
    });
  });

  it('add the time of a viewer elsewhere, with the weekday that it falls on there', () => {
    expect(eventDates(event, 'Europe/Berlin').viewer).toMatch(/^Sat 2:00 AM (CEST|GMT\+2)$/);
  });

  it('add nothing for a viewer whose clock shows the same in another zone', () => {
    expect(eventDates(event, 'America/Toronto').viewer).toBeNull();
  });
});
