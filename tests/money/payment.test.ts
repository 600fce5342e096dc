import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkoutSession } from '#contract/app/checkout.ts';
import { settleLapsedOrders } from '#server/payments/checkout/settle-lapsed-orders.ts';
import { openForm } from '#tests/support/html-form.ts';
import {
  clearFaults,
  ledgerOf,
  paymentOf,
  planFault,
  postWebhook,
  reservedOf,
  retryNow,
  stripeObjectsOf,
  stripeOf,
  webhookEventsOf,
} from '#tests/support/money.ts';
import {
  buyTickets,
  cardWith,
  emailsTo,
  eventOnSale,
  generalAdmission,
  goodCard,
  openCheckout,
} from '#tests/support/people.ts';
import { raceFor, raceForSession } from '#tests/support/race.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const DECLINED = cardWith('4000 0000 0000 0002');
const CHALLENGED = cardWith('4000 0027 6000 3184');
/** Bank accounts whose payment succeeds an hour later, or fails. */
const BANK_PAYS = cardWith('000123456789');
const BANK_FAILS = cardWith('000111111116');

const dropWebhooks = () => planFault(app, { webhook: 'drop', times: 1000 });

let buyers = 0;
/** An event, and a buyer at its payment page. */
async function buyerAtCheckout(quantity = 1) {
  const event = await eventOnSale(app);
  const checkout = await openCheckout(app, event.eventId, generalAdmission(quantity));
  return { ...event, ...checkout, email: `buyer-${++buyers}@example.com`, organizerEmail: event.email };
}

const ticketsOf = (eventId: string) =>
  app.db.selectFrom('tickets').where('eventId', '=', eventId).selectAll().execute();
const orderOf = (eventId: string) =>
  app.db.selectFrom('orders').where('eventId', '=', eventId).selectAll().executeTakeFirstOrThrow();
const salesOf = async (eventId: string) => (await ledgerOf(app, eventId, 'sale')).length / 2;

async function expectSoldOnce(eventId: string, email: string) {
  expect(await emailsTo(app, email)).toHaveLength(1);
  expect(await ticketsOf(eventId)).toHaveLength(1);
  expect(await salesOf(eventId)).toBe(1);
}

async function completedEvent(eventId: string): Promise<string> {
  const [webhookEvent] = await webhookEventsOf(app, eventId, 'checkout.session.completed');
  return webhookEvent?.payload ?? '';
}

