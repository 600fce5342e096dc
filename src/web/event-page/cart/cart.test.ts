import { describe, expect, it } from 'vitest';
import type { TicketType } from '#contract/app/events.ts';
import { denyQuantity, type QuantityLimits } from '#domain/order.ts';
import { ticketType } from '#tests/support/organizer-event.ts';
import type { StoredCartItem } from '#web/buyer-storage.ts';
import { cartLines, chooseTickets, lineCents, maxQuantity, ticketCount } from './cart.ts';

const ticket = (ticketName: string, ticketPrice: number, available = 100): TicketType =>
  ticketType({ ticketId: ticketName, ticketName, ticketPrice, available });

describe('the cart', () => {
  it('keeps one line per ticket name, in the order of adding', () => {
    const [balcony, floor] = [ticket('Balcony', 10), ticket('Floor', 10)];
    let cart: StoredCartItem[] = [];
    for (const chosen of [balcony, floor, balcony]) {
      const next = chooseTickets(cart, { tickets: [balcony, floor] }, chosen, { add: 1 });
      if (typeof next !== 'string') cart = next;
    }

    expect(cart).toEqual([
      { ticketName: 'Balcony', quantity: 2 },
      { ticketName: 'Floor', quantity: 1 },
    ]);
  });

  it('drops a line whose quantity reaches 0', () => {
    const floor = ticket('Floor', 10);
    expect(chooseTickets([{ ticketName: 'Floor', quantity: 1 }], { tickets: [floor] }, floor, { set: 0 })).toEqual([]);
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
    expect(lines.map(lineCents)).toEqual([59_97]);
  });

  it.each([
    ['the stock, where it is exact', 6, 7, [], 'too-few-left'],
    ['a stock of more than ten', 15, 16, [], 'too-few-left'],
    ['the order limit, with enough left', 400, 101, [], 'too-many-tickets'],
    [
      'the order limit, together with other tickets',
      400,
      60,
      [{ ticketName: 'Floor', quantity: 41 }],
      'too-many-tickets',
    ],
  ])('stops at %s', (_what, available, quantity, others, denial) => {
    const balcony = ticket('Balcony', 10, available);
    const event = { tickets: [balcony, ticket('Floor', 10, 400)] };
    const choose = (set: number) => chooseTickets(others, event, balcony, { set });

    expect(choose(quantity)).toBe(denial);
    expect(choose(quantity - 1)).toContainEqual({ ticketName: 'Balcony', quantity: quantity - 1 });
  });

  it('takes fewer, even of what is sold out meanwhile', () => {
    const soldOut = ticket('Floor', 10, 0);
    expect(chooseTickets([{ ticketName: 'Floor', quantity: 3 }], { tickets: [soldOut] }, soldOut, { set: 2 })).toEqual([
      { ticketName: 'Floor', quantity: 2 },
    ]);
  });

  it('begins with the minimum of an order, and ends below it [STOCK-6]', () => {
    const pair = { ...ticket('Pair', 10), minPerOrder: 2, maxPerOrder: 4 };
    const event = { tickets: [pair] };
    const of = (quantity: number) => [{ ticketName: 'Pair', quantity }];

    expect(chooseTickets([], event, pair, { add: 1 })).toEqual(of(2));
    expect(chooseTickets(of(2), event, pair, { set: 1 })).toEqual([]);
    expect(chooseTickets(of(3), event, pair, { set: 2 })).toEqual(of(2));
    expect(chooseTickets(of(4), event, pair, { add: 1 })).toBe('too-many');
    expect(maxQuantity(pair, {})).toBe(4);
  });

  it('never holds a quantity of a type that the server denies [STOCK-6]', () => {
    const counts = Array.from({ length: 10 }, (_, count) => count);
    for (const minPerOrder of [1, 2, 4])
      for (const maxPerOrder of [null, 4, 8])
        for (const available of [3, 6, 40]) {
          const limits: QuantityLimits = { minPerOrder, maxPerOrder };
          const { maxPerOrder: max, ...shown } = limits;
          const limited = { ...ticket('Box', 10, available), ...shown, ...(max !== null && { maxPerOrder: max }) };
          const event = { tickets: [limited] };
          const isAllowed = (quantity: number) => denyQuantity(quantity, limits) === null;
          const choices = [{ add: 1 }, ...counts.map((set) => ({ set }))];
          for (const before of [0, ...counts.filter(isAllowed)])
            for (const choice of choices) {
              const cart = before === 0 ? [] : [{ ticketName: 'Box', quantity: before }];
              const next = chooseTickets(cart, event, limited, choice);
              const [line] = typeof next === 'string' ? [] : next;
              expect([limited, before, choice, line === undefined || isAllowed(line.quantity)]).toEqual([
                limited,
                before,
                choice,
                true,
              ]);
            }
        }
  });

  it('has one price for all tickets of a type whose price the buyer names [PRICE-1]', () => {
    const supporter = { ...ticket('Supporter', 5), hasNamedPrice: true };
    const event = { tickets: [supporter] };
    const of = (quantity: number, namedCents: number) => [{ ticketName: 'Supporter', quantity, namedCents }];

    expect(chooseTickets([], event, supporter, { add: 1, namedCents: 8_00 })).toEqual(of(1, 8_00));
    expect(chooseTickets(of(1, 8_00), event, supporter, { add: 1, namedCents: 8_00 })).toEqual(of(2, 8_00));
    expect(chooseTickets(of(2, 8_00), event, supporter, { add: 1, namedCents: 9_00 })).toEqual(of(2, 9_00));
    expect(chooseTickets(of(2, 8_00), event, supporter, { set: 1 })).toEqual(of(1, 8_00));
    expect(cartLines(of(2, 8_00), [supporter]).map(lineCents)).toEqual([16_00]);
    // The minimum rose, or the cart was stored before the price could be named.
    expect(cartLines(of(2, 4_00), [supporter])).toEqual([]);
    expect(cartLines([{ ticketName: 'Supporter', quantity: 1 }], [supporter])).toEqual([]);
  });

  it("leaves add-ons out of the event's limit, but not out of the most that an order can have [PRICE-6]", () => {
    const floor = ticket('Floor', 10, 400);
    const shirt = { ...ticket('Shirt', 10, 400), isAddOn: true };
    const event = { tickets: [floor, shirt], maxPerOrder: 4 };
    const of = (seats: number, shirts: number) => [
      { ticketName: 'Floor', quantity: seats },
      { ticketName: 'Shirt', quantity: shirts },
    ];

    expect(chooseTickets(of(4, 9), event, shirt, { add: 1 })).toEqual(of(4, 10));
    expect(chooseTickets(of(3, 10), event, floor, { add: 1 })).toEqual(of(4, 10));
    expect(chooseTickets(of(4, 10), event, floor, { add: 1 })).toBe('too-many-tickets');
    expect(chooseTickets(of(4, 96), event, shirt, { add: 1 })).toBe('too-many-tickets');
    expect([maxQuantity(floor, event), maxQuantity(shirt, event)]).toEqual([4, 100]);
  });

  it("stops at the event's limit [STOCK-6]", () => {
    const floor = ticket('Floor', 10, 400);
    const event = { tickets: [floor], maxPerOrder: 6 };

    expect(chooseTickets([], event, floor, { set: 7 })).toBe('too-many-tickets');
    expect(maxQuantity(floor, event)).toBe(6);
  });
});
