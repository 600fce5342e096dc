/** The rolling reserve: kept from a payout, taken by disputes first, and paid when it is due. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { auditLog } from '#contract/app/audit.ts';
import { createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { setReserve } from '#contract/app/plans.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { applyDisputes } from '#server/payments/disputes/apply-disputes.ts';
import {
  balancesOf,
  decideDispute,
  disputePayment,
  fillBalance,
  moneyErrorsExceptWebhooks,
} from '#tests/support/disputes.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { clearFaults, ledgerOf, movementsAtStripe, openPayout, planFault, stripeOf } from '#tests/support/money.ts';
import {
  buyTickets,
  emailsTo,
  eventForm,
  eventOnSale,
  expectOk,
  logInAgain,
  newOrganizer,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sendWaitingPayouts } from './send-payout.ts';
import { sendWaitingReversals } from './send-reversal.ts';

const DAYS = 30;

let app: TestApp;
let operator: { visitor: Visitor; email: string };
beforeAll(async () => {
  app = await startTestApp({ payoutBrakes: { reservePercent: 20, reserveDays: DAYS } });
  await fillBalance(app);
  operator = await newOrganizer(app);
  await appointAdmin(app.deps, { email: operator.email, isAdmin: true });
});
afterEach(() => clearFaults(app));
afterAll(() => app.close());

const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 100 }];
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

/** Two orders, of two seats and of one: $100.35 after fees. */
async function soldEvent(reserve?: { percent: number | null; days: number | null }) {
  const event = await eventOnSale(app, { tickets });
  await buyTickets(app, event.eventId, seats(2));
  await buyTickets(app, event.eventId, seats(1));
  await app.settle();
  await openPayout(app, event);
  if (reserve) await keepReserve(event, reserve);
  return event;
}

type Event = Awaited<ReturnType<typeof soldEvent>>;

async function keepReserve({ email }: Pick<Event, 'email'>, reserve: { percent: number | null; days: number | null }) {
  await logInAgain(operator);
  expectOk(await operator.visitor.call(setReserve, { organization: email, ...reserve }));
}

async function paidOutEvent(reserve?: Parameters<typeof soldEvent>[0]) {
  const event = await soldEvent(reserve);
  expectOk(await request(event));
  await app.settle();
  return event;
}

const request = ({ visitor, eventId }: Event) => visitor.call(requestPayout, { eventId });

const sentOf = async ({ eventId }: Pick<Event, 'eventId'>) => {
  const rows = await app.db.selectFrom('payouts').where('eventId', '=', eventId).selectAll().orderBy('seq').execute();
  return rows.map(({ state, cents }) => [state, cents]);
};

const reversalRows = ({ eventId }: Event) =>
  app.db.selectFrom('transferReversals').where('eventId', '=', eventId).selectAll().execute();

async function reversedAtStripe({ eventId }: Event): Promise<number[]> {
  const reversals: number[] = [];
  for (const { id } of await movementsAtStripe(app, 'transfer', eventId)) {
    const { data } = await stripeOf(app).transfers.listReversals(id);
    reversals.push(...data.map(({ amount }) => amount));
  }
  return reversals;
}

async function dispute(event: Event, which = 0): Promise<string> {
  const disputeId = await disputePayment(app, event.eventId, { which });
  await sendWaitingReversals(app.deps);
  await app.settle();
  return disputeId;
}

async function decide(disputeId: string, become: 'won' | 'lost') {
  await decideDispute(app, disputeId, become);
  await sendWaitingPayouts(app.deps);
  await app.settle();
}

async function pass(days: number) {
  await app.advance({ days });
  await sendWaitingPayouts(app.deps);
  await app.settle();
}

async function expectNothingOwed({ eventId }: Event) {
  expect(await balancesOf(app, eventId)).not.toHaveProperty('organizer-payable');
  expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
}

