import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCheckoutSession } from '#contract/checkout.ts';
import { cancelEvent } from '#contract/events.ts';
import {
  bookOf,
  clearFaults,
  movedByProcessor,
  noticesOf,
  paymentOf,
  planFault,
  postNotice,
  stripeOf,
} from '#tests/support/money.ts';
import { buyTickets, eventOnSale, mailTo, pay } from '#tests/support/people.ts';
import { openWorld, type World } from '#tests/support/world.ts';
import { applyNotice } from './apply-notice.ts';
import { sweepNotices } from './sweep-notices.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
afterEach(() => vi.restoreAllMocks());

const seats = (quantity: number) => [{ ticketName: 'General admission', quantity }];

async function paidInSilence(email: string, quantity = 1) {
  const event = await eventOnSale(world);
  const buyer = world.visitor();
  await planFault(world, { webhook: 'drop', times: 5 });
  const session = await buyer.call(createCheckoutSession, { eventId: event.eventId, cartItems: seats(quantity) });
  await pay(buyer, session.body.url, email);
  await world.settle();
  await clearFaults(world);
  return { ...event, sessionId: session.body.id };
}

const statesOf = async (eventId: string) =>
  (await world.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute()).map((t) => t.state);

const openNotices = (eventId: string) =>
  world.db
    .selectFrom('webhookInbox')
    .where('eventId', '=', eventId)
    .where('processedAt', 'is', null)
    .select(['id', 'type'])
    .execute();

/** Calls that read from the card company, by what they read. */
function countReadings() {
  const { cards } = world.deps;
  const payments = vi.spyOn(cards, 'readPayment');
  const sessions = vi.spyOn(cards, 'readCheckout');
  return { of: () => ({ payments: payments.mock.calls.length, sessions: sessions.mock.calls.length }) };
}

