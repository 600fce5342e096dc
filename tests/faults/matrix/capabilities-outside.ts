/** Events that move money outside Handstamp, and the reaction to each. */
import { createCheckoutSession } from '#server/payments/checkout/create-checkout-session.ts';
import { sandboxKeys } from '#server/platform/secrets.ts';
import { advance, runEverything } from '#tests/support/heal.ts';
import { planFault } from '#tests/support/money.ts';
import { buyTickets, pay } from '#tests/support/people.ts';
import {
  type Call,
  type Capability,
  cart,
  DAY,
  nothing,
  payOut,
  type Stage,
  sell,
  tryEverything,
} from './capabilities.ts';

const REVERSE = { method: 'POST', path: '/v1/transfers/*' };
const READING: Call[] = [
  { method: 'GET', path: '/v1/payment_intents/*' },
  { method: 'GET', path: '/v1/disputes' },
  { method: 'GET', path: '/v1/refunds' },
];

export const disputeAfterPayout: Capability = {
  name: 'a dispute after the payout',
  calls: [...READING, REVERSE, { method: 'GET', path: '/v1/transfers/*', after: REVERSE }],
  async prepare(stage) {
    await sell(stage);
    await advance(stage.app, 3 * DAY);
    await payOut(stage);
  },
  async perform(stage) {
    await happen(stage, '/_sandbox/disputes', { payment_intent: await firstPayment(stage) });
    await tryEverything(stage.app);
  },
  again: nothing,
  ends: { tickets: ['valid', 'valid'], refunds: [], payouts: ['paid'], disputes: ['open'] },
};

/** The other order is paid out on time; the amount on hold for the dispute follows by itself. */
export const wonDispute: Capability = {
  name: 'a dispute that is won after the payout',
  calls: [...READING, { method: 'POST', path: '/v1/transfers' }],
  async prepare(stage) {
    await sell(stage);
    await happen(stage, '/_sandbox/disputes', { payment_intent: await firstPayment(stage) });
    await runEverything(stage.app);
    await buyTickets(stage.app, stage.eventId, cart, 'another@example.com');
    await advance(stage.app, 3 * DAY);
    await payOut(stage);
  },
  async perform(stage) {
    const { stripeDisputeId } = await stage.app.db
      .selectFrom('disputes')
      .where('eventId', '=', stage.eventId)
      .select('stripeDisputeId')
      .executeTakeFirstOrThrow();
    await happen(stage, `/_sandbox/disputes/${stripeDisputeId}`, { become: 'won' });
    await tryEverything(stage.app);
  },
  again: nothing,
  ends: { tickets: Array(4).fill('valid'), refunds: [], payouts: ['paid', 'paid'], disputes: ['won'] },
};

export const dashboardRefund: Capability = {
  name: 'a refund in the dashboard',
  calls: READING,
  prepare: sell,
  async perform(stage) {
    const { app } = stage;
    const reply = await fetch(`${app.sandboxUrl}/v1/refunds`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sandboxKeys(app.deps.appSecret).secretKey}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `payment_intent=${await firstPayment(stage)}`,
    });
    if (!reply.ok) throw new Error(await reply.text());
    await tryEverything(app);
  },
  again: nothing,
  ends: { tickets: ['void', 'void'], refunds: ['sent'], payouts: [] },
};

/** A payment without a returning buyer or a webhook, found by reconciliation. */
export const saleWithoutWebhook: Capability = {
  name: 'a sale without a webhook',
  calls: [
    { method: 'GET', path: '/v1/checkout/sessions' },
    { method: 'GET', path: '/v1/checkout/sessions/*' },
    { method: 'GET', path: '/v1/balance_transactions' },
    { method: 'GET', path: '/v1/disputes' },
  ],
  prepare: nothing,
  async perform({ app, eventId }) {
    await planFault(app, { webhook: 'drop', times: 200 });
    const session = await createCheckoutSession(app.deps, { eventId, cartItems: cart }, '127.0.0.1');
    await pay(app.visitor(), session.url, `buyer-of-${eventId}@example.com`);
    await tryEverything(app);
  },
  again: nothing,
  ends: { tickets: ['valid', 'valid'], refunds: [], payouts: [] },
};

async function happen({ app }: Stage, path: string, body: object): Promise<void> {
  const reply = await fetch(`${app.sandboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
}

async function firstPayment({ app, eventId }: Stage): Promise<string> {
  const { paymentId } = await app.db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('paymentId', 'is not', null)
    .orderBy('createdAt')
    .select('paymentId')
    .executeTakeFirstOrThrow();
  return paymentId ?? '';
}
