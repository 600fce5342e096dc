import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { badSignature, checkoutSession, unknownCheckout } from '#contract/checkout.ts';
import { settleLapsedOrders } from '#server/checkout/settle-lapsed-orders.ts';
import {
  bookOf,
  clearFaults,
  knownToProcessor,
  noticesOf,
  paymentOf,
  planFault,
  postNotice,
  reservedOf,
  retryNow,
  stripeOf,
} from '#tests/support/money.ts';
import {
  buyTickets,
  cardWith,
  eventOnSale,
  generalAdmission,
  goodCard,
  mailTo,
  openCheckout,
} from '#tests/support/people.ts';
import { raceFor, raceForSession } from '#tests/support/race.ts';
import { withWorld } from '#tests/support/with-world.ts';
import type { World } from '#tests/support/world.ts';

let world: World;
withWorld((opened) => {
  world = opened;
});

const DECLINED = cardWith('4000 0000 0000 0002');
const CHALLENGED = cardWith('4000 0027 6000 3184');
/** Bank accounts, of which the money comes an hour later, or does not. */
const BANK_PAYS = cardWith('000123456789');
const BANK_FAILS = cardWith('000111111116');

const nothingHeard = () => planFault(world, { webhook: 'drop', times: 1000 });

let buyers = 0;
/** An event, and a buyer before its payment page. */
async function buyerAtCheckout(quantity = 1) {
  const event = await eventOnSale(world);
  const checkout = await openCheckout(world, event.eventId, generalAdmission(quantity));
  return { ...event, ...checkout, email: `buyer-${++buyers}@example.com`, organizerEmail: event.email };
}

const ticketsOf = (eventId: string) =>
  world.db.selectFrom('tickets').where('eventId', '=', eventId).selectAll().execute();
const orderOf = (eventId: string) =>
  world.db.selectFrom('orders').where('eventId', '=', eventId).selectAll().executeTakeFirstOrThrow();
const salesOf = async (eventId: string) => (await bookOf(world, eventId, 'sale')).length / 2;

async function expectSoldOnce(eventId: string, email: string) {
  expect(await mailTo(world, email)).toHaveLength(1);
  expect(await ticketsOf(eventId)).toHaveLength(1);
  expect(await salesOf(eventId)).toBe(1);
}

async function completedNotice(eventId: string): Promise<string> {
  const [notice] = await noticesOf(world, eventId, 'checkout.session.completed');
  return notice?.payload ?? '';
}

