import { describe, expect, it } from 'vitest';
import { organizerEvent } from '#tests/support/organizer-event.ts';
import { editEventForm } from '#web/profile/form-schemas.ts';
import { nestedValues } from '#web/ui/form/form-values.ts';
import { draftOf, withUntouchedTimes } from './edit-draft.ts';

const event = organizerEvent();
const edited = (changes: Record<string, string> = {}, of = event) =>
  editEventForm.parse(nestedValues(Object.entries({ ...draftOf(of), ...changes }), ['isListed']));

describe('editing an event', () => {
  it('fills the form from the event and sends every field back, including ticket ids', () => {
    expect(edited()).toEqual({
      title: 'Basement Brass',
      description: 'Eleven horns, one low ceiling.',
      street: '178 Bleecker St',
      city: 'New York',
      state: 'NY',
      postalCode: '10012',
      subtitle: '',
      venueName: '',
      isListed: true,
      timezone: 'America/New_York',
      startDate_startTime: '2026-06-12T20:00',
      endDate_endTime: '2026-06-12T23:30',
      checkInOpens: '',
      checkInCloses: '',
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

  it('keeps an untouched time exact to the second', () => {
    // The second 1:30 AM on the night the clocks go back.
    const inRepeatedHour = organizerEvent({
      startDate_startTime: '2026-11-01T06:30:15.000Z',
      endDate_endTime: '2026-11-01T09:00:00.000Z',
    });
    const moved = edited({ endDate_endTime: '2026-11-01T05:00' }, inRepeatedHour);
    expect(moved.startDate_startTime).toBe('2026-11-01T01:30');
    const { checkInOpens: _opens, checkInCloses: _closes, ...sent } = moved;
    expect(withUntouchedTimes(moved, inRepeatedHour)).toEqual({
      ...sent,
      startDate_startTime: '2026-11-01T06:30:15.000Z',
      endDate_endTime: '2026-11-01T05:00',
    });
  });

  it('leaves out untouched check-in hours, which move with the start, and sends touched ones [WINDOW-1]', () => {
    const withHours = organizerEvent({ checkInOpensAt: '2026-06-12T22:00:00.000Z' });
    const untouched = edited({ startDate_startTime: '2026-06-12T21:00' }, withHours);
    expect(untouched).toMatchObject({ checkInOpens: '2026-06-12T18:00', checkInCloses: '' });
    expect(withUntouchedTimes(untouched, withHours)).not.toHaveProperty('checkInOpens');

    const touched = edited({ checkInOpens: '', checkInCloses: '2026-06-13T01:00' }, withHours);
    expect(withUntouchedTimes(touched, withHours)).toMatchObject({
      checkInOpens: '',
      checkInCloses: '2026-06-13T01:00',
    });
  });

  it('reads the same local time in a newly chosen time zone', () => {
    const inChicago = edited({ timezone: 'America/Chicago' });
    expect(withUntouchedTimes(inChicago, event)).toEqual(inChicago);
  });
});
