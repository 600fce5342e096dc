import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { createAccountLink, requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { heal, runEverything } from '#tests/support/heal.ts';
import {
  clearFaults,
  movementsAtStripe,
  openPayout,
  paymentOf,
  planFault,
  simulateAtBank,
  stripeObjectsOf,
  stripeOf,
} from '#tests/support/money.ts';
import { moneyErrors } from '#tests/support/money-errors.ts';
import {
  attendantOf,
  buyTickets,
  cardWith,
  codesOf,
  emailsTo,
  eventOnSale,
  logInAgain,
  openCheckout,
  takeFreeTickets,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const at = (ticketPrice: number) => ({
  tickets: [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice, ticketQuantity: 100 }],
});
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const sell = async ({ eventId }: Event, quantity: number, email: string, number = '4242 4242 4242 4242') =>
  codesOf(await buyTickets(app, eventId, seats(quantity), email, cardWith(number)));
const refund = ({ eventId }: Event, confirmationCode = '') => app.call(requestRefund, { eventId, confirmationCode });
const payOut = ({ eventId, visitor }: Event) => visitor.call(requestPayout, { eventId });

async function paymentsOf({ eventId }: Event): Promise<string[]> {
  await app.settle();
  return (await stripeObjectsOf(app, 'payment_intent', eventId)).map(({ id }) => id);
}

/** Every possible outcome for money, at three events: kept, cancelled, and paid out. */
async function allOutcomes() {
  const off = await eventOnSale(app, at(20));
  const free = await eventOnSale(app, at(0));
  const kept = await eventOnSale(app, at(40));

  await takeFreeTickets(app, free.eventId, seats(2), { email: 'free@example.com' });

  const [used = '', given] = await sell(off, 3, 'off@example.com');
  const door = await attendantOf(app, off.eventId, off.attendantCode);
  await door.call(checkGuest, { eventId: off.eventId, confirmationNumber: used });
  await refund(off, given);
  const left = await openCheckout(app, off.eventId, seats(1));
  await left.pay('declined@example.com', cardWith('4000 0000 0000 0002'));
  await off.visitor.call(cancelEvent, { eventId: off.eventId });

  const [back] = await sell(kept, 4, 'kept@example.com');
  await refund(kept, back);
  const [failing] = await sell(kept, 2, 'gone-card@example.com', '4000 0000 0000 5126');
  await refund(kept, failing);
  for (const email of ['won@example.com', 'lost@example.com', 'outside@example.com', 'later@example.com'])
    await sell(kept, 1, email);
  const [, , won = '', lost = '', outside = '', later = ''] = await paymentsOf(kept);
  const disputes = [];
  for (const payment_intent of [won, lost]) disputes.push(await simulateAtBank(app, 'disputes', { payment_intent }));
  await simulateAtBank(app, `disputes/${disputes[0]?.id}`, { become: 'won' });
  await stripeOf(app).refunds.create({ payment_intent: outside, amount: 7_00 });
  await app.advance({ hours: 2 });
  return { off, free, kept, later, lost: disputes[1]?.id };
}

describe('the totals', () => {
  it('case 47: add up after every possible outcome of a ticket, here and at Stripe', async () => {
    const { kept, later, lost } = await allOutcomes();
    await runEverything(app);
    expect(await moneyErrors(app)).toEqual([]);

    await openPayout(app, kept);
    expect((await payOut(kept)).status).toBe(200);
    expect(await moneyErrors(app)).toEqual([]);

    await simulateAtBank(app, 'disputes', { payment_intent: later });
    await simulateAtBank(app, `disputes/${lost}`, { become: 'lost' });
    await runEverything(app);
    expect(await moneyErrors(app)).toEqual([]);

    const ledger = await app.db
      .selectFrom('ledgerEntries')
      .select((column) => column.fn.sum<string>('cents').as('cents'))
      .executeTakeFirstOrThrow();
    expect(Number(ledger.cents)).toBe(0);
    const tickets = await app.db.selectFrom('tickets').select('state').execute();
    expect(new Set(tickets.map(({ state }) => state))).toEqual(new Set(['valid', 'refunded', 'void']));
  });

  it('case 48: add up when each Stripe call fails in each way, and webhooks arrive twice, late and out of order', async () => {
    const CALLS = ['/v1/checkout/sessions', '/v1/refunds', '/v1/transfers', '/v1/transfers/*', '/v2/core/accounts'];
    const MODES = [
      'error_before',
      'error_after',
      'drop_before',
      'drop_after',
      'truncate',
      'conflict',
      'status:429',
      'slow',
    ];
    const WEBHOOKS = ['duplicate', 'reorder', 'delay', 'drop'];
    const tried: { event: Event; mode: string; email: string }[] = [];
    const breaks = async (mode: string, path: string, times: number) =>
      planFault(app, { match: { method: 'POST', path }, mode, times, ms: 300 });

    for (const [index, mode] of MODES.entries()) {
      // The SDK's own retry fixes one failure, not several in a row.
      const times = index % 2 ? 1 : 4;
      await planFault(app, { webhook: WEBHOOKS[index % WEBHOOKS.length] ?? '', times: 3, ms: 60_000 });
      const event = await eventOnSale(app, at(40));
      const email = `${mode.replace(/\W/g, '-')}@example.com`;
      tried.push({ event, mode, email });
      for (const path of CALLS.slice(0, 2)) await breaks(mode, path, times);
      // The buyer retries, as the error message asks.
      const codes = await sell(event, 2, email)
        .catch(() => sell(event, 2, email))
        .catch(() => []);
      await refund(event, codes[0]);
      await clearFaults(app);
      if (codes.length === 0) await sell(event, 2, email);
    }
    await heal(app);
    expect(await moneyErrors(app)).toEqual([]);

    for (const [index, { event, mode }] of tried.entries()) {
      await logInAgain(event);
      for (const path of CALLS.slice(2)) await breaks(mode, path, index % 2 ? 1 : 4);
      await payOut(event);
      await event.visitor.call(createAccountLink, {});
      await clearFaults(app);
    }
    await heal(app);
    expect(await moneyErrors(app)).toEqual([]);
    for (const { event, email } of tried) {
      expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(1);
      expect(
        (await emailsTo(app, email)).filter(({ subject }) => /^Your \$.* refund for /.test(subject)).length,
      ).toBeLessThan(2);
    }
  });

  it('case 49: stay the same when the queue is replayed 40 days later', async () => {
    const off = await eventOnSale(app, at(20));
    const kept = await eventOnSale(app, at(40));
    await sell(off, 2, 'season@example.com');
    const [back] = await sell(kept, 3, 'season@example.com');
    await refund(kept, back);
    await off.visitor.call(cancelEvent, { eventId: off.eventId });
    await openPayout(app, kept);
    await payOut(kept);
    await runEverything(app);
    expect(await paymentOf(app, kept.eventId)).toMatch(/^pi_/);
    const before = await movements();

    await app.advance({ days: 40 });
    await app.restartJobs();
    await runEverything(app);
    await app.restartJobs();
    await runEverything(app);

    expect(await movements()).toEqual(before);
    expect(await moneyErrors(app)).toEqual([]);

    async function movements() {
      const moved = [];
      for (const { eventId } of [off, kept])
        for (const kind of ['refund', 'transfer'] as const) moved.push(await movementsAtStripe(app, kind, eventId));
      const entries = await app.db.selectFrom('ledgerEntries').select('transactionId').execute();
      const emails = await app.db.selectFrom('emailOutbox').select('id').execute();
      return { moved, entries: entries.length, emails: emails.length };
    }
  });
});
