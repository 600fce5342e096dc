import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/checkout.ts';
import { findOrderBySession } from '#server/orders/core/orders.sql.ts';
import { releaseReservation } from '#server/orders/release-reservation.ts';
import { processWebhookEvent } from '#server/payments/webhooks/process-webhook-event.ts';
import { ledgerOf, reservedOf } from '#tests/support/money.ts';
import { buyTickets, emailsTo, eventOnSale, goodCard, pay } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const oneSeat = [{ ticketName: 'General admission', quantity: 1 }];
const tenSeats = { ticketName: 'Cellar', ticketDescription: 'Standing', ticketPrice: 20, ticketQuantity: 10 };

/** The id of the webhook event that reports the payment, once it has arrived. */
async function completionOf(eventId: string): Promise<string> {
  const arrived = app.db.selectFrom('webhookEvents').where('eventId', '=', eventId).select(['id', 'type']);
  const isCompletion = ({ type }: { type: string }) => type === 'checkout.session.completed';
  await expect.poll(async () => (await arrived.execute()).some(isCompletion)).toBe(true);
  return (await arrived.execute()).find(isCompletion)?.id ?? '';
}

describe('a paid order', () => {
  it('is fulfilled once by webhook, page and job in turn', async () => {
    const { eventId } = await eventOnSale(app);
    const order = await buyTickets(app, eventId, oneSeat, 'once@example.com');
    const again = () => app.call(contract.checkoutSession, { sessionId: order.sessionId });
    const events = await app.db.selectFrom('webhookEvents').where('eventId', '=', eventId).select('id').execute();

    await app.settle();
    await Promise.all([again(), again(), settleLapsedOrders(app.deps)]);
    await app.db.updateTable('webhookEvents').set({ processedAt: null }).where('eventId', '=', eventId).execute();
    await Promise.all(events.map((event) => processWebhookEvent(app.deps, event.id)));

    const tickets = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute();
    expect(tickets).toHaveLength(1);
    expect(await emailsTo(app, 'once@example.com')).toHaveLength(1);
    expect((await ledgerOf(app, eventId)).filter((entry) => entry.startsWith('sale'))).toHaveLength(2);
  });

  it('is fulfilled once by webhook and page at the same time', async () => {
    const { eventId } = await eventOnSale(app);
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });

    // Other jobs would wait for the order, too, and be counted as the page.
    await app.settle();
    await app.endJobs();
    await pay(buyer, session.body.url, 'both@example.com');
    const webhook = await completionOf(eventId);
    const [, page] = await raceFor<unknown>(app, 'orders', eventId, [
      () => processWebhookEvent(app.deps, webhook),
      () => buyer.call(contract.checkoutSession, { sessionId: session.body.id }),
    ]);
    await app.restartJobs();

    expect(await emailsTo(app, 'both@example.com')).toHaveLength(1);
    const tickets = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute();
    expect(tickets).toHaveLength(1);
    expect(page).toMatchObject({ body: { status: 'confirmed', confirmationData: [{}] } });
  });

  it('is fulfilled by the webhook alone if the buyer never returns', async () => {
    const { eventId } = await eventOnSale(app);
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });
    await pay(buyer, session.body.url, 'gone@example.com');

    expect(await emailsTo(app, 'gone@example.com')).toHaveLength(1);
  });

  it('stays unpaid while cards are declined and accepts a good one', async () => {
    const { eventId } = await eventOnSale(app);
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });
    const readPage = () => app.call(contract.checkoutSession, { sessionId: session.body.id });

    await pay(buyer, session.body.url, 'b@example.com', { ...goodCard, number: '4000 0000 0000 0002' });
    expect((await readPage()).body).toEqual({
      status: 'unpaid',
      confirmationData: [],
      order: null,
      reservedUntil: expect.any(String),
    });
    await pay(buyer, session.body.url, 'b@example.com');

    await app.settle();
    expect((await readPage()).body).toMatchObject({ status: 'confirmed', confirmationData: [{}] });
  });

  it('reserves available tickets again if the payment arrives after the reservation expired', async () => {
    const { eventId } = await eventOnSale(app, { tickets: [tenSeats] });
    const { sessionId } = await paidAfterRelease(eventId);

    const confirmation = await app.call(contract.checkoutSession, { sessionId });

    expect(confirmation.body).toMatchObject({ status: 'confirmed', confirmationData: [{}] });
    expect(await reservedOf(app, eventId)).toBe(1);
  });

  it('is refunded in full if the event was cancelled', async () => {
    const { eventId } = await eventOnSale(app);
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });
    await app.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute();

    await pay(buyer, session.body.url, 'sorry@example.com');
    await app.settle();

    const confirmation = await buyer.call(contract.checkoutSession, { sessionId: session.body.id });
    expect(confirmation.body.status).toBe('refunded');
    expect(await emailsTo(app, 'sorry@example.com')).toMatchObject([
      { subject: 'We refunded your order for Basement Brass' },
    ]);
  });

  it('is refunded in full if the payment arrives after the tickets were sold to others', async () => {
    const { eventId } = await eventOnSale(app, { tickets: [tenSeats] });
    const late = await paidAfterRelease(eventId, async () => {
      await buyTickets(app, eventId, [{ ticketName: 'Cellar', quantity: 10 }]);
    });

    const confirmation = await app.call(contract.checkoutSession, { sessionId: late.sessionId });
    await app.settle();

    expect(confirmation.body).toEqual({ status: 'refunded', confirmationData: [], order: null });
    expect(await reservedOf(app, eventId)).toBe(10);
    const refunds = await app.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().execute();
    expect(refunds).toMatchObject([{ cents: 2000, state: 'sent', stripeRefundId: expect.stringMatching(/^re_/) }]);
    const owed = (await ledgerOf(app, eventId)).filter((entry) => entry.includes('owed-to-buyers'));
    expect(owed).toEqual(['refund-moved owed-to-buyers 2000', 'unfulfillable-sale owed-to-buyers -2000']);
  });

  /** A payment that Stripe accepted after we released its tickets. */
  async function paidAfterRelease(eventId: string, beforePaying = async () => {}) {
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Cellar', quantity: 1 }],
    });
    const order = await findOrderBySession(app.db, session.body.id);
    if (order) await releaseReservation(app.deps, order);
    await beforePaying();
    await pay(buyer, session.body.url, 'late@example.com');
    return { sessionId: session.body.id };
  }
});

describe('the confirmation', () => {
  it.each([['cs_test_unknown'], ['x'.repeat(200)]])('answers 404 for the session "%s"', async (sessionId) => {
    const reply = await app.call(contract.checkoutSession, { sessionId });

    expect(reply).toMatchObject({ status: 404, body: { code: 'checkout.unknown' } });
  });

  it('requires a session id [CONF-3]', async () => {
    const reply = await app.visitor().send(contract.checkoutSession, { sessionId: '' });

    expect(reply).toMatchObject({ status: 400, body: { msg: 'No session ID provided' } });
  });
});

describe('a webhook request', () => {
  it.each([
    ['without a signature', {}],
    ['with a wrong signature', { 'stripe-signature': 't=1,v1=00' }],
  ])('is rejected %s', async (_case, headers) => {
    const reply = await app.visitor().request('/api/webhooks/stripe', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ id: 'evt_forged', type: 'checkout.session.completed' }),
    });

    expect(reply).toMatchObject({ status: 400, body: { code: 'webhook.bad-signature' } });
    const stored = await app.db.selectFrom('webhookEvents').where('id', '=', 'evt_forged').select('id').execute();
    expect(stored).toEqual([]);
  });
});