describe('a rolling reserve', () => {
  it('is a row of the statement, stays owed, and is paid by itself when it is due [BRAKE-4]', async () => {
    const event = await soldEvent();
    expect(await request(event)).toMatchObject({ status: 200, body: { totalPayout: 80.28 } });

    expect(await ledgerOf(app, event.eventId, 'payout')).toEqual([
      'payout organizer-payable 9993',
      'payout platform-fees -1965',
      'payout processor -8028',
    ]);
    expect(await balancesOf(app, event.eventId)).toMatchObject({ 'organizer-payable': -20_07 });
    const until = new Date(app.now().getTime() + DAYS * 86_400_000);
    const day = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', month: 'long', day: 'numeric' });
    expect((await emailsTo(app, event.email))[0]?.text).toContain(`Reserve until ${day.format(until)}: −$20.07.`);
    await pass(DAYS - 1);
    expect(await sentOf(event)).toEqual([['paid', 80_28]]);

    await pass(1);
    await pass(1);
    expect(await sentOf(event)).toEqual([
      ['paid', 80_28],
      ['paid', 20_07],
    ]);
    expect((await emailsTo(app, event.email))[0]?.text).toContain('Your reserve: $20.07.');
    await expectNothingOwed(event);
  });

  it('waits while an operator holds the payouts of its event [BRAKE-2 BRAKE-4]', async () => {
    const event = await paidOutEvent();
    const { eventId } = event;
    await sql`insert into payout_holds (event_id, held_at, held_by, reason)
      select ${eventId}, now(), id, 'We are checking a report.' from users limit 1`.execute(app.db);

    await pass(DAYS);
    expect(await sentOf(event)).toEqual([['paid', 80_28]]);

    await sql`delete from payout_holds where event_id = ${eventId}`.execute(app.db);
    await pass(1);
    expect(await sentOf(event)).toEqual([
      ['paid', 80_28],
      ['paid', 20_07],
    ]);
  });

  it('is kept from each event, and estimated before [BRAKE-4]', async () => {
    const event = await paidOutEvent();
    await logInAgain(event);
    const { body } = await event.visitor.call(createEvent, eventForm(app, { tickets }));
    await buyTickets(app, body.eventId, seats(3));
    await app.settle();
    const next = { ...event, ...body };
    await openPayout(app, next);

    await logInAgain(event);
    const { events } = expectOk(await event.visitor.call(profile, {}));
    expect(events.find(({ eventId }) => eventId === next.eventId)?.payout.statement).toMatchObject({
      held: [{ kind: 'reserve', amount: 20.07 }],
      net: 80.28,
    });
    expect(await request(next)).toMatchObject({ status: 200, body: { totalPayout: 80.28 } });
  });

  it('can be set by organization, or left to the settings [BRAKE-4]', async () => {
    const event = await soldEvent({ percent: 50, days: 2 });
    await logInAgain(event);
    expectOk(await request(event));
    expect(await sentOf(event)).toEqual([['paid', 50_18]]);
    await pass(2);
    expect(await sentOf(event)).toEqual([
      ['paid', 50_18],
      ['paid', 50_17],
    ]);
    await logInAgain(event);
    const { entries } = expectOk(await event.visitor.call(auditLog, { action: 'set-reserve' }));
    expect(entries).toMatchObject([{ actorKind: 'operator' }]);

    await keepReserve(event, { percent: null, days: null });
    const organization = app.db.selectFrom('organizations').where('reservePercent', 'is not', null).select('id');
    expect(await organization.execute()).toEqual([]);
    const unknown = await operator.visitor.call(setReserve, { organization: 'no one', percent: 1, days: 1 });
    expect(unknown).toMatchObject({ status: 404, body: errorBody('view-as.unknown-organization') });
  });
});

