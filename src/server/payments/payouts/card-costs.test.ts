/** Stripe's fees on refunds, where the organizer bears them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { cancelEvent, createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { deleteAccount } from '#contract/app/privacy.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { settlePayment } from '#server/payments/reconciliation/settle-payment.ts';
import { chargeEarlierRefundCosts } from '#server/payments/refunds/refund-costs.ts';
import { balancesOf, fillBalance, moneyErrorsExceptWebhooks } from '#tests/support/disputes.ts';
import { ledgerOf, openPayout, paymentOf, stripeOf } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventForm, eventOnSale, expectOk, logInAgain, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ refundCosts: 'organizer' });
  await fillBalance(app);
});
afterAll(() => app.close());

const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 100 }];
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

type Event = Awaited<ReturnType<typeof eventOnSale>>;

/** Three tickets for $120.00, on which Stripe's fee is $3.78. */
async function soldEvent() {
  const event = await eventOnSale(app, { tickets });
  const codes = codesOf(await buyTickets(app, event.eventId, seats(3)));
  await app.settle();
  return { ...event, codes };
}

async function refund({ eventId }: Pick<Event, 'eventId'>, confirmationCode = '') {
  expectOk(await app.call(requestRefund, { eventId, confirmationCode }));
  await app.settle();
}

async function shownEvent(event: Event) {
  await logInAgain(event);
  const { events } = expectOk(await event.visitor.call(profile, {}));
  return events.find(({ eventId }) => eventId === event.eventId);
}

/** As if Stripe had not reported it yet. */
async function forgetFee(eventId: string): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = 'replica'`.execute(tx);
    await tx.deleteFrom('ledgerEntries').where('eventId', '=', eventId).where('kind', '=', 'card-fee').execute();
  });
}

const payOut = ({ visitor, eventId }: Event) => visitor.call(requestPayout, { eventId });
const debtOf = async ({ eventId }: Pick<Event, 'eventId'>) => (await balancesOf(app, eventId))['receivables'];

describe('refunds of an event whose organizer bears their card costs', () => {
  it('cost the payout a third of the fee for a third of the payment [POLICY-8]', async () => {
    const event = await soldEvent();
    await refund(event, event.codes[0]);
    await openPayout(app, event);

    // 2 x $40 - 2 x $1.55 - $15 - $1.26
    expect((await shownEvent(event))?.payout.statement).toMatchObject({ refundCosts: 1.26, net: 60.64 });
    expect(await payOut(event)).toMatchObject({ status: 200, body: { totalPayout: 60.64 } });

    expect(await ledgerOf(app, event.eventId, 'refund-costs')).toEqual([
      'refund-costs card-fees -126',
      'refund-costs organizer-payable 126',
    ]);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('made in the Stripe dashboard cost nothing [POLICY-8]', async () => {
    const event = await soldEvent();
    await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, event.eventId), amount: 40_00 });
    await app.settle();
    await openPayout(app, event);

    expect((await shownEvent(event))?.payout.statement).toMatchObject({ deducted: 40, refundCosts: 0 });
  });

  it('keep the terms that the event was created under [POLICY-8]', async () => {
    const bearing = await soldEvent();
    app.deps.refundCosts = 'platform';
    try {
      const other = await soldEvent();
      for (const event of [bearing, other]) await refund(event, event.codes[0]);

      expect((await shownEvent(bearing))?.payout.statement).toMatchObject({ refundCosts: 1.26 });
      expect((await shownEvent(other))?.payout).toMatchObject({ statement: { refundCosts: 0 }, cancelCosts: 0 });
    } finally {
      app.deps.refundCosts = 'organizer';
    }
  });
});

describe('a cancelled event whose organizer bears the card costs', () => {
  it('leaves a debt of the whole fees, for refunds before and after, that the next payout covers [POLICY-8]', async () => {
    const event = await soldEvent();
    // Nothing of it is left to refund when the event is cancelled. Its fee is $1.46.
    const [only] = codesOf(await buyTickets(app, event.eventId, seats(1)));
    await app.settle();
    for (const code of [event.codes[0], only]) await refund(event, code);
    expect((await shownEvent(event))?.payout).toMatchObject({ cancelCosts: 5.24 });
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    await app.settle();
    expect(await debtOf(event)).toBe(5_24);
    await chargeEarlierRefundCosts(app.deps, event.eventId);
    expect(await debtOf(event)).toBe(5_24);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('card-fees');

    const { body } = await event.visitor.call(createEvent, eventForm(app, { tickets }));
    const next = { ...event, ...body };
    await buyTickets(app, next.eventId, seats(3));
    await app.settle();
    await openPayout(app, next);
    // 3 x $40 - 3 x $1.55 - $15 - $5.24
    expect(await payOut(next)).toMatchObject({ status: 200, body: { totalPayout: 95.11 } });
    expect((await shownEvent(next))?.payout.statement).toMatchObject({ debtDeducted: 5.24 });
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('is charged for a fee that Stripe reports after the refunds [POLICY-8]', async () => {
    const event = await soldEvent();
    await forgetFee(event.eventId);
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    await app.settle();
    expect(await debtOf(event)).toBeUndefined();

    await settlePayment(app.deps, await paymentOf(app, event.eventId));
    expect(await debtOf(event)).toBe(3_78);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('leaves a debt that does not keep its organizer from deleting the account [POLICY-8]', async () => {
    const event = await soldEvent();
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    await app.settle();
    await app.advance({ days: 1 });
    await logInAgain(event);

    expect(await debtOf(event)).toBe(3_78);
    expect(await event.visitor.call(deleteAccount, { password: PASSWORD })).toMatchObject({ status: 200 });
  });
});
