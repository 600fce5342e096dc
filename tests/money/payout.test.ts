import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { generateCode } from '#contract/app/affiliates.ts';
import { createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import type { payoutErrors } from '#messages/payouts.ts';
import { refundAccepted } from '#messages/refunds.ts';
import { completeOrder } from '#server/payments/checkout/fulfill-order.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { runEverything } from '#tests/support/heal.ts';
import {
  at,
  clearFaults,
  ledgerOf,
  movementsAtStripe,
  openPayout,
  planFault,
  setTransfers,
  settlementOf,
} from '#tests/support/money.ts';
import { buyTickets, codesOf, eventForm, eventOnSale, logInAgain, onboardedOrganizer } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { paidSession, reservedOrder } from '#tests/support/reserved-order.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

const MOST_IN_ORDER = 100;
const DEAREST_IN_ORDER = 19;

function eventOfSeats(ticketPrice: number, change: Parameters<typeof eventForm>[1] = {}) {
  const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice, ticketQuantity: 1000 }];
  return eventOnSale(app, { tickets, ...change });
}

async function soldEvent(ticketPrice: number, quantity: number, change: Parameters<typeof eventForm>[1] = {}) {
  const event = await eventOfSeats(ticketPrice, change);
  const codes: string[] = [];
  for (let left = quantity; left > 0; left -= MOST_IN_ORDER)
    codes.push(...codesOf(await buyTickets(app, event.eventId, seats(Math.min(left, MOST_IN_ORDER)))));
  return { ...event, codes };
}

/** Completes sales without the pages, in as many orders as the maximum of $999,999.99 per order requires. */
async function completeSales({ eventId }: Event, quantity: number): Promise<void> {
  for (let left = quantity; left > 0; left -= DEAREST_IN_ORDER) {
    const order = await reservedOrder(app.db, eventId, { Seat: Math.min(left, DEAREST_IN_ORDER) });
    await completeOrder(app.deps, order, paidSession(order));
  }
}

const request = ({ visitor, eventId }: Event) => visitor.call(requestPayout, { eventId });
const paid = (totalPayout: number) => ({ status: 200, body: { totalPayout } });
const refused = (code: keyof typeof payoutErrors) => ({ status: 409, body: errorBody(code) });
const transfersOf = ({ eventId }: Event) => movementsAtStripe(app, 'transfer', eventId);
const payoutsOf = ({ eventId }: Event) =>
  app.db.selectFrom('payouts').where('eventId', '=', eventId).selectAll().orderBy('seq').execute();

async function shownPayout({ visitor, eventId }: Event) {
  const { body } = await visitor.call(profile, {});
  return body.events.find((event) => event.eventId === eventId)?.payout;
}

