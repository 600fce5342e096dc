import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { openDiscrepancy } from '#server/payments/discrepancies/discrepancies.sql.ts';
import { sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { reconcile } from '#server/payments/reconciliation/reconcile.ts';
import { sendWaitingRefunds } from '#server/payments/refunds/send-waiting-refunds.ts';
import { openPayout } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { endRestore, markRestored, openRestore } from './restores.sql.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const reconcileNow = () => reconcile(app.deps, new Date(app.now().getTime() - 2 * 60 * 60 * 1000));

const stateOf = async (table: 'refunds' | 'payouts', eventId: string) =>
  (await app.db.selectFrom(table).where('eventId', '=', eventId).select('state').executeTakeFirst())?.state;

const isRestoreOpen = async () => (await openRestore(app.db)) !== null;

describe('a restored database', () => {
  it('sends no refund until it agrees with Stripe [OPS-10]', async () => {
    const { eventId } = await eventOnSale(app);
    const [confirmationCode = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(2), 'waits@example.com'));
    await markRestored(app.db);
    await markRestored(app.db);

    expectOk(await app.call(requestRefund, { eventId, confirmationCode }));
    await app.settle();
    await sendWaitingRefunds(app.deps);
    expect(await stateOf('refunds', eventId)).toBe('claimed');

    // What is this recent is not compared yet.
    await reconcileNow();
    expect(await isRestoreOpen()).toBe(true);
    await app.advance({ minutes: 20 });
    await reconcileNow();
    expect(await isRestoreOpen()).toBe(false);

    await sendWaitingRefunds(app.deps);
    expect(await stateOf('refunds', eventId)).toBe('sent');
  });

  it('sends no payout while a discrepancy is open, until an operator ends the wait [OPS-10]', async () => {
    const event = await eventOnSale(app);
    const { eventId } = event;
    await buyTickets(app, eventId, generalAdmission(2), 'paid-out@example.com');
    await openPayout(app, event);
    await markRestored(app.db);
    await openDiscrepancy(app.db, { kind: 'unknown-order', subject: 'cs_of_the_gap', eventId: null, cents: 50_00 });

    expectOk(await event.visitor.call(requestPayout, { eventId }));
    await app.advance({ minutes: 20 });
    await reconcileNow();
    await sendWaitingPayouts(app.deps);
    expect(await stateOf('payouts', eventId)).toBe('requested');
    expect(await isRestoreOpen()).toBe(true);

    expect(await endRestore(app.db)).toBe(true);
    await sendWaitingPayouts(app.deps);
    expect(await stateOf('payouts', eventId)).toBe('paid');
  });
});
