/** The name that Stripe reports with a payment: where it is shown, and when it is gone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guestFile, guestPage } from '#contract/app/guests.ts';
import { deleteMyRecords, myRecords, myRecordsFile } from '#contract/app/privacy.ts';
import { addGuests } from '#tests/support/comps.ts';
import {
  buyTickets,
  eventOnSale,
  expectOk,
  generalAdmission,
  goodCard,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { recordsLinkTo } from '#tests/support/records-link.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const named = (name: string) => ({ ...goodCard, name });

const nameOf = async (eventId: string) =>
  (await app.db.selectFrom('orders').where('eventId', '=', eventId).select('buyerName').execute()).map(
    ({ buyerName }) => buyerName,
  );

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const fileOf = async ({ visitor, eventId }: Event): Promise<string> =>
  (await visitor.fetch(guestFile.path.replace(':eventId', eventId))).text();

async function guestsOf({ visitor, eventId }: Event) {
  const { guestList } = expectOk(await visitor.call(guestPage, { eventId }));
  return guestList.map(({ name, buyerName }) => name ?? buyerName);
}

describe('the name of a buyer', () => {
  it('greets them on the page of the order, and stands in the guest list and its file [GUEST-3]', async () => {
    const event = await eventOnSale(app);
    const order = await buyTickets(
      app,
      event.eventId,
      generalAdmission(2),
      'sofia@example.com',
      named('Sofia Marchetti'),
    );

    expect(order.order?.firstName).toBe('Sofia');
    expect(await guestsOf(event)).toEqual(['Sofia Marchetti', 'Sofia Marchetti']);
    const file = await fileOf(event);
    expect(file).toMatch(/"Name"/);
    expect(file.match(/"Sofia Marchetti"/g)).toHaveLength(2);
  });

  it('is missing if Stripe reports none, and for free orders and comps [GUEST-3]', async () => {
    const free = { ticketName: 'Free', ticketDescription: 'x', ticketPrice: 0, ticketQuantity: 9 };
    const paid = { ticketName: 'Paid', ticketDescription: 'x', ticketPrice: 24, ticketQuantity: 9 };
    const event = await eventOnSale(app, { tickets: [free, paid] });
    const order = await buyTickets(
      app,
      event.eventId,
      [{ ticketName: 'Paid', quantity: 1 }],
      'x@example.com',
      named(''),
    );
    await takeFreeTickets(app, event.eventId, [{ ticketName: 'Free', quantity: 1 }]);
    await addGuests(event, [{ email: 'comp@example.com', ticketName: 'Free' }]);
    await app.settle();

    expect(order.order).not.toHaveProperty('firstName');
    expect(await nameOf(event.eventId)).toEqual([null, null, null]);
    expect(await guestsOf(event)).toEqual([undefined, undefined, undefined]);
  });

  it('is a formula in no spreadsheet', async () => {
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(1), 'sam@example.com', named('=HYPERLINK("x")'));
    const file = await fileOf(event);

    expect(file).toContain(`"'=HYPERLINK(""x"")"`);
  });

  it('is exported and erased with their address [GUEST-3]', async () => {
    const event = await eventOnSale(app);
    const email = 'erase-my-name@example.com';
    await buyTickets(app, event.eventId, generalAdmission(1), email, named('Noor Haddad'));
    const token = await recordsLinkTo(app, email);
    const { purchases } = expectOk(await app.call(myRecords, { token }));
    expect(purchases.map(({ buyerName }) => buyerName)).toEqual(['Noor Haddad']);
    const file = await (await event.visitor.fetch(myRecordsFile.path)).text();
    expect(file).toContain('Noor Haddad');

    await app.advance({ days: 3 });
    expectOk(await app.call(deleteMyRecords, { token: await recordsLinkTo(app, email) }));

    expect(await nameOf(event.eventId)).toEqual([null]);
  });
});
