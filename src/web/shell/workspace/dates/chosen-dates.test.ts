import { describe, expect, it } from 'vitest';
import { chosenDates, proposedDates } from './chosen-dates.ts';

const timezone = 'America/New_York';
/** Friday, December 4, 8:00 PM. */
const event = { startsAt: '2026-12-05T01:00:00.000Z', timezone };
const startsOf = (...chosen: Parameters<typeof chosenDates>) => chosenDates(...chosen).starts.map(({ start }) => start);

describe('the proposed dates', () => {
  it.each([
    ['of a coming event begin a week later', '2026-11-28T12:00:00Z', '2026-12-11'],
    ['of an event on the same day begin a week later', '2026-12-05T00:00:00Z', '2026-12-11'],
    ['of a past event begin on its next weekday', '2027-01-09T12:00:00Z', '2027-01-15'],
  ])('%s [SERIES-1]', (_name, now, first) => {
    expect(proposedDates(event, new Date(now))).toMatchObject({ first, weekdays: [5], weekday: 5, week: 1 });
  });
});

describe('the chosen dates', () => {
  const proposed = proposedDates(event, new Date('2026-11-28T12:00:00Z'));

  it('are at the time of the event, without those that were dropped, and at another time where one was chosen [SERIES-1]', () => {
    const changes = { '2026-12-11': '19:00', '2026-12-18': null };

    expect(startsOf({ ...proposed, count: '3', changes }, event)).toEqual(['2026-12-11T19:00', '2026-12-25T20:00']);
  });

  it('are those of the calendar, in order [SERIES-1]', () => {
    const picked = ['2027-01-09', '2026-12-24'];

    expect(startsOf({ ...proposed, kind: 'picked', picked }, event)).toEqual(['2026-12-24T20:00', '2027-01-09T20:00']);
  });

  it.each(['', 'x', '-1', '0'])('are none for a count of "%s"', (count) => {
    expect(startsOf({ ...proposed, count }, event)).toEqual([]);
  });

  it('end on a day, and name months without one [SERIES-1]', () => {
    const monthly = { ...proposed, kind: 'monthly', week: 5, first: '2027-01-01', ends: 'until' } as const;

    expect(chosenDates({ ...monthly, until: '2027-03-31' }, event)).toMatchObject({
      starts: [{ day: '2027-01-29' }],
      missing: ['2027-02', '2027-03'],
    });
  });
});