describe('a dispute after the payout', () => {
  it('takes the reserve, and reverses nothing while that is enough [BRAKE-4]', async () => {
    const event = await paidOutEvent({ percent: 90, days: 5 });
    expect(await sentOf(event)).toEqual([['paid', 10_04]]);
    const disputeId = await dispute(event);

    expect(await reversalRows(event)).toMatchObject([
      { state: 'from-reserve', grossCents: 80_00, feesCents: 3_10, reserveCents: 76_90 },
    ]);
    expect(await reversedAtStripe(event)).toEqual([]);
    expect(await ledgerOf(app, event.eventId, 'transfer-reversal')).toEqual([
      'transfer-reversal organizer-payable -310',
      'transfer-reversal platform-fees 310',
    ]);
    expect((await emailsTo(app, event.email))[0]?.text).toContain('we took $76.90 of what we held back');
    await decide(disputeId, 'lost');

    await pass(5);
    expect(await sentOf(event)).toEqual([
      ['paid', 10_04],
      ['paid', 13_41],
    ]);
    await expectNothingOwed(event);
  });

  it('reverses what the reserve lacks, and then none is left to pay [BRAKE-4]', async () => {
    const event = await paidOutEvent();
    const disputeId = await dispute(event);

    expect(await reversalRows(event)).toMatchObject([{ state: 'reversed', reserveCents: 20_07 }]);
    expect(await reversedAtStripe(event)).toEqual([56_83]);
    await decide(disputeId, 'lost');
    await pass(DAYS);

    expect(await sentOf(event)).toEqual([['paid', 80_28]]);
    await expectNothingOwed(event);
  });

  it('becomes a debt last, of what neither has [BRAKE-4]', async () => {
    const event = await paidOutEvent();
    await emptyAccountOf(event);
    const disputeId = await dispute(event);

    expect(await reversalRows(event)).toMatchObject([{ state: 'receivable', reserveCents: 20_07 }]);
    expect(await balancesOf(app, event.eventId)).toMatchObject({ receivables: 56_83 });
    await decide(disputeId, 'lost');
    await expectNothingOwed(event);
  });

  it('pays all of it once won, and nothing twice [BRAKE-4]', async () => {
    const event = await paidOutEvent();
    const disputeId = await dispute(event);
    await decide(disputeId, 'won');
    await pass(DAYS);

    // The order's share, less the fees.
    expect(await sentOf(event)).toEqual([
      ['paid', 80_28],
      ['paid', 76_90],
    ]);
    expect(80_28 - 56_83 + 76_90).toBe(100_35);
    await expectNothingOwed(event);
  });

  it('pays all of it if it was won before the payout was sent [BRAKE-4]', async () => {
    const event = await soldEvent();
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'drop_before', times: 30 });
    await request(event);
    const disputeId = await disputePayment(app, event.eventId, { which: 0 });
    await decideDispute(app, disputeId, 'won');
    expect(await sentOf(event)).toEqual([['requested', 80_28]]);
    await clearFaults(app);
    await sendWaitingPayouts(app.deps);
    await sendWaitingReversals(app.deps);
    await app.settle();
    await pass(DAYS);

    const total = (await sentOf(event)).reduce((sum, [, cents]) => sum + Number(cents), 0);
    const back = (await reversedAtStripe(event)).reduce((sum, cents) => sum + cents, 0);
    expect(total - back).toBe(100_35);
    await expectNothingOwed(event);
  });

  it('takes the reserve or finds it paid, never both [BRAKE-4]', async () => {
    const event = await paidOutEvent({ percent: 90, days: 1 });
    await app.endJobs();
    await app.advance({ days: 1 });
    const { id: orderId } = await app.db
      .selectFrom('orders')
      .where('eventId', '=', event.eventId)
      .select('id')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const opened = { stripeDisputeId: 'du_race', cents: 80_00, feeCents: 15_00, reason: 'general' } as const;

    const { pending } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', event.eventId).select('id').forNoKeyUpdate().execute();
      const paying = sendWaitingPayouts(app.deps);
      await app.untilBlocked(1);
      const disputing = applyDisputes(
        app.deps,
        { eventId: event.eventId, orderId },
        { disputes: [{ ...opened, state: 'open' }] },
      );
      await app.untilBlocked(2);
      return { pending: [paying, disputing] };
    });
    await Promise.all(pending);
    await app.restartJobs();

    const [reserve] = await app.db
      .selectFrom('payoutReserves')
      .where('eventId', '=', event.eventId)
      .select(['paidBy', 'takenCents'])
      .execute();
    expect(reserve).toMatchObject({ paidBy: expect.any(String), takenCents: 0 });
    expect(await reversalRows(event)).toMatchObject([{ reserveCents: 0, payoutId: reserve?.paidBy }]);
  });
});

/** Pays the whole balance of the account out to the organizer's bank. */
async function emptyAccountOf({ eventId }: Event): Promise<void> {
  const { accountId: stripeAccount } = await app.db
    .selectFrom('payouts')
    .where('eventId', '=', eventId)
    .select('accountId')
    .executeTakeFirstOrThrow();
  const { available } = await stripeOf(app).balance.retrieve({}, { stripeAccount });
  const amount = available[0]?.amount ?? 0;
  if (amount > 0) await stripeOf(app).payouts.create({ amount, currency: 'usd' }, { stripeAccount });
}
