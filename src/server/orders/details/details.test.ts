/** What an event asks its buyers: between the reservation and the payment page. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession, openCheckouts } from '#contract/app/checkout.ts';
import { cancelEvent, editTickets, eventTickets } from '#contract/app/events.ts';
import { continueCheckout, readCheckoutPage, sendDetails } from '#contract/app/sales/checkout-page.ts';
import { sendOrderCode } from '#contract/app/sales/free-orders.ts';
import { editGuestForm, eventGuestForm } from '#contract/app/sales/guest-forms.ts';
import { DETAILS_MINUTES } from '#domain/reservation-times.ts';
import { ANSWER_MAX, GUEST_NAME_MAX, QUESTIONS_MAX } from '#domain/sales/guest-form.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { askBuyers, questionForm, reserveAsked } from '#tests/support/guest-forms.ts';
import { reservedOf, stripeObjectsOf } from '#tests/support/money.ts';
import { emailsTo, eventOnSale, expectOk, generalAdmission, pay, proveAddress } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const blank = { tickets: [] };

const sessionsOf = (eventId: string) => stripeObjectsOf(app, 'checkout.session', eventId);

const guestsOf = (eventId: string) =>
  app.db
    .selectFrom('orderGuests')
    .where('eventId', '=', eventId)
    .select(['position', 'name', 'answers'])
    .orderBy('position')
    .execute();

async function typeIds({ visitor, eventId }: Awaited<ReturnType<typeof eventOnSale>>) {
  const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
  return Object.fromEntries(tickets.map(({ ticketName, ticketId }) => [ticketName, ticketId]));
}

const release = () => releaseExpired(app.deps, { wait: true });

describe('an event that asks', () => {
  it('shows each ticket its questions, and stores each answer at the right one [FORM-1 FORM-2 FORM-6]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    const { Balcony: balcony = '' } = await typeIds(seller);
    const ids = await askBuyers(seller, {
      asksNames: 'required',
      questions: [
        questionForm('How did you hear of us?', { scope: 'order', isRequired: false }),
        questionForm('Meal', { kind: 'one-of', options: ['Soup', 'Pie'], ticketIds: [balcony] }),
      ],
    });
    const order = await reserveAsked(app, eventId, [
      { ticketName: 'General admission', quantity: 1 },
      { ticketName: 'Balcony', quantity: 2 },
    ]);
    expect(order.url).toBe(`${app.publicUrl}/checkout/${order.handle}`);
    const { details } = expectOk(await app.call(readCheckoutPage, { handle: order.handle }));
    expect(details?.order.map(({ label }) => label)).toEqual(['How did you hear of us?']);
    expect(details?.tickets.map((one) => [one.ticketName, one.asksName, one.questions.length])).toEqual([
      ['General admission', 'required', 0],
      ['Balcony', 'required', 1],
      ['Balcony', 'required', 1],
    ]);
    expect(await sessionsOf(eventId)).toEqual([]);

    const [heard = '', meal = ''] = [ids['How did you hear of us?'], ids['Meal']];
    const { url } = expectOk(
      await order.send({
        order: { answers: { [heard]: 'A friend' } },
        tickets: [
          { name: 'Sofia', answers: { [meal]: 'Soup' } },
          { name: 'Omar', answers: { [meal]: 'Pie' } },
          { name: 'Ana', answers: { [meal]: 'Soup' } },
        ],
      }),
    );

    await pay(order.buyer, url, 'sofia@example.com');
    expect(await emailsTo(app, 'sofia@example.com')).toHaveLength(1);
    expect(await guestsOf(eventId)).toEqual([
      { position: 0, name: null, answers: { [heard]: 'A friend' } },
      // Its type isn't asked.
      { position: 1, name: 'Sofia', answers: {} },
      { position: 2, name: 'Omar', answers: { [meal]: 'Pie' } },
      { position: 3, name: 'Ana', answers: { [meal]: 'Soup' } },
    ]);
  });

  it('asks nothing about ticket types that it has no question for', async () => {
    const seller = await eventOnSale(app);
    const { Balcony: balcony = '' } = await typeIds(seller);
    await askBuyers(seller, { questions: [questionForm('Meal', { ticketIds: [balcony] })] });
    const page = expectOk(
      await app.call(createCheckoutSession, { eventId: seller.eventId, cartItems: generalAdmission(1) }),
    );
    expect(page.url).not.toContain('/checkout/');
    expect(await sessionsOf(seller.eventId)).toHaveLength(1);
  });

  it('asks an order what it asked when that was reserved [FORM-4]', async () => {
    const seller = await eventOnSale(app);
    const { Size: size = '' } = await askBuyers(seller, {
      questions: [questionForm('Size', { kind: 'one-of', options: ['S', 'M'] })],
    });
    const order = await reserveAsked(app, seller.eventId);
    await askBuyers(seller, {
      asksNames: 'required',
      questions: [
        { ...questionForm('Size', { kind: 'one-of', options: ['L', 'XL'] }), questionId: size },
        questionForm('Added meanwhile'),
      ],
    });

    expect((await order.send({ tickets: [{ answers: { [size]: 'L' } }] })).status).toBe(400);
    expectOk(await order.send({ tickets: [{ answers: { [size]: 'M' } }] }));

    const next = await reserveAsked(app, seller.eventId);
    const { details } = expectOk(await app.call(readCheckoutPage, { handle: next.handle }));
    expect(details?.tickets[0]?.questions.map(({ label, id }) => [label, id === size])).toEqual([
      ['Size', true],
      ['Added meanwhile', false],
    ]);
  });

  it('takes no payment without the required answers, whichever way [FORM-4]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await askBuyers(seller, { asksNames: 'required' });
    const cart = { eventId, cartId: crypto.randomUUID(), cartItems: generalAdmission(1) };
    const buyer = app.visitor();
    const { id: handle } = expectOk(await buyer.call(createCheckoutSession, cart));

    expect(await app.call(continueCheckout, { handle })).toMatchObject({ body: { code: 'details.missing' } });
    expect(expectOk(await buyer.call(createCheckoutSession, cart)).id).toBe(handle);
    const { checkouts } = expectOk(await buyer.call(openCheckouts, {}));
    expect(checkouts.map(({ url }) => url)).toEqual([`${app.publicUrl}/checkout/${handle}`]);
    expect(await app.call(sendDetails, { handle, ...blank })).toMatchObject({
      status: 400,
      body: { code: 'form.invalid', params: { field: 'tickets.0.name', reason: 'guest-name.missing' } },
    });
    expect(await sessionsOf(eventId)).toEqual([]);

    const sale = sql`update orders set state = 'paid', paid_at = now(), session_id = 'cs_x', buyer_email = 'x@example.com' where event_id = ${eventId}`;
    await expect(sale.execute(app.db)).rejects.toThrow('orders_are_paid_with_details');
  });

  it('opens one payment page, however often the details are sent', async () => {
    const seller = await eventOnSale(app);
    await askBuyers(seller, { asksNames: 'required' });
    const order = await reserveAsked(app, seller.eventId);
    const first = expectOk(await order.send({ tickets: [{ name: 'Sam' }] }));
    const again = expectOk(await order.send({ tickets: [{ name: 'Samuel' }] }));
    expect(again).toEqual(first);
    expect(expectOk(await app.call(continueCheckout, { handle: order.handle }))).toEqual(first);
    expect(await sessionsOf(seller.eventId)).toHaveLength(1);
    expect(await guestsOf(seller.eventId)).toEqual([{ position: 1, name: 'Samuel', answers: {} }]);
    expect(expectOk(await app.call(readCheckoutPage, { handle: order.handle }))).toMatchObject({
      status: 'open',
      details: null,
    });

    await pay(order.buyer, first.url, 'samuel@example.com');
    await app.settle();
    expect(await order.send({ tickets: [{ name: 'Other' }] })).toMatchObject({
      body: { code: 'checkout.already-paid' },
    });
    expect(await guestsOf(seller.eventId)).toMatchObject([{ name: 'Samuel' }]);
  });

  it('holds the tickets 10 minutes at its page, and 3 once that is closed [FORM-3]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await askBuyers(seller, { asksNames: 'required' });
    const closed = await reserveAsked(app, eventId);
    const open = await reserveAsked(app, eventId);
    for (let minute = 0; minute < DETAILS_MINUTES; minute++) {
      await app.call(readCheckoutPage, { handle: open.handle });
      await checkoutQueueOf(app.deps.db).flushPolls();
      await release();
      expect(await reservedOf(app, eventId)).toBe(minute < 3 ? 2 : 1);
      await app.advance({ minutes: 1 });
    }
    expect(await closed.send({ tickets: [{ name: 'Sam' }] })).toMatchObject({
      status: 409,
      body: { code: 'checkout.reservation-expired' },
    });
    expect(expectOk(await app.call(readCheckoutPage, { handle: open.handle })).status).toBe('expired');
    await release();
    expect(await reservedOf(app, eventId)).toBe(0);
    expect((await open.send({ tickets: [{ name: 'Sam' }] })).status).toBe(409);
    expect(await sessionsOf(eventId)).toEqual([]);
  });

  it('leaves the time of a payment page to a buyer who took long to answer', async () => {
    const seller = await eventOnSale(app);
    await askBuyers(seller, { asksNames: 'required' });
    const order = await reserveAsked(app, seller.eventId);
    for (let minute = 0; minute < DETAILS_MINUTES - 1; minute++) {
      await app.call(readCheckoutPage, { handle: order.handle });
      await checkoutQueueOf(app.deps.db).flushPolls();
      await app.advance({ minutes: 1 });
    }
    const { url } = expectOk(await order.send({ tickets: [{ name: 'Sam' }] }));
    await app.advance({ minutes: 20 });
    await release();
    await pay(order.buyer, url, 'slow@example.com');
    expect(await emailsTo(app, 'slow@example.com')).toHaveLength(1);
  });

  it('asks before a free order asks for an address [FORM-3 FREE-3]', async () => {
    const seller = await eventOnSale(app, {
      tickets: [{ ticketName: 'General admission', ticketDescription: 'In', ticketPrice: 0, ticketQuantity: 9 }],
    });
    await askBuyers(seller, { asksNames: 'required' });
    const { buyer, handle, send } = await reserveAsked(app, seller.eventId);
    const code = () => buyer.call(sendOrderCode, { handle, email: 'free@example.com' });
    expect(await code()).toMatchObject({ status: 409, body: { code: 'details.missing' } });
    expect(expectOk(await send({ tickets: [{ name: 'Sam' }] })).url).toBe(`${app.publicUrl}/checkout/${handle}`);
    await proveAddress(app, buyer, { handle, email: 'free@example.com' });
    expect(await guestsOf(seller.eventId)).toMatchObject([{ position: 1, name: 'Sam' }]);
  });

  it('takes the largest form that it can ask for', async () => {
    const seller = await eventOnSale(app);
    const questions = Array.from({ length: QUESTIONS_MAX }, (_, n) =>
      questionForm(`Question ${n}`, { kind: 'long-text' }),
    );
    const ids = Object.values(await askBuyers(seller, { asksNames: 'required', questions }));
    const order = await reserveAsked(app, seller.eventId, generalAdmission(20));
    const answers = Object.fromEntries(ids.map((id) => [id, 'ü'.repeat(ANSWER_MAX)]));
    const tickets = Array.from({ length: 20 }, () => ({ name: 'Ü'.repeat(GUEST_NAME_MAX), answers }));
    expectOk(await order.send({ tickets }));
  });

  it('says that a payment is being checked, and not that the tickets were released', async () => {
    const seller = await eventOnSale(app);
    await askBuyers(seller, { asksNames: 'required' });
    const order = await reserveAsked(app, seller.eventId);
    expectOk(await order.send({ tickets: [{ name: 'Sam' }] }));
    const status = async () => expectOk(await app.call(readCheckoutPage, { handle: order.handle })).status;
    // A job asks Stripe what became of it.
    await app.endJobs();
    await app.advance({ minutes: 40 });
    expect(await status()).toBe('paying');
    await app.db
      .updateTable('orders')
      .set({ state: 'needs-review', reviewReason: 'amount' })
      .where('eventId', '=', seller.eventId)
      .execute();
    expect(await status()).toBe('paying');
    await app.db
      .updateTable('orders')
      .set({ state: 'paid', paidAt: new Date(), buyerEmail: 'sam@example.com' })
      .where('eventId', '=', seller.eventId)
      .execute();
    expect(await status()).toBe('confirmed');
    await app.restartJobs();
  });

  it('keeps a question whose ticket types were all removed, and asks it of no one', async () => {
    const seller = await eventOnSale(app);
    const { eventId, visitor } = seller;
    const { Balcony: balcony = '' } = await typeIds(seller);
    const { Meal: meal = '' } = await askBuyers(seller, {
      questions: [questionForm('Meal', { ticketIds: [balcony] })],
    });
    const { tickets, version } = expectOk(await visitor.call(eventTickets, { eventId }));
    const rows = tickets
      .filter(({ ticketId }) => ticketId !== balcony)
      .map(({ ticketId, ticketName, ticketDescription, ticketPrice, ticketQuantity }) => ({
        ticketId,
        ticketName,
        ticketDescription,
        ticketPrice,
        ticketQuantity,
      }));
    expectOk(await visitor.call(editTickets, { eventId, tickets: rows, version }));
    const kept = { ...questionForm('Meal', { ticketIds: [balcony] }), questionId: meal };
    await askBuyers(seller, { questions: [kept, questionForm('Size')] });
    const { handle } = await reserveAsked(app, eventId);
    const { details } = expectOk(await app.call(readCheckoutPage, { handle }));
    expect(details?.tickets[0]?.questions.map(({ label }) => label)).toEqual(['Size']);

    const unknown = { ...questionForm('Other'), ticketIds: [crypto.randomUUID()] };
    const { version: form } = expectOk(await visitor.call(eventGuestForm, { eventId }));
    expect(
      await visitor.call(editGuestForm, { eventId, version: form, asksNames: 'off', questions: [unknown] }),
    ).toMatchObject({ status: 409, body: { code: 'questions.unknown-type' } });
  });

  it('takes no details once it is cancelled', async () => {
    const seller = await eventOnSale(app);
    await askBuyers(seller, { asksNames: 'required' });
    const order = await reserveAsked(app, seller.eventId);
    expectOk(await seller.visitor.call(cancelEvent, { eventId: seller.eventId }));
    expect((await order.send({ tickets: [{ name: 'Sam' }] })).status).toBe(409);
  });
});

describe('an answer', () => {
  it.each([
    ['one-of', 'Bread', 'answer.not-offered'],
    ['one-of', ['Soup'], 'answer.not-offered'],
    ['any-of', ['Soup', 'Bread'], 'answer.not-offered'],
    ['any-of', [], 'answer.missing'],
    ['yes-no', 'Maybe', 'answer.not-offered'],
    ['date', '2026-02-30', 'answer.no-date'],
    ['date', 'tomorrow', 'answer.no-date'],
    ['short-text', '  \u200b ', 'answer.missing'],
    ['long-text', 'x'.repeat(ANSWER_MAX + 1), 'answer.too-long'],
    ['access', '', 'answer.missing'],
  ] as const)('of %s is denied: %j', async (kind, answer, reason) => {
    const seller = await eventOnSale(app);
    const { Meal: meal = '' } = await askBuyers(seller, {
      questions: [questionForm('Meal', { kind, options: ['Soup', 'Pie'] })],
    });
    const order = await reserveAsked(app, seller.eventId, generalAdmission(2));
    const good = goodAnswers[kind];
    const given = typeof answer === 'string' ? answer : [...answer];
    expect(
      await order.send({ tickets: [{ answers: { [meal]: good } }, { answers: { [meal]: given } }] }),
    ).toMatchObject({
      status: 400,
      body: {
        code: 'form.invalid',
        params: { field: `tickets.1.answers.${meal}`, reason, expected: 'Meal' },
      },
    });
    expectOk(await order.send({ tickets: [{ answers: { [meal]: good } }, { answers: { [meal]: good } }] }));
  });

  const goodAnswers = {
    'one-of': 'Soup',
    'any-of': ['Soup', 'Pie'],
    'yes-no': 'No',
    date: '2026-02-28',
    'short-text': '100 emoji 🎟️ and \u202eright to left',
    'long-text': 'two\nlines',
    access: 'A ramp',
  };
});
