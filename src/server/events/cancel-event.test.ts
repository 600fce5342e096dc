import { describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { refundAccepted } from '#messages/refunds.ts';
import { refundCancelledEvent } from '#server/payments/refunds/refund-cancelled-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { advanceTo, ledgerOf, movementsAtStripe, planFault, reservedOf, settlementOf } from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  generalAdmission,
  logInAgain,
  pay,
  takeFreeTickets,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const cancelled = { status: 200, body: { msg: 'Event cancelled successfully' } };

async function progressOf(visitor: Visitor) {
  const { body } = await visitor.call(profile, {});
  return body.events[0]?.cancellation;
}

async function cancellationEmailsTo(address: string) {
  const emails = await emailsTo(app, address);
  return emails.filter(({ subject }) => subject.includes('cancelled'));
}

describe('cancelling an event', () => {
  it('refunds every ticket, scanned ones included, with one email per buyer [EVT-17]', async () => {
    const { eventId, visitor, attendantCode } = await eventOnSale(app);
    const order = await buyTickets(app, eventId, generalAdmission(3), 'Ann@example.com');
    const other = await buyTickets(app, eventId, [{ ticketName: 'Balcony', quantity: 1 }], 'ben@example.com');
    await buyTickets(app, eventId, generalAdmission(1), 'ann@example.com');
    const [scanned = '', refunded = ''] = codesOf(order);
    const door = await attendantOf(app, eventId, attendantCode);
    await door.call(checkGuest, { eventId, confirmationNumber: scanned });
    await app.call(requestRefund, { eventId, confirmationCode: refunded });

    expect(await visitor.call(cancelEvent, { eventId })).toMatchObject(cancelled);
    await app.settle();

    const refunds = await movementsAtStripe(app, 'refund', eventId);
    expect(refunds.map(({ amount }) => amount).sort()).toEqual([24_00, 24_00, 24_00, 24_00, 38_50]);
    const tickets = await app.db.selectFrom('tickets').where('eventId', '=', eventId).selectAll().execute();
    expect(tickets.map(({ state }) => state)).toEqual(Array(5).fill('refunded'));
    expect(tickets.filter(({ scannedAt }) => scannedAt !== null)).toHaveLength(1);
    expect(await reservedOf(app, eventId)).toBe(0);
    const book = (await ledgerOf(app, eventId)).filter((line) => line.includes('organizer-payable'));
    expect(book.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(0);

    const [email, ...more] = await cancellationEmailsTo('ann@example.com');
    expect(email?.text).toContain('$72.00 to your card for your 3 tickets');
    expect(more).toEqual([]);
    expect(await cancellationEmailsTo('ben@example.com')).toHaveLength(1);
    expect(await progressOf(visitor)).toEqual({ refunds: 4, refunded: 4, failed: 0 });

    for (const confirmationCode of [...codesOf(order), ...codesOf(other)])
      expect(await app.call(requestRefund, { eventId, confirmationCode })).toMatchObject({
        status: 200,
        body: { msg: refundAccepted },
      });
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(5);
  });

  it('happens once, and repeated requests get the same reply [EVT-17]', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    await buyTickets(app, eventId, generalAdmission(1), 'once@example.com');

    const replies = await Promise.all([1, 2, 3].map(() => visitor.call(cancelEvent, { eventId })));
    await app.settle();
    replies.push(await visitor.call(cancelEvent, { eventId }));
    await app.settle();

    for (const reply of replies) expect(reply).toMatchObject(cancelled);
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
    expect(await cancellationEmailsTo('once@example.com')).toHaveLength(1);
  });

  it('is limited to its organizer [EVT-17]', async () => {
    const { eventId } = await eventOnSale(app);
    const { visitor: stranger } = await eventOnSale(app);

    const unknown = { status: 404, body: errorBody('event.not-found') };
    expect(await stranger.call(cancelEvent, { eventId })).toMatchObject(unknown);
    expect(await stranger.call(cancelEvent, { eventId: 'no-such-event-00' })).toMatchObject(unknown);
    expect((await app.call(cancelEvent, { eventId })).status).toBe(401);
  });

  it('is refused after the payout, and the payout after it', async () => {
    const paid = await eventOnSale(app);
    const off = await eventOnSale(app);
    for (const { eventId } of [paid, off]) await buyTickets(app, eventId, generalAdmission(2));
    await advanceTo(app, new Date((await settlementOf(app, off.eventId)).getTime() + 60_000));
    await logInAgain(paid);
    await logInAgain(off);

    expect((await paid.visitor.call(requestPayout, { eventId: paid.eventId })).status).toBe(200);
    expect(await paid.visitor.call(cancelEvent, { eventId: paid.eventId })).toMatchObject({
      status: 409,
      body: { code: 'cancel.event-paid-out' },
    });
    expect(await off.visitor.call(cancelEvent, { eventId: off.eventId })).toMatchObject(cancelled);
    expect(await off.visitor.call(requestPayout, { eventId: off.eventId })).toMatchObject({
      status: 409,
      body: { code: 'payout.event-cancelled' },
    });
  });

  it('is refused once an event without sales has ended, by the server clock', async () => {
    const empty = await eventOnSale(app);
    const refunded = await eventOnSale(app);
    const order = await buyTickets(app, refunded.eventId, generalAdmission(1));
    const [confirmationCode = ''] = codesOf(order);
    await app.call(requestRefund, { eventId: refunded.eventId, confirmationCode });
    const { endsAt } = await app.db
      .selectFrom('events')
      .where('id', '=', empty.eventId)
      .select('endsAt')
      .executeTakeFirstOrThrow();
    await advanceTo(app, new Date(endsAt.getTime() + 60_000));
    await logInAgain(empty);
    await logInAgain(refunded);

    expect(await empty.visitor.call(cancelEvent, { eventId: empty.eventId })).toMatchObject({
      status: 409,
      body: { code: 'cancel.nothing-sold' },
    });
    expect(await refunded.visitor.call(cancelEvent, { eventId: refunded.eventId })).toMatchObject(cancelled);
  });

  it('counts only paid tickets as refunded', async () => {
    const free = { ticketName: 'Free', ticketDescription: 'Standing', ticketPrice: 0, ticketQuantity: 10 };
    const paid = { ...free, ticketName: 'General admission', ticketPrice: 24 };
    const [both, onlyFree] = [
      await eventOnSale(app, { tickets: [free, paid] }),
      await eventOnSale(app, { tickets: [free] }),
    ];
    await buyTickets(app, both.eventId, generalAdmission(2), 'paid@example.com');
    for (const { eventId } of [both, onlyFree])
      await takeFreeTickets(app, eventId, [{ ticketName: 'Free', quantity: 3 }], { email: 'free@example.com' });
    const { body } = await both.visitor.call(profile, {});
    expect(body.events).toMatchObject([{ ticketsSold: 5, freeTickets: 3, gross: 48 }]);

    for (const { eventId, visitor } of [both, onlyFree])
      expect(await visitor.call(cancelEvent, { eventId })).toMatchObject(cancelled);
    await app.settle();

    expect(await progressOf(both.visitor)).toEqual({ refunds: 2, refunded: 2, failed: 0 });
    expect(await progressOf(onlyFree.visitor)).toEqual({ refunds: 0, refunded: 0, failed: 0 });
  });

  it('reports its progress while Stripe is unreachable', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    await buyTickets(app, eventId, generalAdmission(2));
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'error_before', times: 1000 });

    await visitor.call(cancelEvent, { eventId });
    await refundCancelledEvent(app.deps, { eventId });

    expect(await progressOf(visitor)).toEqual({ refunds: 2, refunded: 0, failed: 0 });
  });
});

