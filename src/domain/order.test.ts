import { describe, expect, it } from 'vitest';
import { type EventToSell, priceCart } from './order.ts';

const now = new Date('2026-06-12T20:00:00Z');
const event: EventToSell = {
  endsAt: new Date('2026-06-12T23:00:00Z'),
  cancelledAt: null,
  pausedSales: null,
  now,
  types: [
    { id: 't1', name: 'Standing', priceCents: 24_50 },
    { id: 't2', name: 'Balcony', priceCents: 38_00 },
  ],
};
const standing = { ticketTypeId: 't1', ticketName: 'Standing', unitPriceCents: 24_50 };
const balcony = { ticketTypeId: 't2', ticketName: 'Balcony', unitPriceCents: 38_00 };

describe('a cart', () => {
  it('resolves to the event’s names and prices, in cart order', () => {
    const cart = [
      { ticketName: ' bALCONY ', quantity: 1 },
      { ticketName: 'standing', quantity: 2 },
    ];
    expect(priceCart(cart, event)).toEqual([
      { ...balcony, quantity: 1 },
      { ...standing, quantity: 2 },
    ]);
  });

  it('merges items of the same ticket type', () => {
    const item = { ticketName: 'Standing', quantity: 2 };
    expect(priceCart([item, { ...item, quantity: 3 }], event)).toEqual([{ ...standing, quantity: 5 }]);
  });

  it('prefers the ID over the name', () => {
    const cart = [{ ticketId: 't2', ticketName: 'Standing', quantity: 1 }];
    expect(priceCart(cart, event)).toEqual([{ ...balcony, quantity: 1 }]);
  });

  it('accepts the price that the buyer saw', () => {
    const cart = [{ ticketName: 'Standing', ticketPrice: 24.5, quantity: 1 }];
    expect(priceCart(cart, event)).toEqual([{ ...standing, quantity: 1 }]);
  });

  it.each([
    ['with another price', 'price-changed', [{ ticketName: 'Standing', ticketPrice: 24.51, quantity: 1 }]],
    ['with a price of zero', 'price-changed', [{ ticketName: 'Standing', ticketPrice: 0, quantity: 1 }]],
    ['with an unknown name', 'unknown-ticket', [{ ticketName: 'Seated', quantity: 1 }]],
    ['with an unknown ID', 'unknown-ticket', [{ ticketId: 't3', ticketName: 'Standing', quantity: 1 }]],
    ['without items', 'empty-cart', []],
    ['with too many tickets', 'too-many-tickets', [{ ticketName: 'Standing', quantity: 101 }]],
  ] as const)('%s is refused: %s', (_case, denial, cart) => {
    expect(priceCart(cart, event)).toEqual({ reason: denial });
  });

  it.each([
    ['event-ended', { ...event, now: event.endsAt }],
    ['event-cancelled', { ...event, cancelledAt: now }],
  ] as const)('is refused: %s', (denial, closed) => {
    const cart = [{ ticketName: 'Standing', quantity: 1 }];
    expect(priceCart(cart, closed)).toEqual({ reason: denial });
  });
});
