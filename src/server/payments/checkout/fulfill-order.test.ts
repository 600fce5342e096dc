import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/checkout.ts';
import { findOrderBySession } from '#server/orders/orders.sql.ts';
import { releaseReservation } from '#server/orders/release-reservation.ts';
import { processWebhookEvent } from '#server/payments/webhooks/process-webhook-event.ts';
import { bookOf, reservedOf } from '#tests/support/money.ts';
import { buyTickets, eventOnSale, goodCard, mailTo, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const oneSeat = [{ ticketName: 'General admission', quantity: 1 }];
const tenSeats = { ticketName: 'Cellar', ticketDescription: 'Standing', ticketPrice: 20, ticketQuantity: 10 };

describe('a paid order', () => {
  it('is fulfilled once, though webhook, page and job all come for it', async () => {
    const { eventId } = await eventOnSale(app);
    const order = await buyTickets(app, eventId, oneSeat, 'once@example.com');
    const again = () => app.call(contract.checkoutSession, { sessionId: order.sessionId });
    const notices = await app.db.selectFrom('webhookInbox').where('eventId', '=', eventId).select('id').execute();

    await app.settle();
    await Promise.all([again(), again(), settleLapsedOrders(app.deps)]);
    await app.db.updateTable('webhookInbox').set({ processedAt: null }).where('eventId', '=', eventId).execute();
    await Promise.all(notices.map((notice) => processWebhookEvent(app.deps, notice.id)));

    const tickets = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute();
    expect(tickets).toHaveLength(1);
    expect(await mailTo(app, 'once@example.com')).toHaveLength(1);
    expect((await bookOf(app, eventId)).filter((line) => line.startsWith('sale'))).toHaveLength(2);
  });

  it('is fulfilled once when webhook and page come at the same instant', async () => {
    const { eventId } = await eventOnSale(app);
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });

    // The order's row is held by the test until both the webhook's job and the page wait for it.
    const { page } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('orders').where('eventId', '=', eventId).select('id').forUpdate().execute();
      await pay(buyer, session.body.url, 'both@example.com');
      const page = buyer.call(contract.checkoutSession, { sessionId: session.body.id });
      await app.untilBlocked(2);
      return { page };
    });

    const { body } = await page;
    expect(await mailTo(app, 'both@example.com')).toHaveLength(1);
    const tickets = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute();
    expect(tickets).toHaveLength(1);
    expect(body).toMatchObject({ status: 'confirmed', confirmationData: [{}] });
  });

  it('is fulfilled by the webhook alone when the buyer never comes back', async () => {
    const { eventId } = await eventOnSale(app);
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });
    await pay(buyer, session.body.url, 'gone@example.com');

    expect(await mailTo(app, 'gone@example.com')).toHaveLength(1);
  });

  it('waits while the card is declined, then takes the good one', async () => {
    const { eventId } = await eventOnSale(app);
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });
    const look = () => app.call(contract.checkoutSession, { sessionId: session.body.id });

    await pay(buyer, session.body.url, 'b@example.com', { ...goodCard, number: '4000 0000 0000 0002' });
    expect((await look()).body).toEqual({ status: 'unpaid', confirmationData: [], order: null });
    await pay(buyer, session.body.url, 'b@example.com');

    await app.settle();
    expect((await look()).body).toMatchObject({ status: 'confirmed', confirmationData: [{}] });
  });

  it('takes free tickets when the payment comes after the hold was given back', async () => {
    const { eventId } = await eventOnSale(app, { tickets: [tenSeats] });
    const { sessionId } = await paidAfterRelease(eventId);

    const confirmation = await app.call(contract.checkoutSession, { sessionId });

    expect(confirmation.body).toMatchObject({ status: 'confirmed', confirmationData: [{}] });
    expect(await reservedOf(app, eventId)).toBe(1);
  });

  it('is refunded in full when the event was cancelled meanwhile', async () => {
    const { eventId } = await eventOnSale(app);
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });
    await app.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute();

    await pay(buyer, session.body.url, 'sorry@example.com');
    await app.settle();

    const confirmation = await buyer.call(contract.checkoutSession, { sessionId: session.body.id });
    expect(confirmation.body.status).toBe('refunded');
    expect(await mailTo(app, 'sorry@example.com')).toMatchObject([{ subject: expect.stringContaining('no tickets') }]);
  });

  it('is refunded in full when the payment comes after the tickets went to others', async () => {
    const { eventId } = await eventOnSale(app, { tickets: [tenSeats] });
    const late = await paidAfterRelease(eventId, async () => {
      await buyTickets(app, eventId, [{ ticketName: 'Cellar', quantity: 10 }]);
    });

    const confirmation = await app.call(contract.checkoutSession, { sessionId: late.sessionId });
    await app.settle();

    expect(confirmation.body).toEqual({ status: 'refunded', confirmationData: [], order: null });
    expect(await reservedOf(app, eventId)).toBe(10);
    const refunds = await app.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().execute();
    expect(refunds).toMatchObject([{ cents: 2000, state: 'sent', providerRefundId: expect.stringMatching(/^re_/) }]);
    const owed = (await bookOf(app, eventId)).filter((line) => line.includes('owed-to-buyers'));
    expect(owed).toEqual(['refund-moved owed-to-buyers 2000', 'unfillable-sale owed-to-buyers -2000']);
  });

  /** A payment that the card company took although we had given its tickets back. */
  async function paidAfterRelease(eventId: string, meanwhile = async () => {}) {
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Cellar', quantity: 1 }],
    });
    const order = await findOrderBySession(app.db, session.body.id);
    if (order) await releaseReservation(app.deps, order);
    await meanwhile();
    await pay(buyer, session.body.url, 'late@example.com');
    return { sessionId: session.body.id };
  }
});

describe('the confirmation', () => {
  it.each([['cs_test_unknown'], ['x'.repeat(200)]])('knows nothing of the session "%s"', async (sessionId) => {
    const reply = await app.call(contract.checkoutSession, { sessionId });

    expect(reply).toMatchObject({ status: 404, body: { msg: contract.unknownCheckout } });
  });

  it('needs a session id [CONF-3]', async () => {
    const reply = await app.visitor().send(contract.checkoutSession, { sessionId: '' });

    expect(reply).toMatchObject({ status: 400, body: { msg: 'No session ID provided' } });
  });
});

describe('a notice from the card company', () => {
  it.each([
    ['without a signature', {}],
    ['with a false signature', { 'stripe-signature': 't=1,v1=00' }],
  ])('is refused %s', async (_case, headers) => {
    const reply = await app.visitor().request('/api/webhooks/stripe', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ id: 'evt_forged', type: 'checkout.session.completed' }),
    });

    expect(reply).toMatchObject({ status: 400, body: { msg: contract.badSignature } });
    const stored = await app.db.selectFrom('webhookInbox').where('id', '=', 'evt_forged').select('id').execute();
    expect(stored).toEqual([]);
  });
});
