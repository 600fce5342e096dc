import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clearFaults, ledgerOf, paymentOf, planFault, stripeOf } from '#tests/support/money.ts';
import { buyTickets, eventOnSale, generalAdmission, openCheckout } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { reconcile } from './reconcile.ts';
import { settlePayment } from './settle-payment.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('ignores a refund of another payment that names the order and reports it to the operator', async () => {
  const { eventId } = await eventOnSale(app);
  await buyTickets(app, eventId, generalAdmission(1), 'good@example.com');
  await app.settle();
  const own = await paymentOf(app, eventId);
  const foreign = await paymentThatNames(await orderOf(eventId));
  const before = await ledgerOf(app, eventId);

  await stripeOf(app).refunds.create({ payment_intent: foreign });
  await app.settle();
  expect(await settlePayment(app.deps, foreign)).toBe('foreign');
  await app.advance({ minutes: 20 });
  await reconcile(app.deps, new Date(app.now().getTime() - 2 * 60 * 60 * 1000));

  const tickets = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute();
  expect(tickets).toEqual([{ state: 'valid' }]);
  expect(await refundsOf(eventId)).toEqual([]);
  expect(await ledgerOf(app, eventId)).toEqual(before);
  const discrepancies = await app.db
    .selectFrom('discrepancies')
    .where('resolvedAt', 'is', null)
    .select(['kind', 'subject'])
    .execute();
  expect(discrepancies).toContainEqual({ kind: 'unknown-payment', subject: foreign });
  expect(discrepancies.map(({ subject }) => subject)).not.toContain(own);
});

it('records the order’s own refund when both are reported together', async () => {
  const { eventId } = await eventOnSale(app);
  await buyTickets(app, eventId, generalAdmission(1), 'both@example.com');
  await app.settle();
  const own = await paymentOf(app, eventId);
  const foreign = await paymentThatNames(await orderOf(eventId));

  // Jobs wait until both events are stored.
  await app.db.transaction().execute(async (tx) => {
    await tx.selectFrom('orders').where('eventId', '=', eventId).select('id').forUpdate().execute();
    for (const payment_intent of [foreign, own]) await stripeOf(app).refunds.create({ payment_intent });
  });
  await app.settle();

  expect(await refundsOf(eventId)).toEqual([{ reason: 'external', cents: 24_00 }]);
});

const refundsOf = (eventId: string) =>
  app.db.selectFrom('refunds').where('eventId', '=', eventId).select(['reason', 'cents']).execute();

const orderOf = (eventId: string) =>
  app.db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .select(['eventId', 'id as orderId'])
    .executeTakeFirstOrThrow();

/** Another payment on the account whose metadata names our order. */
async function paymentThatNames({ eventId, orderId }: { eventId: string; orderId: string }): Promise<string> {
  const other = await eventOnSale(app);
  await planFault(app, { webhook: 'drop', times: 1000 });
  const checkout = await openCheckout(app, other.eventId, generalAdmission(1));
  await checkout.pay('other@example.com');
  await app.settle();
  await clearFaults(app);
  const payment = await paymentOf(app, other.eventId);

  await app.db.deleteFrom('orderLines').where('eventId', '=', other.eventId).execute();
  await app.db.deleteFrom('orders').where('eventId', '=', other.eventId).execute();
  const named = JSON.stringify({ event_id: eventId, order_id: orderId });
  await sql`
    update sandbox.objects set body = jsonb_set(body::jsonb, '{metadata}', ${named}::jsonb)::json
     where body->'metadata'->>'event_id' = ${other.eventId}`.execute(app.db);
  return payment;
}
