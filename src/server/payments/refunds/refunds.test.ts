import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import * as contract from '#contract/app/refunds.ts';
import { refundAccepted, type refundErrors } from '#messages/refunds.ts';
import { admitTickets } from '#server/orders/core/admit.sql.ts';
import { newId } from '#server/platform/ids.ts';
import { errorBody } from '#tests/support/error-body.ts';
import {
  advanceTo,
  clearFaults,
  ledgerOf,
  movementsAtStripe,
  paymentOf,
  planFault,
  reservedOf,
  settlementOf,
  simulateAtBank,
} from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  generalAdmission,
  logInAgain,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { soldTickets } from '#tests/support/sold-tickets.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { sendRefund } from './send-refund.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const request = (eventId: string, confirmationCode: string) =>
  app.call(contract.requestRefund, { eventId, confirmationCode });

const accepted = { status: 200, body: { msg: refundAccepted } };
const denied = (code: keyof typeof refundErrors) => ({
  status: 409,
  body: errorBody(code),
});

async function ticketOf(eventId: string, code: string) {
  return app.db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', code)
    .selectAll()
    .executeTakeFirstOrThrow();
}

const refundRows = (eventId: string) =>
  app.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().orderBy('id').execute();

describe('a refund request', () => {
  it('refunds the price, releases the stock and emails the buyer [REF-1 REF-2]', async () => {
    const { eventId, code, buyerEmail } = await soldTickets(app, 2);

    expect(await request(eventId, code)).toMatchObject(accepted);

    expect((await ticketOf(eventId, code)).state).toBe('refunded');
    expect(await reservedOf(app, eventId)).toBe(1);
    expect(await movementsAtStripe(app, 'refund', eventId)).toMatchObject([{ amount: 24_00, status: 'succeeded' }]);
    expect(await ledgerOf(app, eventId, 'refund')).toEqual([
      'refund organizer-payable 2400',
      'refund owed-to-buyers -2400',
    ]);
    expect(await ledgerOf(app, eventId, 'refund-moved')).toEqual([
      'refund-moved owed-to-buyers 2400',
      'refund-moved processor -2400',
    ]);
    const emails = await emailsTo(app, buyerEmail);
    expect(emails.map((email) => email.subject)).toEqual([
      'Your $24.00 refund for Basement Brass',
      'Basement Brass: your 2 tickets',
    ]);
    expect(emails[0]?.text).toContain('$24.00');
    expect(emails[0]?.text).toContain(code);
  });

  it('leaves the other tickets of the order valid, each refundable at its paid price', async () => {
    const event = await eventOnSale(app);
    const cart = [...generalAdmission(1), { ticketName: 'Balcony', quantity: 1 }];
    const order = await buyTickets(app, event.eventId, cart);
    const balcony = order.confirmationData.find((ticket) => ticket.ticketName === 'Balcony')?.confirmationNumber ?? '';

    expect(await request(event.eventId, balcony)).toMatchObject(accepted);

    expect(await movementsAtStripe(app, 'refund', event.eventId)).toMatchObject([{ amount: 38_50 }]);
    const states = await app.db.selectFrom('tickets').where('eventId', '=', event.eventId).select('state').execute();
    expect(states.map(({ state }) => state).sort()).toEqual(['refunded', 'valid']);
  });

  it('cancels a free ticket without calling Stripe', async () => {
    const free = { ticketName: 'General admission', ticketDescription: 'Free', ticketPrice: 0, ticketQuantity: 5 };
    const { eventId } = await eventOnSale(app, { tickets: [free] });
    const [code = ''] = codesOf(await takeFreeTickets(app, eventId, generalAdmission(1)));

    expect(await request(eventId, code)).toMatchObject({
      status: 200,
      body: { msg: "Ticket canceled. It was free, so there's nothing to refund.", amount: 0 },
    });

    expect((await ticketOf(eventId, code)).state).toBe('refunded');
    expect(await reservedOf(app, eventId)).toBe(0);
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
    expect(await ledgerOf(app, eventId)).toEqual([]);
  });

  it('is denied for a refunded ticket [REF-5]', async () => {
    const { eventId, code } = await soldTickets(app);
    await request(eventId, code);

    expect(await request(eventId, code)).toMatchObject(denied('refund.already-refunded'));
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
  });

  it('is denied for a scanned ticket, and a refunded ticket is not admitted [REF-4]', async () => {
    const { eventId, attendantCode, codes } = await soldTickets(app, 2);
    const [used = '', given = ''] = codes;
    const door = await attendantOf(app, eventId, attendantCode);
    await door.call(checkGuest, { eventId, confirmationNumber: used });

    expect(await request(eventId, used)).toMatchObject(denied('refund.already-scanned'));
    await request(eventId, given);
    expect(await door.call(checkGuest, { eventId, confirmationNumber: given })).toMatchObject({
      status: 409,
      body: { code: 'check-in.refunded' },
    });
  });

  it('is accepted until 24 hours after the end [REF-4]', async () => {
    const { eventId, codes } = await soldTickets(app, 2);
    const [early = '', late = ''] = codes;
    const closes = await settlementOf(app, eventId);

    await advanceTo(app, new Date(closes.getTime() - 5_000));
    expect(await request(eventId, early)).toMatchObject(accepted);
    await advanceTo(app, new Date(closes.getTime() + 1_000));
    expect(await request(eventId, late)).toMatchObject(denied('refund.window-closed'));
  });
});

