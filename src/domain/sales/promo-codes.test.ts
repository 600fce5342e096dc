import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TICKET_PRICE_MAX_CENTS, TICKET_PRICE_MIN_CENTS } from '../limits.ts';
import { countDiscounted, discountLines, PROMO_KINDS, type PromoCode, promoPrice } from './promo-codes.ts';

const code = (change: Partial<PromoCode> = {}): PromoCode => ({
  id: 'spring',
  code: 'SPRING',
  kind: 'percent',
  value: 20_00,
  typeIds: null,
  maxPerOrder: null,
  usesLeft: null,
  version: 1,
  ...change,
});

const line = (ticketTypeId: string, listPriceCents: number, quantity: number) => ({
  ticketTypeId,
  listPriceCents,
  quantity,
});

const anyPrice = fc.oneof(
  fc.constant(0),
  fc.integer({ min: TICKET_PRICE_MIN_CENTS, max: 100_00 }),
  fc.integer({ min: TICKET_PRICE_MIN_CENTS, max: TICKET_PRICE_MAX_CENTS }),
);
const anyCode = fc.record({
  kind: fc.constantFrom(...PROMO_KINDS),
  percent: fc.integer({ min: 1, max: 100 }),
  cents: fc.oneof(fc.constant(0), fc.integer({ min: TICKET_PRICE_MIN_CENTS, max: 60_000_00 })),
});
const termsOf = ({ kind, percent, cents }: { kind: PromoCode['kind']; percent: number; cents: number }) => ({
  kind,
  value: { percent: percent * 100, amount: cents, fixed: cents, unlock: 0 }[kind],
});

describe('the price of a ticket with a promo code', () => {
  it.each([
    { list: 19_99, kind: 'percent', value: 20_00, price: 15_99, because: '399.8 cents off round up' },
    { list: 19_98, kind: 'percent', value: 33_00, price: 13_39, because: '659.34 round down' },
    { list: 1_50, kind: 'percent', value: 33_00, price: 1_00, because: 'half a cent rounds up: 49.5 is 50 off' },
    { list: 20_00, kind: 'percent', value: 100_00, price: 0, because: 'all of it' },
    { list: 20_00, kind: 'amount', value: 5_00, price: 15_00, because: '$5 off' },
    { list: 3_00, kind: 'amount', value: 5_00, price: 0, because: 'no more than the price is taken off' },
    { list: 20_00, kind: 'amount', value: 19_51, price: 0, because: "49 cents can't be paid by card" },
    { list: 20_00, kind: 'amount', value: 19_50, price: 50, because: '50 cents can' },
    { list: 20_00, kind: 'fixed', value: 12_00, price: 12_00, because: 'a fixed price' },
    { list: 10_00, kind: 'fixed', value: 12_00, price: 10_00, because: 'it never raises a price' },
    { list: 10_00, kind: 'unlock', value: 0, price: 10_00, because: 'it only unlocks' },
    { list: 0, kind: 'percent', value: 50_00, price: 0, because: 'free stays free' },
  ] as const)(
    'of $list cents is $price with $kind $value: $because [PRICE-5 PROMO-1 PROMO-2]',
    ({ list, price, ...terms }) => {
      expect(promoPrice(list, terms)).toBe(price);
    },
  );

  it('is free, or between the lowest price of a ticket and its list price [PRICE-5 PROMO-2]', () => {
    fc.assert(
      fc.property(anyPrice, anyCode, (list, typed) => {
        const price = promoPrice(list, termsOf(typed));
        expect(price === 0 || price >= TICKET_PRICE_MIN_CENTS).toBe(true);
        expect(price).toBeLessThanOrEqual(list);
      }),
    );
  });
});

describe('a cart with a promo code', () => {
  const cart = [line('floor', 20_00, 3), line('balcony', 38_00, 2), line('free', 0, 4)];

  it('has the discount on each ticket that costs something [PROMO-1]', () => {
    expect(discountLines(cart, code())).toEqual([
      { ...cart[0], unitPriceCents: 16_00, promoCodeId: 'spring' },
      { ...cart[1], unitPriceCents: 30_40, promoCodeId: 'spring' },
      { ...cart[2], unitPriceCents: 0, promoCodeId: null },
    ]);
  });

  it('has it on the chosen types only [PROMO-1]', () => {
    const lines = discountLines(cart, code({ typeIds: ['balcony'] }));
    expect(lines.map(({ promoCodeId }) => promoCodeId)).toEqual([null, 'spring', null]);
  });

  it('has it on the most expensive tickets first, as long as uses are left [PROMO-4]', () => {
    const lines = discountLines(cart, code({ usesLeft: 3 }));
    expect(lines).toMatchObject([
      { ticketTypeId: 'floor', quantity: 1, unitPriceCents: 16_00, promoCodeId: 'spring' },
      { ticketTypeId: 'floor', quantity: 2, unitPriceCents: 20_00, promoCodeId: null },
      { ticketTypeId: 'balcony', quantity: 2, unitPriceCents: 30_40, promoCodeId: 'spring' },
      { ticketTypeId: 'free', quantity: 4, unitPriceCents: 0, promoCodeId: null },
    ]);
    expect(countDiscounted(lines, code())).toEqual({ discounted: 3, fullPrice: 2 });
  });

  it('uses none on a ticket that the code makes no cheaper [PROMO-2]', () => {
    const fixed = code({ kind: 'fixed', value: 25_00, usesLeft: 2 });
    expect(discountLines(cart, fixed).map(({ promoCodeId }) => promoCodeId)).toEqual([null, 'spring', null]);
  });

  it('keeps every ticket, and never discounts more than the code and its orders allow [PROMO-3]', () => {
    const anyCart = fc.array(fc.record({ price: anyPrice, quantity: fc.integer({ min: 1, max: 20 }) }), {
      maxLength: 6,
    });
    const limit = fc.option(fc.integer({ min: 1, max: 15 }), { nil: null });
    fc.assert(
      fc.property(anyCart, anyCode, limit, limit, (types, typed, usesLeft, maxPerOrder) => {
        const lines = types.map(({ price, quantity }, index) => line(`t${index}`, price, quantity));
        const promo = code({ ...termsOf(typed), usesLeft, maxPerOrder });
        const priced = discountLines(lines, promo);

        const sum = (some: readonly { quantity: number }[]) => some.reduce((all, { quantity }) => all + quantity, 0);
        for (const one of lines)
          expect(sum(priced.filter(({ ticketTypeId }) => ticketTypeId === one.ticketTypeId))).toBe(one.quantity);
        const { discounted, fullPrice } = countDiscounted(priced, promo);
        expect(discounted).toBeLessThanOrEqual(Math.min(usesLeft ?? Infinity, maxPerOrder ?? Infinity));
        if (usesLeft === null && maxPerOrder === null) expect(fullPrice).toBe(0);
        for (const { listPriceCents, unitPriceCents, promoCodeId } of priced)
          expect(unitPriceCents).toBe(promoCodeId ? promoPrice(listPriceCents, promo) : listPriceCents);
      }),
    );
  });
});
