/** Taking an event down makes it a draft again, unless a ticket is sold or may still be. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent, publicEvent } from '#contract/app/events.ts';
import { deleteDraft, publishEvent, takeDownEvent } from '#contract/app/sales/event-life.ts';
import { reserveCarts } from '#server/orders/core/stock.sql.ts';
import { newId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import {
  buyTickets,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  openCheckout,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];

describe('taking down', () => {
  it('makes a draft again, with another attendant code once it is back [LIFE-5]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;

    expectOk(await seller.visitor.call(takeDownEvent, { eventId }));
    expectOk(await seller.visitor.call(takeDownEvent, { eventId }));
    expect(code(await app.call(publicEvent, { eventId }))).toEqual([404, 'event.not-found']);
    const { attendantCode } = expectOk(await seller.visitor.call(publishEvent, { eventId }));

    expect(attendantCode).not.toBe(seller.attendantCode);
    expect((await app.call(publicEvent, { eventId })).status).toBe(200);
  });

  it('is refused while a ticket is sold or in a checkout [LIFE-5]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await openCheckout(app, eventId, generalAdmission(1));
    expect(code(await seller.visitor.call(takeDownEvent, { eventId }))).toEqual([409, 'event.has-sales']);

    const other = await eventOnSale(app);
    await buyTickets(app, other.eventId, generalAdmission(1));
    expect(code(await other.visitor.call(takeDownEvent, { eventId: other.eventId }))).toEqual([409, 'event.has-sales']);
  });

  it('waits until the payment of an abandoned checkout can no longer arrive [LIFE-5]', async () => {
    const seller = await eventOnSale(app, {
      startDate_startTime: '2031-06-12T20:00',
      endDate_endTime: '2031-06-12T23:30',
    });
    const { eventId } = seller;
    await openCheckout(app, eventId, generalAdmission(1));
    await app.advance({ minutes: 40 });
    await app.settle();
    const state = async () =>
      (await app.db.selectFrom('orders').where('eventId', '=', eventId).select('state').execute()).map(
        (one) => one.state,
      );
    expect(await state()).toEqual(['expired']);
    expect(code(await seller.visitor.call(takeDownEvent, { eventId }))).toEqual([409, 'event.has-sales']);

    await app.advance({ minutes: 59 });
    await logInAgain(seller);
    expectOk(await seller.visitor.call(takeDownEvent, { eventId }));

    expect(await state()).toEqual([]);
    expectOk(await seller.visitor.call(deleteDraft, { eventId }));
  });

  it('loses against a checkout that reserves first [LIFE-5]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    const { id, name } = await app.db
      .selectFrom('ticketTypes')
      .where('eventId', '=', eventId)
      .where('name', '=', 'Balcony')
      .select(['id', 'name'])
      .executeTakeFirstOrThrow();
    const price = { listPriceCents: 38_50, unitPriceCents: 38_50, promoCodeId: null };
    const line = { ticketTypeId: id, ticketName: name, quantity: 1, ...price };
    const cart = { eventId, orderId: newId(), cartId: null, totalCents: 38_50, lines: [line], networkHash: null };
    const terms = { reservationMinutes: 3, lockTimeoutMs: 1000, pagesPerSecond: null, unpaidMax: null };

    const { takingDown } = await app.db.transaction().execute(async (checkout) => {
      expect(await reserveCarts(checkout, [cart], terms)).toMatchObject([{ is: 'reserved' }]);
      const taken = seller.visitor.call(takeDownEvent, { eventId });
      await app.untilBlocked();
      return { takingDown: taken };
    });

    expect(code(await takingDown)).toEqual([409, 'event.has-sales']);
  });

  it('wins against a checkout that comes later, which finds no event [LIFE-5]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    const { organizationId } = await actorOf(app.db, seller.email);

    const { checkout, takingDown } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const taken = seller.visitor.call(takeDownEvent, { eventId });
      await app.untilBlocked(1);
      const cart = { eventId, cartItems: generalAdmission(1) };
      const started = app.visitor().call(createCheckoutSession, cart);
      await app.untilBlocked(2);
      return { checkout: started, takingDown: taken };
    });

    expect((await takingDown).status).toBe(200);
    expect(code(await checkout)).toEqual([404, 'event.not-found']);
  });

  it('is refused of a cancelled event', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    expectOk(await seller.visitor.call(cancelEvent, { eventId }));

    expect(code(await seller.visitor.call(takeDownEvent, { eventId }))).toEqual([409, 'edit.event-cancelled']);
  });
});

it('leaves the ledger and the stock as they must be', async () => {
  expect(await brokenInvariants(app.db)).toEqual([]);
});
