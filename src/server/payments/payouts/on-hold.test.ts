import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { recordReversal } from '#server/ledger/record-movements.ts';
import { applyDisputes } from '#server/payments/disputes/apply-disputes.ts';
import { newId } from '#server/platform/ids.ts';
import type { ProcessorDispute } from '#server/platform/ports/payment-processor.ts';
import { organizerOf } from '#tests/support/actor-of.ts';
import {
  balancesOf,
  decideDispute,
  disputePayment,
  fillBalance,
  moneyErrorsExceptWebhooks,
} from '#tests/support/disputes.ts';
import { ledgerOf, movementsAtStripe, openPayout, settlementOf, stripeOf } from '#tests/support/money.ts';
import { buyTickets, eventForm, eventOnSale, logInAgain, takeFreeTickets } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sendWaitingPayouts } from './send-payout.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await fillBalance(app);
});
afterAll(() => app.close());

const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 100 }];
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

type Event = Awaited<ReturnType<typeof soldEvent>>;

/** One order per quantity. */
async function soldEvent(...quantities: number[]) {
  const event = await eventOnSale(app, { tickets });
  for (const quantity of quantities) await buyTickets(app, event.eventId, seats(quantity));
  await app.settle();
  return event;
}

const request = ({ visitor, eventId }: Pick<Event, 'visitor' | 'eventId'>) => visitor.call(requestPayout, { eventId });
const payoutsOf = ({ eventId }: { eventId: string }) =>
  app.db.selectFrom('payouts').where('eventId', '=', eventId).selectAll().orderBy('seq').execute();

async function shownPayout({ visitor, eventId }: Pick<Event, 'visitor' | 'eventId'>) {
  const { body } = await visitor.call(profile, {});
  return body.events.find((event) => event.eventId === eventId)?.payout;
}

async function firstOrderOf({ eventId }: Event) {
  const orders = await app.db.selectFrom('orders').where('eventId', '=', eventId).selectAll().orderBy('id').execute();
  return { eventId, orderId: orders[0]?.id ?? '', paymentId: orders[0]?.paymentId ?? '' };
}

const reading = (change: Partial<ProcessorDispute>) => ({
  disputes: [
    { stripeDisputeId: 'du_1', cents: 80_00, feeCents: 15_00, state: 'open' as const, reason: 'general', ...change },
  ],
});

