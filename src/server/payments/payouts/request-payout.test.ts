import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import * as contract from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import type { payoutErrors } from '#messages/payouts.ts';
import { newId } from '#server/platform/ids.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { advanceTo, clearFaults, ledgerOf, movementsAtStripe, planFault, settlementOf } from '#tests/support/money.ts';
import { buyTickets, emailsTo, eventOnSale, logInAgain, takeFreeTickets } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { payoutAccountChanged } from './payout-account-changed.ts';
import { sendWaitingPayouts } from './send-payout.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => clearFaults(app));
afterAll(() => app.close());

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const ticketsAt = (ticketPrice: number) => ({
  tickets: [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice, ticketQuantity: 1000 }],
});
const freeTicket = { ticketName: 'Friend', ticketDescription: 'x', ticketPrice: 0, ticketQuantity: 10 };
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];
const codesOf = (order: { confirmationData: { confirmationNumber: string }[] }) =>
  order.confirmationData.map((ticket) => ticket.confirmationNumber);

/** An event with sold tickets, before its payout opens. */
async function soldEvent(priceDollars: number, quantity: number) {
  const event = await eventOnSale(app, ticketsAt(priceDollars));
  const order = quantity > 0 ? await buyTickets(app, event.eventId, seats(quantity)) : { confirmationData: [] };
  return { ...event, codes: codesOf(order) };
}

async function settle(event: Event, secondsAfter = 60): Promise<void> {
  const opens = await settlementOf(app, event.eventId);
  await advanceTo(app, new Date(opens.getTime() + secondsAfter * 1000));
  await logInAgain(event);
}

const request = ({ visitor, eventId }: Event) => visitor.call(contract.requestPayout, { eventId });
const refused = (code: keyof typeof payoutErrors) => ({
  status: 409,
  body: errorBody(code),
});
const payoutRow = ({ eventId }: Event) =>
  app.db.selectFrom('payouts').where('eventId', '=', eventId).selectAll().executeTakeFirst();

async function shownPayout({ visitor }: Event) {
  const { body } = await visitor.call(profile, {});
  return body.events[0]?.payout;
}

