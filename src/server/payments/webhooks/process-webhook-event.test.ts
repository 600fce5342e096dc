import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCheckoutSession } from '#contract/checkout.ts';
import { cancelEvent } from '#contract/events.ts';
import {
  clearFaults,
  ledgerOf,
  movementsAtStripe,
  paymentOf,
  planFault,
  postWebhook,
  stripeOf,
  webhookEventsOf,
} from '#tests/support/money.ts';
import { buyTickets, emailsTo, eventOnSale, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { processWebhookEvent } from './process-webhook-event.ts';
import { sweepWebhookEvents } from './sweep-webhook-events.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => vi.restoreAllMocks());

const seats = (quantity: number) => [{ ticketName: 'General admission', quantity }];

async function paidInSilence(email: string, quantity = 1) {
  const event = await eventOnSale(app);
  const buyer = app.visitor();
  await planFault(app, { webhook: 'drop', times: 5 });
  const session = await buyer.call(createCheckoutSession, { eventId: event.eventId, cartItems: seats(quantity) });
  await pay(buyer, session.body.url, email);
  await app.settle();
  await clearFaults(app);
  return { ...event, sessionId: session.body.id };
}

const statesOf = async (eventId: string) =>
  (await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute()).map((t) => t.state);

const openNotices = (eventId: string) =>
  app.db
    .selectFrom('webhookInbox')
    .where('eventId', '=', eventId)
    .where('processedAt', 'is', null)
    .select(['id', 'type'])
    .execute();

/** Calls that read from the card company, by what they read. */
function countReadings() {
  const { cards } = app.deps;
  const payments = vi.spyOn(cards, 'readPayment');
  const sessions = vi.spyOn(cards, 'readCheckout');
  return { of: () => ({ payments: payments.mock.calls.length, sessions: sessions.mock.calls.length }) };
}

describe('what the card company reports', () => {
  it('ends in a refunded order with void tickets when the refund is told before the sale', async () => {
    const { eventId } = await paidInSilence('order-free@example.com', 2);
    await planFault(app, { webhook: 'drop', times: 5 });
    await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId) });
    await app.settle();
    await clearFaults(app);
    const [refunded] = await webhookEventsOf(app, eventId, 'charge.refunded');
    const [completed] = await webhookEventsOf(app, eventId, 'checkout.session.completed');

    await postWebhook(app, refunded?.payload ?? '');
    await app.settle();
    await postWebhook(app, completed?.payload ?? '');
    await app.settle();

    expect(await statesOf(eventId)).toEqual(['void', 'void']);
    // The card company keeps its fee, so until others have paid too it waits for the money.
    expect(await ledgerOf(app, eventId, 'external-refund')).toEqual([
      'external-refund organizer-payable 4800',
      'external-refund owed-to-buyers -4800',
    ]);
    expect(await openNotices(eventId)).toEqual([]);
  });

  it('changes nothing an hour after the buyer has got the tickets on the page', async () => {
    const { eventId } = await eventOnSale(app);
    await planFault(app, { webhook: 'drop', times: 5 });
    const order = await buyTickets(app, eventId, seats(1), 'hour@example.com');
    await app.settle();
    await clearFaults(app);
    const [completed] = await webhookEventsOf(app, eventId, 'checkout.session.completed');
    await app.advance({ hours: 1 });

    await postWebhook(app, completed?.payload ?? '');

    expect(await emailsTo(app, 'hour@example.com')).toHaveLength(1);
    expect(await statesOf(eventId)).toEqual(['valid']);
    expect(order.status).toBe('confirmed');
    expect(await openNotices(eventId)).toEqual([]);
  });

  it('stays open while its effect fails, and is done by the queue afterwards', async () => {
    const { eventId } = await paidInSilence('retry@example.com');
    const [completed] = await webhookEventsOf(app, eventId, 'checkout.session.completed');
    const noticeId = completed?.id ?? '';
    await planFault(app, {
      match: { method: 'GET', path: '/v1/checkout/sessions/*' },
      mode: 'error_before',
      times: 99,
    });

    expect((await postWebhook(app, completed?.payload ?? '')).status).toBe(200);
    await expect(processWebhookEvent(app.deps, noticeId)).rejects.toThrow();
    expect(await openNotices(eventId)).toMatchObject([{ id: noticeId }]);

    await clearFaults(app);
    await processWebhookEvent(app.deps, noticeId);
    expect(await openNotices(eventId)).toEqual([]);
    expect(await statesOf(eventId)).toEqual(['valid']);
    await app.settle();
  });

  it('is swept up when its job has used up all its tries', async () => {
    const { eventId } = await paidInSilence('swept@example.com');
    const [completed] = await webhookEventsOf(app, eventId, 'checkout.session.completed');
    await planFault(app, {
      match: { method: 'GET', path: '/v1/checkout/sessions/*' },
      mode: 'error_before',
      times: 99,
    });
    await postWebhook(app, completed?.payload ?? '');
    await app.settle();
    await sql`update graphile_worker._private_jobs set attempts = max_attempts where locked_at is null`.execute(app.db);
    await clearFaults(app);

    // Young ones are left to the queue.
    await sweepWebhookEvents(app.deps);
    await app.settle();
    expect(await statesOf(eventId)).toEqual([]);

    await app.advance({ minutes: 4 });
    await sweepWebhookEvents(app.deps);
    await app.settle();
    expect(await statesOf(eventId)).toEqual(['valid']);
    expect(await openNotices(eventId)).toEqual([]);
  });

  it('waits for an order that is not there yet, and is done with in the end', async () => {
    const { eventId } = await paidInSilence('absent@example.com');
    const [completed] = await webhookEventsOf(app, eventId, 'checkout.session.completed');
    const absent = crypto.randomUUID();
    const order = await app.db
      .selectFrom('orders')
      .where('eventId', '=', eventId)
      .select('id')
      .executeTakeFirstOrThrow();
    const payload = (completed?.payload ?? '')
      .replaceAll(order.id, absent)
      .replaceAll(completed?.id ?? '', `evt_${absent}`);

    await postWebhook(app, payload);
    await app.settle();
    expect(await openNotices(eventId)).toHaveLength(1);

    await app.advance({ minutes: 11 });
    await sweepWebhookEvents(app.deps);
    await app.settle();
    expect(await openNotices(eventId)).toEqual([]);
  });
});