describe('a checkout open during cancellation', () => {
  it('is expired', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    const buyer = app.visitor();
    const page = await buyer.call(createCheckoutSession, { eventId, cartItems: generalAdmission(2) });

    await visitor.call(cancelEvent, { eventId });
    await app.settle();

    expect(await reservedOf(app, eventId)).toBe(0);
    const status = await buyer.call(checkoutSession, { sessionId: page.body.id });
    expect(status.body.status).toBe('expired');
  });

  it('is refused when it starts during the cancellation', async () => {
    const { eventId, visitor } = await eventOnSale(app);

    const { cancel, checkout } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', eventId).select('id').forUpdate().execute();
      const cancel = visitor.call(cancelEvent, { eventId });
      await app.untilBlocked(1);
      const checkout = app.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });
      // A checkout that doesn't wait answers at once.
      await Promise.race([app.untilBlocked(2), checkout]);
      return { cancel, checkout };
    });

    expect(await cancel).toMatchObject(cancelled);
    expect(await checkout).toMatchObject({ status: 409, body: { code: 'checkout.event-cancelled' } });
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it('is refunded in full when the buyer pays before it expires', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    const buyer = app.visitor();
    const page = await buyer.call(createCheckoutSession, { eventId, cartItems: generalAdmission(2) });
    await planFault(app, {
      match: { method: 'POST', path: `/v1/checkout/sessions/${page.body.id}/expire` },
      mode: 'error_before',
      times: 50,
    });
    await visitor.call(cancelEvent, { eventId });

    expect((await pay(buyer, page.body.url, 'fast@example.com')).status).toBe(303);
    await app.settle();

    expect(await movementsAtStripe(app, 'refund', eventId)).toMatchObject([{ amount: 48_00 }]);
    expect(await reservedOf(app, eventId)).toBe(0);
    const status = await buyer.call(checkoutSession, { sessionId: page.body.id });
    expect(status.body.status).toBe('refunded');
  });
});

describe('the refund job', () => {
  it('resumes after an interruption, and claims each ticket once', async () => {
    const { eventId, visitor } = await eventOnSale(app, {
      tickets: [{ ticketName: 'General admission', ticketDescription: 'x', ticketPrice: 1, ticketQuantity: 500 }],
    });
    for (let orders = 1; orders <= 2; orders++)
      await buyTickets(app, eventId, generalAdmission(60), 'many@example.com');
    // Locks a ticket of the second batch: the first batch commits, then the job blocks.
    const [lockedTicket] = await app.db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();

    const { running } = await app.db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('tickets')
        .where('id', '=', lockedTicket?.id ?? '')
        .select('id')
        .forUpdate()
        .execute();
      await visitor.call(cancelEvent, { eventId });
      const running = refundCancelledEvent(app.deps, { eventId });
      await app.untilBlocked(1);
      return { running };
    });
    await Promise.all([running, refundCancelledEvent(app.deps, { eventId })]);
    await app.settle();

    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(120);
    expect(await reservedOf(app, eventId)).toBe(0);
    expect(await cancellationEmailsTo('many@example.com')).toHaveLength(1);
    expect(await progressOf(visitor)).toEqual({ refunds: 120, refunded: 120, failed: 0 });
  });
});
