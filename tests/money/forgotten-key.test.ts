/**
 * The card company forgets a key after a day. A call that was sent shortly before arrives shortly after: it is then done as if it had
 * never been asked for. So shortly before, nothing is asked for under another key.
 */
import { describe, expect, it } from 'vitest';
import { requestPayout } from '#contract/payouts.ts';
import { sendPayout } from '#server/payments/payouts/send-payout.ts';
import { stripePayoutAccounts } from '#server/platform/adapters/stripe/payout-accounts.ts';
import { whatIsWrong } from '#tests/support/disputes.ts';
import { runEverything } from '#tests/support/heal.ts';
import { advanceTo, movedByProcessor, openPayout, settlementOf, stripeOf } from '#tests/support/money.ts';
import { buyTickets, eventOnSale } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
/** Each test has an app without other money. */
const withOwnApp = () =>
  withTestApp((opened) => {
    app = opened;
  });

const HOUR = 60 * 60 * 1000;

const seats = [{ ticketName: 'General admission', quantity: 2 }];

/** Sold so late that the money comes an hour before the key of the refused transfer is forgotten; and then there is more than this. */
async function refusedPayout() {
  const event = await eventOnSale(app);
  const other = await eventOnSale(app);
  const opens = await settlementOf(app, event.eventId);
  await advanceTo(app, new Date(opens.getTime() - 25 * HOUR));
  for (const { eventId } of [event, other]) await buyTickets(app, eventId, seats);
  await openPayout(app, event);
  await event.visitor.call(requestPayout, event);
  const { id, state, keySince } = await payoutOf(event.eventId);
  expect(state).toBe('awaiting-funds');
  return { ref: { eventId: event.eventId, payoutId: id }, asked: keySince ?? new Date(0) };
}

const payoutOf = (eventId: string) =>
  app.db.selectFrom('payouts').where('eventId', '=', eventId).selectAll().executeTakeFirstOrThrow();

/** The network holds this caller's transfer back, after the caller has seen that there is none yet. */
function heldBack() {
  const onItsWay = Promise.withResolvers<void>();
  const arrives = Promise.withResolvers<void>();
  const stripe = stripeOf(app);
  const create = stripe.transfers.create.bind(stripe.transfers);
  Object.assign(stripe.transfers, {
    async create(...call: Parameters<typeof create>) {
      onItsWay.resolve();
      await arrives.promise;
      return create(...call);
    },
  });
  const payoutAccounts = stripePayoutAccounts(stripe, { publicUrl: 'http://localhost' });
  return { deps: { ...app.deps, payoutAccounts }, onItsWay: onItsWay.promise, arrive: arrives.resolve };
}

describe('A key that is about to be forgotten', () => {
  withOwnApp();

  it('is kept, and a call that arrives late pays the organizer once', {
    timeout: 60_000,
  }, async () => {
    const { ref, asked } = await refusedPayout();
    await advanceTo(app, new Date(asked.getTime() + 22 * HOUR));
    const { deps, onItsWay, arrive } = heldBack();
    const late = sendPayout(deps, ref);
    await onItsWay;

    await advanceTo(app, new Date(asked.getTime() + 23.5 * HOUR));
    await sendPayout(app.deps, ref);
    await app.advance({ hours: 1 });
    arrive();
    await late;
    await runEverything(app);

    expect(await movedByProcessor(app, 'transfer', ref.eventId)).toHaveLength(1);
    expect(await payoutOf(ref.eventId)).toMatchObject({ state: 'paid' });
    expect(await whatIsWrong(app)).toEqual([]);
  });
});

describe('A key that is known for hours to come', () => {
  withOwnApp();

  it('is left at the second refusal, so that the next call is heard', async () => {
    const { ref, asked } = await refusedPayout();
    const { attempt } = await payoutOf(ref.eventId);
    await advanceTo(app, new Date(asked.getTime() + 9 * HOUR));
    await sendPayout(app.deps, ref);

    const after = await payoutOf(ref.eventId);
    expect(after).toMatchObject({ state: 'awaiting-funds', attempt: attempt + 1 });
    expect(after.keySince?.getTime()).toBeGreaterThan(asked.getTime() + 8 * HOUR);
  });
});
