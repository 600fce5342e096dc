/** The first payout of an organization, delayed and capped by settings. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { deleteAccount } from '#contract/app/privacy.ts';
import { sendPayout, sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { newId } from '#server/platform/ids.ts';
import { plantLedger } from '#tests/support/action-items.ts';
import { organizerOf } from '#tests/support/actor-of.ts';
import { balancesOf, disputePayment, fillBalance, moneyErrorsExceptWebhooks } from '#tests/support/disputes.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { ledgerOf, movementsAtStripe, openPayout } from '#tests/support/money.ts';
import { buyTickets, emailsTo, eventForm, eventOnSale, expectOk, logInAgain, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const DELAY_DAYS = 3;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ payoutBrakes: { firstDelayDays: DELAY_DAYS, firstCapCents: 60_00 } });
  await fillBalance(app);
});
afterAll(() => app.close());

const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 100 }];
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

type Event = Awaited<ReturnType<typeof soldEvent>>;

/** 3 x $40 minus 3 x $1.55 and $15: $100.35. */
async function soldEvent() {
  const event = await eventOnSale(app, { tickets });
  await buyTickets(app, event.eventId, seats(2));
  await buyTickets(app, event.eventId, seats(1));
  await app.settle();
  await openPayout(app, event);
  return event;
}

/** The organization's next event. */
async function nextEvent(event: Event): Promise<Event> {
  await logInAgain(event);
  const { body } = await event.visitor.call(createEvent, eventForm(app, { tickets }));
  await buyTickets(app, body.eventId, seats(3));
  await app.settle();
  const next = { ...event, ...body };
  await openPayout(app, next);
  return next;
}

const request = ({ visitor, eventId }: Event) => visitor.call(requestPayout, { eventId });
const payoutsOf = ({ eventId }: Event) =>
  app.db.selectFrom('payouts').where('eventId', '=', eventId).selectAll().orderBy('seq').execute();

async function shownPayout(event: Event) {
  await logInAgain(event);
  const { events } = expectOk(await event.visitor.call(profile, {}));
  return events.find(({ eventId }) => eventId === event.eventId)?.payout;
}

async function pass(days: number) {
  await app.advance({ days });
  await sendWaitingPayouts(app.deps);
  await app.settle();
}

const sentOf = async ({ eventId }: Event) =>
  (await payoutsOf({ eventId } as Event)).map(({ state, cents }) => [state, cents]);

describe('the first payout of an organization', () => {
  it('is sent days later up to its cap, and the rest two weeks after that [BRAKE-3]', async () => {
    const event = await soldEvent();
    expect((await shownPayout(event))?.statement).toMatchObject({ held: [{ kind: 'rest', amount: 40.35 }], net: 60 });

    expect(await request(event)).toMatchObject({ status: 200, body: { totalPayout: 60 } });
    const [payout] = await payoutsOf(event);
    await sendPayout(app.deps, { eventId: event.eventId, payoutId: payout?.id ?? '' });
    await pass(DELAY_DAYS - 1);
    expect(await sentOf(event)).toEqual([['requested', 60_00]]);
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toEqual([]);
    expect((await shownPayout(event))?.sendsAt).toBe(payout?.sendAfter?.toISOString());

    await pass(1);
    expect(await sentOf(event)).toEqual([['paid', 60_00]]);
    expect(await ledgerOf(app, event.eventId, 'payout')).toEqual([
      'payout organizer-payable 7965',
      'payout platform-fees -1965',
      'payout processor -6000',
    ]);
    await pass(13);
    expect(await sentOf(event)).toEqual([['paid', 60_00]]);

    await pass(1);
    expect(await sentOf(event)).toEqual([
      ['paid', 60_00],
      ['paid', 40_35],
    ]);
    await sendWaitingPayouts(app.deps);
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(2);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
    expect((await shownPayout(event))?.further).toMatchObject([
      { state: 'paid', statement: { released: 'rest', ticketFees: 0, processingFee: 0, net: 40.35 } },
    ]);
    expect((await emailsTo(app, event.email))[0]?.text).toContain('The rest of your first payout: $40.35.');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('is the only one: the next event is paid at once, in full [BRAKE-3]', async () => {
    const event = await soldEvent();
    expectOk(await request(event));

    const next = await nextEvent(event);

    expect(await request(next)).toMatchObject({ status: 200, body: { totalPayout: 100.35 } });
    expect(await sentOf(next)).toEqual([['paid', 100_35]]);
  });

  it('is one of two requested at once [BRAKE-3]', async () => {
    const one = await soldEvent();
    const other = await nextEvent(one);

    const { organizationId } = await organizerOf(app.db, one.eventId);

    const { pending } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forNoKeyUpdate().execute();
      const pending = [request(one), request(other)];
      await app.untilBlocked(2);
      return { pending };
    });

    const amounts = (await Promise.all(pending)).map((answer) => expectOk(answer).totalPayout);
    expect(amounts.sort((a, b) => a - b)).toEqual([60, 100.35]);
  });

  it('keeps its account from being deleted until all is paid [BRAKE-3]', async () => {
    const event = await soldEvent();
    expectOk(await request(event));
    await pass(DELAY_DAYS);
    await logInAgain(event);

    const refused = await event.visitor.call(deleteAccount, { password: PASSWORD });

    expect(refused).toMatchObject({ status: 409, body: errorBody('deletion.payout-under-way') });
  });

  it('pays the rest less a debt [BRAKE-3]', async () => {
    const event = await soldEvent();
    expectOk(await request(event));
    await pass(DELAY_DAYS);
    const owed = { receivables: 20_00, operator: -20_00 };
    const debt = {
      eventId: event.eventId,
      subjectId: newId(),
      kind: 'transfer-reversal',
      at: app.now(),
      entries: owed,
    };
    await plantLedger(app.db, debt);

    await pass(14);

    expect(await sentOf(event)).toEqual([
      ['paid', 60_00],
      ['paid', 20_35],
    ]);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('receivables');
  });

  it('pays no rest that a dispute took, and reverses what it lacks [BRAKE-3 BRAKE-4]', async () => {
    const event = await soldEvent();
    expectOk(await request(event));
    await pass(DELAY_DAYS);
    // Two seats of the order, less their fees: $76.90.
    await disputePayment(app, event.eventId, { which: 0 });
    await app.settle();
    await pass(14);

    expect(await sentOf(event)).toEqual([['paid', 60_00]]);
    const reversals = app.db.selectFrom('transferReversals').where('eventId', '=', event.eventId).selectAll();
    expect(await reversals.execute()).toMatchObject([{ state: 'reversed', reserveCents: 40_35 }]);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});