describe('notices that only repeat what we did ourselves', () => {
  it('cost few calls: a cancelled event of 60 tickets', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    for (let buyer = 1; buyer <= 6; buyer += 1) {
      await buyTickets(app, eventId, seats(10), `echo-${buyer}@example.com`);
    }
    await app.settle();
    const before = await webhookEventsOf(app, eventId);
    const readings = countReadings();

    await visitor.call(cancelEvent, { eventId });
    await app.settle();

    const refunds = await movementsAtStripe(app, 'refund', eventId);
    const notices = (await webhookEventsOf(app, eventId)).length - before.length;
    expect(refunds).toHaveLength(60);
    expect(notices).toBeGreaterThanOrEqual(120);
    expect(readings.of()).toEqual({ payments: 0, sessions: 0 });
    expect(await openNotices(eventId)).toEqual([]);
  });

  it('are one job for all that is waiting about one order', async () => {
    const idle = await startTestApp({ runsJobs: false });
    try {
      const order = { event_id: 'e', order_id: crypto.randomUUID() };
      const jobs = () =>
        sql`select id from graphile_worker.jobs where task_identifier = 'apply-notice'`.execute(idle.db);

      for (let told = 1; told <= 20; told += 1) {
        const object = { object: 'charge', payment_intent: 'pi_1', amount_refunded: told, metadata: order };
        const notice = {
          id: `evt_${told}`,
          object: 'event',
          livemode: false,
          type: 'charge.refunded',
          data: { object },
        };
        expect((await postWebhook(idle, JSON.stringify(notice))).status).toBe(200);
      }

      expect((await jobs()).rows).toHaveLength(1);
    } finally {
      await idle.close();
    }
  });

  it('cost at most a look at the session: a sale of one ticket with its five notices', async () => {
    const { eventId } = await eventOnSale(app);
    const readings = countReadings();

    await buyTickets(app, eventId, seats(1), 'sale@example.com');
    await app.settle();

    expect(await webhookEventsOf(app, eventId)).not.toHaveLength(0);
    const { payments, sessions } = readings.of();
    expect(payments).toBe(0);
    expect(sessions).toBeLessThanOrEqual(4);
    expect(await openNotices(eventId)).toEqual([]);
  });
});
