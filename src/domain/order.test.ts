import { describe, expect, it } from 'vitest';
import { type EventToSell, isSoldOut, priceCart, quantityFrom, quantityUpTo } from './order.ts';

const now = new Date('2026-06-12T20:00:00Z');
const ANY_TIME_ANY_NUMBER = {
  salesFrom: null,
  salesUntil: null,
  minPerOrder: 1,
  maxPerOrder: null,
  opensAfter: null,
  openedAt: null,
  isHidden: false,
  hasNamedPrice: false,
  isAddOn: false,
};
const event: EventToSell = {
  endsAt: new Date('2026-06-12T23:00:00Z'),
  cancelledAt: null,
  pausedSales: null,
  now,
  timezone: 'America/New_York',
  maxPerOrder: 100,
  types: [
    { ...ANY_TIME_ANY_NUMBER, id: 't1', name: 'Standing', priceCents: 24_50 },
    { ...ANY_TIME_ANY_NUMBER, id: 't2', name: 'Balcony', priceCents: 38_00 },
  ],
};
/** The event with changes to its first ticket type. */
const eventWith = (change: Partial<EventToSell['types'][number]>, rest: Partial<EventToSell> = {}): EventToSell => ({
  ...event,
  ...rest,
  types: event.types.map((type, index) => (index === 0 ? { ...type, ...change } : type)),
});
const standing = {
  ticketTypeId: 't1',
  ticketName: 'Standing',
  listPriceCents: 24_50,
  unitPriceCents: 24_50,
  promoCodeId: null,
};
const balcony = {
  ticketTypeId: 't2',
  ticketName: 'Balcony',
  listPriceCents: 38_00,
  unitPriceCents: 38_00,
  promoCodeId: null,
};

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
    expect(priceCart(cart, event)).toMatchObject({ reason: denial });
  });

  it.each([
    ['event-ended', { ...event, now: event.endsAt }],
    ['event-cancelled', { ...event, cancelledAt: now }],
  ] as const)('is refused: %s', (denial, closed) => {
    const cart = [{ ticketName: 'Standing', quantity: 1 }];
    expect(priceCart(cart, closed)).toEqual({ reason: denial });
  });
});

describe('the sales window of a ticket type', () => {
  const before = new Date(now.getTime() - 1);
  const from = now.toISOString();
  const later = { name: 'Standing', from, after: null, timezone: 'America/New_York' };

  it.each([
    ['before it begins', { salesFrom: now }, before, { reason: 'not-on-sale', params: later }],
    ['from its first instant on', { salesFrom: now }, now, [{ ...standing, quantity: 1 }]],
    ['until its end', { salesUntil: now }, before, [{ ...standing, quantity: 1 }]],
    ['from its end on', { salesUntil: now }, now, { reason: 'not-on-sale', params: { ...later, from: null } }],
  ])('%s [STOCK-4]', (_when, window, at, answer) => {
    const cart = [{ ticketName: 'Standing', quantity: 1 }];
    expect(priceCart(cart, eventWith(window, { now: at }))).toEqual(answer);
    expect(priceCart([{ ticketName: 'Balcony', quantity: 1 }], eventWith(window, { now: at }))).toEqual([
      { ...balcony, quantity: 1 },
    ]);
  });
});

describe('the limits of an order', () => {
  const items = (...quantities: number[]) => quantities.map((quantity) => ({ ticketName: 'Standing', quantity }));
  const tooMany = { reason: 'too-many', params: { name: 'Standing', max: 4 } };
  const tooFew = { reason: 'too-few', params: { name: 'Standing', min: 2 } };

  it.each([
    [items(2), 'allowed'],
    [items(4), 'allowed'],
    [items(1, 1), 'allowed'],
    [items(5), tooMany],
    [items(4, 1), tooMany],
    [[...items(2), { ticketName: 'Balcony', quantity: 1 }, ...items(3)], tooMany],
    [[{ ticketId: 't1', ticketName: 'x', quantity: 3 }, ...items(2)], tooMany],
    [items(1), tooFew],
    [[{ ticketName: 'Balcony', quantity: 9 }, ...items(1)], tooFew],
  ])('count a type over all of its items: %j [STOCK-6]', (cart, answer) => {
    const answered = priceCart(cart, eventWith({ minPerOrder: 2, maxPerOrder: 4 }));
    expect(Array.isArray(answered) ? 'allowed' : answered).toEqual(answer);
  });

  it('count all types together [STOCK-6]', () => {
    const cart = [
      { ticketName: 'Standing', quantity: 3 },
      { ticketName: 'Balcony', quantity: 3 },
    ] as const;
    expect(priceCart(cart, { ...event, maxPerOrder: 5 })).toEqual({ reason: 'too-many-tickets', params: { max: 5 } });
    expect(priceCart(cart, { ...event, maxPerOrder: 6 })).toHaveLength(2);
  });
});

describe('the quantities of a type that an order can have [STOCK-6]', () => {
  const box = { minPerOrder: 2, maxPerOrder: 4 };

  it.each([
    [{}, 0, 0, 1],
    [{}, 7, 7, 7],
    [{}, 100, 100, 100],
    [{}, 101, 100, null],
    [box, 1, 0, 2],
    [box, 2, 2, 2],
    [box, 4, 4, 4],
    [box, 5, 4, null],
    [{ minPerOrder: 100 }, 99, 0, 100],
    [{ maxPerOrder: null }, 3, 3, 3],
  ])('%j: near %i, up to it %i and from it on %s', (limits, near, most, least) => {
    expect(quantityUpTo(near, limits)).toBe(most);
    expect(quantityFrom(near, limits)).toBe(least);
    expect(isSoldOut(near, limits)).toBe(most === 0);
  });
});
