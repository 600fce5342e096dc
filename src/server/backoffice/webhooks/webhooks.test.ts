/** Webhooks at a real receiver: what arrives, when, and in which order. */
import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { undoCheckIn } from '#contract/app/check-in-devices.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import * as contract from '#contract/app/programs/webhooks.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { readOrder } from '#contract/v1/orders.ts';
import { webhookData } from '#contract/v1/webhooks.ts';
import type { WebhookType } from '#domain/accounts/webhooks.ts';
import { httpsWebhookSender } from '#server/platform/adapters/webhooks/https-webhook-sender.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { openPayout } from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  openCheckout,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { newWebhook, type Receiver, startReceiver, verify } from '#tests/support/webhook-receiver.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

// A receiver that a test holds is not given up meanwhile: its place would go to another call.
const webhooks = httpsWebhookSender({ allowsLoopback: true, timeoutMs: 50_000 });

let app: TestApp;
withTestApp(
  (opened) => {
    app = opened;
  },
  { webhooks },
);

/** What has arrived was answered, and the answers are recorded: the times of the next attempts count from here. */
const recorded = async (endpointId: string, attempts: number) =>
  await expect
    .poll(async () => {
      const rows = await app.db
        .selectFrom('webhookDeliveries')
        .where('endpointId', '=', endpointId)
        .select(['attempts', 'sendingUntil'])
        .execute();
      const most = Math.max(0, ...rows.map((row) => row.attempts));
      return most >= attempts && rows.every(({ sendingUntil }) => sendingUntil === null);
    })
    .toBe(true);

const open: Receiver[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.close()));
});

async function receiverOf(answer?: Parameters<typeof startReceiver>[0]) {
  const receiver = await startReceiver(answer);
  open.push(receiver);
  return receiver;
}

/** An event on sale with a webhook. */
async function seller(types?: readonly WebhookType[], answer?: Parameters<typeof startReceiver>[0]) {
  const receiver = await receiverOf(answer);
  const event = await eventOnSale(app);
  const hook = await newWebhook(event.visitor, receiver, types ? { types } : {});
  const buy = async (quantity = 1) => buyTickets(app, event.eventId, generalAdmission(quantity));
  const log = async () =>
    expectOk(await event.visitor.call(contract.webhookDeliveries, { endpointId: hook.endpointId }));
  return { ...event, ...hook, receiver, buy, log };
}

async function arrived({ received }: Receiver, many: number): Promise<void> {
  await expect.poll(() => received.length).toBeGreaterThanOrEqual(many);
}

const failing = () => ({ status: 500 });

