/**
 * A call that moves money is still in flight while another attempt for the same purpose fails. While the outcome of the
 * first is unknown, no call uses another key.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { sendPayout } from '#server/payments/payouts/send-payout.ts';
import { sendReversal } from '#server/payments/payouts/send-reversal.ts';
import { sendRefund } from '#server/payments/refunds/send-refund.ts';
import { disputePayment, fillBalance, moneyErrorsExceptWebhooks } from '#tests/support/disputes.ts';
import { clearFaults, movementsAtStripe, openPayout, planFault, stripeOf } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

/** Long enough for the other attempts to finish; shorter than the client's timeout. */
const IN_FLIGHT_MS = 5_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await fillBalance(app);
});
afterAll(() => app.close());

async function soldEvent({ orders = 1 } = {}) {
  const event = await eventOnSale(app);
  const cart = [{ ticketName: 'General admission', quantity: 2 }];
  const order = await buyTickets(app, event.eventId, cart);
  for (let further = 1; further < orders; further++) await buyTickets(app, event.eventId, cart);
  await app.settle();
  return { ...event, code: codesOf(order)[0] ?? '' };
}

const plannedCalls = z.object({ calls: z.array(z.unknown()) });

async function untilInFlight(): Promise<void> {
  await expect
    .poll(async () => {
      const reply = await fetch(`${app.sandboxUrl}/_sandbox/faults`);
      return plannedCalls.parse(await reply.json()).calls;
    })
    .toEqual([]);
}

/** Delays the first caller's call; meanwhile the second caller's calls fail, and a third caller comes. */
async function overtake(path: string, { first, again }: Record<'first' | 'again', () => Promise<unknown>>) {
  const call = { method: 'POST', path };
  await planFault(app, { match: call, mode: 'slow', ms: IN_FLIGHT_MS });
  const late = first();
  await untilInFlight();
  await planFault(app, { match: call, mode: 'error_before', times: 10 });
  await expect(again()).rejects.toThrow();
  await clearFaults(app);
  await again();
  await late;
}

it('pays an organizer once', async () => {
  const event = await soldEvent();
  await openPayout(app, event);
  const again = async () => {
    const { id } = await rowOf('payouts', event.eventId);
    await sendPayout(app.deps, { eventId: event.eventId, payoutId: id });
  };

  await overtake('/v1/transfers', { first: () => event.visitor.call(requestPayout, event), again });

  expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(1);
  expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
});

it('refunds a buyer once', async () => {
  const { eventId, code } = await soldEvent();
  const again = async () => {
    const { id } = await rowOf('refunds', eventId);
    await sendRefund(app.deps, { eventId, refundId: id });
  };

  const first = () => app.call(requestRefund, { eventId, confirmationCode: code });
  await overtake('/v1/refunds', { first, again });

  expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
  expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
});

it("reverses an organizer's transfer once", async () => {
  const event = await soldEvent({ orders: 3 });
  await openPayout(app, event);
  await event.visitor.call(requestPayout, event);
  const [transfer] = await movementsAtStripe(app, 'transfer', event.eventId);
  await planFault(app, { match: { method: 'POST', path: '/v1/transfers/*' }, mode: 'drop_before', times: 1_000 });
  await disputePayment(app, event.eventId);
  // No attempt of the job, which has failed, comes in between.
  await app.endJobs();
  await clearFaults(app);
  const { id } = await rowOf('transferReversals', event.eventId);
  const again = () => sendReversal(app.deps, { eventId: event.eventId, reversalId: id });

  await overtake('/v1/transfers/*', { first: again, again });
  await app.restartJobs();

  expect((await stripeOf(app).transfers.listReversals(transfer?.id ?? '')).data).toHaveLength(1);
  expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
});

const rowOf = (table: 'payouts' | 'refunds' | 'transferReversals', eventId: string) =>
  app.db.selectFrom(table).where('eventId', '=', eventId).select('id').executeTakeFirstOrThrow();