describe('refunding once', () => {
  it('holds for two concurrent requests', async () => {
    const { eventId, code, buyerEmail } = await soldTickets(app);

    // The test locks the ticket's row until both requests wait for it.
    const { waiting } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('tickets').where('eventId', '=', eventId).select('id').forUpdate().execute();
      const waiting = [request(eventId, code), request(eventId, code)];
      await app.untilBlocked(2);
      return { waiting };
    });
    const replies = await Promise.all(waiting);

    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409]);
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
    expect(await ledgerOf(app, eventId, 'refund')).toHaveLength(2);
    expect(await reservedOf(app, eventId)).toBe(0);
    expect(await emailsTo(app, buyerEmail)).toHaveLength(2);
  });

  it('denies a refund during a check-in [REF-4]', async () => {
    const { eventId, code } = await soldTickets(app);

    const { reply } = await app.db.transaction().execute(async (door) => {
      const scan = { eventId, confirmationNumber: code, scannedBy: newId(), scanId: newId() };
      await admitTickets(door, [scan], { waits: true });
      const reply = request(eventId, code);
      await app.untilBlocked();
      return { reply };
    });

    expect(await reply).toMatchObject(denied('refund.already-scanned'));
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
  });

  it('denies a check-in during a refund', async () => {
    const { eventId, code, attendantCode } = await soldTickets(app);
    const door = await attendantOf(app, eventId, attendantCode);

    const { refund, scan } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('tickets').where('eventId', '=', eventId).select('id').forUpdate().execute();
      const refund = request(eventId, code);
      await app.untilBlocked(1);
      const scan = door.call(checkGuest, { eventId, confirmationNumber: code });
      await app.untilBlocked(2);
      return { refund, scan };
    });
    const statuses = [(await refund).status, (await scan).status].sort();

    expect(statuses).toEqual([200, 409]);
    const { state, scannedAt } = await ticketOf(eventId, code);
    expect(scannedAt === null).toBe(state !== 'scanned');
  });

  it('records the refund once for two concurrent responses', async () => {
    const { eventId, code, buyerEmail } = await soldTickets(app, 2);
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'error_before', times: 100 });
    await request(eventId, code);
    await clearFaults(app);
    const refunds = app.db.selectFrom('refunds').where('eventId', '=', eventId);
    const { refundId } = await refunds.select('id as refundId').executeTakeFirstOrThrow();

    const { answered } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('orders').where('eventId', '=', eventId).select('id').forUpdate().execute();
      // One after the other: Stripe denies a call whose key another one is using.
      const first = sendRefund(app.deps, { eventId, refundId });
      await app.untilBlocked();
      const second = sendRefund(app.deps, { eventId, refundId });
      await app.untilBlocked(2);
      return { answered: Promise.all([first, second]) };
    });

    expect(await answered).toEqual(['done', 'done']);
    expect(await reservedOf(app, eventId)).toBe(1);
    expect(await ledgerOf(app, eventId, 'refund')).toHaveLength(2);
    expect(await emailsTo(app, buyerEmail)).toHaveLength(2);
  });

  it('holds when the job retries after a lost response', async () => {
    const { eventId, code } = await soldTickets(app);
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_after', times: 2 });

    expect(await request(eventId, code)).toMatchObject(accepted);
    const [row] = await refundRows(eventId);
    expect(row?.state).toBe('claimed');
    expect((await ticketOf(eventId, code)).state).toBe('refunding');

    await clearFaults(app);
    await sendRefund(app.deps, { eventId, refundId: row?.id ?? '' });
    expect((await refundRows(eventId))[0]?.state).toBe('sent');
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
  });

  it('holds when the job retries after the idempotency key expired', async () => {
    const { eventId, code } = await soldTickets(app);
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_after', times: 2 });
    await request(eventId, code);
    await clearFaults(app);

    await app.advance({ hours: 25 });
    const [row] = await refundRows(eventId);
    const retry = () => sendRefund(app.deps, { eventId, refundId: row?.id ?? '' });
    // Of two calls with one key at a time, Stripe denies one, and the job retries it.
    await Promise.allSettled([retry(), retry()]);
    expect(await retry()).toBe('done');

    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
    expect(await ledgerOf(app, eventId, 'refund')).toHaveLength(2);
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it('refuses the refund of a disputed payment and keeps the ticket valid', async () => {
    const { eventId, code, buyerEmail } = await soldTickets(app);
    // The webhook was dropped, so Stripe's denial is the first sign of the dispute.
    await planFault(app, { webhook: 'drop', times: 100 });
    await simulateAtBank(app, 'disputes', { payment_intent: await paymentOf(app, eventId) });

    expect(await request(eventId, code)).toMatchObject(denied('refund.disputed'));

    expect((await ticketOf(eventId, code)).state).toBe('valid');
    expect(await refundRows(eventId)).toMatchObject([
      { state: 'refused', failureReason: expect.stringContaining('charged back') },
    ]);
    expect(await reservedOf(app, eventId)).toBe(1);
    expect(await emailsTo(app, buyerEmail)).toHaveLength(1);
  });
});