describe('what the card company reports', () => {
  it('ends in a refunded order with void tickets when the refund is told before the sale', async () => {
    const { eventId } = await paidInSilence('order-free@example.com', 2);
    await planFault(world, { webhook: 'drop', times: 5 });
    await stripeOf(world).refunds.create({ payment_intent: await paymentOf(world, eventId) });
    await world.settle();
    await clearFaults(world);
    const [refunded] = await noticesOf(world, eventId, 'charge.refunded');
    const [completed] = await noticesOf(world, eventId, 'checkout.session.completed');

    await postNotice(world, refunded?.payload ?? '');
    await world.settle();
    await postNotice(world, completed?.payload ?? '');
    await world.settle();

    expect(await statesOf(eventId)).toEqual(['void', 'void']);
    // The card company keeps its fee, so until others have paid too it waits for the money.
    expect(await bookOf(world, eventId, 'external-refund')).toEqual([
      'external-refund organizer-payable 4800',
      'external-refund owed-to-buyers -4800',
    ]);
    expect(await openNotices(eventId)).toEqual([]);
  });

  it('changes nothing an hour after the buyer has got the tickets on the page', async () => {
    const { eventId } = await eventOnSale(world);
    await planFault(world, { webhook: 'drop', times: 5 });
    const order = await buyTickets(world, eventId, seats(1), 'hour@example.com');
    await world.settle();
    await clearFaults(world);
    const [completed] = await noticesOf(world, eventId, 'checkout.session.completed');
    await world.advance({ hours: 1 });

    await postNotice(world, completed?.payload ?? '');

    expect(await mailTo(world, 'hour@example.com')).toHaveLength(1);
    expect(await statesOf(eventId)).toEqual(['valid']);
    expect(order.status).toBe('confirmed');
    expect(await openNotices(eventId)).toEqual([]);
  });

  it('stays open while its effect fails, and is done by the queue afterwards', async () => {
    const { eventId } = await paidInSilence('retry@example.com');
    const [completed] = await noticesOf(world, eventId, 'checkout.session.completed');
    const noticeId = completed?.id ?? '';
    await planFault(world, {
      match: { method: 'GET', path: '/v1/checkout/sessions/*' },
      mode: 'error_before',
      times: 99,
    });

    expect((await postNotice(world, completed?.payload ?? '')).status).toBe(200);
    await expect(applyNotice(world.deps, noticeId)).rejects.toThrow();
    expect(await openNotices(eventId)).toMatchObject([{ id: noticeId }]);

    await clearFaults(world);
    await applyNotice(world.deps, noticeId);
    expect(await openNotices(eventId)).toEqual([]);
    expect(await statesOf(eventId)).toEqual(['valid']);
    await world.settle();
  });

  it('is swept up when its job has used up all its tries', async () => {
    const { eventId } = await paidInSilence('swept@example.com');
    const [completed] = await noticesOf(world, eventId, 'checkout.session.completed');
    await planFault(world, {
      match: { method: 'GET', path: '/v1/checkout/sessions/*' },
      mode: 'error_before',
      times: 99,
    });
    await postNotice(world, completed?.payload ?? '');
    await world.settle();
    await sql`update graphile_worker._private_jobs set attempts = max_attempts where locked_at is null`.execute(
      world.db,
    );
    await clearFaults(world);

    // Young ones are left to the queue.
    await sweepNotices(world.deps);
    await world.settle();
    expect(await statesOf(eventId)).toEqual([]);

    await world.advance({ minutes: 4 });
    await sweepNotices(world.deps);
    await world.settle();
    expect(await statesOf(eventId)).toEqual(['valid']);
    expect(await openNotices(eventId)).toEqual([]);
  });

  it('waits for an order that is not there yet, and is done with in the end', async () => {
    const { eventId } = await paidInSilence('absent@example.com');
    const [completed] = await noticesOf(world, eventId, 'checkout.session.completed');
    const absent = crypto.randomUUID();
    const order = await world.db
      .selectFrom('orders')
      .where('eventId', '=', eventId)
      .select('id')
      .executeTakeFirstOrThrow();
    const payload = (completed?.payload ?? '')
      .replaceAll(order.id, absent)
      .replaceAll(completed?.id ?? '', `evt_${absent}`);

    await postNotice(world, payload);
    await world.settle();
    expect(await openNotices(eventId)).toHaveLength(1);

    await world.advance({ minutes: 11 });
    await sweepNotices(world.deps);
    await world.settle();
    expect(await openNotices(eventId)).toEqual([]);
  });
});

describe('notices that only repeat what we did ourselves', () => {
  it('cost few calls: a cancelled event of 60 tickets', async () => {
    const { eventId, visitor } = await eventOnSale(world);
    for (let buyer = 1; buyer <= 6; buyer += 1) {
      await buyTickets(world, eventId, seats(10), `echo-${buyer}@example.com`);
    }
    await world.settle();
    const before = await noticesOf(world, eventId);
    const readings = countReadings();

    await visitor.call(cancelEvent, { eventId });
    await world.settle();

    const refunds = await movedByProcessor(world, 'refund', eventId);
    const notices = (await noticesOf(world, eventId)).length - before.length;
    expect(refunds).toHaveLength(60);
    expect(notices).toBeGreaterThanOrEqual(120);
    expect(readings.of()).toEqual({ payments: 0, sessions: 0 });
    expect(await openNotices(eventId)).toEqual([]);
  });

  it('are one job for all that is waiting about one order', async () => {
    const idle = await openWorld({ runsJobs: false });
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
        expect((await postNotice(idle, JSON.stringify(notice))).status).toBe(200);
      }

      expect((await jobs()).rows).toHaveLength(1);
    } finally {
      await idle.close();
    }
  });

  it('cost at most a look at the session: a sale of one ticket with its five notices', async () => {
    const { eventId } = await eventOnSale(world);
    const readings = countReadings();

    await buyTickets(world, eventId, seats(1), 'sale@example.com');
    await world.settle();

    expect(await noticesOf(world, eventId)).not.toHaveLength(0);
    const { payments, sessions } = readings.of();
    expect(payments).toBe(0);
    expect(sessions).toBeLessThanOrEqual(4);
    expect(await openNotices(eventId)).toEqual([]);
  });
});
