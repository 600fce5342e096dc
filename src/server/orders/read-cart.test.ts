import { describe, expect, it } from 'vitest';
import { checkoutErrors } from '#contract/checkout.ts';
import { eventNotFound } from '#contract/events.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import { type Cart, readCart } from './read-cart.ts';
import type { EventOnSale } from './reserve.sql.ts';

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
  it('is read in the event’s own names and prices, in the cart’s order', () => {
    const cart = cartOf({ ticketName: ' bALCONY ', quantity: 1 }, { ticketName: 'standing', quantity: 2 });
    expect(readCart(cart, event)).toEqual([
      { ...balcony, quantity: 1 },
      { ...standing, quantity: 2 },
    ]);
  });

  it('has one line for each ticket type', () => {
    const item = { ticketName: 'Standing', quantity: 2 };
    expect(readCart(cartOf(item, { ...item, quantity: 3 }), event)).toEqual([{ ...standing, quantity: 5 }]);
  });

  it('prefers the id to the name', () => {
    const cart = cartOf({ ticketId: 't2', ticketName: 'Standing', quantity: 1 });
    expect(readCart(cart, event)).toEqual([{ ...balcony, quantity: 1 }]);
  });

  it('may state the price that the buyer saw', () => {
    const cart = cartOf({ ticketName: 'Standing', ticketPrice: 24.5, quantity: 1 });
    expect(readCart(cart, event)).toEqual([{ ...standing, quantity: 1 }]);
  });

  it.each([
    ['at another price', 'price-changed', cartOf({ ticketName: 'Standing', ticketPrice: 24.51, quantity: 1 })],
    ['at no price', 'price-changed', cartOf({ ticketName: 'Standing', ticketPrice: 0, quantity: 1 })],
    ['of an unknown name', 'unknown-ticket', cartOf({ ticketName: 'Seated', quantity: 1 })],
    ['of an unknown id', 'unknown-ticket', cartOf({ ticketId: 't3', ticketName: 'Standing', quantity: 1 })],
    ['of nothing', 'empty-cart', cartOf()],
    ['of too many tickets', 'too-many-tickets', cartOf({ ticketName: 'Standing', quantity: 101 })],
  ] as const)('%s cannot be bought: %s', (_case, obstacle, cart) => {
    expect(readCart(cart, event)).toEqual(conflict(checkoutErrors[obstacle]));
  });

  it.each([
    ['event-ended', { ...event, now: event.endsAt }],
    ['event-cancelled', { ...event, cancelledAt: now }],
  ] as const)('cannot be bought: %s', (obstacle, closed) => {
    const cart = cartOf({ ticketName: 'Standing', quantity: 1 });
    expect(readCart(cart, closed)).toEqual(conflict(checkoutErrors[obstacle]));
  });

  it('for an unknown event is not found', () => {
    expect(readCart(cartOf(), undefined)).toEqual(notFound(eventNotFound));
  });
});