describe('a payment that is reported late, often, or not at all', () => {
  it('case 10: is found by the confirmation page, and the webhook an hour later changes nothing', async () => {
    const { eventId, email, pay, look } = await buyerAtCheckout();
    await nothingHeard();
    await pay(email);

    expect((await look()).status).toBe('confirmed');
    await expectSoldOnce(eventId, email);
    await clearFaults(world);
    await world.advance({ hours: 1 });
    for (const { payload } of await noticesOf(world, eventId)) await postNotice(world, payload);
    await expectSoldOnce(eventId, email);
  });

  it('case 11: five times at one instant and before the buyer comes, makes one sale', async () => {
    const { eventId, email, pay, look } = await buyerAtCheckout();
    await nothingHeard();
    await pay(email);
    const payload = await completedNotice(eventId);
    const [notice] = await noticesOf(world, eventId, 'checkout.session.completed');

    // The notice's place in the inbox is held by the test, and given up once all five wait for it.
    const replies = await world.db.transaction().execute(async (tx) => {
      const row = { id: notice?.id ?? '', type: 'x', eventId: null, orderId: null, payload: '{}' };
      await tx
        .insertInto('webhookInbox')
        .values({ ...row, receivedAt: world.now(), processedAt: null })
        .execute();
      const replies = [1, 2, 3, 4, 5].map(() => postNotice(world, payload));
      await world.untilSomeoneWaits(5);
      await tx.deleteFrom('webhookInbox').where('id', '=', row.id).execute();
      return replies;
    });

    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await expectSoldOnce(eventId, email);
    expect((await look()).confirmationData).toHaveLength(1);
    await expectSoldOnce(eventId, email);
  });

  it('case 11: at the instant in which the buyer comes back, makes one sale', async () => {
    const { eventId, email, pay, look } = await buyerAtCheckout();
    await nothingHeard();
    await pay(email);
    const payload = await completedNotice(eventId);

    await raceFor<unknown>(world, 'orders', eventId, [() => postNotice(world, payload), look]);
    await expectSoldOnce(eventId, email);
  });

  it('case 12: whose handling breaks after the tickets were written, leaves nothing, and is done by the retry', async () => {
    const { eventId, email, pay } = await buyerAtCheckout();
    await sql`
      create function no_mail_today() returns trigger language plpgsql as
        $$ begin raise exception 'the server fell over'; end $$`.execute(world.db);
    await sql`
      create trigger no_mail_today before insert on mail_outbox
        for each row when (new.kind = 'tickets') execute function no_mail_today()`.execute(world.db);

    await pay(email);
    await world.settle();
    expect(await ticketsOf(eventId)).toEqual([]);
    expect((await orderOf(eventId)).state).toBe('held');
    expect(await bookOf(world, eventId)).toEqual([]);

    await sql`drop function no_mail_today cascade`.execute(world.db);
    await retryNow(world);
    await expectSoldOnce(eventId, email);
  });

  it('case 13: and was given back at the card company before, ends refunded, with void tickets', async () => {
    const { eventId, email, pay } = await buyerAtCheckout(2);
    await nothingHeard();
    await pay(email);
    await stripeOf(world).refunds.create({ payment_intent: await paymentOf(world, eventId) });
    const [refunded] = await noticesOf(world, eventId, 'charge.refunded');
    await clearFaults(world);

    await postNotice(world, refunded?.payload ?? '');
    await world.settle();
    await postNotice(world, await completedNotice(eventId));
    await retryNow(world);

    const states = (await ticketsOf(eventId)).map(({ state }) => state);
    expect(states).toEqual(['void', 'void']);
    const refunds = await world.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().execute();
    expect(refunds).toMatchObject([{ reason: 'external', state: 'sent', cents: 48_00 }]);
  });

  it('case 14: that takes an hour makes tickets when it came, and frees them when it did not', async () => {
    const comes = await buyerAtCheckout();
    const fails = await buyerAtCheckout();
    await comes.pay(comes.email, BANK_PAYS);
    await fails.pay(fails.email, BANK_FAILS);
    await world.settle();
    for (const { eventId, look } of [comes, fails]) {
      expect(await ticketsOf(eventId)).toEqual([]);
      expect((await look()).status).toBe('processing');
      expect(await reservedOf(world, eventId)).toBe(1);
    }

    // The hold is over by then, but the order may still be paid.
    await world.advance({ minutes: 50 });
    await settleLapsedOrders(world.deps);
    expect(await reservedOf(world, comes.eventId)).toBe(1);
    await world.advance({ minutes: 15 });
    await world.settle();

    await expectSoldOnce(comes.eventId, comes.email);
    expect(await ticketsOf(fails.eventId)).toEqual([]);
    expect(await reservedOf(world, fails.eventId)).toBe(0);
    expect(await mailTo(world, fails.email)).toEqual([]);
  });
});

