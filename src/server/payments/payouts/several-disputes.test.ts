/** Several disputes of one order, as a bank could open them. The sandbox opens one, so these are only in our books. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestPayout } from '#contract/app/payouts.ts';
import { applyDisputes } from '#server/payments/disputes/apply-disputes.ts';
import { balancesOf, fillBalance } from '#tests/support/disputes.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { openPayout } from '#tests/support/money.ts';
import { buyTickets, eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sendWaitingPayouts } from './send-payout.ts';
import { sendWaitingReversals } from './send-reversal.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await fillBalance(app);
});
afterAll(() => app.close());

const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 100 }];
const TICKET_FEES = 3_10;

/** Two seats for $80, paid out together with another order, which pays the processing fee. */
async function paidOutOrder() {
  const event = await eventOnSale(app, { tickets });
  for (const quantity of [1, 2]) await buyTickets(app, event.eventId, [{ ticketName: 'Seat', quantity }]);
  await app.settle();
  await openPayout(app, event);
  expectOk(await event.visitor.call(requestPayout, { eventId: event.eventId }));
  await app.settle();
  const { rows } = await sql<{
    id: string;
  }>`select id from orders where event_id = ${event.eventId} and total_cents = 8000`.execute(app.db);
  return { eventId: event.eventId, orderId: rows[0]?.id ?? '' };
}

type Order = Awaited<ReturnType<typeof paidOutOrder>>;

async function dispute(order: Order, name: string, cents: number, state: 'open' | 'won' | 'lost') {
  const stripeDisputeId = `du_${name}_${order.orderId}`;
  await applyDisputes(app.deps, order, {
    disputes: [{ stripeDisputeId, cents, feeCents: 15_00, state, reason: 'fraudulent' }],
  });
  await app.settle();
  await sendWaitingReversals(app.deps);
  await sendWaitingPayouts(app.deps);
}

async function endOf({ eventId }: Order) {
  await app.advance({ hours: 2 });
  await sendWaitingPayouts(app.deps);
  const payouts = await app.db
    .selectFrom('payouts')
    .where('eventId', '=', eventId)
    .select('cents')
    .orderBy('seq')
    .execute();
  const stuck = (await brokenInvariants(app.db)).filter((line) => line.startsWith('ended-disputes'));
  return {
    returned: payouts.slice(1).map(({ cents }) => cents),
    stuck,
    left: (await balancesOf(app, eventId))['organizer-payable'],
  };
}

it('A lost dispute takes what another one reversed, and a win returns the rest', async () => {
  const order = await paidOutOrder();
  await dispute(order, 'one', 80_00, 'open');
  await dispute(order, 'other', 40_00, 'open');
  await dispute(order, 'one', 80_00, 'won');
  await dispute(order, 'other', 40_00, 'lost');

  expect(await endOf(order)).toEqual({ returned: [40_00 - TICKET_FEES], stuck: [], left: undefined });
});

it('A lost dispute takes what it reversed itself first', async () => {
  const order = await paidOutOrder();
  await dispute(order, 'one', 30_00, 'open');
  await dispute(order, 'other', 30_00, 'open');
  await dispute(order, 'one', 30_00, 'lost');
  await dispute(order, 'other', 30_00, 'won');

  expect(await endOf(order)).toEqual({ returned: [30_00], stuck: [], left: undefined });
});
