/** The guest list by name: order, filters, search, and one guest. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { eventTickets } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { guestDetails, guestRows, guestTable } from '#contract/app/sales/guest-table.ts';
import { nameTickets } from '#contract/app/sales/order-names.ts';
import { newId } from '#server/platform/ids.ts';
import { addGuests, importFile } from '#tests/support/comps.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { askBuyers, buyWithDetails, questionForm } from '#tests/support/guest-forms.ts';
import { rowsOf } from '#tests/support/guest-rows.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;
type Filters = Omit<Parameters<typeof rowsOf>[1] & object, never>;

const shownOf = async (seller: Seller, filters: Filters = {}) =>
  (await rowsOf(seller, filters)).map(({ name, email }) => name ?? email);

const tableOf = async ({ visitor, eventId }: Seller, filters: object = {}) =>
  expectOk(await visitor.call(guestTable, { eventId, ...filters }));

const scan = async ({ eventId, attendantCode }: Seller, confirmationNumber: string) => {
  const door = await attendantOf(app, eventId, attendantCode);
  expectOk(await door.call(checkGuest, { eventId, confirmationNumber }));
};

/** As in orders that cost nothing. */
const dropBuyerNames = ({ eventId }: Seller) =>
  app.db.updateTable('orders').set({ buyerName: null }).where('eventId', '=', eventId).execute();

async function askedSeller() {
  const seller = await eventOnSale(app);
  const { tickets } = expectOk(await seller.visitor.call(eventTickets, { eventId: seller.eventId }));
  const typeOf = (name: string) => tickets.find(({ ticketName }) => ticketName === name)?.ticketId ?? '';
  const {
    Meal: meal = '',
    Heard: heard = '',
    Diet: diet = '',
  } = await askBuyers(seller, {
    asksNames: 'optional',
    questions: [
      questionForm('Meal', { kind: 'any-of', options: ['Soup', 'Pie'], isRequired: false }),
      questionForm('Diet', { isRequired: false }),
      questionForm('Heard', { kind: 'one-of', options: ['A friend', 'Radio'], scope: 'order', isRequired: false }),
    ],
  });
  return { ...seller, typeOf, meal, heard, diet };
}

