import { describe, expect, it } from 'vitest';
import { checkoutErrors } from '#contract/app/checkout.ts';
import { eventNotFound } from '#contract/app/events.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import type { EventOnSale } from './core/reserve.sql.ts';
import { type Cart, readCart } from './read-cart.ts';

const now = new Date('2026-06-12T20:00:00Z');
const event: EventOnSale = {
  id: 'e1',
  title: 'Harbor Lights',
  endsAt: new Date('2026-06-12T23:00:00Z'),
  cancelledAt: null,
  now,
  types: [
    { id: 't1', name: 'Standing', priceCents: 24_50 },
    { id: 't2', name: 'Balcony', priceCents: 38_00 },
  ],
};
const cartOf = (...cartItems: Cart['cartItems']): Cart => ({ eventId: 'e1', cartItems });
const standing = { ticketTypeId: 't1', ticketName: 'Standing', unitPriceCents: 24_50 };
const balcony = { ticketTypeId: 't2', ticketName: 'Balcony', unitPriceCents: 38_00 };

describe('a cart', () => {
  it('resolves to the event’s names and prices, in cart order', () => {
    const cart = cartOf({ ticketName: ' bALCONY ', quantity: 1 }, { ticketName: 'standing', quantity: 2 });
    expect(readCart(cart, event)).toEqual([
      { ...balcony, quantity: 1 },
      { ...standing, quantity: 2 },
    ]);
  });

  it('merges items of the same ticket type', () => {
    const item = { ticketName: 'Standing', quantity: 2 };
    expect(readCart(cartOf(item, { ...item, quantity: 3 }), event)).toEqual([{ ...standing, quantity: 5 }]);
  });

  it('prefers the ID over the name', () => {
    const cart = cartOf({ ticketId: 't2', ticketName: 'Standing', quantity: 1 });
    expect(readCart(cart, event)).toEqual([{ ...balcony, quantity: 1 }]);
  });

  it('accepts the price that the buyer saw', () => {
    const cart = cartOf({ ticketName: 'Standing', ticketPrice: 24.5, quantity: 1 });
    expect(readCart(cart, event)).toEqual([{ ...standing, quantity: 1 }]);
  });

  it.each([
    ['with another price', 'price-changed', cartOf({ ticketName: 'Standing', ticketPrice: 24.51, quantity: 1 })],
    ['with a price of zero', 'price-changed', cartOf({ ticketName: 'Standing', ticketPrice: 0, quantity: 1 })],
    ['with an unknown name', 'unknown-ticket', cartOf({ ticketName: 'Seated', quantity: 1 })],
    ['with an unknown ID', 'unknown-ticket', cartOf({ ticketId: 't3', ticketName: 'Standing', quantity: 1 })],
    ['without items', 'empty-cart', cartOf()],
    ['with too many tickets', 'too-many-tickets', cartOf({ ticketName: 'Standing', quantity: 101 })],
  ] as const)('%s is refused: %s', (_case, denial, cart) => {
    expect(readCart(cart, event)).toEqual(conflict(checkoutErrors[denial]));
  });

  it.each([
    ['event-ended', { ...event, now: event.endsAt }],
    ['event-cancelled', { ...event, cancelledAt: now }],
  ] as const)('is refused: %s', (denial, closed) => {
    const cart = cartOf({ ticketName: 'Standing', quantity: 1 });
    expect(readCart(cart, closed)).toEqual(conflict(checkoutErrors[denial]));
  });

  it('returns not found for an unknown event', () => {
    expect(readCart(cartOf(), undefined)).toEqual(notFound(eventNotFound));
  });
});