describe('a payment reported late, repeatedly, or never', () => {
  it('case 10: is found by the confirmation page, and the webhook an hour later changes nothing', async () => {
    const { eventId, email, pay, poll } = await buyerAtCheckout();
    await dropWebhooks();
    await pay(email);

    expect((await poll()).status).toBe('confirmed');
    await expectSoldOnce(eventId, email);
    await clearFaults(app);
    await app.advance({ hours: 1 });
    for (const { payload } of await webhookEventsOf(app, eventId)) await postWebhook(app, payload);
    await expectSoldOnce(eventId, email);
  });

  it('case 11: reported five times at once before the buyer returns, makes one sale', async () => {
    const { eventId, email, pay, poll } = await buyerAtCheckout();
    await dropWebhooks();
    await pay(email);
    const payload = await completedEvent(eventId);
    const [webhookEvent] = await webhookEventsOf(app, eventId, 'checkout.session.completed');

    // Locks the webhook event's row until all five requests wait for it.
    const replies = await app.db.transaction().execute(async (tx) => {
      const row = { id: webhookEvent?.id ?? '', type: 'x', eventId: null, orderId: null, payload: '{}' };
      await tx
        .insertInto('webhookEvents')
        .values({ ...row, receivedAt: app.now(), processedAt: null })
        .execute();
      const replies = [1, 2, 3, 4, 5].map(() => postWebhook(app, payload));
      await app.untilBlocked(5);
      await tx.deleteFrom('webhookEvents').where('id', '=', row.id).execute();
      return replies;
    });

    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await expectSoldOnce(eventId, email);
    expect((await poll()).confirmationData).toHaveLength(1);
    await expectSoldOnce(eventId, email);
  });

  it('case 11: reported while the buyer returns, makes one sale', async () => {
    const { eventId, email, pay, poll } = await buyerAtCheckout();
    await dropWebhooks();
    await pay(email);
    const payload = await completedEvent(eventId);

    await raceFor<unknown>(app, 'orders', eventId, [() => postWebhook(app, payload), poll]);
    await expectSoldOnce(eventId, email);
  });

  it('case 12: that fails after writing the tickets is rolled back and completed by the retry', async () => {
    const { eventId, email, pay } = await buyerAtCheckout();
    await sql`
      create function fail_ticket_email() returns trigger language plpgsql as
        $$ begin raise exception 'the server fell over'; end $$`.execute(app.db);
    await sql`
      create trigger fail_ticket_email before insert on email_outbox
        for each row when (new.kind = 'tickets') execute function fail_ticket_email()`.execute(app.db);

    await pay(email);
    await app.settle();
    expect(await ticketsOf(eventId)).toEqual([]);
    expect((await orderOf(eventId)).state).toBe('reserved');
    expect(await ledgerOf(app, eventId)).toEqual([]);

    await sql`drop function fail_ticket_email cascade`.execute(app.db);
    await retryNow(app);
    await expectSoldOnce(eventId, email);
  });

  it('case 13: already refunded at Stripe ends as refunded, with void tickets', async () => {
    const { eventId, email, pay } = await buyerAtCheckout(2);
    await dropWebhooks();
    await pay(email);
    await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId) });
    const [refunded] = await webhookEventsOf(app, eventId, 'charge.refunded');
    await clearFaults(app);

    await postWebhook(app, refunded?.payload ?? '');
    await app.settle();
    await postWebhook(app, await completedEvent(eventId));
    await retryNow(app);

    const states = (await ticketsOf(eventId)).map(({ state }) => state);
    expect(states).toEqual(['void', 'void']);
    const refunds = await app.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().execute();
    expect(refunds).toMatchObject([{ reason: 'external', state: 'sent', cents: 48_00 }]);
  });

  it('case 14: that takes an hour issues tickets on success, and releases them on failure', async () => {
    const succeeds = await buyerAtCheckout();
    const fails = await buyerAtCheckout();
    await succeeds.pay(succeeds.email, BANK_PAYS);
    await fails.pay(fails.email, BANK_FAILS);
    await app.settle();
    for (const { eventId, poll } of [succeeds, fails]) {
      expect(await ticketsOf(eventId)).toEqual([]);
      expect((await poll()).status).toBe('processing');
      expect(await reservedOf(app, eventId)).toBe(1);
    }

    // The reservation has expired, but the order can still be paid.
    await app.advance({ minutes: 50 });
    await settleLapsedOrders(app.deps);
    expect(await reservedOf(app, succeeds.eventId)).toBe(1);
    await app.advance({ minutes: 15 });
    await app.settle();

    await expectSoldOnce(succeeds.eventId, succeeds.email);
    expect(await ticketsOf(fails.eventId)).toEqual([]);
    expect(await reservedOf(app, fails.eventId)).toBe(0);
    expect(await emailsTo(app, fails.email)).toEqual([]);
  });
});

describe('a buyer at the payment page', () => {
  it('case 15: whose first card is declined pays with the second, once, and sees no failure afterwards', async () => {
    const { eventId, email, pay, poll } = await buyerAtCheckout();

    expect((await pay(email, DECLINED)).status).toBe(402);
    expect((await poll()).status).toBe('unpaid');
    expect((await pay(email, goodCard)).status).toBe(303);
    await app.settle();

    expect((await poll()).status).toBe('confirmed');
    const charges = await stripeObjectsOf(app, 'charge', eventId);
    expect(charges.filter(({ paid }) => paid)).toMatchObject([{ amount: 24_00 }]);
    await expectSoldOnce(eventId, email);
  });

  it("case 16: who ignores the bank's authentication releases the tickets, once, and gets no email", async () => {
    const { eventId, email, pay, poll } = await buyerAtCheckout();
    await buyTickets(app, eventId, generalAdmission(1));
    expect((await pay(email, CHALLENGED)).headers.get('location')).toContain('/challenge');

    await app.advance({ minutes: 32 });
    await Promise.all([settleLapsedOrders(app.deps), settleLapsedOrders(app.deps), app.settle()]);

    expect((await poll()).status).toBe('expired');
    expect(await reservedOf(app, eventId)).toBe(1);
    expect(await emailsTo(app, email)).toEqual([]);
  });

  it.each([
    ['pays first', 'confirmed', 1],
    ['is too late', 'expired', 0],
  ] as const)('case 17: who pays while the order expires and %s is %s', async (which, status, sold) => {
    const { eventId, email, poll, sessionId } = await buyerAtCheckout();
    // Our reservation has expired, the page has not: both requests run in this second.
    await sql`update orders set reservation_expires_at = business_now() where event_id = ${eventId}`.execute(app.db);
    const submit = await openForm(app.visitor(), `${app.publicUrl}/sandbox/pay/${sessionId}`, 'Pay');
    const buyerPays = () => submit({ ...goodCard, email });
    const reap = () => settleLapsedOrders(app.deps);

    await raceForSession<unknown>(app, sessionId, which === 'pays first' ? [buyerPays, reap] : [reap, buyerPays]);
    await app.settle();
    expect((await poll()).status).toBe(status);
    expect(await reservedOf(app, eventId)).toBe(sold);
    expect(await ticketsOf(eventId)).toHaveLength(sold);
    expect((await stripeObjectsOf(app, 'charge', eventId)).filter(({ paid }) => paid)).toHaveLength(sold);
    expect(await emailsTo(app, email)).toHaveLength(sold);
  });
});