describe('the guest list by name', () => {
  let seller: Awaited<ReturnType<typeof askedSeller>>;
  let ben: string;
  beforeAll(async () => {
    seller = await askedSeller();
    const { eventId, meal, heard, diet } = seller;
    await buyWithDetails(
      app,
      eventId,
      {
        order: { answers: { [heard]: 'Radio' } },
        tickets: [
          { name: 'Zoe Adams', answers: { [meal]: ['Soup'] } },
          { name: 'ana Ruiz', answers: { [meal]: ['Soup', 'Pie'], [diet]: 'Vegan' } },
          { answers: {} },
        ],
      },
      {
        email: 'mia@example.com',
        cartItems: [
          { ticketName: 'General admission', quantity: 2 },
          { ticketName: 'Balcony', quantity: 1 },
        ],
      },
    );
    const order = await buyWithDetails(
      app,
      eventId,
      { order: { answers: { [heard]: 'A friend' } }, tickets: [{ name: 'Ben' }] },
      { email: 'ben@concert.example' },
    );
    ben = codesOf(order)[0] ?? '';
    expectOk(await addGuests(seller, [{ email: 'comp@example.com' }]));
    expectOk(await importFile(seller, 'Email,Ticket type\nimported@example.com,General admission'));
    await app.settle();
    await dropBuyerNames(seller);
  });

  it('sorts by name, and guests without one by their address [LIST-1]', async () => {
    expect(await shownOf(seller)).toEqual([
      'ana Ruiz',
      'Ben',
      'comp@example.com',
      'imported@example.com',
      'mia@example.com',
      'Zoe Adams',
    ]);
    const [ana] = await rowsOf(seller);
    expect(ana).toMatchObject({
      email: 'mia@example.com',
      ticketName: 'General admission',
      state: 'valid',
      channel: 'online',
    });
  });

  it('finds a name, or a word of it, by how it begins, an address, a domain, and either end of a number [LIST-1]', async () => {
    expect(await shownOf(seller, { q: 'AN' })).toEqual(['ana Ruiz']);
    expect(await shownOf(seller, { q: 'ruiz' })).toEqual(['ana Ruiz']);
    expect(await shownOf(seller, { q: 'uiz' })).toEqual([]);
    expect(await shownOf(seller, { q: 'mia@' })).toEqual(['ana Ruiz', 'mia@example.com', 'Zoe Adams']);
    expect(await shownOf(seller, { q: '@concert' })).toEqual(['Ben']);
    expect(await shownOf(seller, { q: ben.slice(0, 5) })).toContain('Ben');
    expect(await shownOf(seller, { q: ben.slice(-4) })).toContain('Ben');
    expect(await shownOf(seller, { q: `${ben.slice(0, 3)} ${ben.slice(3, 6)}-${ben.slice(6)}` })).toEqual(['Ben']);
    expect(await shownOf(seller, { q: '%' })).toEqual([]);
  });

  it('filters by ticket type, channel and answer [LIST-1]', async () => {
    const { meal, heard, diet, typeOf } = seller;
    expect(await shownOf(seller, { type: typeOf('Balcony') })).toEqual(['mia@example.com']);
    expect(await shownOf(seller, { channel: 'comp' })).toEqual(['comp@example.com']);
    expect(await shownOf(seller, { channel: 'import' })).toEqual(['imported@example.com']);
    expect(await shownOf(seller, { channel: 'online', q: 'b' })).toEqual(['Ben']);
    expect(await shownOf(seller, { question: meal, answer: 'Soup' })).toEqual(['ana Ruiz', 'Zoe Adams']);
    expect(await shownOf(seller, { question: meal, answer: 'Pie' })).toEqual(['ana Ruiz']);
    expect(await shownOf(seller, { question: diet })).toEqual(['ana Ruiz']);
    // Asked once for the order.
    expect(await shownOf(seller, { question: heard, answer: 'Radio' })).toEqual([
      'ana Ruiz',
      'mia@example.com',
      'Zoe Adams',
    ]);
    expect(await shownOf(seller, { question: newId() })).toEqual([]);
  });

  it('says what it can be filtered by, and counts the guests of each [LIST-1]', async () => {
    const { meal, heard, diet, typeOf } = seller;
    const table = await tableOf(seller, { type: typeOf('Balcony') });
    expect(table.types.map(({ ticketName }) => ticketName)).toEqual(['General admission', 'Balcony']);
    expect(table.questions).toEqual([
      { questionId: meal, label: 'Meal', answers: ['Soup', 'Pie'] },
      { questionId: diet, label: 'Diet', answers: [] },
      { questionId: heard, label: 'Heard', answers: ['A friend', 'Radio'] },
    ]);
    const ofType = (name: string) => table.counts.filter(({ ticketId }) => ticketId === typeOf(name));
    expect(ofType('Balcony')).toEqual([{ ticketId: typeOf('Balcony'), state: 'valid', channel: 'online', tickets: 1 }]);
    expect(
      ofType('General admission')
        .map(({ channel, tickets }) => [channel, tickets])
        .sort(),
    ).toEqual([
      ['comp', 1],
      ['import', 1],
      ['online', 3],
    ]);
    expect((await tableOf(seller, { q: 'ana' })).counts).toEqual([
      { ticketId: typeOf('General admission'), state: 'valid', channel: 'online', tickets: 1 },
    ]);
  });

  it('follows a name that the buyer changes on the order’s page, and goes by the payment without one', async () => {
    const own = await askedSeller();
    const { details } = await buyWithDetails(
      app,
      own.eventId,
      { tickets: [{}, { name: 'Max' }] },
      {
        email: 'sam@example.com',
        cartItems: generalAdmission(2),
      },
    );
    expect(await shownOf(own)).toEqual(['Max', 'Sam Buyer']);
    const names = [
      { position: 1, name: 'Ada' },
      { position: 2, name: '' },
    ];
    expectOk(await app.call(nameTickets, { token: details?.token ?? '', names }));
    expect(await shownOf(own)).toEqual(['Ada', 'Sam Buyer']);
    expect(await shownOf(own, { q: 'buy' })).toEqual(['Sam Buyer']);
    expect(await shownOf(own, { q: 'max' })).toEqual([]);
  });

  it('filters by state, and a search finds refunded tickets as well [LIST-1]', async () => {
    const own = await eventOnSale(app);
    const orders = [];
    for (const name of ['a', 'b', 'c', 'd'])
      orders.push(await buyTickets(app, own.eventId, generalAdmission(1), `${name}@x.example`));
    await dropBuyerNames(own);
    const [a = '', b = '', c = ''] = orders.flatMap(codesOf);
    await scan(own, a);
    expectOk(await app.call(requestRefund, { eventId: own.eventId, confirmationCode: b }));
    await app.db
      .updateTable('tickets')
      .set({ disputedAt: new Date() })
      .where('eventId', '=', own.eventId)
      .where('confirmationNumber', '=', c)
      .execute();

    expect(await shownOf(own)).toEqual(['a@x.example', 'c@x.example', 'd@x.example']);
    expect(await shownOf(own, { state: 'checked-in' })).toEqual(['a@x.example']);
    expect(await shownOf(own, { state: 'not-yet' })).toEqual(['d@x.example']);
    expect(await shownOf(own, { state: 'disputed' })).toEqual(['c@x.example']);
    expect(await shownOf(own, { state: 'refunded' })).toEqual(['b@x.example']);
    expect(await shownOf(own, { state: 'void' })).toEqual([]);
    expect(await shownOf(own, { q: '@x' })).toEqual(['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example']);
  });

  it('rejects filters that it does not know, over HTTP', async () => {
    const { visitor, eventId } = seller;
    const path = guestRows.path.replace(':eventId', eventId);
    for (const query of ['state=gone', 'type=1', 'channel=fax', 'question=x', `q=${'x'.repeat(101)}`, 'after=x'])
      expect([query, (await visitor.fetch(`${path}?${query}`)).status]).toEqual([query, 400]);
  });
});

