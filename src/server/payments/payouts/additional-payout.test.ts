/** Races with recording a payout. Each race is held open by locking a table that one side reads. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { applyDisputes } from '#server/payments/disputes/apply-disputes.ts';
import { newId } from '#server/platform/ids.ts';
import { plantLedger } from '#tests/support/action-items.ts';
import { organizerOf } from '#tests/support/actor-of.ts';
import { balancesOf, fillBalance, moneyErrorsExceptWebhooks } from '#tests/support/disputes.ts';
import { clearFaults, movementsAtStripe, openPayout, planFault, settlementOf } from '#tests/support/money.ts';
import { buyTickets, eventForm, eventOnSale } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { outstandingDebt } from './debts.ts';
import { sendPayout, sendWaitingPayouts } from './send-payout.ts';

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

const payoutsOf = ({ eventId }: { eventId: string }) =>
  app.db.selectFrom('payouts').where('eventId', '=', eventId).selectAll().orderBy('seq').execute();

/** The payout is claimed, but its transfer fails. */
async function requestWithFailedTransfer({ visitor, eventId }: Pick<Event, 'visitor' | 'eventId'>) {
  await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'drop_before', times: 30 });
  await visitor.call(requestPayout, { eventId });
  await clearFaults(app);
  const payouts = await payoutsOf({ eventId });
  expect(payouts).toMatchObject([{ state: 'requested' }]);
  return { eventId, payoutId: payouts[0]?.id ?? '' };
}

/** The first order is disputed before the payout, so the payout leaves it out. */
async function disputedEvent(stripeDisputeId: string) {
  const event = await soldEvent(2, 1);
  const { id: orderId } = await app.db
    .selectFrom('orders')
    .where('eventId', '=', event.eventId)
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const dispute = { stripeDisputeId, cents: 80_00, feeCents: 15_00, reason: 'general' };
  const reportDispute = (state: 'open' | 'won') =>
    applyDisputes(app.deps, { eventId: event.eventId, orderId }, { disputes: [{ ...dispute, state }] });
  await reportDispute('open');
  await openPayout(app, event);
  return { event, reportDispute };
}

describe('recording a payout at the same time', () => {
  it('neither loses nor reduces the additional payout', async () => {
    const { event, reportDispute } = await disputedEvent('du_1');
    const ref = await requestWithFailedTransfer(event);

    const both = await app.db.transaction().execute(async (tx) => {
      // By then, closing the dispute has read the payouts, but not the deductions.
      await sql`lock table refunds in access exclusive mode`.execute(tx);
      const won = reportDispute('won');
      await app.untilBlocked(1);
      const sent = sendPayout(app.deps, ref);
      await Promise.race([sent, app.untilBlocked(2)]);
      return [won, sent];
    });
    await Promise.all(both);
    await app.settle();

    expect(await payoutsOf(event)).toMatchObject([
      { seq: 1, state: 'paid', cents: 23_45 },
      { seq: 2, state: 'paid', cents: 76_90 },
    ]);
    expect(await balancesOf(app, event.eventId)).not.toHaveProperty('organizer-payable');
  });

  it('counts a debt once, as owed or as deducted', async () => {
    const event = await soldEvent(1);
    const { body } = await event.visitor.call(createEvent, eventForm(app, { tickets }));
    await buyTickets(app, body.eventId, seats(1));
    await app.settle();
    const other = { ...event, ...body };
    const isLater = (await settlementOf(app, event.eventId)) > (await settlementOf(app, other.eventId));
    await openPayout(app, isLater ? event : other);
    const { organizationId } = await organizerOf(app.db, event.eventId);
    const owed = { receivables: 20_00, operator: -20_00 };
    await plantLedger(app.db, {
      ...other,
      subjectId: newId(),
      kind: 'transfer-reversal',
      at: app.now(),
      entries: owed,
    });
    const ref = await requestWithFailedTransfer(event);
    expect((await payoutsOf(event))[0]?.statement).toMatchObject({ debtDeductedCents: 20_00 });

    const { debt } = await app.db.transaction().execute(async (tx) => {
      // Another process records the payout while this one reads the debt.
      await sql`lock table payouts in access exclusive mode`.execute(tx);
      const debt = outstandingDebt(app.deps.db, organizationId);
      await app.untilBlocked(1);
      await sql`update payouts set state = 'paid', paid_at = now(), transfer_id = 'tr_1' where id = ${ref.payoutId}`.execute(
        tx,
      );
      const deduction = { receivables: -20_00, operator: 20_00 };
      await plantLedger(tx, { ...event, subjectId: ref.payoutId, kind: 'payout', at: app.now(), entries: deduction });
      return { debt };
    });

    expect(await debt).toBe(0);
  });
});

describe('an additional payout that could not be claimed', () => {
  it('is claimed by the next run and sent once', async () => {
    const { event, reportDispute } = await disputedEvent('du_2');
    await event.visitor.call(requestPayout, { eventId: event.eventId });
    const plant = (cents: number) =>
      plantLedger(app.db, {
        ...event,
        subjectId: newId(),
        kind: 'owed-paid',
        at: app.now(),
        entries: { 'organizer-payable': cents, operator: -cents },
      });
    await plant(50_00);
    await reportDispute('won');
    await sendWaitingPayouts(app.deps);
    const refused = await payoutsOf(event);
    await plant(-50_00);

    await Promise.all([sendWaitingPayouts(app.deps), sendWaitingPayouts(app.deps)]);
    await app.settle();

    expect(refused).toHaveLength(1);
    expect(await payoutsOf(event)).toMatchObject([{ seq: 1 }, { seq: 2, state: 'paid', cents: 76_90 }]);
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(2);
    expect((await moneyErrorsExceptWebhooks(app)).filter((problem) => problem.includes(event.eventId))).toEqual([]);
  });
});
