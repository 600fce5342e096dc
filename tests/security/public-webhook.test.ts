/** The webhook endpoint, called by others than Stripe. */
import { beforeAll, describe, expect, it } from 'vitest';

import { sandboxKeys } from '#server/platform/secrets.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { ledgerOf, planFault, postWebhook, stripeOf, webhookEventsOf } from '#tests/support/money.ts';
import { eventOnSale, generalAdmission, openCheckout } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const PATH = '/api/webhooks/stripe';
const MINUTE = 60_000;

/** A paid order that the server has not heard of, and its webhook event. */
let eventId: string;
let payload: string;
let webhookEventId: string;
beforeAll(async () => {
  ({ eventId } = await eventOnSale(app));
  await planFault(app, { webhook: 'drop', times: 10 });
  const checkout = await openCheckout(app, eventId, generalAdmission(1));
  await checkout.pay('sam@example.com');
  await app.settle();
  const [completed] = await webhookEventsOf(app, eventId, 'checkout.session.completed');
  payload = completed?.payload ?? '';
  webhookEventId = completed?.id ?? '';
});

const storedIds = async () => (await app.db.selectFrom('webhookEvents').select('id').execute()).map(({ id }) => id);
const ticketsNow = async () =>
  (await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute()).length;

const signed = (text: string, secret: string, at: Date) =>
  stripeOf(app).webhooks.generateTestHeaderString({
    payload: text,
    secret,
    timestamp: Math.floor(at.getTime() / 1000),
  });

async function post(text: string, signature?: string, type = 'application/json') {
  const headers = { 'content-type': type, ...(signature === undefined ? {} : { 'stripe-signature': signature }) };
  return app.server.inject({ method: 'POST', url: PATH, payload: text, headers });
}

describe('POST /api/webhooks/stripe', () => {
  it('rejects anything without a current signature of our secret over the exact bytes', async () => {
    const { webhookSecret } = sandboxKeys(app.deps.appSecret);
    const now = app.now();
    const right = signed(payload, webhookSecret, now);
    const before = await storedIds();

    const replies = await Promise.all([
      post(payload),
      post(payload, ''),
      post(payload, 'made-up'),
      post(payload, signed(payload, 'whsec_of_another_endpoint', now)),
      post(payload, signed(payload, webhookSecret, new Date(now.getTime() - 6 * MINUTE))),
      post(JSON.stringify(JSON.parse(payload), null, 1), right),
      post(payload.replace('2400', '2401'), right),
      post(`${payload} `, right),
      post('', right),
      // Signature of an older scheme, which must not be accepted.
      post(payload, right.replace('v1=', 'v0=')),
      post(payload, right.replace(/t=\d+/, `t=${Math.floor(now.getTime() / 1000) + 1}`)),
    ]);

    for (const reply of replies)
      expect([reply.statusCode, reply.body]).toEqual([400, JSON.stringify(errorBody('webhook.bad-signature'))]);
    expect(await storedIds()).toEqual(before);
    expect(await ticketsNow()).toBe(0);
  });

  it('rejects live-mode events in test mode', async () => {
    const live = payload.replaceAll('"livemode":false', '"livemode":true');
    expect(live).not.toBe(payload);

    expect(await postWebhook(app, live)).toMatchObject({ status: 400, body: { code: 'webhook.bad-signature' } });
    expect(await ticketsNow()).toBe(0);
  });

  it.each(['null', '[]', '"text"', '{}', '{"id":1,"type":"x","livemode":false}'])(
    'rejects %s, even with a signature',
    async (text) => {
      const reply = await postWebhook(app, text);
      expect([reply.status, reply.body]).toEqual([400, expect.objectContaining({ code: 'webhook.bad-signature' })]);
    },
  );

  it('takes no data from the event, but reads it again from Stripe', async () => {
    const lies = payload
      .replaceAll('2400', '1')
      .replaceAll('sam@example.com', 'mallory@example.com')
      .replace(webhookEventId, 'evt_full_of_lies');

    expect((await postWebhook(app, lies)).status).toBe(200);
    await app.settle();

    expect(await ledgerOf(app, eventId, 'sale')).toEqual(['sale organizer-payable -2400', 'sale processor 2400']);
    const tickets = await app.db.selectFrom('orders').where('eventId', '=', eventId).select('buyerEmail').execute();
    expect(tickets).toEqual([{ buyerEmail: 'sam@example.com' }]);
  });

  it('processes repeated events once, including replayed bytes', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => postWebhook(app, payload)));
    await app.settle();
    const { webhookSecret } = sandboxKeys(app.deps.appSecret);
    const replayed = await post(payload, signed(payload, webhookSecret, app.now()));

    expect([...replies.map(({ status }) => status), replayed.statusCode]).toEqual([200, 200, 200, 200]);
    await app.settle();
    expect(await ticketsNow()).toBe(1);
    expect((await storedIds()).filter((id) => id === webhookEventId)).toHaveLength(1);
  });

  it('affects no other order that an event names', async () => {
    const other = await openCheckout(app, (await eventOnSale(app)).eventId, generalAdmission(1));
    const row = await app.db
      .selectFrom('orders')
      .where('sessionId', '=', other.sessionId)
      .select(['id', 'eventId'])
      .executeTakeFirstOrThrow();
    const object = {
      object: 'checkout.session',
      id: other.sessionId,
      payment_status: 'paid',
      status: 'complete',
      metadata: { event_id: row.eventId, order_id: row.id },
    };

    const about = {
      id: 'evt_other_order',
      object: 'event',
      type: 'checkout.session.completed',
      livemode: false,
      data: { object },
    };
    expect((await postWebhook(app, JSON.stringify(about))).status).toBe(200);
    await app.settle();

    expect((await other.poll()).status).toBe('unpaid');
  });

  it.each([
    ['of an unknown type', { type: 'price.created', data: { object: { id: 'price_1' } } }],
    ['about an unknown account', { type: 'payout.paid', account: 'acct_other', data: { object: { id: 'po_1' } } }],
    [
      'about an account under another event name',
      { type: 'account.updated', data: { object: { id: 'acct_nobody', object: 'account' } } },
    ],
  ])('answers an event %s with 200, and does nothing', async (_what, about) => {
    const id = `evt_${crypto.randomUUID()}`;

    const reply = await postWebhook(app, JSON.stringify({ id, object: 'event', livemode: false, ...about }));
    await app.settle();

    expect(reply.status).toBe(200);
    expect(await app.db.selectFrom('webhookEvents').where('id', '=', id).select('processedAt').execute()).toMatchObject(
      [{ processedAt: expect.any(Date) }],
    );
  });

  it('reads at most one megabyte', async () => {
    const before = await storedIds();
    const reply = await post('x'.repeat(1024 * 1024 + 1), 'made-up');

    expect(reply.statusCode).toBe(413);
    expect(Object.keys(reply.json())).toEqual(['code', 'params', 'msg']);
    expect(await storedIds()).toEqual(before);
  });

  it('is the only endpoint with a raw body: the others still require JSON', async () => {
    const reply = await app.server.inject({
      method: 'POST',
      url: '/api/public/register',
      payload: '{}',
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(reply.statusCode).toBe(415);
    expect((await app.server.inject({ method: 'GET', url: PATH })).statusCode).toBe(404);
  });
});
