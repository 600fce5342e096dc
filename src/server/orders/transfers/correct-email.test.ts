/** Corrected addresses of orders: by the organizer, and by the buyer within an hour. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOrder, resendOrder } from '#contract/app/checkout.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { nameTickets } from '#contract/app/sales/order-names.ts';
import { ticketsPdf } from '#contract/app/sales/ticket-files.ts';
import {
  correctEmail,
  correctOwnEmail,
  readTicket,
  refundTicket,
  transferTicket,
} from '#contract/app/sales/ticket-transfers.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import {
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  newOrganizer,
  openCheckout,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let people = 0;
const newAddress = () => `address-${++people}@example.com`;

async function sold(quantity = 2) {
  const event = await eventOnSale(app);
  const { eventId } = event;
  const checkout = await openCheckout(app, eventId, generalAdmission(quantity));
  const email = newAddress();
  await checkout.pay(email);
  const order = await checkout.poll();
  await app.settle();
  const token = order.details?.token ?? '';
  const { id: orderId } = await app.db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .select('id')
    .executeTakeFirstOrThrow();
  return {
    ...event,
    buyer: checkout.buyer,
    email,
    order,
    orderId,
    token,
    codes: codesOf(order),
    tokenNow: async () => (await checkout.poll()).details?.token ?? '',
    correct: (to: string, by = event.visitor) => by.call(correctEmail, { eventId, orderId, email: to }),
    correctOwn: (to: string, by = checkout.buyer) => by.call(correctOwnEmail, { token, email: to }),
  };
}

const textsTo = async (address: string) => (await emailsTo(app, address)).map(({ text }) => text);

describe('the organizer', () => {
  it('corrects the address: the new one has the tickets, the old one an email without them [HOLDER-1]', async () => {
    const { eventId, orderId, email, codes, token, tokenNow, correct } = await sold();
    const right = newAddress();
    const before = (await emailsTo(app, email)).length;
    expectOk(await correct(right));
    await app.settle();

    const [tickets = ''] = await textsTo(right);
    for (const code of codes) expect(tickets).toContain(code);
    expect(tickets).toContain(`/order/${await tokenNow()}`);
    const told = (await emailsTo(app, email)).slice(0, -before);
    expect(told.map(({ subject }) => subject)).toEqual(['Your tickets for "Basement Brass" have another address now']);
    for (const secret of [...codes, '/order/', token, right]) expect(told[0]?.text).not.toContain(secret);

    expectOk(await app.call(resendOrder, { token: await tokenNow() }));
    await app.settle();
    expect(await textsTo(right)).toHaveLength(2);
    expect(await emailsTo(app, email)).toHaveLength(before + 1);

    const [entry] = await app.db
      .selectFrom('auditEvents')
      .where('eventId', '=', eventId)
      .where('action', '=', 'correct-email')
      .select(['actorKind', 'actorId', 'subject'])
      .execute();
    expect(entry).toMatchObject({ actorKind: 'member', subject: orderId });
    expect(entry?.actorId).not.toBeNull();
  });

  it('thereby ends every link that the old address got, and keeps the numbers [HOLDER-1]', async () => {
    const { token, tokenNow, codes, correct } = await sold();
    expectOk(await correct(newAddress()));
    const visitor = app.visitor();
    for (const [endpoint, more] of [
      [readOrder, {}],
      [resendOrder, {}],
      [ticketsPdf, {}],
      [nameTickets, { names: [] }],
      [refundTicket, { position: 1 }],
      [transferTicket, { position: 1, email: newAddress() }],
      [correctOwnEmail, { email: newAddress() }],
    ] as const)
      expect(await visitor.send(endpoint, { token, ...more })).toMatchObject({
        status: 404,
        body: { code: 'checkout.unknown' },
      });
    const fresh = await tokenNow();
    expect(fresh).not.toBe(token);
    expect(codesOf(expectOk(await app.call(readOrder, { token: fresh })))).toEqual(codes);
  });

  it('can do it again, and a later link outlives no correction', async () => {
    const { tokenNow, correct } = await sold();
    const tokens = [await tokenNow()];
    for (let times = 0; times < 3; times++) {
      expectOk(await correct(newAddress()));
      tokens.push(await tokenNow());
    }
    expect(new Set(tokens).size).toBe(4);
    const statuses = [];
    for (const token of tokens) statuses.push((await app.call(readOrder, { token })).status);
    expect(statuses).toEqual([404, 404, 404, 200]);
  });

  it('leaves transferred tickets with their holders [HOLDER-1]', async () => {
    const { eventId, token, codes, correct } = await sold(2);
    const holder = newAddress();
    expectOk(await app.call(transferTicket, { token, position: 1, email: holder }));
    const [link = ''] = (await textsTo(holder)).flatMap((text) => /\/ticket\/([\w.-]+)/.exec(text)?.[1] ?? []);
    const right = newAddress();
    expectOk(await correct(right));
    await app.settle();
    const [mine] = await textsTo(right);
    expect(mine).toContain(codes[1]);
    const [theirs = ''] = codesOf(expectOk(await app.call(readTicket, { token: link })));
    expect(mine).not.toContain(theirs);
    const addresses = await app.db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .select('buyerEmail')
      .orderBy('id')
      .execute();
    expect(addresses.map(({ buyerEmail }) => buyerEmail).sort()).toEqual([right, holder].sort());
  });

  it('sends nothing to the old address that was queued before', async () => {
    const { eventId, orderId, email, token, tokenNow, correct } = await sold();
    await app.settle();
    const before = (await emailsTo(app, email)).length;
    await app.db.transaction().execute(async (tx) => {
      await queueEmail(tx, {
        kind: 'tickets',
        subjectId: orderId,
        version: 7,
        toAddress: email,
        params: { eventId },
        now: app.now(),
      });
      // Before its job runs.
      await tx
        .updateTable('orders')
        .set({ buyerEmail: 'right@example.com', linkVersion: 1 })
        .where('id', '=', orderId)
        .execute();
      await tx.updateTable('tickets').set({ buyerEmail: 'right@example.com' }).where('orderId', '=', orderId).execute();
    });
    await app.settle();
    expect(await emailsTo(app, email)).toHaveLength(before);
    expect(await tokenNow()).not.toBe(token);
    expect((await correct('right@example.com')).body.code).toBe('correction.same-email');
  });

  it('may not for an order of another event, organization or state, nor with a bad address', async () => {
    const { eventId, orderId, visitor, correct } = await sold();
    const other = await sold();
    for (const [by, ref] of [
      [other.visitor, { eventId, orderId }],
      [(await newOrganizer(app)).visitor, { eventId, orderId }],
    ] as const)
      expect(await by.call(correctEmail, { ...ref, email: newAddress() })).toMatchObject({ status: 404 });
    expect(await visitor.call(correctEmail, { eventId, orderId: other.orderId, email: newAddress() })).toMatchObject({
      status: 404,
      body: { code: 'correction.unknown-order' },
    });
    for (const bad of ['', 'x', 'a@b.com\nbcc: c@d.com', 'ä@b.com', 'a@b'])
      expect(await visitor.send(correctEmail, { eventId, orderId, email: bad })).toMatchObject({ status: 400 });
    expect((await visitor.send(correctEmail, { eventId, orderId: 'x', email: newAddress() })).status).toBe(400);
    await openCheckout(app, eventId, generalAdmission(1));
    const unpaid = await app.db
      .selectFrom('orders')
      .where('eventId', '=', eventId)
      .where('state', '=', 'reserved')
      .select('id')
      .executeTakeFirstOrThrow();
    expect(await visitor.call(correctEmail, { eventId, orderId: unpaid.id, email: newAddress() })).toMatchObject({
      status: 404,
    });
    expectOk(await correct(newAddress()));
  });
});

describe('the buyer', () => {
  it('corrects a typo in the first hour, once, and goes on with a new link [ORDER-2]', async () => {
    const { email, codes, order, token, correctOwn } = await sold();
    expect(Date.parse(order.details?.addressUntil ?? '')).toBe(Date.parse(order.details?.paidAt ?? '') + 3_600_000);
    const right = newAddress();
    const { token: fresh } = expectOk(await correctOwn(right));
    await app.settle();
    expect((await textsTo(right))[0]).toContain(codes[0]);
    expect((await emailsTo(app, email))[0]?.subject).toContain('have another address now');
    expect(await app.call(readOrder, { token })).toMatchObject({ status: 404 });
    const page = expectOk(await app.call(readOrder, { token: fresh }));
    expect(page.order?.email).toBe(right);
    expect(page.details).not.toHaveProperty('addressUntil');
  });

  it('needs the browser that paid: whom the email was forwarded to has only the link [ORDER-2]', async () => {
    const { email, correctOwn, tokenNow, token } = await sold();
    const other = await sold();
    for (const by of [app.visitor(), other.buyer])
      expect(await correctOwn(newAddress(), by)).toMatchObject({
        status: 409,
        body: { code: 'correction.other-browser' },
      });
    expect(await tokenNow()).toBe(token);
    expect((await emailsTo(app, email)).map(({ subject }) => subject)).toEqual(['Basement Brass: your 2 tickets']);
  });

  it('has one chance, also with two clicks at once [ORDER-2]', async () => {
    const { eventId, buyer, correctOwn, tokenNow } = await sold();
    const answers = await raceFor(app, 'orders', eventId, [
      () => correctOwn(newAddress()),
      () => correctOwn(newAddress()),
    ]);
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([200, 'correction.done']);
    expect(await buyer.call(correctOwnEmail, { token: await tokenNow(), email: newAddress() })).toMatchObject({
      status: 409,
      body: { code: 'correction.done' },
    });
  });

  it('is too late after an hour, and for a free order, whose address was proved [ORDER-2]', async () => {
    const late = await sold();
    await app.advance({ minutes: 61 });
    expect(await late.correctOwn(newAddress())).toMatchObject({ status: 409, body: { code: 'correction.too-late' } });
    const { eventId } = await eventOnSale(app, {
      tickets: [{ ticketName: 'General admission', ticketDescription: 'x', ticketPrice: 0, ticketQuantity: 9 }],
    });
    const free = await takeFreeTickets(app, eventId, generalAdmission(1), { email: newAddress() });
    expect(free.details).not.toHaveProperty('addressUntil');
  });

  it('and a refund at once: the refund of the new link still works, of the old one not', async () => {
    const { eventId, codes, token, correctOwn } = await sold();
    const answers = await raceFor<{ status: number; body: { code?: string } }>(app, 'orders', eventId, [
      () => correctOwn(newAddress()),
      () => app.call(refundTicket, { token, position: 1 }),
    ]);
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([200, 'checkout.unknown']);
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: codes[0] ?? '' }));
  });
});
