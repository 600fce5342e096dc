import { expect, it } from 'vitest';
import { counted } from './counted.ts';
import { quantityBelowSold } from './events.ts';

it('writes one as one, and thousands with a comma', () => {
  expect([0, 1, 2, 1420].map((count) => counted(count, 'ticket'))).toEqual([
    '0 tickets',
    '1 ticket',
    '2 tickets',
    '1,420 tickets',
  ]);
});

it('counts the tickets that bound a quantity', () => {
  const sentence = (reserved: number) => quantityBelowSold('Balcony', reserved);
  expect(sentence(1)).toBe('Balcony has 1 ticket sold or in a checkout, so its quantity cannot be lower.');
  expect(sentence(1420)).toBe('Balcony has 1,420 tickets sold or in a checkout, so its quantity cannot be lower.');
});
