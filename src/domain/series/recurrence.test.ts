import { describe, expect, it } from 'vitest';
import { timezones } from '#contract/forms/timezones.ts';
import { COMING_DATES_MAX, DATES_PER_CALL_MAX } from '#domain/limits.ts';
import { instantOf, localTimeOf } from '#domain/local-time.ts';
import { type DatePattern, daysOf, denyCount, movedToDate, planDates, type Rule } from './recurrence.ts';

const NEW_YORK = 'America/New_York';
const at = (local: string, zone = NEW_YORK, repeated: 'earlier' | 'later' = 'earlier') => {
  const instant = instantOf(local, zone, repeated);
  if (!(instant instanceof Date)) throw new Error(`${local} is ${instant}`);
  return instant;
};
const pattern = (start: string, end: string, timezone: string = NEW_YORK): DatePattern => ({
  startsAt: at(start, timezone),
  endsAt: at(end, timezone, 'later'),
  timezone,
});
const fresh = (now: string) => ({ now: new Date(now), taken: [] });
const weekly = (everyWeeks: number, ...weekdays: (0 | 1 | 2 | 3 | 4 | 5 | 6)[]): Rule => ({
  kind: 'weekly',
  everyWeeks,
  weekdays,
});

describe('the days of a rule', () => {
  it.each<[string, Rule, string, Parameters<typeof daysOf>[2], string[], string[]]>([
    ['every week', weekly(1, 5), '2026-12-04', { count: 3 }, ['2026-12-04', '2026-12-11', '2026-12-18'], []],
    [
      'on two weekdays, from the middle of a week on',
      weekly(1, 4, 2),
      '2026-12-02',
      { count: 4 },
      ['2026-12-03', '2026-12-08', '2026-12-10', '2026-12-15'],
      [],
    ],
    [
      'every second week, whatever the weekday it begins on',
      weekly(2, 0, 6),
      '2026-12-05',
      { count: 4 },
      ['2026-12-05', '2026-12-13', '2026-12-19', '2026-12-27'],
      [],
    ],
    [
      'until a day, which counts',
      weekly(1, 5),
      '2026-12-04',
      { until: '2026-12-11' },
      ['2026-12-04', '2026-12-11'],
      [],
    ],
    ['until a day before the first', weekly(1, 5), '2026-12-04', { until: '2026-12-03' }, [], []],
    ['without a weekday', weekly(1), '2026-12-04', { count: 3 }, [], []],
    [
      'the third Friday',
      { kind: 'monthly', week: 3, weekday: 5 },
      '2026-12-19',
      { count: 2 },
      ['2027-01-15', '2027-02-19'],
      [],
    ],
    [
      'the last Sunday',
      { kind: 'monthly', week: 'last', weekday: 0 },
      '2027-01-31',
      { count: 3 },
      ['2027-01-31', '2027-02-28', '2027-03-28'],
      [],
    ],
    [
      'the fifth Friday, which not all months have',
      { kind: 'monthly', week: 5, weekday: 5 },
      '2027-01-01',
      { count: 2 },
      ['2027-01-29', '2027-04-30'],
      ['2027-02', '2027-03'],
    ],
  ])('%s [SERIES-1]', (_name, rule, first, end, days, missing) => {
    expect(daysOf(rule, first, end)).toEqual({ days, missing });
  });

  it('is one more than can be added, where a rule makes too many [SERIES-1]', () => {
    expect(daysOf(weekly(1, 0, 1, 2, 3, 4, 5, 6), '2026-12-04', { until: '2027-12-04' }).days).toHaveLength(
      DATES_PER_CALL_MAX + 1,
    );
    expect(daysOf(weekly(1, 5), '2026-12-04', { count: 1_000_000 }).days).toHaveLength(DATES_PER_CALL_MAX + 1);
  });

  it.each(['', 'tomorrow', '2026-13-01'])('is none from %s on', (first) => {
    expect(daysOf(weekly(1, 5), first, { count: 3 })).toEqual({ days: [], missing: [] });
  });
});

