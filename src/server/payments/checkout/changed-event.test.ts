/** A checkout from a page that shows another date, venue or refund policy than the event has by now. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent, publicEvent } from '#contract/app/events.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { lockOwnEvent, updateEvent } from '#server/events/edit-event.sql.ts';
import { recordVersion } from '#server/events/versions/record-version.ts';
import { newId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { reservedOf } from '#tests/support/money.ts';
import { eventForm, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

const moved = () => {
  const at = (hours: number) => localTimeOf(new Date(app.now().getTime() + hours * 3_600_000), 'America/New_York');
  return { startDate_startTime: at(48), endDate_endTime: at(51) };
};

const checkOut = (eventId: string, pageVersion?: number, cartId = newId()) =>
  app.visitor().call(createCheckoutSession, {
    eventId,
    cartId,
    cartItems: generalAdmission(2),
    ...(pageVersion !== undefined && { pageVersion }),
  });

const ordersOf = async (eventId: string) =>
  (await app.db.selectFrom('orders').where('eventId', '=', eventId).select('pageVersion').execute()).map(
    ({ pageVersion }) => pageVersion,
  );

const whatOf = ({ body }: Awaited<ReturnType<typeof checkOut>>) => ({
  version: body.changed?.pageVersion,
  what: body.changed?.changes.map(({ what }) => what),
});

describe('a checkout from an outdated page', () => {
  it('reserves nothing and says what has changed, until the buyer goes on [VERS-3]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await editEventOf(app, seller, moved());

    const answer = await checkOut(eventId, 1);
    expect(whatOf(answer)).toEqual({ version: 2, what: ['date'] });
    expect([answer.status, answer.body.id, answer.body.url]).toEqual([200, '', expect.stringContaining(eventId)]);
    expect([await reservedOf(app, eventId), await ordersOf(eventId)]).toEqual([0, []]);

    expect(expectOk(await checkOut(eventId, answer.body.changed?.pageVersion)).id).not.toBe('');
    expect(await ordersOf(eventId)).toEqual([2]);
  });

  it('that omits its version takes the event as it is [VERS-3]', async () => {
    const seller = await eventOnSale(app);
    await editEventOf(app, seller, moved());

    expect(expectOk(await checkOut(seller.eventId)).changed).toBeUndefined();
    expect(await ordersOf(seller.eventId)).toEqual([2]);
  });

  it('goes on where only texts have changed, or a change was reversed [VERS-3]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    const page = expectOk(await app.call(publicEvent, { eventId }));
    if (!('tickets' in page)) throw new Error('the event is not on sale');
    await editEventOf(app, seller, { title: 'Attic Strings' });
    expect(expectOk(await checkOut(eventId, 1)).changed).toBeUndefined();

    await editEventOf(app, seller, { street: '1 Elsewhere', emailsConfirmed: true });
    expect(whatOf(await checkOut(eventId, 1))).toEqual({ version: 3, what: ['venue'] });
    await editEventOf(app, seller, { street: page.street, emailsConfirmed: true });
    expect(expectOk(await checkOut(eventId, 1)).changed).toBeUndefined();
    expect(await ordersOf(eventId)).toEqual([2, 4]);
  });

  it('says it before another price does [VERS-3]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    const tickets = eventForm(app).tickets.map((type) => ({ ...type, ticketPrice: 30 }));
    await editEventOf(app, seller, { ...moved(), tickets });
    const cart = { eventId, cartItems: [{ ticketName: 'General admission', ticketPrice: 24, quantity: 1 }] };

    const answer = await app.visitor().call(createCheckoutSession, { ...cart, pageVersion: 1 });
    expect(whatOf(answer)).toEqual({ version: 2, what: ['date'] });
    expect(await app.visitor().call(createCheckoutSession, { ...cart, pageVersion: 2 })).toMatchObject({
      status: 409,
      body: errorBody('checkout.price-changed'),
    });
  });

  it('of a cancelled event says that it is cancelled, and an unknown version is none [VERS-3]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await editEventOf(app, seller, moved());
    expect(expectOk(await checkOut(eventId, 77)).changed).toBeUndefined();
    expectOk(await seller.visitor.call(cancelEvent, { eventId }));

    expect((await checkOut(eventId, 1)).body).toMatchObject({ code: 'checkout.event-cancelled' });
  });

  it('keeps its own reservation once the buyer goes on, on the version that they agreed to [VERS-3]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    const cartId = newId();
    const first = expectOk(await checkOut(eventId, 1, cartId));
    await editEventOf(app, seller, { ...moved(), emailsConfirmed: true });

    expect(whatOf(await checkOut(eventId, 1, cartId))).toEqual({ version: 2, what: ['date'] });
    expect(await ordersOf(eventId)).toEqual([1]);
    expect(expectOk(await checkOut(eventId, 2, cartId)).id).toBe(first.id);
    expect([await ordersOf(eventId), await reservedOf(app, eventId)]).toEqual([[2], 2]);
  });

  it('waits for an edit that is being saved, and then says what it changed [VERS-3]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    const { answer } = await savingMove(seller, () => checkOut(eventId, 1));

    expect(whatOf(await answer)).toEqual({ version: 2, what: ['date'] });
    expect([await reservedOf(app, eventId), await ordersOf(eventId)]).toEqual([0, []]);
  });

  it('without its version waits as well, and has the new one [VERS-3]', async () => {
    const seller = await eventOnSale(app);
    const { answer } = await savingMove(seller, () => checkOut(seller.eventId));

    expect(expectOk(await answer).changed).toBeUndefined();
    expect(await ordersOf(seller.eventId)).toEqual([2]);
  });
});

/** Moves the event while the checkout, which has read it before, waits for its lock. */
async function savingMove({ eventId, email }: Seller, begin: () => ReturnType<typeof checkOut>) {
  const { organizationId } = await actorOf(app.db, email);
  return app.db.transaction().execute(async (tx) => {
    const event = await lockOwnEvent(tx, organizationId, eventId);
    if (!event) throw new Error('no such event');
    const answer = begin();
    await app.untilBlocked();
    const later = (at: Date) => new Date(at.getTime() + 24 * 3_600_000);
    await updateEvent(tx, eventId, { startsAt: later(event.startsAt), endsAt: later(event.endsAt) });
    await recordVersion(tx, eventId);
    return { answer };
  });
}