describe('A webhook', () => {
  it('tells of a sale, signed, as the API would [HOOK-1 HOOK-2]', async () => {
    const { receiver, secret, visitor, buy } = await seller(['order.paid']);
    await buy(2);

    await arrived(receiver, 1);
    const [first] = receiver.received;
    if (!first) throw new Error('nothing arrived');

    expect(verify(secret, first)).toMatchObject({ type: 'order.paid' });
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signed = `${first.id}.${String(first.headers['webhook-timestamp'])}.${first.body}`;
    expect(first.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    const { body } = await callV1(app, await newApiKey(visitor), readOrder, { order_id: String(first.data['id']) });
    expect(first.data).toEqual(body);
    expect(first.timestamp).toBe(body['paid_at']);
  });

  it('tells of everything once, each as its schema says [HOOK-1]', async () => {
    const event = await seller();
    const { receiver, eventId, attendantCode, visitor, buy } = event;
    const order = await buy(2);
    const [code = '', other = ''] = codesOf(order);
    const device = await attendantOf(app, eventId, attendantCode);
    const scanId = randomUUID();
    expectOk(await device.call(checkGuest, { eventId, confirmationNumber: code, scanId }));
    expectOk(await device.call(undoCheckIn, { eventId, scanId }));
    expectOk(await device.call(checkGuest, { eventId, confirmationNumber: code, scanId: randomUUID() }));
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: other }));
    const given = await buy(1);
    expectOk(
      await app.call(transferTicket, { token: given.details?.token ?? '', position: 1, email: 'new@example.com' }),
    );
    await editEventOf(app, event, { title: 'Moved upstairs' });
    await app.settle();
    await openPayout(app, event);
    expectOk(await visitor.call(requestPayout, { eventId }));
    await app.settle();
    await arrived(receiver, 9);
    await app.settle();

    expect(receiver.received.map(({ type }) => type).sort()).toEqual(
      [
        'order.paid',
        'order.paid',
        'ticket.checked_in',
        'ticket.checked_in',
        'ticket.check_in_undone',
        'refund.sent',
        'ticket.transferred',
        'event.updated',
        'payout.paid',
      ].sort(),
    );
    for (const { type, data } of receiver.received) expect(webhookData[type].parse(data)).toEqual(data);
    const ofTicket = receiver.received.filter(({ data }) => data['confirmation_number'] === code);
    expect(ofTicket.map(({ type }) => type)).toEqual([
      'ticket.checked_in',
      'ticket.check_in_undone',
      'ticket.checked_in',
    ]);
  });

  it('tells of a cancelled event and its refunds [HOOK-1]', async () => {
    const { receiver, eventId, visitor, buy } = await seller(['event.cancelled', 'refund.sent']);
    await buy(2);
    expectOk(await visitor.call(cancelEvent, { eventId }));
    await app.settle();
    await arrived(receiver, 3);

    expect(receiver.received.map(({ type }) => type).sort()).toEqual(['event.cancelled', 'refund.sent', 'refund.sent']);
  });

  it('tells of a payment that came after its tickets were sold to others, and of its refund [HOOK-1]', async () => {
    const { receiver, eventId } = await seller(['order.unfulfillable', 'refund.sent']);
    const late = await openCheckout(app, eventId, [{ ticketName: 'Balcony', quantity: 1 }]);
    await app.db.updateTable('orders').set({ state: 'expired' }).where('eventId', '=', eventId).execute();
    await app.db.updateTable('ticketTypes').set({ reserved: 0 }).where('eventId', '=', eventId).execute();
    await buyTickets(app, eventId, [{ ticketName: 'Balcony', quantity: 10 }]);
    await late.pay('late@example.com');
    await app.settle();
    await arrived(receiver, 2);

    const [order, refund] = receiver.received;
    expect(order).toMatchObject({
      type: 'order.unfulfillable',
      data: { state: 'unfulfillable', buyer: { email: 'late@example.com' } },
    });
    expect(refund).toMatchObject({ type: 'refund.sent', data: { reason: 'unfulfillable_order', amount_cents: 38_50 } });
    expect(refund?.data['order_id']).toBe(order?.data['id']);
  });

  it('is sent again until it is taken, under the same id [HOOK-3]', async () => {
    const { receiver, buy, log, endpointId } = await seller(['order.paid'], failing);
    await buy();
    await arrived(receiver, 1);
    await recorded(endpointId, 1);
    await app.advance({ seconds: 6 });
    await arrived(receiver, 2);
    await recorded(endpointId, 2);
    receiver.answerWith(() => ({ status: 204 }));
    await app.advance({ minutes: 6 });
    await arrived(receiver, 3);

    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    await expect
      .poll(async () => (await log()).deliveries)
      .toMatchObject([{ state: 'delivered', attempts: 3, answerStatus: 204, problem: null }]);
    expect((await log()).endpoint.state).toBe('live');
  });

  it('keeps the order of each order, and catches up at once after an outage [HOOK-3 HOOK-4]', async () => {
    const { receiver, eventId, attendantCode, buy, endpointId } = await seller(
      ['order.paid', 'ticket.checked_in'],
      failing,
    );
    const device = await attendantOf(app, eventId, attendantCode);
    const codes = [...codesOf(await buy()), ...codesOf(await buy())];
    for (const confirmationNumber of codes)
      expectOk(await device.call(checkGuest, { eventId, confirmationNumber, scanId: randomUUID() }));
    await arrived(receiver, 2);
    await recorded(endpointId, 1);
    await app.advance({ hours: 2 });
    await recorded(endpointId, 1);
    receiver.answerWith(() => ({ status: 200 }));
    receiver.received.length = 0;
    await app.advance({ hours: 3 });
    await arrived(receiver, 4);

    const orderOf = ({ type, data }: (typeof receiver.received)[number]) =>
      String(type === 'order.paid' ? data['id'] : data['order_id']);
    const byOrder = Map.groupBy(receiver.received, orderOf);
    expect([...byOrder.values()].map((own) => own.map(({ type }) => type))).toEqual([
      ['order.paid', 'ticket.checked_in'],
      ['order.paid', 'ticket.checked_in'],
    ]);
  });

  it('ends with the answer 410, and its owners are emailed [HOOK-3]', async () => {
    const { receiver, email, buy, log } = await seller(['order.paid'], () => ({ status: 410 }));
    await buy();
    await arrived(receiver, 1);

    await expect.poll(async () => (await log()).endpoint).toMatchObject({ state: 'ended', endReason: 'gone' });
    await app.settle();
    expect((await emailsTo(app, email)).map(({ subject }) => subject)).toContain(
      'A webhook of your Handstamp organization has ended',
    );
    await buy();
    expect((await log()).deliveries).toHaveLength(1);
  });

  it('is warned of after a day of failures, and ends after five [HOOK-3]', async () => {
    const event = await seller(['order.paid'], failing);
    const { receiver, email, visitor, endpointId, log } = event;
    const subjects = async () => (await emailsTo(app, email)).map(({ subject }) => subject);
    /** Each failed call is tried again before the next one. */
    const failAgain = async () => {
      await logInAgain(event);
      expectOk(await visitor.call(contract.testWebhook, { endpointId }));
    };
    await failAgain();
    await arrived(receiver, 1);
    await recorded(endpointId, 1);
    await app.advance({ hours: 25 });
    await failAgain();
    await expect.poll(async () => (await log()).deliveries.every(({ attempts }) => attempts > 0)).toBe(true);
    await app.settle();
    const warnings = (await subjects()).filter((subject) => subject.includes('fails'));
    await app.advance({ days: 4 });
    await logInAgain(event);
    await expect.poll(async () => (await log()).endpoint).toMatchObject({ state: 'ended', endReason: 'failing' });
    await app.settle();

    expect(warnings).toHaveLength(1);
    expect((await subjects()).filter((subject) => /webhook .*(?:fails|ended)/.test(subject))).toHaveLength(2);
  });

  it('follows no redirect, and takes a long answer for what its status says [HOOK-5]', async () => {
    const target = await receiverOf();
    const { receiver, buy, log } = await seller(['order.paid'], () => ({ status: 302, location: target.url }));
    await buy();
    await arrived(receiver, 1);
    await expect.poll(async () => (await log()).deliveries).toMatchObject([{ state: 'waiting', answerStatus: 302 }]);
    receiver.answerWith(() => ({ status: 200, body: 'x'.repeat(1_000_000) }));
    await app.advance({ seconds: 6 });
    await expect.poll(async () => (await log()).deliveries).toMatchObject([{ state: 'delivered' }]);

    expect(target.received).toEqual([]);
  });

  it('that answers nothing delays no other one [HOOK-5]', async () => {
    const { receiver: slow, eventId, visitor, buy } = await seller(['order.paid']);
    const fast = await receiverOf();
    await newWebhook(visitor, fast, { types: ['order.paid'] });
    const release = slow.hold();
    await Promise.all(Array.from({ length: 10 }, () => buy()));

    await arrived(fast, 10);
    expect(slow.received.length).toBeLessThanOrEqual(8);
    release();
    await arrived(slow, 10);
    expect(await app.db.selectFrom('orders').where('eventId', '=', eventId).select('id').execute()).toHaveLength(10);
  });

  it('verifies with both secrets for a day after a rotation, then with the new one only [HOOK-2]', async () => {
    const event = await seller(['order.paid']);
    const { receiver, visitor, endpointId, secret: before, buy } = event;
    const { secret: after } = expectOk(await visitor.call(contract.rotateWebhookSecret, { endpointId }));
    await buy();
    await arrived(receiver, 1);
    await app.advance({ hours: 25 });
    await buy();
    await arrived(receiver, 2);
    const [during, later] = receiver.received;
    if (!during || !later) throw new Error('nothing arrived');

    expect(verify(before, during)).toEqual(verify(after, during));
    expect(verify(after, later)).toMatchObject({ type: 'order.paid' });
    expect(() => verify(before, later)).toThrow();
    expect(() => verify(after, { ...later, body: later.body.replace('paid', 'PAID') })).toThrow();
  });

  it('is tested, and a delivery is sent again [HOOK-4]', async () => {
    const { receiver, visitor, endpointId, buy, log } = await seller(['order.paid']);
    expectOk(await visitor.call(contract.testWebhook, { endpointId }));
    await arrived(receiver, 1);
    await buy();
    await arrived(receiver, 2);
    await expect
      .poll(async () => (await log()).deliveries.map(({ state }) => state))
      .toEqual(['delivered', 'delivered']);
    const deliveryId = (await log()).deliveries[0]?.deliveryId ?? '';
    expectOk(await visitor.call(contract.sendWebhookAgain, { endpointId, deliveryId }));
    await arrived(receiver, 3);

    const [test, sale, again] = receiver.received;
    expect(test).toMatchObject({ type: 'webhook.test', data: { endpoint_id: endpointId } });
    expect(again?.id).toBe(sale?.id);
  });

  it('receives only what was chosen, of its events, from when it was made [HOOK-1]', async () => {
    const receiver = await receiverOf();
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(1));
    const { endpointId } = await newWebhook(event.visitor, receiver, {
      types: ['order.paid'],
      onlyEventIds: [event.eventId],
    });
    await sql`update webhook_readings set up_to = '3'`.execute(app.db);
    await editEventOf(app, event, { title: 'Not chosen' });
    await buyTickets(app, event.eventId, generalAdmission(2));
    await arrived(receiver, 1);
    expectOk(await event.visitor.call(contract.testWebhook, { endpointId }));
    await arrived(receiver, 2);

    expect(receiver.received.map(({ type }) => type)).toEqual(['order.paid', 'webhook.test']);
  });

  it('that has ended receives nothing, not even a test [HOOK-4]', async () => {
    const { visitor, endpointId, log } = await seller();
    expectOk(await visitor.call(contract.endWebhookEndpoint, { endpointId }));

    expect(await visitor.call(contract.testWebhook, { endpointId })).toMatchObject({
      status: 409,
      body: errorBody('webhook.ended'),
    });
    expect(await visitor.call(contract.endWebhookEndpoint, { endpointId })).toMatchObject({ status: 404 });
    expect((await log()).endpoint).toMatchObject({ state: 'ended', endReason: 'member' });
  });
});

describe('A reading of moments', () => {
  let event: Awaited<ReturnType<typeof eventOnSale>>;
  beforeAll(async () => {
    event = await eventOnSale(app);
  });

  it('misses no sale that commits late [FEED-1]', async () => {
    const receiver = await receiverOf();
    await newWebhook(event.visitor, receiver, { types: ['order.paid'] });
    const { sessionId } = await app.db.transaction().execute(async (tx) => {
      // An older transaction that stays open while later ones commit and are read.
      await sql`select pg_current_xact_id()`.execute(tx);
      const late = await buyTickets(app, event.eventId, generalAdmission(1));
      await arrived(receiver, 1);
      await tx
        .updateTable('orders')
        .set({ paidAt: sql<Date>`business_now() + interval '1 second'` })
        .where('sessionId', '=', late.sessionId)
        .execute();
      await buyTickets(app, event.eventId, generalAdmission(1));
      await arrived(receiver, 2);
      return late;
    });

    await arrived(receiver, 3);
    const { id } = await app.db
      .selectFrom('orders')
      .where('sessionId', '=', sessionId)
      .select('id')
      .executeTakeFirstOrThrow();
    expect(receiver.received.filter(({ data }) => data['id'] === id)).toHaveLength(2);
  });
});
