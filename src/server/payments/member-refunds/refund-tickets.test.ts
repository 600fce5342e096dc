/** Refunds by members of the organization: whole tickets of one order. */
import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { orderDetails, orderRows, refundTickets } from '#contract/app/sales/orders.ts';
import { readTicket, transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { admitTickets } from '#server/orders/core/admit.sql.ts';
import { sendWaitingRefunds } from '#server/payments/refunds/send-waiting-refunds.ts';
import { newId } from '#server/platform/ids.ts';
import { addGuests, compsOf } from '#tests/support/comps.ts';
import { disputePayment } from '#tests/support/disputes.ts';
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
  expectOk,
  generalAdmission,
  logInAgain,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { newMember } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

let buyers = 0;

/** An event with one paid order. */
async function sold(quantity = 3) {
  const event = await eventOnSale(app);
  const { eventId, visitor } = event;
  const email = `payer-${++buyers}@example.com`;
  const order = await buyTickets(app, eventId, generalAdmission(quantity), email);
  await app.settle();
  const tickets = await ticketsOf(eventId);
  const ids = tickets.map(({ id }) => id);
  return {
    ...event,
    buyer: email,
    token: order.details?.token ?? '',
    codes: codesOf(order),
    ids,
    orderId: tickets[0]?.orderId ?? '',
    refund: (ticketIds: readonly string[], reason?: string) =>
      visitor.call(refundTickets, { eventId, ticketIds: [...ticketIds], ...(reason !== undefined && { reason }) }),
  };
}

const ticketsOf = (eventId: string) =>
  app.db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .select(['id', 'orderId', 'confirmationNumber', 'state'])
    .orderBy('id')
    .execute();

const statesOf = async (eventId: string) => (await ticketsOf(eventId)).map(({ state }) => state);

const denied = (code: string, status = 409) => ({ status, body: { code } });

describe('a refund by a member', () => {
  it('refunds chosen tickets of an order, tells the buyer once, and keeps the others valid [OREF-1]', async () => {
    const { eventId, buyer, ids, orderId, refund, visitor } = await sold();
    const [first = '', second = '', third = ''] = ids;

    const reply = await refund([first, second], 'The balcony is closed. See evil.example');

    expect(reply).toMatchObject({ status: 200, body: { refunded: 2, amount: 48 } });
    expect(await statesOf(eventId)).toEqual(['refunded', 'refunded', 'valid']);
    expect(await reservedOf(app, eventId)).toBe(1);
    expect((await movementsAtStripe(app, 'refund', eventId)).map(({ amount }) => amount)).toEqual([24_00, 24_00]);
    expect(await ledgerOf(app, eventId, 'refund')).toEqual([
      'refund organizer-payable 2400',
      'refund organizer-payable 2400',
      'refund owed-to-buyers -2400',
      'refund owed-to-buyers -2400',
    ]);
    const [email, ...earlier] = await emailsTo(app, buyer);
    expect(earlier).toHaveLength(1);
    expect(email?.subject).toBe('Your $48.00 refund for Basement Brass');
    for (const shown of ['Cooperage Nights refunded 2 tickets', '"The balcony is closed'])
      expect(email?.text).toContain(shown);
    // A stranger's text makes no link.
    expect(email?.text).not.toContain('evil.example');
    const shown = expectOk(await visitor.call(orderDetails, { eventId, orderId }));
    expect(shown).toMatchObject({ state: 'partly-refunded', payment: { charged: 72, refunded: 48 } });
    expect(shown.refunds).toMatchObject([
      { reason: 'organizer', state: 'sent', amount: 24, note: 'The balcony is closed. See evil.example' },
      { reason: 'organizer', state: 'sent', amount: 24 },
    ]);
    expect(shown.timeline.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['bought', 'emailed', 'refund-made', 'refund-made']),
    );

    expect(await refund([third])).toMatchObject({ status: 200, body: { refunded: 1, amount: 24 } });
    expect((await visitor.call(orderRows, { eventId, state: 'refunded' })).body).toMatchObject({
      orders: [{ orderId }],
    });
  });

  it('is denied as a whole if one ticket can’t be refunded, and names it [OREF-3]', async () => {
    const { eventId, attendantCode, ids, codes, refund } = await sold();
    const door = await attendantOf(app, eventId, attendantCode);
    const [scanned] = await ticketsOf(eventId);
    expectOk(await door.call(checkGuest, { eventId, confirmationNumber: scanned?.confirmationNumber ?? '' }));
    expect(codes).toHaveLength(3);

    expect(await refund(ids)).toMatchObject({
      status: 409,
      body: { code: 'refund.some-denied', params: { numbers: scanned?.confirmationNumber } },
    });
    expect(await refund([scanned?.id ?? ''])).toMatchObject(denied('refund.already-scanned'));
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
    expect(await statesOf(eventId)).toEqual(['scanned', 'valid', 'valid']);
  });

  it('is one refund per ticket, however often it is named or asked for', async () => {
    const { eventId, ids, refund } = await sold(2);
    const [first = ''] = ids;
    expect(await refund([first, first])).toMatchObject({ body: { refunded: 1, amount: 24 } });
    expect(await refund([first])).toMatchObject(denied('refund.already-refunded'));
    expect(await refund(ids)).toMatchObject(denied('refund.some-denied'));
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
  });

  it('finds only tickets of one order of an event of the member [OREF-1]', async () => {
    const [one, other] = [await sold(1), await sold(1)];
    await buyTickets(app, one.eventId, generalAdmission(1));
    const all = (await ticketsOf(one.eventId)).map(({ id }) => id);
    for (const ids of [[newId()], other.ids, all])
      expect(await one.refund(ids)).toMatchObject(denied('guests.unknown', 404));
    expect(await other.visitor.call(refundTickets, { eventId: one.eventId, ticketIds: one.ids })).toMatchObject(
      denied('event.not-found', 404),
    );
    expect(await statesOf(one.eventId)).toEqual(['valid', 'valid']);
  });

  it('rejects bad input over HTTP', async () => {
    const { eventId, visitor, ids } = await sold(1);
    for (const body of [
      {},
      { ticketIds: [] },
      { ticketIds: 'x' },
      { ticketIds: ['x'] },
      { ticketIds: Array.from({ length: 101 }, () => newId()) },
      { ticketIds: ids, reason: 'x'.repeat(201) },
      { ticketIds: ids, reason: 5 },
    ])
      expect([body, (await visitor.send(refundTickets, { eventId, ...body })).status]).toEqual([body, 400]);
    expect(await statesOf(eventId)).toEqual(['valid']);
  });

  it('ends when the event settles, and is not needed once it is cancelled [OREF-1]', async () => {
    const late = await sold(2);
    const closes = await settlementOf(app, late.eventId);
    await advanceTo(app, new Date(closes.getTime() - 60_000));
    await logInAgain(late);
    expect(await late.refund(late.ids.slice(0, 1))).toMatchObject({ status: 200 });
    await advanceTo(app, new Date(closes.getTime() + 1_000));
    await logInAgain(late);
    expect(await late.refund(late.ids.slice(1))).toMatchObject(denied('refund.window-closed'));

    const cancelled = await sold(1);
    expectOk(await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId }));
    expect(await cancelled.refund(cancelled.ids)).toMatchObject(denied('refund.event-cancelled'));
  });

  it('cancels free tickets without calling Stripe, and leaves comps to their withdrawal', async () => {
    const free = { ticketName: 'General admission', ticketDescription: 'Free', ticketPrice: 0, ticketQuantity: 5 };
    const event = await eventOnSale(app, { tickets: [free] });
    const { eventId, visitor } = event;
    await takeFreeTickets(app, eventId, generalAdmission(1));
    const [ticket] = await ticketsOf(eventId);
    expect(await visitor.call(refundTickets, { eventId, ticketIds: [ticket?.id ?? ''] })).toMatchObject({
      body: { refunded: 1, amount: 0 },
    });
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
    expectOk(await addGuests(event, [{ email: 'comp@example.com' }]));
    const [comp] = await compsOf(event);
    expect(await visitor.call(refundTickets, { eventId, ticketIds: [comp?.ticketId ?? ''] })).toMatchObject(
      denied('refund.guest-list'),
    );
  });

  it('is for owners, admins and finance, after their password [OREF-1]', async () => {
    const event = await sold(1);
    const { eventId, ids } = event;
    for (const role of ['editor', 'check-in', 'viewer'] as const) {
      const { visitor } = await newMember(app, event, role);
      expect(await visitor.call(refundTickets, { eventId, ticketIds: ids })).toMatchObject(
        denied('auth.role-denied', 403),
      );
    }
    const { visitor } = await newMember(app, event, 'finance');
    await app.advance({ minutes: 11 });
    expect(await visitor.call(refundTickets, { eventId, ticketIds: ids })).toMatchObject(
      denied('auth.reauthentication-required', 403),
    );
    expect(await statesOf(eventId)).toEqual(['valid']);
  });

  it('goes to the payer of a transferred ticket, and its holder learns of it', async () => {
    const { eventId, buyer, token, ids, refund } = await sold(1);
    const holder = `holder-${buyers}@example.com`;
    expectOk(await app.call(transferTicket, { token, position: 1, email: holder }));
    const [passedOn] = await emailsTo(app, holder);
    const [ticket] = await ticketsOf(eventId);
    expect(await refund(ids)).toMatchObject({ status: 200 });
    const [toPayer] = await emailsTo(app, buyer);
    expect(toPayer?.text).not.toContain(ticket?.confirmationNumber);
    const [toHolder, ...before] = await emailsTo(app, holder);
    expect(toHolder?.subject).toContain('Basement Brass');
    expect(before).toEqual([passedOn]);
    const link = /\/ticket\/([\w.-]+)/.exec(passedOn?.text ?? '')?.[1] ?? '';
    expect((await app.call(readTicket, { token: link })).body).toMatchObject({ status: 'refunded' });
  });

  it('restores what Stripe refuses without an email, and says so', async () => {
    const { eventId, buyer, ids, refund } = await sold(2);
    // The webhook was dropped, so Stripe's denial is the first sign of the dispute.
    await planFault(app, { webhook: 'drop', times: 100 });
    await simulateAtBank(app, 'disputes', { payment_intent: await paymentOf(app, eventId) });
    expect(await refund(ids)).toMatchObject(denied('refund.disputed'));
    expect(await statesOf(eventId)).toEqual(['valid', 'valid']);
    expect(await reservedOf(app, eventId)).toBe(2);
    expect(await emailsTo(app, buyer)).toHaveLength(1);
  });

  it('is sent later if Stripe doesn’t answer, with one email for all of its tickets', async () => {
    const { eventId, buyer, ids, refund } = await sold();
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_before', times: 20 });
    expect(await refund(ids)).toMatchObject({ status: 200, body: { refunded: 3, amount: 72 } });
    expect(await statesOf(eventId)).toEqual(['refunding', 'refunding', 'refunding']);
    expect(await emailsTo(app, buyer)).toHaveLength(1);
    await clearFaults(app);
    await app.advance({ minutes: 5 });
    await sendWaitingRefunds(app.deps);
    expect(await statesOf(eventId)).toEqual(['refunded', 'refunded', 'refunded']);
    const [email, ...earlier] = await emailsTo(app, buyer);
    expect(earlier).toHaveLength(1);
    expect(email?.text).toContain('refunded 3 tickets');
  });
});