describe('untrusted input', () => {
  it('case 18: a payment of a different amount issues no tickets, and its order needs review', async () => {
    const { eventId, email, pay, poll } = await buyerAtCheckout();
    await app.db.updateTable('orders').set({ totalCents: 23_99 }).where('eventId', '=', eventId).execute();

    await pay(email);
    await app.settle();

    expect((await poll()).confirmationData).toEqual([]);
    expect(await ticketsOf(eventId)).toEqual([]);
    expect(await emailsTo(app, email)).toEqual([]);
    expect(await orderOf(eventId)).toMatchObject({
      state: 'needs-review',
      receivedCents: 24_00,
      reviewReason: expect.any(String),
    });
  });

  it('case 19: a webhook without a valid Stripe signature, or in live mode, is rejected', async () => {
    const { eventId, email, pay } = await buyerAtCheckout();
    await dropWebhooks();
    await pay(email);
    const payload = await completedEvent(eventId);
    const webhookEvent: object = JSON.parse(payload);
    const real = JSON.stringify({ ...webhookEvent, livemode: true });

    const bare = await app
      .visitor()
      .request<{ msg: string }>('/api/webhooks/stripe', { method: 'POST', body: payload });
    const forged = [
      bare,
      await postWebhook(app, payload, { secret: 'whsec_another' }),
      await postWebhook(app, payload, { at: new Date(app.now().getTime() - 301_000) }),
      await postWebhook(app, payload, { sent: JSON.stringify(webhookEvent, null, 1) }),
      await postWebhook(app, payload, { sent: payload.replace('"paid"', '"unpaid"') }),
      await postWebhook(app, real),
    ];

    for (const reply of forged) expect(reply).toMatchObject({ status: 400, body: { code: 'webhook.bad-signature' } });
    await app.settle();
    expect((await orderOf(eventId)).state).toBe('reserved');
    expect(await postWebhook(app, payload)).toMatchObject({ status: 200 });
    await expectSoldOnce(eventId, email);
  });

  it('case 20: a link to an unpaid, unknown, invented or foreign order shows no ticket', async () => {
    const sold = await buyerAtCheckout();
    await sold.pay(sold.email);
    const { confirmationData } = await sold.poll();
    const unpaid = await buyerAtCheckout();
    const foreign = await stripeOf(app).checkout.sessions.create({
      mode: 'payment',
      line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'x' } } }],
      success_url: app.publicUrl,
      metadata: { order_id: (await orderOf(sold.eventId)).id, event_id: sold.eventId },
    });

    const confirm = (sessionId: string) => app.visitor().send(checkoutSession, { sessionId });
    expect(await confirm(unpaid.sessionId)).toMatchObject({ status: 200, body: { confirmationData: [], order: null } });
    const guessed = `${sold.sessionId.slice(0, -1)}${sold.sessionId.endsWith('a') ? 'b' : 'a'}`;
    for (const id of [guessed, foreign.id, sold.eventId, "' or 1=1 --", 'cs_test_%', '{CHECKOUT_SESSION_ID}'])
      expect(await confirm(id)).toMatchObject({ status: 404, body: { code: 'checkout.unknown' } });
    for (const id of [unpaid.sessionId, guessed, foreign.id])
      for (const page of [`/success?session_id=${id}`, `/api/public/checkout-session?sessionId=${id}`])
        expect(await (await app.visitor().fetch(page)).text()).not.toContain(confirmationData[0]?.confirmationNumber);
  });
});
