/** Promo codes under the lock that reserves many carts at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveCarts } from '#server/orders/core/stock.sql.ts';
import { newId } from '#server/platform/ids.ts';
import { reservedOf } from '#tests/support/money.ts';
import { eventOnSale } from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const type = (ticketName: string, ticketPrice: number, more: { isHidden?: boolean } = {}) => ({
  ticketName,
  ticketDescription: 'A ticket',
  ticketPrice,
  ticketQuantity: 100,
  ...more,
});

/** With a code of 20% off. */
async function eventWith(tickets: ReturnType<typeof type>[], change: Parameters<typeof promoForm>[1] = {}) {
  const event = await eventOnSale(app, { tickets });
  return { ...event, promoCodeId: await newPromoCode(event, promoForm('SPRING', change)) };
}

type Event = Awaited<ReturnType<typeof eventWith>>;

describe('carts of one batch', () => {
  const terms = { reservationMinutes: 30, lockTimeoutMs: 1000, pagesPerSecond: null, unpaidMax: null };

  async function cartsOf({ eventId, promoCodeId }: Event, name: string, quantities: number[], isPromo = true) {
    const types = app.db.selectFrom('ticketTypes').where('eventId', '=', eventId).where('name', '=', name);
    const { id, priceCents } = await types.select(['id', 'priceCents']).executeTakeFirstOrThrow();
    const unitPriceCents = isPromo ? priceCents * 0.8 : priceCents;
    return quantities.map((quantity) => ({
      eventId,
      orderId: newId(),
      cartId: null,
      networkHash: null,
      totalCents: quantity * unitPriceCents,
      promoVersion: 1,
      lines: [
        {
          ticketTypeId: id,
          ticketName: name,
          listPriceCents: priceCents,
          unitPriceCents,
          quantity,
          promoCodeId: isPromo ? promoCodeId : null,
        },
      ],
    }));
  }

  it('have uses in their order, and a smaller one may still have what a larger one could not [PROMO-3]', async () => {
    const event = await eventWith([type('Seat', 20)], { maxUses: 5 });
    const results = await reserveCarts(app.db, await cartsOf(event, 'Seat', [3, 3, 2, 1]), terms);
    expect(results).toMatchObject([
      { is: 'reserved' },
      { is: 'promo-short', left: 2 },
      { is: 'reserved' },
      { is: 'promo-short', left: 0 },
    ]);
    const codes = await app.db.selectFrom('promoCodes').where('eventId', '=', event.eventId).select('uses').execute();
    expect([codes, await reservedOf(app, event.eventId)]).toEqual([[{ uses: 5 }], 5]);
  });

  it('that were priced with what has changed since are read again [PROMO-6 STOCK-7]', async () => {
    const event = await eventWith([type('Seat', 20), type('Student', 8, { isHidden: true })]);
    const old = (await cartsOf(event, 'Seat', [1])).map((cart) => ({ ...cart, promoVersion: 0 }));
    const hidden = await cartsOf(event, 'Student', [1], false);
    const results = await reserveCarts(app.db, [...old, ...hidden], terms);
    expect(results).toEqual([{ is: 'changed' }, { is: 'changed' }]);
    expect(await reservedOf(app, event.eventId)).toBe(0);
  });
});
