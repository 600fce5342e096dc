import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { profile, saveAccountInfo } from '#contract/app/accounts.ts';
import { resumeOrganization, suspendOrganization } from '#contract/app/brakes.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent, createEvent, editEvent, publicEvent } from '#contract/app/events.ts';
import { guestPage } from '#contract/app/guests.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { deletePhotos } from '#contract/app/photos.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { newId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { smallPhoto } from '#tests/support/call-samples.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { clearFaults, movementsAtStripe, openPayout, planFault, reservedOf } from '#tests/support/money.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import {
  accountInfo,
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  pay,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const note = 'Buyers report a fake venue.';
const denied = { status: 403, body: errorBody('org.suspended', { reason: note }) };

async function newSeller(change: Parameters<typeof eventForm>[1] = {}) {
  const event = await eventOnSale(app, change);
  const operator = await newOperator(app);
  const { organizationId } = await actorOf(app.db, event.email);
  return {
    ...event,
    organizationId,
    suspend: (by = operator) => by.call(suspendOrganization, { organizationId, note }),
    resume: (by = operator) => by.call(resumeOrganization, { organizationId, note }),
    buy: () => app.call(createCheckoutSession, { eventId: event.eventId, cartItems: generalAdmission(1) }),
  };
}

describe('a suspended organization', () => {
  it('sells nothing in any of its events, and its pages say so [BRAKE-1]', async () => {
    const seller = await newSeller();
    const second = expectOk(await seller.visitor.call(createEvent, eventForm(app, { title: 'Second' }))).eventId;
    const other = await eventOnSale(app);

    expect(await seller.suspend()).toMatchObject({ status: 200 });

    await app.deps.changes.catchUp();
    for (const eventId of [seller.eventId, second]) {
      const bought = await app.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });
      expect(bought).toMatchObject({ status: 409, body: { code: 'checkout.sales-paused' } });
      expect((await app.call(publicEvent, { eventId })).body).toMatchObject({ pausedSales: 'all' });
    }
    expectOk(await app.call(createCheckoutSession, { eventId: other.eventId, cartItems: generalAdmission(1) }));

    expectOk(await seller.resume());
    await app.deps.changes.catchUp();
    expect((await app.call(publicEvent, { eventId: second })).body).not.toHaveProperty('pausedSales');
    expectOk(await seller.buy());
  });

  it('creates and edits nothing, but reads, refunds and admits [BRAKE-1]', async () => {
    const { visitor, suspend, eventId, attendantCode } = await newSeller();
    const [refunded = '', admitted = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(2)));
    const door = await attendantOf(app, eventId, attendantCode);
    const photo: [string, Uint8Array<ArrayBuffer>] = ['photo.png', await smallPhoto()];
    const [kept = ''] = expectOk(await uploadPhotos(visitor, eventId, [photo])).eventPhotos;
    expectOk(await suspend());

    const { affiliateCode: _none, ...form } = eventForm(app);
    expect(await visitor.call(createEvent, form)).toMatchObject(denied);
    expect(await visitor.call(editEvent, { ...form, eventId })).toMatchObject(denied);
    expect(await visitor.call(saveAccountInfo, accountInfo)).toMatchObject(denied);
    expect(await uploadPhotos(visitor, eventId, [photo])).toMatchObject(denied);
    expect(await visitor.call(deletePhotos, { eventId, photosToDelete: [kept] })).toMatchObject(denied);

    expectOk(await visitor.call(guestPage, { eventId }));
    expect(expectOk(await visitor.call(profile, {})).suspended).toMatchObject({ reason: note });
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: refunded }));
    expect(await door.call(checkGuest, { eventId, confirmationNumber: admitted })).toMatchObject({
      body: { result: 'admitted' },
    });
    expectOk(await visitor.call(cancelEvent, { eventId }));
  });

  it('is emailed the reason once each time, and both logs have it [BRAKE-1]', async () => {
    const { email, organizationId, suspend, resume } = await newSeller();

    for (const act of [suspend, suspend, resume, resume]) {
      expectOk(await act());
      await app.settle();
    }

    const emails = (await emailsTo(app, email)).filter(({ text }) => text.includes(note));
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Your organization is no longer suspended',
      'Your organization is suspended',
    ]);
    const audited = await app.db
      .selectFrom('auditEvents')
      .where('organizationId', '=', organizationId)
      .where('subject', '=', organizationId)
      .where('actorKind', '=', 'operator')
      .orderBy('at')
      .select(['action', 'eventId'])
      .execute();
    expect(audited).toEqual([
      { action: 'suspend-organization', eventId: null },
      { action: 'resume-organization', eventId: null },
    ]);
  });

  it('keeps the sale stopped that an operator stopped for one event [BRAKE-1 BRAKE-2]', async () => {
    const { eventId, suspend, resume, buy } = await newSeller();
    await sql`update events set sales_stopped_at = now(), stop_reason = ${note},
      sales_stopped_by = (select id from users limit 1) where id = ${eventId}`.execute(app.db);

    expectOk(await suspend());
    expectOk(await resume());

    expect(await buy()).toMatchObject({ body: { code: 'checkout.sales-paused' } });
  });

  it('is unknown if no organization has the ID', async () => {
    const operator = await newOperator(app);
    const reply = await operator.call(suspendOrganization, { organizationId: newId(), note });
    expect(reply).toMatchObject({ status: 404, body: errorBody('org.unknown') });
  });
});