describe('a payout', () => {
  it('pays the sales minus fees, to the cent, with ledger entries and an email [PAY-1 PAY-3]', async () => {
    const event = await soldEvent(33.33, 3);
    expect(await shownPayout(event)).toMatchObject({ state: 'too-early', statement: { net: 80.73 } });
    await settle(event);
    expect(await shownPayout(event)).toMatchObject({ state: 'open', paidAt: null });

    expect(await request(event)).toMatchObject({ status: 200, body: { totalPayout: 80.73 } });

    const accountId = (await payoutRow(event))?.accountId;
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toMatchObject([
      { amount: 80_73, destination: accountId },
    ]);
    expect(await ledgerOf(app, event.eventId, 'payout')).toEqual([
      'payout organizer-payable 9999',
      'payout platform-fees -1926',
      'payout processor -8073',
    ]);
    expect(await shownPayout(event)).toMatchObject({
      state: 'paid',
      paidAt: expect.any(String),
      statement: {
        ticketsSold: 3,
        gross: 99.99,
        ticketsOnHold: 0,
        onHold: 0,
        paidTickets: 3,
        ticketFeeRate: '2.0% + $0.75',
        ticketFees: 4.26,
        processingFee: 15,
        refunded: 0,
        deducted: 0,
        debtDeducted: 0,
        net: 80.73,
      },
    });
    const [sent] = await emailsTo(app, event.email);
    expect(sent?.subject).toBe('Basement Brass: $80.73 paid out');
    expect(sent?.text).toContain('Ticket fees, 3 paid tickets at 2.0% + $0.75: −$4.26.');
  });

  it('opens 24 hours after the end, when refunds close [PAY-2]', async () => {
    const event = await soldEvent(40, 3);
    const [early = '', late = ''] = event.codes;
    const refund = (confirmationCode: string) => app.call(requestRefund, { eventId: event.eventId, confirmationCode });

    await settle(event, -10);
    expect(await request(event)).toMatchObject(refused('payout.too-early'));
    expect((await refund(early)).status).toBe(200);
    await settle(event, 1);
    expect((await refund(late)).status).toBe(409);
    expect(await request(event)).toMatchObject({ status: 200, body: { totalPayout: 61.9 } });
    expect(await shownPayout(event)).toMatchObject({ statement: { paidTickets: 2, gross: 80, refunded: 40 } });
  });

  it('charges the lower fee from 500 paid tickets, not counting refunded ones [PAY-3]', async () => {
    const event = await eventOnSale(app, { tickets: [...ticketsAt(1).tickets, freeTicket] });
    const orders = [];
    for (let order = 0; order < 5; order++) orders.push(await buyTickets(app, event.eventId, seats(100)));
    expect(await shownPayout(event)).toMatchObject({
      statement: { paidTickets: 500, ticketFeeRate: '1.8% + $0.50', ticketFees: 260, net: 225 },
    });

    const confirmationCode = orders.flatMap(codesOf)[0] ?? '';
    await app.call(requestRefund, { eventId: event.eventId, confirmationCode });
    await takeFreeTickets(app, event.eventId, [{ ticketName: 'Friend', quantity: 2 }]);
    // 499 paid tickets at $1: 77 cents each. Free tickets don't count toward the 500.
    expect(await shownPayout(event)).toMatchObject({
      statement: { paidTickets: 499, ticketFeeRate: '2.0% + $0.75', ticketFees: 384.23, net: 99.77 },
    });
  });

  it.each([
    ['nothing was sold', 20, 0, 'nothing-sold'],
    ['the fees are as high as the sales', 1, 10, 'fees-exceed-sales'],
  ] as const)('is refused in message when %s', async (_why, price, quantity, reason) => {
    const event = await soldEvent(price, quantity);
    await settle(event);

    expect(await request(event)).toMatchObject(refused(`payout.${reason}`));
    expect(await shownPayout(event)).toMatchObject({ state: 'nothing-to-pay', denial: reason });
    expect(await payoutRow(event)).toBeUndefined();
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toEqual([]);
  });

  it('of free tickets only has its own denial reason', async () => {
    const event = await eventOnSale(app, { tickets: [freeTicket] });
    await takeFreeTickets(app, event.eventId, [{ ticketName: 'Friend', quantity: 3 }]);
    expect(await shownPayout(event)).toMatchObject({ state: 'too-early', denial: 'too-early' });
    await settle(event);

    expect(await request(event)).toMatchObject({
      status: 409,
      body: { msg: "Only free tickets were sold, so there's nothing to pay out." },
    });
    expect(await shownPayout(event)).toMatchObject({ state: 'nothing-to-pay', denial: 'only-free-tickets' });
  });

  it('is limited to the event’s organizer', async () => {
    const event = await soldEvent(40, 1);
    const stranger = await eventOnSale(app);
    await settle(event);
    await logInAgain(stranger);

    const reply = await stranger.visitor.call(contract.requestPayout, { eventId: event.eventId });
    expect(reply).toMatchObject({ status: 404, body: { code: 'event.not-found' } });
  });

  it('requires an account that is active right now', async () => {
    const event = await soldEvent(40, 1);
    await settle(event);
    await setTransfers(event, 'restricted');

    expect(await request(event)).toMatchObject({
      status: 409,
      body: { code: 'payout-account.no-payout-account' },
    });
    expect(await payoutRow(event)).toBeUndefined();
  });
});

