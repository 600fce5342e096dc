import { describe, expect, it } from 'vitest';
import { addressOfCart, cartOfAddress } from './cart-address.ts';

const cart = {
  items: [
    { ticketId: 'a', quantity: 2 },
    { ticketId: 'b', quantity: 1, namedCents: 1550 },
  ],
  totalCents: 6350,
  pageVersion: 3,
  waits: false,
};

describe('the cart of a frame', () => {
  it.each([cart, { ...cart, waits: true }])('is in the address of its checkout [EMBED-1]', ({ items, ...rest }) => {
    expect(cartOfAddress(addressOfCart({ lines: items, ...rest }))).toEqual({ items, ...rest });
  });

  it.each([
    '',
    '#',
    '#queue=x',
    '#total=1&page=1',
    '#t=a.1&page=1',
    '#t=a.1&total=1',
    '#t=a&total=1&page=1',
    '#t=a.0&total=1&page=1',
    '#t=a.-1&total=1&page=1',
    '#t=a.1.5.2&total=1&page=1',
    '#t=a.1.x&total=1&page=1',
    '#t=.1&total=1&page=1',
    '#t=a.1&t=b.1e9&total=1&page=1',
    '#t=a.1&total=12345678901&page=1',
  ])('is not in %j', (hash) => {
    expect(cartOfAddress(hash)).toBeNull();
  });
});
