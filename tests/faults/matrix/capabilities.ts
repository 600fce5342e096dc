/** Capabilities that move money, each with its Stripe calls. Add an entry for each new one. */

import { cancelEvent } from '#server/events/cancel-event.ts';
import { createCheckoutSession } from '#server/payments/checkout/create-checkout-session.ts';
import { readConfirmation } from '#server/payments/checkout/read-confirmation.ts';
import { requestPayout } from '#server/payments/payouts/request-payout.ts';
import { requestRefund } from '#server/payments/refunds/request-refund.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { advance, hurryJobs, queueRecurringJobs } from '#tests/support/heal.ts';
import { clearFaults, planFault } from '#tests/support/money.ts';
import { buyTickets, pay } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { insertEvent } from '../insert-event.ts';

export interface Call {
  method: string;
  path: string;
  /** Made only after an hour without a known outcome of this call. */
  after?: { method: string; path: string };
}

export interface Stage {
  app: TestApp;
  eventId: string;
  organizer: Actor;
}

export interface Ends {
  tickets: string[];
  refunds: string[];
  payouts: string[];
  /** Default: none. */
  disputes?: string[];
}

export interface Capability {
  name: string;
  calls: readonly Call[];
  prepare(stage: Stage): Promise<void>;
  perform(stage: Stage): Promise<unknown>;
  /** A retry after a lost response. */
  again(stage: Stage): Promise<unknown>;
  /** Expected states at the end. */
  ends: Ends;
}

const HOUR = 60 * 60;
export const DAY = 24 * HOUR;
export const cart = [{ ticketName: 'Floor', quantity: 2 }];
const REFUND = { method: 'POST', path: '/v1/refunds' };
const TRANSFER = { method: 'POST', path: '/v1/transfers' };
export const nothing = async () => {};

export const sale: Capability = {
  name: 'a sale',
  calls: [
    { method: 'POST', path: '/v1/checkout/sessions' },
    { method: 'GET', path: '/v1/checkout/sessions/*' },
  ],
  prepare: nothing,
  perform: buyOnce,
  async again(stage) {
    const sold = await stage.app.db
      .selectFrom('orders')
      .where('eventId', '=', stage.eventId)
      .where('sessionId', 'is not', null)
      .select('id')
      .execute();
    if (sold.length === 0) await buyOnce(stage);
  },
  ends: { tickets: ['valid', 'valid'], refunds: [], payouts: [] },
};

/** A buyer who gives up at the first error, and pays if a payment page opens. */
async function buyOnce({ app, eventId }: Stage): Promise<void> {
  const session = await createCheckoutSession(app.deps, { eventId, cartItems: cart }, '127.0.0.1').catch(() => null);
  if (!session) return;
  await pay(app.visitor(), session.url, `buyer-of-${eventId}@example.com`);
  await readConfirmation(app.deps, { sessionId: session.id }).catch(() => {});
}

export const abandonedCart: Capability = {
  name: 'an abandoned checkout',
  calls: [
    { method: 'POST', path: '/v1/checkout/sessions' },
    { method: 'POST', path: '/v1/checkout/sessions/*' },
    { method: 'GET', path: '/v1/checkout/sessions/*' },
  ],
  prepare: nothing,
  async perform({ app, eventId }) {
    await createCheckoutSession(app.deps, { eventId, cartItems: cart }, '127.0.0.1').catch(() => null);
    await advance(app, HOUR);
    await tryEverything(app);
  },
  again: nothing,
  ends: { tickets: [], refunds: [], payouts: [] },
};

export const refund: Capability = {
  name: 'a refund',
  calls: [REFUND, { method: 'GET', path: '/v1/refunds', after: REFUND }],
  prepare: sell,
  perform: refundOne,
  again: refundOne,
  ends: { tickets: ['refunded', 'valid'], refunds: ['sent'], payouts: [] },
};

async function refundOne({ app, eventId }: Stage): Promise<void> {
  const { confirmationNumber } = await app.db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .orderBy('id')
    .select('confirmationNumber')
    .executeTakeFirstOrThrow();
  // Denied if the first request was accepted.
  await requestRefund(app.deps, { eventId, confirmationCode: confirmationNumber, ip: '127.0.0.1' }).catch(() => {});
}

export const cancelling: Capability = {
  name: 'a cancelled event',
  calls: [
    { method: 'POST', path: '/v1/checkout/sessions/*' },
    REFUND,
    { method: 'GET', path: '/v1/refunds', after: REFUND },
  ],
  async prepare(stage) {
    await sell(stage);
    await createCheckoutSession(stage.app.deps, { eventId: stage.eventId, cartItems: cart }, '127.0.0.1');
  },
  async perform({ app, organizer, eventId }) {
    await cancelEvent(app.deps, organizer, eventId);
    await tryEverything(app);
  },
  again: ({ app, organizer, eventId }) => cancelEvent(app.deps, organizer, eventId),
  ends: { tickets: ['refunded', 'refunded'], refunds: ['sent', 'sent'], payouts: [] },
};

export const payout: Capability = {
  name: 'a payout',
  calls: [
    { method: 'GET', path: '/v2/core/accounts/*' },
    TRANSFER,
    { method: 'GET', path: '/v1/transfers', after: TRANSFER },
  ],
  async prepare(stage) {
    await sell(stage);
    await advance(stage.app, 3 * DAY);
  },
  perform: payOut,
  again: payOut,
  ends: { tickets: ['valid', 'valid'], refunds: [], payouts: ['paid'] },
};

export async function payOut({ app, organizer, eventId }: Stage): Promise<void> {
  await requestPayout(app.deps, organizer, eventId).catch(() => {});
}

export async function sell({ app, eventId }: Stage): Promise<void> {
  await buyTickets(app, eventId, cart, `buyer-of-${eventId}@example.com`);
}

export async function newStage(app: TestApp, organizer: Actor): Promise<Stage> {
  const eventId = newPublicId();
  const now = app.now();
  await insertEvent(app.db, {
    now,
    eventId,
    ...organizer,
    title: 'Basement Brass',
    endsAt: new Date(now.getTime() + DAY * 1000),
    types: [{ name: 'Floor', priceCents: 2400, quantity: 20 }],
  });
  return { app, eventId, organizer };
}

/** Runs queued jobs once or twice while the faults last. */
export async function tryEverything(app: TestApp): Promise<void> {
  for (let time = 0; time < 2; time++) {
    await queueRecurringJobs(app.db);
    await hurryJobs(app.db);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

/** Performs the capability under the fault. Leads up to calls that are made only when an outcome is unknown. */
export async function performUnder(stage: Stage, capability: Capability, call: Call, fault: object): Promise<void> {
  const { app } = stage;
  await capability.prepare(stage);
  const { after, ...match } = call;
  if (after) {
    await planFault(app, { match: after, mode: 'drop_after', times: 40 });
    await capability.perform(stage);
    await tryEverything(app);
    await clearFaults(app);
  }
  await planFault(app, { match, ...fault });
  if (after) await advance(app, 2 * HOUR);
  else await capability.perform(stage);
  await tryEverything(app);
  await clearFaults(app);
}