describe('refunds and payout of one event', () => {
  it('exclude each other: a refund in progress blocks the payout', async () => {
    const event = await soldTickets(app, 2);
    const { eventId, visitor, code } = event;
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_before', times: 10 });
    const closes = await settlementOf(app, eventId);
    await advanceTo(app, new Date(closes.getTime() - 30_000));
    await logInAgain(event);

    // The refund request arrives in time and waits for the event's row. The payout request arrives later and waits behind it.
    const { refund, payout } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', eventId).select('id').forUpdate().execute();
      const refund = request(eventId, code);
      await app.untilBlocked(1);
      await advanceTo(app, new Date(closes.getTime() + 1_000));
      const payout = visitor.call(requestPayout, { eventId });
      await app.untilBlocked(2);
      return { refund, payout };
    });

    expect(await refund).toMatchObject(accepted);
    expect(await payout).toMatchObject({ status: 409, body: { code: 'payout.refunds-under-way' } });
    expect(await movementsAtStripe(app, 'transfer', eventId)).toEqual([]);
  });

  it('exclude each other: a claimed payout denies refunds', async () => {
    const { eventId, code } = await soldTickets(app);
    const closes = await settlementOf(app, eventId);
    await advanceTo(app, new Date(closes.getTime() - 30_000));

    const { refund } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', eventId).select('id').forUpdate().execute();
      const refund = request(eventId, code);
      await app.untilBlocked(1);
      const payout = { eventId, id: newId(), seq: 1, cents: 1, accountId: 'acct_1', requestedAt: closes };
      await tx
        .insertInto('payouts')
        .values({ ...payout, statement: JSON.stringify({ netCents: 1 }) })
        .execute();
      await tx.updateTable('events').set({ payoutRequestedAt: closes }).where('id', '=', eventId).execute();
      return { refund };
    });

    expect(await refund).toMatchObject(denied('refund.window-closed'));
  });
});

describe('the database', () => {
  it('rejects a second refund of a ticket, a refund of a used ticket, and more than was paid', async () => {
    const { eventId, code } = await soldTickets(app);
    const ticket = await ticketOf(eventId, code);
    const at = new Date();
    const row = { eventId, orderId: ticket.orderId, ticketId: ticket.id, createdAt: at, sendAfter: at };
    const insert = (cents: number) =>
      app.db
        .insertInto('refunds')
        .values({
          ...row,
          id: newId(),
          cents,
          reason: 'requested',
        })
        .execute();

    await expect(insert(24_01)).rejects.toThrow('more than was paid');
    await insert(24_00);
    await expect(insert(0)).rejects.toThrow('refunds_one_per_ticket');
    const used = app.db
      .updateTable('tickets')
      .set({ state: 'refunding', scannedAt: new Date() })
      .where('id', '=', ticket.id)
      .execute();
    await expect(used).rejects.toThrow('was scanned');
  });
});