describe('a payout', () => {
  it('case 34: opens in the second in which refunds close', async () => {
    const event = await soldEvent(40, 2);
    const { eventId, codes } = event;
    const opens = await settlementOf(app, eventId);
    await openPayout(app, event, -60);
    const before = new Date(opens.getTime() - 1000);
    const [early = '', late = ''] = codes;
    const refund = (confirmationCode: string) => app.call(requestRefund, { eventId, confirmationCode });

    expect(await at(app, before, () => request(event))).toMatchObject(refused('payout.too-early'));
    expect(await at(app, opens, () => refund(late))).toMatchObject({
      body: { code: 'refund.window-closed' },
    });
    expect(await at(app, before, () => refund(early))).toMatchObject({ body: { msg: refundAccepted } });
    // $40.00, less 80 + 75 cents and $15.00.
    expect(await at(app, opens, () => request(event))).toMatchObject(paid(23.45));
  });

  it('case 35: requested twice at once makes one transfer, and refuses the second request', async () => {
    const event = await soldEvent(40, 1);
    await openPayout(app, event);

    const replies = await raceFor(app, 'events', event.eventId, [() => request(event), () => request(event)]);

    const [first, second] = replies.sort((a, b) => a.status - b.status);
    expect(first).toMatchObject(paid(23.45));
    expect(second).toMatchObject(refused('payout.already-paid-out'));
    expect(await transfersOf(event)).toMatchObject([{ amount: 23_45 }]);
    expect(await payoutsOf(event)).toMatchObject([{ seq: 1, state: 'paid', cents: 23_45 }]);
  });

  it('case 36: charges the lower fee on all tickets once 500 are sold and not refunded', async () => {
    const event = await soldEvent(1, 499);
    const shown = async () => (await shownPayout(event))?.statement;
    const small = { paidTickets: 499, ticketFeeRate: '2.0% + $0.75', ticketFees: 384.23, net: 99.77 };
    expect(await shown()).toMatchObject(small);

    const [last = ''] = codesOf(await buyTickets(app, event.eventId, seats(1)));
    const large = { paidTickets: 500, ticketFeeRate: '1.8% + $0.50', ticketFees: 260, net: 225 };
    expect(await shown()).toMatchObject(large);

    await app.call(requestRefund, { eventId: event.eventId, confirmationCode: last });
    expect(await shown()).toMatchObject(small);
    await openPayout(app, event);
    expect(await request(event)).toMatchObject(paid(99.77));
  });

  it('case 36: charges it for the most expensive possible event, whose totals exceed 32 bits', async () => {
    const event = await eventOfSeats(50_000);
    await completeSales(event, 500);
    expect((await shownPayout(event))?.statement).toMatchObject({ paidTickets: 500, net: 24_549_735 });

    await openPayout(app, event);
    // At such prices Stripe's fee exceeds the platform's, so the balance is short.
    expect(await request(event)).toMatchObject(paid(24_549_735));
    expect(await payoutsOf(event)).toMatchObject([{ cents: 24_549_735_00 }]);
  });

  it('case 37: of three tickets at $33.33 is $80.73, to the cent, in the ledger and at Stripe', async () => {
    const event = await soldEvent(33.33, 3);
    await openPayout(app, event);

    expect(await request(event)).toMatchObject(paid(80.73));
    expect((await shownPayout(event))?.statement).toMatchObject({ gross: 99.99, ticketFees: 4.26, processingFee: 15 });
    expect(await transfersOf(event)).toMatchObject([{ amount: 80_73 }]);
    expect(await ledgerOf(app, event.eventId, 'payout')).toEqual([
      'payout organizer-payable 9999',
      'payout platform-fees -1926',
      'payout processor -8073',
    ]);
  });

  it('case 38: of ten tickets at $1 is refused with a message, calls Stripe for nothing and closes nothing', async () => {
    const event = await soldEvent(1, 10);
    await openPayout(app, event);
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'error_before', times: 9 });

    expect(await request(event)).toMatchObject(refused('payout.fees-exceed-sales'));
    expect(await request(event)).toMatchObject(refused('payout.fees-exceed-sales'));
    expect(await shownPayout(event)).toMatchObject({ state: 'nothing-to-pay', statement: { net: -12.7 } });
    expect(await payoutsOf(event)).toEqual([]);
    expect(await transfersOf(event)).toEqual([]);
  });

  it('case 39: of a waived event deducts ticket fees only, and earns the referrer one waiver after the transfer', async () => {
    const referrer = await onboardedOrganizer(app);
    const other = await onboardedOrganizer(app);
    const affiliateCode = await codeOf(referrer);
    const event = await soldEvent(40, 1, { affiliateCode });
    await openPayout(app, event);
    await logInAgain(referrer);
    await logInAgain(other);
    const isWaived = async ({ visitor }: { visitor: Event['visitor'] }) =>
      (await visitor.call(createEvent, eventForm(app))).body.feeWaiveStatus;
    const waiversOf = async ({ email }: { email: string }) => (await storedAccount(app.db, email)).feeWaivers;

    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'drop_before', times: 9 });
    // $40.00, less 80 + 75 cents.
    expect(await request(event)).toMatchObject(paid(38.45));
    expect(await waiversOf(referrer)).toBe(0);
    await clearFaults(app);
    await runEverything(app);

    expect(await transfersOf(event)).toMatchObject([{ amount: 38_45 }]);
    expect(await waiversOf(referrer)).toBe(1);
    await logInAgain(referrer);
    expect([await isWaived(referrer), await isWaived(referrer), await isWaived(other)]).toEqual([true, false, false]);
  });

  it('case 40: needs an account that can receive it, and succeeds once there is one', async () => {
    const event = await soldEvent(40, 1);
    await openPayout(app, event);
    const setUp = { status: 409, body: errorBody('payout-account.no-payout-account') };

    await setTransfers(app, event, 'restricted');
    expect(await request(event)).toMatchObject(setUp);
    await sql`
      update payout_accounts set account_id = null where email = ${event.email} and account_id is not null
      `.execute(app.db);
    expect(await request(event)).toMatchObject(setUp);
    expect(await transfersOf(event)).toEqual([]);
    expect(await payoutsOf(event)).toEqual([]);

    await setTransfers(app, event, 'active');
    await sql`
      update payout_accounts set account_id = (select id from sandbox.objects where kind = 'v2.core.account'
         and body->>'contact_email' = ${event.email}) where email = ${event.email}`.execute(app.db);
    expect(await request(event)).toMatchObject(paid(23.45));
    expect(await transfersOf(event)).toHaveLength(1);
  });

  it('case 45: is for its organizer only, and not for a deleted account', async () => {
    const event = await soldEvent(40, 1);
    const stranger = await onboardedOrganizer(app);
    await openPayout(app, event);
    await logInAgain(stranger);

    expect((await stranger.visitor.call(requestPayout, { eventId: event.eventId })).status).toBe(404);
    await sql`delete from sessions where user_id = (select id from users where email = ${event.email})`.execute(app.db);
    expect((await request(event)).status).toBe(401);
    expect((await app.call(requestPayout, { eventId: event.eventId })).status).toBe(401);
    expect(await transfersOf(event)).toEqual([]);
    expect(await payoutsOf(event)).toEqual([]);
  });
});

async function codeOf({ visitor }: { visitor: Event['visitor'] }): Promise<string> {
  await visitor.call(generateCode, {});
  const { body } = await visitor.call(profile, {});
  return body.affiliateCode ?? '';
}
