/** Guests at no charge are emailed without having asked for it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEvent, eventTickets } from '#contract/app/events.ts';
import { addComps } from '#contract/app/sales/comps.ts';
import { UNIDENTIFIED_COMPS_PER_DAY_MAX } from '#domain/limits.ts';
import { addGuests, compsOf } from '#tests/support/comps.ts';
import { eventForm, eventOnSale, expectOk, logInAgain, verifiedOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('an organization that no payout account identifies', () => {
  it('gives few tickets away a day, over all of its events [COMP-1]', async () => {
    const person = await verifiedOrganizer(app);
    const { visitor } = person;
    const ticket = {
      ticketName: 'General admission',
      ticketDescription: 'Come in',
      ticketPrice: 0,
      ticketQuantity: 500,
    };
    const create = async () => expectOk(await visitor.call(createEvent, eventForm(app, { tickets: [ticket] }))).eventId;
    const add = async (eventId: string, count: number) => {
      const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
      const guests = Array.from({ length: count }, (_, index) => ({
        email: `guest-${index}@example.com`,
        ticketId: tickets[0]?.ticketId ?? '',
        quantity: 1,
      }));
      return visitor.call(addComps, { eventId, compsId: randomUUID(), guests });
    };
    const [first, second] = [await create(), await create()];
    expectOk(await add(first, 30));
    expect(await add(second, UNIDENTIFIED_COMPS_PER_DAY_MAX - 29)).toMatchObject({
      status: 409,
      body: { code: 'comp.too-many-today', params: { max: UNIDENTIFIED_COMPS_PER_DAY_MAX } },
    });
    const issued = app.db.selectFrom('tickets').where('eventId', '=', second).select('id');
    expect(await issued.execute()).toEqual([]);
    expectOk(await add(second, UNIDENTIFIED_COMPS_PER_DAY_MAX - 30));

    await app.advance({ hours: 25 });
    await logInAgain(person);
    expectOk(await add(second, UNIDENTIFIED_COMPS_PER_DAY_MAX));
  });
});

describe('a guest who is named twice', () => {
  it('gets all tickets of a type in one order, and one email', async () => {
    const event = await eventOnSale(app);
    const email = 'twice@example.com';
    expectOk(
      await addGuests(event, [{ email }, { email: 'Twice@example.com', quantity: 2 }, { email: 'once@example.com' }]),
    );
    const orders = app.db.selectFrom('orders').where('eventId', '=', event.eventId).select('buyerEmail');
    expect((await orders.execute()).map(({ buyerEmail }) => buyerEmail).sort()).toEqual(['once@example.com', email]);
    expect((await compsOf(event)).filter((comp) => comp.email === email)).toHaveLength(3);
  });
});
