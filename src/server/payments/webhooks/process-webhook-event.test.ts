import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
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

async function payWithoutWebhooks(email: string, quantity = 1) {
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

const unprocessedEvents = (eventId: string) =>
  app.db
    .selectFrom('webhookEvents')
    .where('eventId', '=', eventId)
    .where('processedAt', 'is', null)
    .select(['id', 'type'])
    .execute();

/** Counts the read calls to Stripe. */
function countReads() {
  const { paymentProcessor } = app.deps;
  const payments = vi.spyOn(paymentProcessor, 'readPayment');
  const sessions = vi.spyOn(paymentProcessor, 'readCheckout');
  return { counts: () => ({ payments: payments.mock.calls.length, sessions: sessions.mock.calls.length }) };
}

describe('a webhook event', () => {
  it('leaves a refunded order with void tickets when the refund event arrives before the sale event', async () => {
    const { eventId } = await payWithoutWebhooks('order-free@example.com', 2);
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
    // Stripe keeps its fee, so the balance is too low and the refund stays pending until other buyers pay.
    expect(await ledgerOf(app, eventId, 'external-refund')).toEqual([
      'external-refund organizer-payable 4800',
      'external-refund owed-to-buyers -4800',
    ]);
    expect(await unprocessedEvents(eventId)).toEqual([]);
  });

  it('changes nothing when it arrives an hour after the confirmation page issued the tickets', async () => {
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
    expect(await unprocessedEvents(eventId)).toEqual([]);
  });

  it('stays unprocessed while Stripe fails and is processed by a retry', async () => {
    const { eventId } = await payWithoutWebhooks('retry@example.com');
    const [completed] = await webhookEventsOf(app, eventId, 'checkout.session.completed');
    const webhookEventId = completed?.id ?? '';
    await planFault(app, {
      match: { method: 'GET', path: '/v1/checkout/sessions/*' },
      mode: 'error_before',
      times: 99,
    });

    expect((await postWebhook(app, completed?.payload ?? '')).status).toBe(200);
    await expect(processWebhookEvent(app.deps, webhookEventId)).rejects.toThrow();
    expect(await unprocessedEvents(eventId)).toMatchObject([{ id: webhookEventId }]);

    await clearFaults(app);
    await processWebhookEvent(app.deps, webhookEventId);
    expect(await unprocessedEvents(eventId)).toEqual([]);
    expect(await statesOf(eventId)).toEqual(['valid']);
    await app.settle();
  });

  it('is requeued by the sweep when its job has run out of attempts', async () => {
    const { eventId } = await payWithoutWebhooks('swept@example.com');
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

    // The sweep skips recent events.
    await sweepWebhookEvents(app.deps);
    await app.settle();
    expect(await statesOf(eventId)).toEqual([]);

    await app.advance({ minutes: 4 });
    await sweepWebhookEvents(app.deps);
    await app.settle();
    expect(await statesOf(eventId)).toEqual(['valid']);
    expect(await unprocessedEvents(eventId)).toEqual([]);
  });

  it('stays unprocessed while its order is missing and is given up after ten minutes', async () => {
    const { eventId } = await payWithoutWebhooks('absent@example.com');
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
    expect(await unprocessedEvents(eventId)).toHaveLength(1);

    await app.advance({ minutes: 11 });
    await sweepWebhookEvents(app.deps);
    await app.settle();
    expect(await unprocessedEvents(eventId)).toEqual([]);
  });
});

describe('webhook events that only repeat our own changes', () => {
  it('cause no read from Stripe when an event with 60 tickets is cancelled', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    for (let buyer = 1; buyer <= 6; buyer += 1) {
      await buyTickets(app, eventId, seats(10), `echo-${buyer}@example.com`);
    }
    await app.settle();
    const before = await webhookEventsOf(app, eventId);
    const reads = countReads();

    await visitor.call(cancelEvent, { eventId });
    await app.settle();

    const refunds = await movementsAtStripe(app, 'refund', eventId);
    const received = (await webhookEventsOf(app, eventId)).length - before.length;
    expect(refunds).toHaveLength(60);
    expect(received).toBeGreaterThanOrEqual(120);
    expect(reads.counts()).toEqual({ payments: 0, sessions: 0 });
    expect(await unprocessedEvents(eventId)).toEqual([]);
  });

  it('share one job per order', async () => {
    const idle = await startTestApp({ runsJobs: false });
    try {
      const order = { event_id: 'e', order_id: crypto.randomUUID() };
      const jobs = () =>
        sql`select id from graphile_worker.jobs where task_identifier = 'process-webhook-event'`.execute(idle.db);

      for (let count = 1; count <= 20; count += 1) {
        const object = { object: 'charge', payment_intent: 'pi_1', amount_refunded: count, metadata: order };
        const event = {
          id: `evt_${count}`,
          object: 'event',
          livemode: false,
          type: 'charge.refunded',
          data: { object },
        };
        expect((await postWebhook(idle, JSON.stringify(event))).status).toBe(200);
      }

      expect((await jobs()).rows).toHaveLength(1);
    } finally {
      await idle.close();
    }
  });

  it('only read the session for a sale of one ticket', async () => {
    const { eventId } = await eventOnSale(app);
    const reads = countReads();

    await buyTickets(app, eventId, seats(1), 'sale@example.com');
    await app.settle();

    expect(await webhookEventsOf(app, eventId)).not.toHaveLength(0);
    const { payments, sessions } = reads.counts();
    expect(payments).toBe(0);
    expect(sessions).toBeLessThanOrEqual(4);
    expect(await unprocessedEvents(eventId)).toEqual([]);
  });
});
