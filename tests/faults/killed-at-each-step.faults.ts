/** Kills the server at each step that moves money. After retries, each effect exists once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { heal } from '#tests/support/heal.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { attendantOf, buyTickets, logInAgain, pay } from '#tests/support/people.ts';
import { stripeDiscrepancies } from '#tests/support/stripe-discrepancies.ts';
import { insertEvent } from './insert-event.ts';
import { type Killable, openKillable, type Stop } from './kills/killable.ts';
import { emailsNotSentOnce } from './kills/sent-once.ts';
import { nameOf, steps } from './kills/steps.ts';

let shop: Killable;
beforeAll(async () => {
  shop = await openKillable();
});
afterAll(() => shop?.remove());

const DAY = 24 * 60 * 60;
const cart = [{ ticketName: 'Floor', quantity: 2 }];
const each = (stops: readonly Stop[]) => stops.map((stop): [string, Stop] => [nameOf(stop), stop]);

async function newEvent(): Promise<string> {
  const eventId = newPublicId();
  const now = await shop.now();
  await insertEvent(shop.db, {
    now,
    eventId,
    organizationId: shop.organizationId,
    title: 'Basement Brass',
    endsAt: new Date(now.getTime() + DAY * 1000),
    types: [
      { name: 'Floor', priceCents: 2400, quantity: 20 },
      { name: 'Balcony', priceCents: 0, quantity: 5 },
    ],
  });
  return eventId;
}

let buyers = 0;
const newBuyer = () => `buyer-${++buyers}@example.com`;

async function expectHealthy(): Promise<void> {
  await heal(shop);
  expect(await brokenInvariants(shop.db)).toEqual([]);
  expect(await stripeDiscrepancies(shop)).toEqual([]);
  expect(await emailsNotSentOnce(shop.db)).toEqual([]);
}

const states = async (table: 'orders' | 'tickets' | 'refunds' | 'payouts', eventId: string) => {
  const rows = await shop.db.selectFrom(table).where('eventId', '=', eventId).select('state').execute();
  return rows.map(({ state }) => state).sort();
};

const emailCountOf = async (address: string) => {
  const rows = await shop.db.selectFrom('inboxMessages').where('toAddress', '=', address).select('id').execute();
  return rows.length;
};

describe('a server killed', () => {
  it.each(each(steps.checkout))('while it opens a checkout, %s, sells the tickets once', async (_where, stop) => {
    const eventId = await newEvent();
    await shop.killAt(stop, () => shop.site.visitor().call(createCheckoutSession, { eventId, cartItems: cart }));

    const buyer = newBuyer();
    await buyTickets(shop.site, eventId, cart, buyer);
    await expectHealthy();

    expect((await states('orders', eventId)).filter((state) => state !== 'expired')).toEqual(['paid']);
    expect(await emailCountOf(buyer)).toBe(1);
  });

  it.each(each(steps.fulfil))('while it issues tickets for a payment, %s, issues them once', async (_where, stop) => {
    const eventId = await newEvent();
    const visitor = shop.site.visitor();
    const session = await visitor.call(createCheckoutSession, { eventId, cartItems: cart });
    const buyer = newBuyer();
    await shop.killAt(stop, () => pay(visitor, session.body.url, buyer));

    await expectHealthy();
    const { body } = await shop.site.call(checkoutSession, { sessionId: session.body.id });

    expect(body).toMatchObject({ status: 'confirmed', confirmationData: [{}, {}] });
    expect(await states('tickets', eventId)).toEqual(['valid', 'valid']);
    expect(await emailCountOf(buyer)).toBe(1);
  });

  it.each(each(steps.refund))('while it refunds, %s, refunds once', async (_where, stop) => {
    const eventId = await newEvent();
    const buyer = newBuyer();
    const { confirmationData } = await buyTickets(shop.site, eventId, cart, buyer);
    const confirmationCode = confirmationData[0]?.confirmationNumber ?? '';
    const ask = () => shop.site.call(requestRefund, { eventId, confirmationCode });
    await shop.killAt(stop, ask);

    await ask();
    await expectHealthy();

    expect(await states('refunds', eventId)).toEqual(['sent']);
    expect(await states('tickets', eventId)).toEqual(['refunded', 'valid']);
    expect(await emailCountOf(buyer)).toBe(2);
  });

  it.each(each(steps.payout))('while it pays out, %s, pays once', async (_where, stop) => {
    const eventId = await newEvent();
    await buyTickets(shop.site, eventId, cart, newBuyer());
    await shop.advance(3 * DAY);
    const organizer = { visitor: shop.site.visitor(), email: shop.organizerEmail };
    await logInAgain(organizer);
    const ask = () => organizer.visitor.call(requestPayout, { eventId });
    await shop.killAt(stop, ask);

    await ask();
    await expectHealthy();

    expect(await states('payouts', eventId)).toEqual(['paid']);
  });

  it.each(each(steps.cancel))('while it cancels an event, %s, refunds every buyer once', async (_where, stop) => {
    const eventId = await newEvent();
    const { attendantCode } = await shop.db
      .selectFrom('events')
      .where('id', '=', eventId)
      .select('attendantCode')
      .executeTakeFirstOrThrow();
    const [one, other] = [newBuyer(), newBuyer()];
    const { confirmationData } = await buyTickets(shop.site, eventId, cart, one);
    await buyTickets(shop.site, eventId, [{ ticketName: 'Balcony', quantity: 1 }, ...cart], other);
    await buyTickets(shop.site, eventId, cart, other);
    await shop.site.visitor().call(createCheckoutSession, { eventId, cartItems: cart });
    const door = await attendantOf(shop.site, eventId, attendantCode);
    await door.call(checkGuest, { eventId, confirmationNumber: confirmationData[0]?.confirmationNumber ?? '' });

    const organizer = { visitor: shop.site.visitor(), email: shop.organizerEmail };
    await logInAgain(organizer);
    const ask = () => organizer.visitor.call(cancelEvent, { eventId });
    await shop.killAt(stop, ask);

    await ask();
    await expectHealthy();

    expect(await states('tickets', eventId)).toEqual(Array(7).fill('refunded'));
    expect(await states('refunds', eventId)).toEqual(Array(7).fill('sent'));
    expect(await states('orders', eventId)).toEqual(['expired', 'paid', 'paid', 'paid']);
    // The tickets, the check-in a day before the event, and the cancellation; two orders and the cancellation.
    expect([await emailCountOf(one), await emailCountOf(other)]).toEqual([3, 3]);
  });
});
