import { expect, it } from 'vitest';
import { errorText } from '#messages/errors.ts';
import { eventTime, firstName, formatCents, formatDollars, plural, TICKETS } from './format.ts';

it('writes one as one, and thousands with a comma', () => {
  expect([0, 1, 2, 1420].map((count) => plural(count, TICKETS))).toEqual([
    '0 tickets',
    '1 ticket',
    '2 tickets',
    '1,420 tickets',
  ]);
});

it('writes amounts with currency sign, thousands separator and cents, without float errors', () => {
  expect(formatCents(125_050)).toBe('$1,250.50');
  expect(formatDollars(0.1 + 0.2)).toBe('$0.30');
  expect(formatDollars(-14.25)).toBe('-$14.25');
});

it('names the number of sold tickets', () => {
  const message = (reserved: number) => errorText('edit.quantity-below-sold', { name: 'Balcony', reserved });
  expect(message(1)).toBe("1 Balcony ticket is sold or being bought, so you can't go lower.");
  expect(message(1420)).toBe("1,420 Balcony tickets are sold or being bought, so you can't go lower.");
});

it('leaves a # in a name as it is', () => {
  expect(errorText('edit.quantity-below-sold', { name: 'Table #1', reserved: 2 })).toBe(
    "2 Table #1 tickets are sold or being bought, so you can't go lower.",
  );
});

it.each([
  ['2030-12-06T20:00-05:00', '2030-12-06T23:30-05:00', 'Fri, Dec 6, 2030 · 8 – 11:30 PM EST'],
  ['2030-12-06T11:00-05:00', '2030-12-06T13:00-05:00', 'Fri, Dec 6, 2030 · 11 AM – 1 PM EST'],
  ['2030-12-06T21:30-05:00', '2030-12-07T02:00-05:00', 'Fri, Dec 6, 2030 · 9:30 PM – 2 AM EST'],
  ['2030-12-06T09:00-05:00', '2030-12-08T17:00-05:00', 'Fri, Dec 6, 2030, 9 AM – Sun, Dec 8, 2030, 5 PM EST'],
  ['2030-11-02T22:00-04:00', '2030-11-03T03:00-05:00', 'Sat, Nov 2, 2030 · 10 PM EDT – 3 AM EST'],
])('writes when an event is in one line: %s to %s', (startsAt, endsAt, line) => {
  const event = { startsAt: new Date(startsAt), endsAt: new Date(endsAt), timezone: 'America/New_York', readAt: null };
  expect(eventTime(event)).toBe(line);
});

it.each([
  ['Sofia Marchetti', 'Sofia'],
  ['Sofia', 'Sofia'],
  ['Dr. Ana Silva', 'Dr. Ana Silva'],
  ['J R Smith', 'J R Smith'],
  ['李小龙', '李小龙'],
])('addresses %s as %s', (name, first) => {
  expect(firstName(name)).toBe(first);
});

it('leaves out the year of an event within ten months', () => {
  const [startsAt, endsAt] = [new Date('2031-03-01T20:00-05:00'), new Date('2031-03-01T23:00-05:00')];
  const shownAt = (readAt: string) =>
    eventTime({ startsAt, endsAt, timezone: 'America/New_York', readAt: new Date(readAt) });
  expect(shownAt('2030-12-20T12:00Z')).toBe('Sat, Mar 1 · 8 – 11 PM EST');
  expect(shownAt('2030-03-20T12:00Z')).toBe('Sat, Mar 1, 2031 · 8 – 11 PM EST');
});
