import { expect, it } from 'vitest';
import { errorText } from '#messages/errors.ts';
import { formatCents, formatDollars, plural, TICKETS } from './format.ts';

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