describe('a suspension', () => {
  it('denies an edit that waits for its event while it commits [BRAKE-1]', async () => {
    const { visitor, suspend, eventId, organizationId } = await newSeller();
    const { affiliateCode: _none, ...form } = eventForm(app, { title: 'Another title' });

    const { pending } = await app.db.transaction().execute(async (tx) => {
      await sql`select from events where id = ${eventId} for update`.execute(tx);
      const editing = visitor.call(editEvent, { ...form, eventId });
      await app.untilBlocked();
      const suspending = suspend();
      await app.untilBlocked(2);
      return { pending: Promise.all([editing, suspending]) };
    });
    const [edited, suspended] = await pending;

    expect([edited.status, suspended.status]).toEqual([403, 200]);
    const { suspendedAt } = await app.db
      .selectFrom('organizations')
      .where('id', '=', organizationId)
      .select('suspendedAt')
      .executeTakeFirstOrThrow();
    expect(suspendedAt).not.toBeNull();
  });

  it('denies an event that is created while it commits [BRAKE-1]', async () => {
    const { visitor, organizationId } = await newSeller();

    const { pending } = await app.db.transaction().execute(async (tx) => {
      await sql`update organizations set suspended_at = now(), suspend_reason = ${note},
        suspended_by = (select id from users limit 1) where id = ${organizationId}`.execute(tx);
      const pending = visitor.call(createEvent, eventForm(app, { title: 'Second' }));
      await app.untilBlocked();
      return { pending };
    });

    expect(await pending).toMatchObject(denied);
  });

  it('of 200 checkouts lets none start after its answer, the rest pay or are released, and payouts wait [BRAKE-1]', async () => {
    const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 500 }];
    const seller = await newSeller({ tickets });
    const second = expectOk(await seller.visitor.call(createEvent, eventForm(app, { title: 'Second', tickets })));
    const eventIds = [seller.eventId, second.eventId];
    const start = async (index: number) => {
      const buyer = app.visitor();
      const eventId = eventIds[index % 2] ?? '';
      const cartItems = [{ ticketName: 'Seat', quantity: 1 }];
      return { buyer, eventId, reply: await buyer.call(createCheckoutSession, { eventId, cartItems }) };
    };
    const startAll = (from: number, until: number) =>
      Array.from({ length: until - from }, (_, index) => start(from + index));

    const early = await Promise.all(startAll(0, 20));
    const middle = startAll(20, 120);
    const suspending = seller.suspend();
    middle.push(...startAll(120, 200));
    expectOk(await suspending);
    const atAnswer = await countOrders(eventIds);
    const late = await Promise.all(startAll(200, 210));
    const all = [...early, ...(await Promise.all(middle)), ...late];

    const opened = all.filter(({ reply }) => reply.status === 200);
    expect(opened.length).toBe(atAnswer);
    expect(await countOrders(eventIds)).toBe(atAnswer);
    for (const { reply } of all)
      if (reply.status !== 200) expect(reply).toMatchObject({ status: 409, body: { code: 'checkout.sales-paused' } });

    const paying = opened.filter((_, index) => index % 3 === 0);
    for (const { buyer, reply } of paying)
      expect((await pay(buyer, reply.body.url, 'sam@example.com')).status).toBe(303);
    await app.settle();
    await app.advance({ minutes: 45 });
    await app.settle();
    for (const eventId of eventIds) {
      const paid = paying.filter((checkout) => checkout.eventId === eventId).length;
      expect(await reservedOf(app, eventId)).toBe(paid);
    }

    await openPayout(app, seller);
    const onHold = { status: 409, body: errorBody('payout.on-hold', { reason: note }) };
    expect(await seller.visitor.call(requestPayout, { eventId: seller.eventId })).toMatchObject(onHold);
    const shown = expectOk(await seller.visitor.call(profile, {})).events.map(({ payout }) => payout.hold?.reason);
    expect(shown).toEqual([note, note]);
    expectOk(await seller.resume(await newOperator(app)));
    const sold = paying.filter((checkout) => checkout.eventId === seller.eventId).length;
    const cents = sold * (40_00 - 1_55) - 15_00;
    expect(await seller.visitor.call(requestPayout, { eventId: seller.eventId })).toMatchObject({
      status: 200,
      body: { totalPayout: cents / 100 },
    });
    expect(await movementsAtStripe(app, 'transfer', seller.eventId)).toMatchObject([{ amount: cents }]);
  });

  it('keeps a payout that was requested before it, until it is lifted [BRAKE-1]', async () => {
    const seller = await newSeller();
    await buyTickets(app, seller.eventId, generalAdmission(2));
    await openPayout(app, seller);
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'drop_before', times: 30 });
    expectOk(await seller.visitor.call(requestPayout, { eventId: seller.eventId }));
    await clearFaults(app);

    expectOk(await seller.suspend(await newOperator(app)));
    await sendWaitingPayouts(app.deps);
    expect(await movementsAtStripe(app, 'transfer', seller.eventId)).toEqual([]);
    const items = await app.db.selectFrom('payouts').where('eventId', '=', seller.eventId).select('state').execute();
    expect(items).toEqual([{ state: 'requested' }]);

    expectOk(await seller.resume(await newOperator(app)));
    await sendWaitingPayouts(app.deps);
    expect(await movementsAtStripe(app, 'transfer', seller.eventId)).toMatchObject([{ amount: 30_54 }]);
  });
});

async function countOrders(eventIds: readonly string[]): Promise<number> {
  const orders = await app.db.selectFrom('orders').where('eventId', 'in', eventIds).select('id').execute();
  return orders.length;
}
