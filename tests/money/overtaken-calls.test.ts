/**
 * A call that moves money is still on its way while another one for the same is answered with an error: for as long as
 * nobody knows what becomes of the first, nothing is asked for under another key.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { requestPayout } from '#contract/payouts.ts';
import { requestRefund } from '#contract/refunds.ts';
import { sendRecovery } from '#server/disputes/send-recovery.ts';
import { sendPayout } from '#server/payouts/send-payout.ts';
import { sendRefund } from '#server/refunds/send-refund.ts';
import { disputePayment, fillBalance, whatIsWrong } from '#tests/support/disputes.ts';
import { clearFaults, movedByProcessor, openPayout, planFault, stripeOf } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale } from '#tests/support/people.ts';
import { openWorld, type World } from '#tests/support/world.ts';

/** Long enough for the others to come and go; shorter than a caller's patience. */
const ON_ITS_WAY_MS = 2_500;
const TIMEOUT_MS = 30_000;

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await fillBalance(world);
});
afterAll(() => world.close());

async function soldEvent({ orders = 1 } = {}) {
  const event = await eventOnSale(world);
  const cart = [{ ticketName: 'General admission', quantity: 2 }];
  const order = await buyTickets(world, event.eventId, cart);
  for (let further = 1; further < orders; further++) await buyTickets(world, event.eventId, cart);
  await world.settle();
  return { ...event, code: codesOf(order)[0] ?? '' };
}

const plannedCalls = z.object({ calls: z.array(z.unknown()) });

async function untilOnItsWay(): Promise<void> {
  await expect
    .poll(async () => {
      const reply = await fetch(`${world.sandboxUrl}/_sandbox/faults`);
      return plannedCalls.parse(await reply.json()).calls;
    })
    .toEqual([]);
}

/** The first caller's call arrives late; meanwhile the second hears an error, whatever it tries, and a third comes. */
async function overtake(path: string, { first, again }: Record<'first' | 'again', () => Promise<unknown>>) {
  const call = { method: 'POST', path };
  await planFault(world, { match: call, mode: 'slow', ms: ON_ITS_WAY_MS });
  const late = first();
  await untilOnItsWay();
  await planFault(world, { match: call, mode: 'error_before', times: 10 });
  await expect(again()).rejects.toThrow();
  await clearFaults(world);
  await again();
  await late;
}

it('an organizer is paid once', { timeout: TIMEOUT_MS }, async () => {
  const event = await soldEvent();
  await openPayout(world, event);
  const again = async () => {
    const { id } = await rowOf('payouts', event.eventId);
    await sendPayout(world.deps, { eventId: event.eventId, payoutId: id });
  };

  await overtake('/v1/transfers', { first: () => event.visitor.call(requestPayout, event), again });

  expect(await movedByProcessor(world, 'transfer', event.eventId)).toHaveLength(1);
  expect(await whatIsWrong(world)).toEqual([]);
});

it('a buyer is refunded once', { timeout: TIMEOUT_MS }, async () => {
  const { eventId, code } = await soldEvent();
  const again = async () => {
    const { id } = await rowOf('refunds', eventId);
    await sendRefund(world.deps, { eventId, refundId: id });
  };

  const first = () => world.call(requestRefund, { eventId, confirmationCode: code });
  await overtake('/v1/refunds', { first, again });

  expect(await movedByProcessor(world, 'refund', eventId)).toHaveLength(1);
  expect(await whatIsWrong(world)).toEqual([]);
});

it('an organizer is asked for money back once', { timeout: TIMEOUT_MS }, async () => {
  const event = await soldEvent({ orders: 3 });
  await openPayout(world, event);
  await event.visitor.call(requestPayout, event);
  const [transfer] = await movedByProcessor(world, 'transfer', event.eventId);
  await planFault(world, { match: { method: 'POST', path: '/v1/transfers/*' }, mode: 'drop_before', times: 1_000 });
  await disputePayment(world, event.eventId);
  await clearFaults(world);
  const { id } = await rowOf('recoveries', event.eventId);
  const again = () => sendRecovery(world.deps, { eventId: event.eventId, recoveryId: id });

  await overtake('/v1/transfers/*', { first: again, again });

  expect((await stripeOf(world).transfers.listReversals(transfer?.id ?? '')).data).toHaveLength(1);
  expect(await whatIsWrong(world)).toEqual([]);
});

const rowOf = (table: 'payouts' | 'refunds' | 'recoveries', eventId: string) =>
  world.db.selectFrom(table).where('eventId', '=', eventId).select('id').executeTakeFirstOrThrow();
