import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { errorText } from '#messages/errors.ts';
import { stripePaymentProcessor } from '#server/platform/adapters/stripe/payment-processor.ts';
import { createStripeClient } from '#server/platform/adapters/stripe/stripe-client.ts';
import { ledgerOf, planFault, postWebhook, stripeOf, webhookEventsOf } from '#tests/support/money.ts';
import { emailsTo, eventOnSale, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { receiveWebhook } from './receive-webhook.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const oneSeat = [{ ticketName: 'General admission', quantity: 1 }];
const MINUTE = 60_000;

/** Pays while webhooks are dropped. */
async function payWithoutWebhooks(email: string) {
  const { eventId } = await eventOnSale(app);
  await planFault(app, { webhook: 'drop', times: 5 });
  const buyer = app.visitor();
  const session = await buyer.call(createCheckoutSession, { eventId, cartItems: oneSeat });
  await pay(buyer, session.body.url, email);
  await app.settle();
  const [completed] = await webhookEventsOf(app, eventId, 'checkout.session.completed');
  if (!completed) throw new Error('no completed checkout');
  return { eventId, sessionId: session.body.id, completed };
}

async function storedEvents(id: string) {
  return app.db.selectFrom('webhookEvents').where('id', '=', id).select(['subject', 'processedAt']).execute();
}

const ticketsOf = (eventId: string) =>
  app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute();

describe('a webhook event', () => {
  it('is rejected unless it has a fresh signature over its exact bytes', async () => {
    const { eventId, completed } = await payWithoutWebhooks('forged@example.com');
    const { payload } = completed;
    const live = payload.replaceAll('"livemode":false', '"livemode":true');
    expect(live).not.toBe(payload);

    const replies = [
      await postWebhook(app, payload, { secret: 'whsec_wrong' }),
      await postWebhook(app, payload, { at: new Date(app.now().getTime() - 6 * MINUTE) }),
      await postWebhook(app, payload, { sent: JSON.stringify(JSON.parse(payload), null, 1) }),
      await postWebhook(app, live),
      await app.visitor().request('/api/webhooks/stripe', { method: 'POST', body: payload }),
    ];

    for (const reply of replies) expect(reply).toMatchObject({ status: 400, body: { code: 'webhook.bad-signature' } });
    await app.settle();
    expect(await storedEvents(completed.id)).toEqual([]);
    expect(await ticketsOf(eventId)).toEqual([]);
  });

  it('takes effect once when delivered five times at once', async () => {
    const { eventId, completed } = await payWithoutWebhooks('five@example.com');

    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => postWebhook(app, completed.payload)));

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await emailsTo(app, 'five@example.com')).toHaveLength(1);
    expect(await ticketsOf(eventId)).toHaveLength(1);
    expect(await ledgerOf(app, eventId, 'sale')).toHaveLength(2);
    expect(await storedEvents(completed.id)).toMatchObject([{ processedAt: expect.any(Date) }]);
  });

  it('is accepted with either secret during a rotation [OPS-14]', async () => {
    const { hostname: host, port } = new URL(app.sandboxUrl);
    const stripe = createStripeClient({ secretKey: 'sk_test_x', api: { host, port: Number(port), protocol: 'http' } });
    const { publicUrl, clock, appSecret } = app.deps;
    const paymentProcessor = stripePaymentProcessor(stripe, {
      webhookSecrets: ['whsec_old', 'whsec_new'],
      publicUrl,
      clock,
      appSecret,
      isLive: false,
    });
    const payload = JSON.stringify({ id: 'evt_rotated', object: 'event', type: 'price.created', livemode: false });
    const signedWith = (secret: string) =>
      stripeOf(app).webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: Math.floor(clock.now().getTime() / 1000),
      });
    const receive = (secret: string) =>
      receiveWebhook({ ...app.deps, paymentProcessor }, Buffer.from(payload), signedWith(secret));

    expect(await receive('whsec_old')).toMatchObject({ msg: expect.any(String) });
    expect(await receive('whsec_new')).toMatchObject({ msg: expect.any(String) });
    await expect(receive('whsec_third')).rejects.toThrow(errorText('webhook.bad-signature'));
  });

  it.each([
    ['of an unsupported type', { type: 'price.created', data: { object: { id: 'price_1' } } }],
    [
      'of a connected account',
      { type: 'payout.paid', account: 'acct_1', data: { object: { id: 'po_1', object: 'payout' } } },
    ],
    [
      'for a charge that another application made',
      { type: 'charge.succeeded', data: { object: { id: 'ch_1', object: 'charge', payment_intent: 'pi_other' } } },
    ],
    [
      'for an order id in another format',
      {
        type: 'checkout.session.completed',
        data: { object: { id: 'cs_1', object: 'checkout.session', metadata: { event_id: 'e', order_id: '42' } } },
      },
    ],
    ['without data', { type: 'refund.updated' }],
  ])('%s is stored and marked processed', async (_case, fields) => {
    const id = `evt_${crypto.randomUUID()}`;

    const reply = await postWebhook(app, JSON.stringify({ id, object: 'event', livemode: false, ...fields }));
    await app.settle();

    expect(reply.status).toBe(200);
    expect(await storedEvents(id)).toMatchObject([{ processedAt: expect.any(Date) }]);
  });

  it('is stored before the response is sent', async () => {
    const { completed } = await payWithoutWebhooks('stored@example.com');

    const { posting } = await app.db.transaction().execute(async (tx) => {
      await sql`lock table webhook_events in exclusive mode`.execute(tx);
      const posting = postWebhook(app, completed.payload);
      await app.untilBlocked();
      const first = await Promise.race([posting, new Promise((late) => setTimeout(late, 200, 'waits'))]);
      expect(first).toBe('waits');
      return { posting };
    });

    expect((await posting).status).toBe(200);
    await app.settle();
  });
});
