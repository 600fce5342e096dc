import { describe, expect, it } from 'vitest';
import { adminSearch, resumeSales, stopSales } from '#contract/app/brakes.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { newId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { movementsAtStripe, openPayout } from '#tests/support/money.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

async function newSearcher() {
  const visitor = await newOperator(app);
  const find = async (q?: string) => expectOk(await visitor.call(adminSearch, q === undefined ? {} : { q }));
  return { visitor, find, eventsFor: async (q?: string) => (await find(q)).events.map(({ eventId }) => eventId) };
}

describe("the operator's search", () => {
  it("finds an event by its ID and title, and by its organization's ID, name and owner [BRAKE-2]", async () => {
    const { find, eventsFor } = await newSearcher();
    const unique = newId().slice(-12);
    const { eventId, email } = await eventOnSale(app, { title: `Brass ${unique} at eight` });
    const { organizationId } = await actorOf(app.db, email);
    await app.db
      .updateTable('organizations')
      .set({ name: `Hall of ${unique}` })
      .where('id', '=', organizationId)
      .execute();

    for (const q of [eventId, `BRASS ${unique}`, organizationId, `hall of ${unique}`, email, ` ${eventId} `])
      expect([q, await eventsFor(q)]).toEqual([q, [eventId]]);
    for (const q of [eventId, `brass ${unique}`, organizationId, `hall of ${unique}`, email])
      expect([q, (await find(q)).organizations]).toMatchObject([q, [{ organizationId, ownerEmail: email }]]);
    expect(await eventsFor(`${unique} at nine`)).toEqual([]);
  });

  it('takes wildcards and quotes for what they are [BRAKE-2]', async () => {
    const { eventsFor } = await newSearcher();
    const { eventId } = await eventOnSale(app, { title: `100% ${newId().slice(-12)}_'x\\` });

    expect(await eventsFor('0% ')).toContain(eventId);
    expect(await eventsFor("_'x\\")).toContain(eventId);
    for (const q of ['%%%', '1_0%', "' or true --"]) expect([q, await eventsFor(q)]).toEqual([q, []]);
  });

  it('shows what is stopped, with the reason, without a query [BRAKE-2]', async () => {
    const { visitor, find } = await newSearcher();
    const { eventId } = await eventOnSale(app);
    const note = 'The venue knows nothing of it.';
    expectOk(await visitor.call(stopSales, { eventId, note }));

    expect(await find()).toMatchObject({ organizations: [] });
    expect((await find()).events).toMatchObject([{ eventId, salesStopped: { reason: note } }]);

    expectOk(await visitor.call(resumeSales, { eventId, note }));
    expect(await find()).toMatchObject({ events: [], totalEvents: 0 });
  });

  it("finds an order by its ID, its buyer's address and Stripe's IDs, and an event by its transfer [EVID-1]", async () => {
    const { find } = await newSearcher();
    const event = await eventOnSale(app);
    const email = `buyer-${newId()}@example.com`;
    const { sessionId, confirmationData } = await buyTickets(app, event.eventId, generalAdmission(2), email);
    expectOk(
      await app.call(requestRefund, {
        eventId: event.eventId,
        confirmationCode: confirmationData[0]?.confirmationNumber ?? '',
      }),
    );
    await app.settle();
    const disputeId = await disputePayment(app, event.eventId);
    const order = await app.db
      .selectFrom('orders')
      .where('sessionId', '=', sessionId)
      .select(['id', 'paymentId'])
      .executeTakeFirstOrThrow();
    const [refund] = await movementsAtStripe(app, 'refund', event.eventId);

    const ids = [order.id, email, email.toUpperCase(), order.paymentId, sessionId, refund?.id, disputeId];
    for (const q of ids) {
      const { orders, totalOrders } = await find(q ?? '');
      expect([q, orders, totalOrders]).toMatchObject([q, [{ orderId: order.id, buyerEmail: email, state: 'paid' }], 1]);
    }
    expect((await find(`not-${email}`)).orders).toEqual([]);
    expect((await find()).orders).toEqual([]);

    await fillBalance(app);
    const paid = await eventOnSale(app);
    await buyTickets(app, paid.eventId, generalAdmission(2));
    await openPayout(app, paid);
    expectOk(await paid.visitor.call(requestPayout, { eventId: paid.eventId }));
    const [transfer] = await movementsAtStripe(app, 'transfer', paid.eventId);
    const { find: findAgain } = await newSearcher();
    expect((await findAgain(transfer?.id)).events.map(({ eventId }) => eventId)).toEqual([paid.eventId]);
  });

  it('lists the latest and counts all [BRAKE-2]', async () => {
    const { find } = await newSearcher();
    const title = newId();
    const { eventId, email } = await eventOnSale(app, { title });
    const row = await app.db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirstOrThrow();
    const {
      pausedSales: _paused,
      isPublished: _published,
      latestStartsAt: _starts,
      latestEndsAt: _ends,
      ...columns
    } = row;
    const copies = Array.from({ length: 24 }, (_, index) => ({
      ...columns,
      feeTerms: JSON.stringify(columns.feeTerms),
      id: `copy-${String(index).padStart(11, '0')}`,
      recordId: newId(),
    }));
    await app.db.insertInto('events').values(copies).execute();

    const { events, totalEvents } = await find(email);

    expect([events.length, totalEvents]).toEqual([20, 25]);
  });
});
