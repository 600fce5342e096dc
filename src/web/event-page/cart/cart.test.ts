import { describe, expect, it } from 'vitest';
import type { TicketType } from '#contract/app/events.ts';
import { cartLines, denyAdd, setQuantity, ticketCount, totalCents } from './cart.ts';

const ticket = (ticketName: string, ticketPrice: number, available = 100): TicketType => ({
  ticketId: ticketName,
  ticketName,
  ticketDescription: '',
  ticketPrice,
  ticketQuantity: 100,
  available,
});

describe('the cart', () => {
  it('keeps one line per ticket name, in the order of adding', () => {
    const cart = setQuantity(setQuantity(setQuantity([], 'Balcony', 1), 'Floor', 1), 'Balcony', 2);

    expect(cart).toEqual([
      { ticketName: 'Balcony', quantity: 2 },
      { ticketName: 'Floor', quantity: 1 },
    ]);
  });

  it('drops a line whose quantity reaches 0', () => {
    expect(setQuantity([{ ticketName: 'Floor', quantity: 1 }], 'Floor', 0)).toEqual([]);
  });

  it('uses the current prices, and drops tickets that are no longer on sale', () => {
    const lines = cartLines(
      [
        { ticketName: 'Floor', quantity: 3 },
        { ticketName: 'Gone', quantity: 1 },
      ],
      [ticket('Floor', 19.99)],
    );

    expect(ticketCount(lines)).toBe(3);
    expect(totalCents(lines)).toBe(59_97);
  });

  it.each([
    ['the stock, where it is exact', 6, 7, [], 'too-few-left'],
    ['the order limit, with enough left', 400, 101, [], 'too-many-tickets'],
    [
      'the order limit, together with other tickets',
      400,
      60,
      [{ ticketName: 'Floor', quantity: 41 }],
      'too-many-tickets',
    ],
  ])('stops at %s', (_what, available, quantity, others, denial) => {
    const lines = cartLines(others, [ticket('Floor', 10, 400)]);

    expect(denyAdd(lines, ticket('Balcony', 10, available), quantity)).toBe(denial);
    expect(denyAdd(lines, ticket('Balcony', 10, available), quantity - 1)).toBeNull();
  });
});