describe('a Stripe dashboard refund', () => {
  it('of part of a payment is deducted before the payout and reversed without fees after it', async () => {
    const event = await soldEvent(2, 1);
    const { paymentId } = await firstOrderOf(event);
    await stripeOf(app).refunds.create({ payment_intent: paymentId, amount: 5_00 });
    await app.settle();
    await openPayout(app, event);
    // $120 minus $5, 3 x $1.55 and $15.
    expect(await request(event)).toMatchObject({ status: 200, body: { totalPayout: 95.35 } });
    await stripeOf(app).refunds.create({ payment_intent: paymentId, amount: 7_00 });
    await app.settle();

    const transfer_reversals = await app.db
      .selectFrom('transferReversals')
      .where('eventId', '=', event.eventId)
      .selectAll()
      .execute();
    expect(transfer_reversals).toMatchObject([{ state: 'reversed', grossCents: 7_00, feesCents: 0, reserveCents: 0 }]);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});

describe('a dispute before the payout', () => {
  it('puts its tickets on hold and pays them automatically once won', async () => {
    const event = await soldEvent(2, 1);
    const disputeId = await disputePayment(app, event.eventId, { which: 0 });
    await openPayout(app, event);
    const before = await shownPayout(event);
    expect(before?.statement).toMatchObject({
      ticketsSold: 3,
      gross: 120,
      ticketsOnHold: 2,
      onHold: 80,
      paidTickets: 1,
      ticketFees: 1.55,
      net: 23.45,
    });

    expect(await request(event)).toMatchObject({ status: 200, body: { totalPayout: 23.45 } });
    expect((await shownPayout(event))?.statement).toEqual(before?.statement);
    expect(await ledgerOf(app, event.eventId, 'payout')).toEqual([
      'payout organizer-payable 4000',
      'payout platform-fees -1655',
      'payout processor -2345',
    ]);

    await decideDispute(app, disputeId, 'won');
    expect(await payoutsOf(event)).toMatchObject([
      { seq: 1, cents: 23_45 },
      { seq: 2, cents: 76_90, state: 'paid' },
    ]);
    expect((await shownPayout(event))?.further).toMatchObject([
      { state: 'paid', statement: { paidTickets: 2, gross: 80, ticketFees: 3.1, processingFee: 0, net: 76.9 } },
    ]);
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(2);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('keeps the statement adding up from the ticket count of the guest list', async () => {
    const free = { ticketName: 'Friend', ticketDescription: 'x', ticketPrice: 0, ticketQuantity: 10 };
    const event = await eventOnSale(app, { tickets: [...tickets, free] });
    await buyTickets(app, event.eventId, seats(2));
    await buyTickets(app, event.eventId, seats(3));
    await takeFreeTickets(app, event.eventId, [{ ticketName: 'Friend', quantity: 4 }]);
    await app.settle();
    await disputePayment(app, event.eventId, { which: 0 });

    const { body } = await event.visitor.call(profile, {});
    const [shown] = body.events;
    expect(shown).toMatchObject({ ticketsSold: 9, gross: 200 });
    expect(shown?.payout.statement).toMatchObject({
      ticketsSold: 9,
      gross: 200,
      ticketsOnHold: 2,
      onHold: 80,
      paidTickets: 3,
      ticketFees: 4.65,
      processingFee: 15,
      net: 200 - 80 - 4.65 - 15,
    });
  });

  it('leaves nothing to pay once lost', async () => {
    const event = await soldEvent(2, 1);
    const disputeId = await disputePayment(app, event.eventId, { which: 0 });
    await openPayout(app, event);
    await request(event);
    await decideDispute(app, disputeId, 'lost');

    expect(await payoutsOf(event)).toHaveLength(1);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('over part of a payment is deducted once lost, before and after the payout', async () => {
    const early = await soldEvent(2);
    const earlyOrder = await firstOrderOf(early);
    await applyDisputes(app.deps, earlyOrder, reading({ cents: 10_00 }));
    await applyDisputes(app.deps, earlyOrder, reading({ cents: 10_00, state: 'lost' }));
    const late = await soldEvent(2, 1);
    const lateOrder = await firstOrderOf(late);
    await applyDisputes(app.deps, lateOrder, reading({ stripeDisputeId: 'du_2', cents: 10_00 }));
    await openPayout(app, late);
    await logInAgain(early);

    // $80 minus $10, 2 x $1.55 and $15.
    expect(await request(early)).toMatchObject({ status: 200, body: { totalPayout: 51.9 } });
    expect((await shownPayout(early))?.statement).toMatchObject({ gross: 80, deducted: 10, net: 51.9 });
    expect(await request(late)).toMatchObject({ status: 200, body: { totalPayout: 23.45 } });
    await applyDisputes(app.deps, lateOrder, reading({ stripeDisputeId: 'du_2', cents: 10_00, state: 'lost' }));
    await sendWaitingPayouts(app.deps);

    expect((await payoutsOf(late))[1]).toMatchObject({ seq: 2, cents: 66_90, state: 'paid' });
    for (const { eventId } of [early, late]) {
      expect(await balancesOf(app, eventId)).not.toHaveProperty('organizer-payable');
    }
  });

  it('keeps an order on hold when it is the second one over it', async () => {
    const event = await soldEvent(2, 1);
    const order = await firstOrderOf(event);
    const reportDispute = (stripeDisputeId: string, state: 'open' | 'won') =>
      applyDisputes(app.deps, order, reading({ stripeDisputeId, state, cents: 40_00 }));
    await reportDispute('du_5', 'open');
    await openPayout(app, event);
    await request(event);

    await reportDispute('du_6', 'open');
    await reportDispute('du_5', 'won');
    const transfer_reversals = app.db.selectFrom('transferReversals').where('eventId', '=', event.eventId).selectAll();
    expect(await transfer_reversals.execute()).toEqual([]);
    expect(await payoutsOf(event)).toHaveLength(1);
    await reportDispute('du_6', 'won');

    expect(await payoutsOf(event)).toMatchObject([{ cents: 23_45 }, { seq: 2, cents: 76_90 }]);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('disputed');
  });

  it('over all sales denies the payout', async () => {
    const event = await soldEvent(1);
    await disputePayment(app, event.eventId);
    await openPayout(app, event);

    expect(await request(event)).toMatchObject({ status: 409, body: { code: 'payout.all-disputed' } });
    expect(await shownPayout(event)).toMatchObject({ state: 'nothing-to-pay', statement: { onHold: 40 } });
  });

  it('opened during the payout is either left out of it or reversed after it', async () => {
    const event = await soldEvent(2, 1);
    const order = await firstOrderOf(event);
    await openPayout(app, event);
    const open = () => applyDisputes(app.deps, order, reading({ stripeDisputeId: 'du_3' }));
    const ask = async () => void (await request(event));
    await raceFor(app, 'events', event.eventId, [open, ask]);
    expect(await payoutsOf(event)).toMatchObject([{ cents: 23_45 }]);

    const other = await soldEvent(2, 1);
    const otherOrder = await firstOrderOf(other);
    await openPayout(app, other);
    const openOther = () => applyDisputes(app.deps, otherOrder, reading({ stripeDisputeId: 'du_4' }));
    await raceFor(app, 'events', other.eventId, [async () => void (await request(other)), openOther]);
    await app.settle();

    expect(await payoutsOf(other)).toMatchObject([{ cents: 100_35 }]);
    const transfer_reversals = await app.db
      .selectFrom('transferReversals')
      .where('eventId', '=', other.eventId)
      .selectAll()
      .execute();
    expect(transfer_reversals).toMatchObject([{ grossCents: 80_00, feesCents: 3_10, reserveCents: 0 }]);
  });
});

describe('a debt', () => {
  it('is deducted once when two payouts are requested at the same time', async () => {
    const event = await soldEvent(2, 1);
    const { body } = await event.visitor.call(createEvent, eventForm(app, { tickets }));
    const other = { ...event, ...body };
    await buyTickets(app, other.eventId, seats(3));
    await app.settle();
    const opens = await settlementOf(app, other.eventId);
    await openPayout(app, (await settlementOf(app, event.eventId)) > opens ? event : other);
    const { organizationId } = await organizerOf(app.db, event.eventId);
    const debt = await addDebt(event, 30_00);

    const asked = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const asked = [request(event), request(other)];
      await app.untilBlocked(2);
      return { asked };
    });
    const replies = await Promise.all(asked.asked);

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const deducted = [...(await payoutsOf(event)), ...(await payoutsOf(other))].map(
      (one) => one.statement.debtDeductedCents,
    );
    expect(deducted.sort((a, b) => a - b)).toEqual([0, debt]);
  });
});

/** Adds the debt that a failed transfer reversal leaves. */
async function addDebt({ eventId }: Event, cents: number): Promise<number> {
  const { organizationId } = await organizerOf(app.db, eventId);
  const past = await eventOnSale(app);
  await app.db.updateTable('events').set({ organizationId }).where('id', '=', past.eventId).execute();
  const movement = {
    eventId: past.eventId,
    subjectId: newId(),
    grossCents: cents,
    feesCents: 0,
    reserveCents: 0,
    at: app.now(),
  };
  await app.db.transaction().execute((tx) => recordReversal(tx, movement, 'receivables'));
  return cents;
}