describe('paying out an event once', () => {
  it('denies a second request [PAY-1]', async () => {
    const event = await soldEvent(40, 1);
    await settle(event);

    expect((await request(event)).status).toBe(200);
    expect(await request(event)).toMatchObject(refused('payout.already-paid-out'));
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(1);
  });

  it('accepts one of two concurrent requests', async () => {
    const event = await soldEvent(40, 1);
    await settle(event);

    // The test locks the event's row until both requests wait for it.
    const { waiting } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', event.eventId).select('id').forUpdate().execute();
      const waiting = [request(event), request(event)];
      await app.untilBlocked(2);
      return { waiting };
    });
    const replies = await Promise.all(waiting);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(1);
    expect(await ledgerOf(app, event.eventId, 'payout')).toHaveLength(3);
    expect((await emailsTo(app, event.email)).filter(({ subject }) => subject.includes('paid out'))).toHaveLength(1);
  });

  it('transfers once after a lost response and an expired idempotency key', async () => {
    const event = await soldEvent(40, 1);
    await settle(event);
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'drop_after', times: 3 });

    expect(await request(event)).toMatchObject({ status: 200, body: { totalPayout: 23.45 } });
    expect(await shownPayout(event)).toMatchObject({ state: 'requested' });
    await clearFaults(app);
    await app.advance({ hours: 25 });
    await Promise.all([sendWaitingPayouts(app.deps), sendWaitingPayouts(app.deps)]);

    await logInAgain(event);
    expect(await shownPayout(event)).toMatchObject({ state: 'paid' });
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(1);
    expect(await ledgerOf(app, event.eventId, 'payout')).toHaveLength(3);
  });

  it('waits while the funds are pending at Stripe and is sent once they are available', async () => {
    const event = await eventOnSale(app, ticketsAt(50_000));
    const { latestEndsAt } = await app.db
      .selectFrom('events')
      .where('id', '=', event.eventId)
      .select('latestEndsAt')
      .executeTakeFirstOrThrow();
    // Sold at the door: funds are available after two days, but the payout opens after one.
    await advanceTo(app, new Date(latestEndsAt.getTime() - 60_000));
    await buyTickets(app, event.eventId, seats(1));
    await settle(event);

    expect(await request(event)).toMatchObject({ status: 200, body: { totalPayout: 48_984.25 } });
    expect(await shownPayout(event)).toMatchObject({ state: 'awaiting-funds', paidAt: null });
    expect(await request(event)).toMatchObject(refused('payout.already-paid-out'));
    expect(await ledgerOf(app, event.eventId, 'payout')).toEqual([]);
    await sendWaitingPayouts(app.deps);
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toEqual([]);

    await app.advance({ hours: 25 });
    await Promise.all([sendWaitingPayouts(app.deps), sendWaitingPayouts(app.deps)]);

    await logInAgain(event);
    expect(await shownPayout(event)).toMatchObject({ state: 'paid' });
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toMatchObject([{ amount: 48_984_25 }]);
    expect((await emailsTo(app, event.email)).filter(({ subject }) => subject.includes('paid out'))).toHaveLength(1);
  });

  it('waits while its account is restricted', async () => {
    const event = await soldEvent(40, 1);
    await settle(event);
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'error_before', times: 3 });
    await request(event);
    await clearFaults(app);
    await setTransfers(event, 'restricted');

    await sendWaitingPayouts(app.deps);
    const waiting = await payoutRow(event);
    expect(waiting).toMatchObject({ state: 'awaiting-account', failureReason: expect.stringContaining('transfers') });
    await payoutAccountChanged(app.deps, { accountId: waiting?.accountId ?? '' });
    expect(await payoutRow(event)).toMatchObject({ state: 'awaiting-account', attempt: 1 });

    await setTransfers(event, 'active');
    await payoutAccountChanged(app.deps, { accountId: waiting?.accountId ?? '' });
    // The first response repeats the old failure. Only then is a new key used.
    expect(await payoutRow(event)).toMatchObject({ state: 'paid', attempt: 2 });
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(1);
  });
});

async function setTransfers({ email }: Event, status: 'active' | 'restricted'): Promise<void> {
  await sql`
    update sandbox.objects
       set body = jsonb_set(body::jsonb,
             '{configuration,recipient,capabilities,stripe_balance,stripe_transfers,status}',
             to_jsonb(${status}::text))::json
     where kind = 'v2.core.account' and body->>'contact_email' = ${email}`.execute(app.db);
}

describe('the ledger', () => {
  it('denies a payout that it does not owe', async () => {
    const event = await soldEvent(40, 2);
    await settle(event);
    const [code = ''] = event.codes;
    await app.db.updateTable('tickets').set({ priceCents: 41_00 }).where('confirmationNumber', '=', code).execute();

    expect(await request(event)).toMatchObject(refused('payout.books-disagree'));

    expect(await payoutRow(event)).toBeUndefined();
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toEqual([]);
    const open = () =>
      app.db
        .selectFrom('discrepancies')
        .where('eventId', '=', event.eventId)
        .where('resolvedAt', 'is', null)
        .select(['kind', 'subject'])
        .execute();
    expect(await open()).toEqual([{ kind: 'payout', subject: event.eventId }]);

    await app.db.updateTable('tickets').set({ priceCents: 40_00 }).where('confirmationNumber', '=', code).execute();
    expect(await request(event)).toMatchObject({ status: 200 });
    expect(await open()).toEqual([]);
  });
});

describe('the database', () => {
  it.each([
    ['a payout before its time', 'cannot be paid out', async () => {}],
    [
      'a payout of a cancelled event',
      'cannot be paid out',
      async (eventId: string) => {
        await app.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute();
      },
    ],
  ])('rejects %s', async (_case, message, change) => {
    const { eventId } = await soldEvent(40, 1);
    await change(eventId);
    const payout = { eventId, id: newId(), seq: 1, cents: 1, accountId: 'acct_1', requestedAt: app.now() };

    const insert = app.db
      .insertInto('payouts')
      .values({ ...payout, statement: JSON.stringify({ netCents: 1 }) })
      .execute();
    await expect(insert).rejects.toThrow(message);
  });
});
