/** Edits of the ticket types in the form of an event. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import * as contract from '#contract/app/events.ts';
import { edit, formOf, shown, ticketsOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { buyTickets, eventOnSale, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const GENERAL = { ticketName: 'General admission', quantity: 2 };

describe('editing ticket types', () => {
  it('matches them by ID, then by name, and renames, adds, removes and reorders [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    const [general, balcony] = await ticketsOf(app, sale);
    const { ticketId: _, ...byName } = { ...general, ticketName: 'GENERAL ADMISSION', ticketQuantity: 90 };
    const added = { ticketName: 'Box', ticketDescription: 'For four', ticketPrice: '120.00', ticketQuantity: 3 };

    await edit(app, sale, { tickets: [added, { ...balcony, ticketName: 'Gallery' }, byName] });
    const { tickets } = await shown(app, sale);
    await edit(app, sale, { tickets: [added] });

    expect(tickets).toMatchObject([
      { ticketName: 'Box', ticketPrice: 120, available: 3 },
      { ticketId: balcony.ticketId, ticketName: 'Gallery' },
      { ticketId: general.ticketId, ticketName: 'GENERAL ADMISSION', ticketQuantity: 90 },
    ]);
    expect((await shown(app, sale)).tickets.map(({ ticketName }) => ticketName)).toEqual(['Box']);
  });

  it('allows swapping names, and reusing a removed name [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    const [general, balcony] = await ticketsOf(app, sale);

    const swapped = await edit(app, sale, {
      tickets: [
        { ...general, ticketName: balcony.ticketName },
        { ...balcony, ticketName: general.ticketName },
      ],
    });
    expect(swapped.status).toBe(200);
    expect((await shown(app, sale)).tickets).toMatchObject([
      { ticketId: general.ticketId, ticketName: 'Balcony' },
      { ticketId: balcony.ticketId, ticketName: 'General admission' },
    ]);

    await edit(app, sale, { tickets: [{ ...balcony, ticketName: 'General admission' }] });
    const readded = { ticketName: 'Balcony', ticketDescription: 'Again', ticketPrice: 9, ticketQuantity: 4 };
    await edit(app, sale, { tickets: [{ ...balcony, ticketName: 'General admission' }, readded] });
    expect((await shown(app, sale)).tickets[1]).toMatchObject({ ticketName: 'Balcony', ticketPrice: 9, available: 4 });
  });

  it('refuses to remove a type with sales or an open checkout [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    const [general, balcony] = await ticketsOf(app, sale);
    await buyTickets(app, sale.eventId, [GENERAL]);
    await app.call(createCheckoutSession, {
      eventId: sale.eventId,
      cartItems: [{ ticketName: 'Balcony', quantity: 1 }],
    });

    expect(await edit(app, sale, { tickets: [balcony] })).toMatchObject({
      status: 409,
      body: errorBody('edit.sold-type-removed', { name: 'General admission' }),
    });
    expect(await edit(app, sale, { tickets: [general] })).toMatchObject({
      status: 409,
      body: errorBody('edit.sold-type-removed', { name: 'Balcony' }),
    });
  });

  it('removes a type whose checkouts expired, stops selling it, and refunds a late payment [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    const [general] = await ticketsOf(app, sale);
    const cartItems = [{ ticketName: 'Balcony', quantity: 1 }];
    const { body: session } = await app.call(createCheckoutSession, { eventId: sale.eventId, cartItems });
    // The reservation expires while the buyer is paying.
    await app.db.updateTable('orders').set({ state: 'expired' }).where('eventId', '=', sale.eventId).execute();
    await app.db.updateTable('ticketTypes').set({ reserved: 0 }).where('eventId', '=', sale.eventId).execute();

    expect((await edit(app, sale, { tickets: [general] })).status).toBe(200);
    await pay(app.visitor(), session.url, 'late@example.com');
    await app.settle();

    expect(await app.call(createCheckoutSession, { eventId: sale.eventId, cartItems })).toMatchObject({
      status: 409,
      body: { code: 'checkout.unknown-ticket' },
    });
    const orders = await app.db.selectFrom('orders').where('eventId', '=', sale.eventId).select('state').execute();
    expect(orders).toEqual([{ state: 'unfulfillable' }]);
  });

  it('refuses a quantity below the number sold or in a checkout [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    await buyTickets(app, sale.eventId, [GENERAL]);
    const [general, balcony] = await ticketsOf(app, sale);
    const withQuantity = (ticketQuantity: number) => [{ ...general, ticketQuantity }, balcony];

    expect(await edit(app, sale, { tickets: withQuantity(1) })).toMatchObject({
      status: 409,
      body: errorBody('edit.quantity-below-sold', { name: 'General admission', reserved: 2 }),
    });
    expect((await edit(app, sale, { tickets: withQuantity(2) })).status).toBe(200);
    expect((await shown(app, sale)).tickets[0]).toMatchObject({ ticketQuantity: 2, available: 0 });
  });

  it('is refused with a message when a concurrent checkout reserves first', async () => {
    const sale = await eventOnSale(app);
    const [general, balcony] = await ticketsOf(app, sale);
    const { reply } = await app.db.transaction().execute(async (tx) => {
      // Locks the row like a checkout that has not committed yet.
      const row = tx
        .updateTable('ticketTypes')
        .where('eventId', '=', sale.eventId)
        .where('name', '=', 'General admission');
      await row.set({ reserved: 5 }).execute();
      const sent = edit(app, sale, { tickets: [{ ...general, ticketQuantity: 4 }, balcony] });
      await app.untilBlocked();
      return { reply: sent };
    });

    expect(await reply).toMatchObject({
      status: 409,
      body: errorBody('edit.quantity-below-sold', { name: 'General admission', reserved: 5 }),
    });
  });

  it('leaves too few tickets for a checkout that starts later', async () => {
    const sale = await eventOnSale(app);
    const [general, balcony] = await ticketsOf(app, sale);
    const form = { ...(await formOf(app, sale)), tickets: [{ ...general, ticketQuantity: 1 }, balcony] };
    const { replies } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('ticketTypes').where('eventId', '=', sale.eventId).select('id').forUpdate().execute();
      const edited = sale.visitor.call(contract.editEvent, form);
      await app.untilBlocked();
      const bought = app.call(createCheckoutSession, { eventId: sale.eventId, cartItems: [GENERAL] });
      await app.untilBlocked(2);
      return { replies: [edited, bought] as const };
    });

    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 409]);
  });

  it('keeps the price of existing orders [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    await buyTickets(app, sale.eventId, [GENERAL]);
    const [general, balcony] = await ticketsOf(app, sale);

    await edit(app, sale, { tickets: [{ ...general, ticketPrice: 30 }, balcony] });
    await buyTickets(app, sale.eventId, [{ ticketName: 'General admission', quantity: 1 }]);

    const { body } = await sale.visitor.call(profile, {});
    expect(body.events[0]?.guestList.map(({ ticketPrice }) => ticketPrice)).toEqual([24, 24, 30]);
  });
});