describe('the dates of a series', () => {
  it.each(timezones)('are 52 times at 8:00 PM across both clock changes in %s [SERIES-3]', (zone) => {
    const first = pattern('2026-12-04T20:00', '2026-12-05T01:30', zone);
    const { days } = daysOf(weekly(1, 5), '2026-12-11', { count: 52 });

    const dates = planDates(
      days.map((day) => `${day}T20:00`),
      first,
      fresh('2026-12-05T12:00:00Z'),
    );

    expect(dates).toHaveLength(52);
    expect(dates.filter(({ denial }) => denial)).toEqual([]);
    for (const { startsAt, endsAt } of dates) {
      expect(localTimeOf(startsAt ?? new Date(0), zone).slice(11)).toBe('20:00');
      expect(localTimeOf(endsAt ?? new Date(0), zone).slice(11)).toBe('01:30');
    }
    const offsets = new Set(dates.map(({ startsAt }) => (startsAt?.getTime() ?? 0) % (24 * 3_600_000)));
    expect(offsets.size).toBe(2);
  });

  it.each<[string, string, DatePattern, string, string | null]>([
    [
      'a start in the skipped hour',
      '2027-03-14T02:30',
      pattern('2027-03-07T02:30', '2027-03-07T05:00'),
      '2027-03-08',
      'skipped-hour',
    ],
    [
      'an end in the skipped hour',
      '2027-03-13T22:00',
      pattern('2027-03-06T22:00', '2027-03-07T02:30'),
      '2027-03-08',
      'end-skipped',
    ],
    ['the hour after it', '2027-03-14T03:00', pattern('2027-03-07T03:00', '2027-03-07T05:00'), '2027-03-08', null],
    [
      'the present',
      '2027-03-08T02:30',
      pattern('2027-03-07T02:30', '2027-03-07T05:00'),
      '2027-03-08T07:30:00Z',
      'in-past',
    ],
    ['a start 366 days ahead', '2028-03-07T19:00', pattern('2027-03-06T20:00', '2027-03-06T22:00'), '2027-03-08', null],
    [
      'a start later than that',
      '2028-03-08T20:00',
      pattern('2027-03-06T20:00', '2027-03-06T22:00'),
      '2027-03-08',
      'too-far',
    ],
    [
      'a day that no month has',
      '2027-02-30T20:00',
      pattern('2027-03-06T20:00', '2027-03-06T22:00'),
      '2027-02-01',
      'malformed',
    ],
    [
      'an instant with an offset',
      '2027-03-10T20:00:00Z',
      pattern('2027-03-06T20:00', '2027-03-06T22:00'),
      '2027-03-08',
      'malformed',
    ],
  ])('name %s [SERIES-3]', (_name, start, source, now, denial) => {
    expect(planDates([start], source, fresh(now))).toMatchObject([{ start, denial }]);
  });

  it('take the earlier start and the later end of an hour that occurs twice [SERIES-3]', () => {
    const source = pattern('2026-10-25T01:15', '2026-10-25T01:45');

    const [date] = planDates(['2026-11-01T01:15'], source, fresh('2026-10-26'));

    expect(date).toEqual({
      start: '2026-11-01T01:15',
      startsAt: new Date('2026-11-01T05:15:00Z'),
      endsAt: new Date('2026-11-01T06:45:00Z'),
      denial: null,
      isInDoubledHour: true,
    });
  });

  it('are denied a second time, in one list and where the series has them [SERIES-1]', () => {
    const source = pattern('2026-12-04T20:00', '2026-12-04T22:00');
    const starts = ['2026-12-11T20:00', '2026-12-18T20:00', '2026-12-11T20:00', '2026-12-04T20:00'];

    const dates = planDates(starts, source, { now: new Date('2026-12-01'), taken: [source.startsAt] });

    expect(dates.map(({ denial }) => denial)).toEqual([null, null, 'date-twice', 'date-twice']);
  });

  it('move the other times of the event along by the clock on the wall [SERIES-3]', () => {
    const source = pattern('2027-03-07T20:00', '2027-03-07T23:00');
    const moved = (local: string) => localTimeOf(movedToDate(at(local), source, '2027-03-14T20:00'), NEW_YORK);

    expect(movedToDate(null, source, '2027-03-14T20:00')).toBeNull();
    expect(moved('2027-03-07T18:00')).toBe('2027-03-14T18:00');
    expect(moved('2027-02-28T09:00')).toBe('2027-03-07T09:00');
    // It would be skipped.
    expect(moved('2027-03-07T02:30')).toBe('2027-03-14T03:30');
  });
});

describe('the number of dates', () => {
  it.each([
    [DATES_PER_CALL_MAX, 0, null],
    [DATES_PER_CALL_MAX + 1, 0, 'too-many-dates'],
    [10, COMING_DATES_MAX - 10, null],
    [10, COMING_DATES_MAX - 9, 'too-many-coming'],
  ])('%i more next to %i coming ones: %s [SERIES-1]', (added, coming, denial) => {
    expect(denyCount(added, coming)).toBe(denial);
  });
});
