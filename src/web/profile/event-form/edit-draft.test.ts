import { describe, expect, it } from 'vitest';
import { organizerEvent } from '#tests/support/organizer-event.ts';
import { eventEditFormToday } from '#web/profile/forms-with-dates.ts';
import { nestedValues } from '#web/ui/form/form-values.ts';
import { draftOf, withUntouchedTimes } from './edit-draft.ts';

const event = organizerEvent();
const edited = (changes: Record<string, string> = {}, of = event) =>
  eventEditFormToday.parse(nestedValues(Object.entries({ ...draftOf(of), ...changes })));

describe('editing an event', () => {
  it('starts from what the event is, and sends all of it back, each ticket type with its id', () => {
    expect(edited()).toEqual({
      title: 'Basement Brass',
      description: 'Eleven horns, one low ceiling.',
      street: '178 Bleecker St',
      city: 'New York',
      state: 'NY',
      postalCode: '10012',
      timezone: 'America/New_York',
      startDate_startTime: '2026-06-12T20:00',
      endDate_endTime: '2026-06-12T23:30',
      participants: '200',
      latitude: 40.7291,
      longitude: -74.0009,
      tickets: [
        {
          ticketId: 'floor',
          ticketName: 'Floor',
          ticketDescription: 'Standing',
          ticketPrice: '25',
          ticketQuantity: '150',
        },
        {
          ticketId: 'balcony',
          ticketName: 'Balcony',
          ticketDescription: 'Seated',
          ticketPrice: '40.50',
          ticketQuantity: '30',
        },
      ],
    });
  });

  it('leaves a time that nobody touched as exact as it was', () => {
    // The second 1:30 AM of the night on which the clocks go back.
    const inRepeatedHour = organizerEvent({
      startDate_startTime: '2026-11-01T06:30:15.000Z',
      endDate_endTime: '2026-11-01T09:00:00.000Z',
    });
    const moved = edited({ endDate_endTime: '2026-11-01T05:00' }, inRepeatedHour);
    expect(moved.startDate_startTime).toBe('2026-11-01T01:30');
    expect(withUntouchedTimes(moved, inRepeatedHour)).toEqual({
      ...moved,
      startDate_startTime: '2026-11-01T06:30:15.000Z',
      endDate_endTime: '2026-11-01T05:00',
    });
  });

  it('reads the same clock anew in another zone', () => {
    const inChicago = edited({ timezone: 'America/Chicago' });
    expect(withUntouchedTimes(inChicago, event)).toEqual(inChicago);
  });
});