describe('one guest', () => {
  it('has their order, answers and what happened', async () => {
    const seller = await askedSeller();
    const { eventId, visitor, meal } = seller;
    const order = await buyWithDetails(
      app,
      eventId,
      { tickets: [{ name: 'Sofia', answers: { [meal]: ['Pie'] } }, { name: 'Omar' }] },
      { email: 'sofia@example.com', cartItems: generalAdmission(2) },
    );
    const [sofia = ''] = codesOf(order);
    await scan(seller, sofia);
    await editEventOf(app, seller, { street: '1 New Street' });
    await app.settle();

    const row = (await rowsOf(seller, { q: 'sofia' })).find(({ name }) => name === 'Sofia');
    const guest = expectOk(await visitor.call(guestDetails, { eventId, ticketId: row?.ticketId ?? '' }));
    expect(guest).toMatchObject({
      name: 'Sofia',
      email: 'sofia@example.com',
      state: 'scanned',
      price: 24,
      answers: [{ label: 'Meal', answer: 'Pie' }],
      channel: 'online',
    });
    expect(guest.order.map(({ position, name, state }) => [position, name, state])).toEqual([
      [1, 'Sofia', 'scanned'],
      [2, 'Omar', 'valid'],
    ]);
    expect(guest.timeline.map(({ what }) => what).sort()).toEqual(['bought', 'checked-in', 'emailed', 'moved']);
    expect(guest.timeline.find(({ what }) => what === 'checked-in')?.by).toEqual(expect.any(String));
  });

  it('says when a refund was requested and paid, and when a comp was withdrawn', async () => {
    const seller = await eventOnSale(app);
    const { eventId, visitor } = seller;
    const order = await buyTickets(app, eventId, generalAdmission(1), 'kim@example.com');
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: codesOf(order)[0] ?? '' }));
    const [row] = await rowsOf(seller, { state: 'refunded' });
    const { timeline } = expectOk(await visitor.call(guestDetails, { eventId, ticketId: row?.ticketId ?? '' }));
    expect(timeline.map(({ what }) => what)).toContain('refund-requested');
    const moments = timeline.map(({ at }) => at);
    expect(moments).toEqual([...moments].sort());
  });

  it('is not found in another event, and not by another organization', async () => {
    const [seller, other] = [await eventOnSale(app), await eventOnSale(app)];
    await buyTickets(app, seller.eventId, generalAdmission(1));
    const [row] = await rowsOf(seller);
    const ticketId = row?.ticketId ?? '';
    expect(await other.visitor.call(guestDetails, { eventId: other.eventId, ticketId })).toMatchObject({
      status: 404,
      body: { code: 'guests.unknown' },
    });
    expect(await other.visitor.call(guestDetails, { eventId: seller.eventId, ticketId })).toMatchObject({
      status: 404,
      body: { code: 'event.not-found' },
    });
  });
});