describe('a refund by a member and', () => {
  it('the buyer’s own refund: one of them refunds the ticket', async () => {
    const { eventId, ids, codes, refund } = await sold(1);
    const ask = () => app.call(requestRefund, { eventId, confirmationCode: codes[0] ?? '' });
    const replies = await raceFor<{ status: number }>(app, 'tickets', eventId, [() => refund(ids), ask]);
    expect(replies.map(({ status }) => status)).toEqual([200, 409]);

    const other = await sold(1);
    const askFirst = () => app.call(requestRefund, { eventId: other.eventId, confirmationCode: other.codes[0] ?? '' });
    const later = await raceFor<{ status: number }>(app, 'tickets', other.eventId, [
      askFirst,
      () => other.refund(other.ids),
    ]);
    expect(later.map(({ status }) => status)).toEqual([200, 409]);
    for (const event of [eventId, other.eventId]) expect(await movementsAtStripe(app, 'refund', event)).toHaveLength(1);
  });

  it('another member’s refund of the same tickets: one refunds all of them', async () => {
    const { eventId, ids, refund } = await sold(2);
    const replies = await raceFor(app, 'events', eventId, [() => refund(ids), () => refund(ids.toReversed())]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(2);
  });

  it('a check-in: the ticket is scanned or refunded', async () => {
    const { eventId, ids, codes, refund } = await sold(1);
    const { reply } = await app.db.transaction().execute(async (door) => {
      const scan = { eventId, confirmationNumber: codes[0] ?? '', scannedBy: newId(), scanId: newId() };
      await admitTickets(door, [scan], { waits: true });
      const reply = refund(ids);
      await app.untilBlocked();
      return { reply };
    });
    expect(await reply).toMatchObject(denied('refund.already-scanned'));
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
  });

  it('a transfer: the money goes back to the payer, and no holder gets a dead ticket', async () => {
    const { eventId, ids, token, refund } = await sold(1);
    const transfer = () => app.call(transferTicket, { token, position: 1, email: `late-${buyers}@example.com` });
    const replies = await raceFor<{ status: number }>(app, 'orders', eventId, [() => refund(ids), transfer]);
    expect(replies.map(({ status }) => status)).toEqual([200, 409]);
  });

  it('a payout: a claimed payout denies it', async () => {
    const { eventId, ids, refund } = await sold(1);
    const { reply } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', eventId).select('id').forUpdate().execute();
      const reply = refund(ids);
      await app.untilBlocked(1);
      const at = app.now();
      await tx.updateTable('events').set({ payoutRequestedAt: at }).where('id', '=', eventId).execute();
      return { reply };
    });
    expect(await reply).toMatchObject(denied('refund.window-closed'));
    expect(await statesOf(eventId)).toEqual(['valid']);
  });

  it('a cancellation: the event refunds the ticket itself', async () => {
    const { eventId, ids, refund, visitor } = await sold(1);
    const cancel = () => visitor.call(cancelEvent, { eventId });
    const replies = await raceFor<{ status: number }>(app, 'events', eventId, [cancel, () => refund(ids)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 409]);
    await app.settle();
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
  });

  it('a dispute: an open one denies it', async () => {
    const { eventId, ids, refund } = await sold(1);
    await disputePayment(app, eventId);
    expect(await refund(ids)).toMatchObject(denied('refund.disputed'));
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);

    // It arrives while the refund waits for the order.
    const other = await sold(1);
    const { reply } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('orders').where('id', '=', other.orderId).select('id').forUpdate().execute();
      const reply = other.refund(other.ids);
      await app.untilBlocked(1);
      const dispute = { eventId: other.eventId, orderId: other.orderId, cents: 24_00, reason: 'general' };
      await tx
        .insertInto('disputes')
        .values({ ...dispute, id: newId(), stripeDisputeId: `du_${newId()}`, state: 'open', openedAt: app.now() })
        .execute();
      return { reply };
    });
    expect(await reply).toMatchObject(denied('refund.disputed'));
    await app.db.deleteFrom('disputes').where('eventId', '=', other.eventId).execute();
  });
});
