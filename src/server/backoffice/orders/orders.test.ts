/** The list of an event's orders: newest first, states, filters, search, pages, and one order. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { eventFrame } from '#contract/app/records/workspace.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { orderDetails, orderPageEnds, orderRows, orderTable, resendOrderToBuyer } from '#contract/app/sales/orders.ts';
import { orderNumber } from '#domain/sales/order-list.ts';
import { newId } from '#server/platform/ids.ts';
import { addGuests } from '#tests/support/comps.ts';
import { disputePayment } from '#tests/support/disputes.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { askBuyers, buyWithDetails, questionForm } from '#tests/support/guest-forms.ts';
import { sellMany } from '#tests/support/many-guests.ts';
import { buyTickets, codesOf, emailsTo, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

const rowsOf = async ({ visitor, eventId }: Seller, filters: object = {}) =>
  expectOk(await visitor.call(orderRows, { eventId, ...filters })).orders;

const tableOf = async ({ visitor, eventId }: Seller, filters: object = {}) =>
  expectOk(await visitor.call(orderTable, { eventId, ...filters }));

describe('the list of orders', () => {
  let seller: Seller;
  let codes: string[];
  beforeAll(async () => {
    seller = await eventOnSale(app);
    const { eventId } = seller;
    const buy = (email: string, quantity = 1) => buyTickets(app, eventId, generalAdmission(quantity), email);
    const orders = [await buy('ana@example.com', 2), await buy('ben@concert.example'), await buy('cleo@example.com')];
    codes = orders.flatMap(codesOf);
    await app.settle();
    await disputePayment(app, eventId, { which: 2 });
    for (const code of [codes[0], codes[2]])
      expectOk(await app.call(requestRefund, { eventId, confirmationCode: code ?? '' }));
    expectOk(await addGuests(seller, [{ email: 'comp@example.com' }]));
    expectOk(await app.visitor().call(createCheckoutSession, { eventId, cartItems: generalAdmission(3) }));
    await app.settle();
  });

  it('has a row per order, newest first, with what became of it [WORK-5]', async () => {
    const rows = await rowsOf(seller);
    expect(rows.map(({ email, tickets, total, state }) => [email, tickets, total, state])).toEqual([
      ['', 3, 72, 'checkout'],
      ['comp@example.com', 1, 0, 'comp'],
      ['cleo@example.com', 1, 24, 'disputed'],
      ['ben@concert.example', 1, 24, 'refunded'],
      ['ana@example.com', 2, 48, 'partly-refunded'],
    ]);
    expect(rows.map(({ reservedUntil }) => reservedUntil !== null)).toEqual([true, false, false, false, false]);
    const { counts, may } = await tableOf(seller);
    expect(counts).toHaveLength(5);
    expect(may).toEqual(['order.correct-email', 'ticket.refund', 'ticket.resend']);
    const frame = expectOk(await seller.visitor.call(eventFrame, { eventId: seller.eventId }));
    expect(frame.orders).toBe(4);
  });

  it('filters by state and finds names, addresses, domains, and either number [WORK-5]', async () => {
    const found = async (filters: object) => (await rowsOf(seller, filters)).map(({ email }) => email);
    expect(await found({ state: 'refunded' })).toEqual(['ben@concert.example']);
    expect(await found({ state: 'in-review' })).toEqual([]);
    expect(await found({ q: 'ANA' })).toEqual(['ana@example.com']);
    expect(await found({ q: '@concert' })).toEqual(['ben@concert.example']);
    expect(await found({ q: 'buyer' })).toEqual(['cleo@example.com', 'ben@concert.example', 'ana@example.com']);
    const [, , , ben] = await rowsOf(seller);
    const id = ben?.orderId ?? '';
    for (const q of [id, orderNumber(id), id.slice(-6)]) expect(await found({ q })).toEqual(['ben@concert.example']);
    expect(await found({ q: codes[2] })).toEqual(['ben@concert.example']);
    expect(await found({ q: codes[2]?.slice(-4), state: 'refunded' })).toEqual(['ben@concert.example']);
    expect(await found({ q: '%' })).toEqual([]);
    expect((await tableOf(seller, { q: 'ana' })).counts).toEqual([{ state: 'partly-refunded', orders: 1 }]);
  });

  it('rejects filters that it does not know, over HTTP, and events of others', async () => {
    const { visitor, eventId } = seller;
    const path = orderRows.path.replace(':eventId', eventId);
    for (const query of ['state=gone', `q=${'x'.repeat(101)}`, 'after=x', 'until=1'])
      expect([query, (await visitor.fetch(`${path}?${query}`)).status]).toEqual([query, 400]);
    const other = await eventOnSale(app);
    for (const call of [orderRows, orderTable]) expect((await other.visitor.call(call, { eventId })).status).toBe(404);
    const [row] = await rowsOf(seller);
    const orderId = row?.orderId ?? '';
    expect(await other.visitor.call(orderDetails, { eventId: other.eventId, orderId })).toMatchObject({
      status: 404,
      body: { code: 'orders.unknown' },
    });
    expect(await other.visitor.call(resendOrderToBuyer, { eventId: other.eventId, orderId })).toMatchObject({
      status: 404,
      body: { code: 'orders.unknown' },
    });
  });
});

describe('one order', () => {
  it('has its lines, tickets, answers, payment and emails [WORK-6]', async () => {
    const seller = await eventOnSale(app);
    const { eventId, visitor } = seller;
    const { Meal: meal = '', Heard: heard = '' } = await askBuyers(seller, {
      asksNames: 'optional',
      questions: [
        questionForm('Meal', { kind: 'one-of', options: ['Soup', 'Pie'] }),
        questionForm('Heard', { scope: 'order' }),
      ],
    });
    const order = await buyWithDetails(
      app,
      eventId,
      {
        order: { answers: { [heard]: 'Radio' } },
        tickets: [{ name: 'Sofia', answers: { [meal]: 'Pie' } }, { answers: { [meal]: 'Soup' } }],
      },
      { email: 'sofia@example.com', cartItems: generalAdmission(2) },
    );
    await app.settle();
    const [row] = await rowsOf(seller, { q: 'sofia' });
    const orderId = row?.orderId ?? '';
    const shown = expectOk(await visitor.call(orderDetails, { eventId, orderId }));
    expect(shown).toMatchObject({
      email: 'sofia@example.com',
      state: 'paid',
      lines: [{ ticketName: 'General admission', quantity: 2, unitPrice: 24, discount: 0, promoCode: null }],
      answers: [{ label: 'Heard', answer: 'Radio' }],
      payment: { charged: 48, refunded: 0, refundCosts: 0, bearsCosts: null },
      refunds: [],
      emails: [{ kind: 'tickets' }],
    });
    expect(shown.payment?.kept).toBeCloseTo(48 - (shown.payment?.fees ?? 0));
    expect(shown.tickets).toMatchObject([
      {
        position: 1,
        name: 'Sofia',
        confirmationNumber: codesOf(order)[0],
        isRefundable: true,
        answers: [{ answer: 'Pie' }],
      },
      { position: 2, name: null, isRefundable: true, answers: [{ answer: 'Soup' }] },
    ]);

    expectOk(await visitor.call(resendOrderToBuyer, { eventId, orderId }));
    expect(await emailsTo(app, 'sofia@example.com')).toHaveLength(2);
    expect(await visitor.call(orderDetails, { eventId, orderId: newId() })).toMatchObject({ status: 404 });
  });
});

describe('the page that an order was made on', () => {
  it('is a version, which says since when it was shown and whether the page changed since [VERS-4]', async () => {
    const seller = await eventOnSale(app);
    const { eventId, visitor } = seller;
    await buyTickets(app, eventId, generalAdmission(1), 'early@example.com');
    const pageOf = async (q: string) => {
      const [row] = await rowsOf(seller, { q });
      return expectOk(await visitor.call(orderDetails, { eventId, orderId: row?.orderId ?? '' })).page;
    };
    expect(await pageOf('early')).toMatchObject({ version: 1, hasChanged: false });

    await editEventOf(app, seller, { street: '1 Other St' });
    await buyTickets(app, eventId, generalAdmission(1), 'late@example.com');

    expect(await pageOf('early')).toMatchObject({ version: 1, hasChanged: true });
    const late = await pageOf('late');
    expect(late).toMatchObject({ version: 2, hasChanged: false });
    expect(Date.parse(late?.since ?? '')).toBeGreaterThan(Date.parse((await pageOf('early'))?.since ?? ''));
  });
});

describe('a long list of orders', () => {
  const ORDERS = 10_000;
  let seller: Seller;
  beforeAll(async () => {
    seller = await eventOnSale(app);
    await sellMany(app.db, seller.eventId, 2 * ORDERS);
  });

  it('answers where the pages after the first one end, and any page in one call', async () => {
    expect((await tableOf(seller)).counts).toEqual([{ state: 'free', orders: ORDERS }]);
    const newest = await rowsOf(seller);
    const { visitor, eventId } = seller;
    const after = newest.at(-1)?.orderId ?? '';
    const { ends, rows } = expectOk(await visitor.call(orderPageEnds, { eventId, after }));
    expect(rows).toBe(ORDERS - 100);
    expect(ends).toHaveLength(rows / 100);
    const [first, second] = ends;
    const page = await rowsOf(seller, { after: first, until: second });
    expect(page).toHaveLength(100);
    expect(page.at(-1)?.orderId).toBe(second);
    const ids = page.map(({ orderId }) => orderId);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(await rowsOf(seller, { after: ends.at(-1) })).toEqual([]);
  });

  it('reads the orders of the event once, even if statistics say that it has none', async () => {
    const plan = await app.db.transaction().execute(async (tx) => {
      await sql`set local enable_nestloop = off`.execute(tx);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze)
        select order_id from listed_orders(${seller.eventId}, null, null, null, null) order by order_id desc limit 100`.execute(
        tx,
      );
      return rows.map((row) => Object.values(row).join('')).join('\n');
    });
    expect(plan).not.toMatch(/Nested Loop|Function Scan|Seq Scan on (?:orders|tickets)/);
    expect(plan.match(/ on orders o /g)).toHaveLength(1);
  });
});