describe('a buyer before the payment page', () => {
  it('case 15: whose first card is declined pays with the second, once, and reads of no failure after', async () => {
    const { eventId, email, pay, look } = await buyerAtCheckout();

    expect((await pay(email, DECLINED)).status).toBe(402);
    expect((await look()).status).toBe('unpaid');
    expect((await pay(email, goodCard)).status).toBe(303);
    await world.settle();

    expect((await look()).status).toBe('confirmed');
    const charges = await knownToProcessor(world, 'charge', eventId);
    expect(charges.filter(({ paid }) => paid)).toMatchObject([{ amount: 24_00 }]);
    await expectSoldOnce(eventId, email);
  });

  it('case 16: who leaves the question of the bank unanswered frees the tickets, once, and hears nothing', async () => {
    const { eventId, email, pay, look } = await buyerAtCheckout();
    await buyTickets(world, eventId, generalAdmission(1));
    expect((await pay(email, CHALLENGED)).headers.get('location')).toContain('/challenge');

    await world.advance({ minutes: 32 });
    await Promise.all([settleLapsedOrders(world.deps), settleLapsedOrders(world.deps), world.settle()]);

    expect((await look()).status).toBe('expired');
    expect(await reservedOf(world, eventId)).toBe(1);
    expect(await mailTo(world, email)).toEqual([]);
  });

  it.each([
    ['pays first', 'confirmed', 1],
    ['is too late', 'expired', 0],
  ] as const)('case 17: who pays while the order is being ended and %s is %s', async (which, status, sold) => {
    const { eventId, email, look, sessionId } = await buyerAtCheckout();
    // Our hold is over, and the page is not: both come for it in this second.
    await sql`update orders set hold_expires_at = business_now() where event_id = ${eventId}`.execute(world.db);
    const page = await heldPage(sessionId, email);
    const reap = () => settleLapsedOrders(world.deps);

    await raceForSession<unknown>(world, sessionId, which === 'pays first' ? [page.send, reap] : [reap, page.send]);
    await world.settle();
    expect((await look()).status).toBe(status);
    expect(await reservedOf(world, eventId)).toBe(sold);
    expect(await ticketsOf(eventId)).toHaveLength(sold);
    expect((await knownToProcessor(world, 'charge', eventId)).filter(({ paid }) => paid)).toHaveLength(sold);
    expect(await mailTo(world, email)).toHaveLength(sold);

    /** The filled form, so that sending it is one request. */
    async function heldPage(id: string, address: string) {
      const buyer = world.visitor();
      const html = await (await buyer.fetch(`/sandbox/pay/${id}`)).text();
      const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
      const body = new URLSearchParams({ ...goodCard, csrf, email: address }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return { send: () => buyer.fetch(`/sandbox/pay/${id}`, { method: 'POST', headers, body }) };
    }
  });
});

describe('what is not believed', () => {
  it('case 18: is a payment of another sum: no tickets, and the order is set aside for a person', async () => {
    const { eventId, email, pay, look } = await buyerAtCheckout();
    await world.db.updateTable('orders').set({ totalCents: 23_99 }).where('eventId', '=', eventId).execute();

    await pay(email);
    await world.settle();

    expect((await look()).confirmationData).toEqual([]);
    expect(await ticketsOf(eventId)).toEqual([]);
    expect(await mailTo(world, email)).toEqual([]);
    expect(await orderOf(eventId)).toMatchObject({
      state: 'quarantined',
      receivedCents: 24_00,
      quarantine: expect.any(String),
    });
  });

  it('case 19: is a webhook that the card company did not sign just so, or that is about real money', async () => {
    const { eventId, email, pay } = await buyerAtCheckout();
    await nothingHeard();
    await pay(email);
    const payload = await completedNotice(eventId);
    const notice: object = JSON.parse(payload);
    const real = JSON.stringify({ ...notice, livemode: true });

    const bare = await world
      .visitor()
      .request<{ msg: string }>('/api/webhooks/stripe', { method: 'POST', body: payload });
    const forged = [
      bare,
      await postNotice(world, payload, { secret: 'whsec_another' }),
      await postNotice(world, payload, { at: new Date(world.now().getTime() - 301_000) }),
      await postNotice(world, payload, { sent: JSON.stringify(notice, null, 1) }),
      await postNotice(world, payload, { sent: payload.replace('"paid"', '"unpaid"') }),
      await postNotice(world, real),
    ];

    for (const reply of forged) expect(reply).toMatchObject({ status: 400, body: { msg: badSignature } });
    await world.settle();
    expect((await orderOf(eventId)).state).toBe('held');
    expect(await postNotice(world, payload)).toMatchObject({ status: 200 });
    await expectSoldOnce(eventId, email);
  });

  it('case 20: is a link to an order that is unpaid, unknown, made up or none of ours: no ticket is shown', async () => {
    const sold = await buyerAtCheckout();
    await sold.pay(sold.email);
    const { confirmationData } = await sold.look();
    const unpaid = await buyerAtCheckout();
    const foreign = await stripeOf(world).checkout.sessions.create({
      mode: 'payment',
      line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'x' } } }],
      success_url: world.publicUrl,
      metadata: { order_id: (await orderOf(sold.eventId)).id, event_id: sold.eventId },
    });

    const look = (sessionId: string) => world.visitor().send(checkoutSession, { sessionId });
    expect(await look(unpaid.sessionId)).toMatchObject({ status: 200, body: { confirmationData: [], order: null } });
    const guessed = `${sold.sessionId.slice(0, -1)}${sold.sessionId.endsWith('a') ? 'b' : 'a'}`;
    for (const id of [guessed, foreign.id, sold.eventId, "' or 1=1 --", 'cs_test_%', '{CHECKOUT_SESSION_ID}'])
      expect(await look(id)).toMatchObject({ status: 404, body: { msg: unknownCheckout } });
    for (const id of [unpaid.sessionId, guessed, foreign.id])
      for (const page of [`/success?session_id=${id}`, `/api/public/checkout-session?sessionId=${id}`])
        expect(await (await world.visitor().fetch(page)).text()).not.toContain(confirmationData[0]?.confirmationNumber);
  });
});
