/**
 * Stripe drops an idempotency key after a day. A call sent just before that may arrive just after, and executes as new.
 * So near the end of that day, no call is repeated under another key.
 */
import { describe, expect, it } from 'vitest';
import { requestPayout } from '#contract/app/payouts.ts';
import { sendPayout } from '#server/payments/payouts/send-payout.ts';
import { stripePayoutAccounts } from '#server/platform/adapters/stripe/payout-accounts.ts';
import { moneyErrorsExceptWebhooks } from '#tests/support/disputes.ts';
import { runEverything } from '#tests/support/heal.ts';
import { advanceTo, movementsAtStripe, openPayout, settlementOf, stripeOf } from '#tests/support/money.ts';
import { buyTickets, eventOnSale } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
/** A separate app for each test, without other money. */
const withOwnApp = () =>
  withTestApp((opened) => {
    app = opened;
  });

const HOUR = 60 * 60 * 1000;

const seats = [{ ticketName: 'General admission', quantity: 2 }];

/**
 * Sold so late that the funds arrive an hour before the refused transfer's key expires, and cover more than the payout.
 */
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

/** Delays this caller's transfer after the caller has seen that there is none yet. */
function delayedTransfer() {
  const inFlight = Promise.withResolvers<void>();
  const arrives = Promise.withResolvers<void>();
  const stripe = stripeOf(app);
  const create = stripe.transfers.create.bind(stripe.transfers);
  Object.assign(stripe.transfers, {
    async create(...call: Parameters<typeof create>) {
      inFlight.resolve();
      await arrives.promise;
      return create(...call);
    },
  });
  const payoutAccounts = stripePayoutAccounts(stripe, { publicUrl: 'http://localhost' });
  return { deps: { ...app.deps, payoutAccounts }, inFlight: inFlight.promise, arrive: arrives.resolve };
}

describe('An idempotency key about to expire', () => {
  withOwnApp();

  it('is kept, and a late call pays the organizer once', async () => {
    const { ref, asked } = await refusedPayout();
    await advanceTo(app, new Date(asked.getTime() + 22 * HOUR));
    const { deps, inFlight, arrive } = delayedTransfer();
    const late = sendPayout(deps, ref);
    await inFlight;

    await advanceTo(app, new Date(asked.getTime() + 23.5 * HOUR));
    await sendPayout(app.deps, ref);
    await app.advance({ hours: 1 });
    arrive();
    await late;
    await runEverything(app);

    expect(await movementsAtStripe(app, 'transfer', ref.eventId)).toHaveLength(1);
    expect(await payoutOf(ref.eventId)).toMatchObject({ state: 'paid' });
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});

describe('An idempotency key valid for hours', () => {
  withOwnApp();

  it('is replaced after the second denial, so that the next call executes', async () => {
    const { ref, asked } = await refusedPayout();
    const { attempt } = await payoutOf(ref.eventId);
    await advanceTo(app, new Date(asked.getTime() + 9 * HOUR));
    await sendPayout(app.deps, ref);

    const after = await payoutOf(ref.eventId);
    expect(after).toMatchObject({ state: 'awaiting-funds', attempt: attempt + 1 });
    expect(after.keySince?.getTime()).toBeGreaterThan(asked.getTime() + 8 * HOUR);
  });
});
