import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bookOf, clearFaults, paymentOf, planFault, stripeOf } from '#tests/support/money.ts';
import { buyTickets, eventOnSale, generalAdmission, openCheckout } from '#tests/support/people.ts';
import { openWorld, type World } from '#tests/support/world.ts';
import { reconcile } from './reconcile.ts';
import { settlePayment } from './settle-payment.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('a refund of another payment that names the order touches nothing of it, and is told to the operator', async () => {
  const { eventId } = await eventOnSale(world);
  await buyTickets(world, eventId, generalAdmission(1), 'good@example.com');
  await world.settle();
  const own = await paymentOf(world, eventId);
  const foreign = await paymentThatNames(await orderOf(eventId));
  const before = await bookOf(world, eventId);

  await stripeOf(world).refunds.create({ payment_intent: foreign });
  await world.settle();
  expect(await settlePayment(world.deps, foreign)).toBe('foreign');
  await world.advance({ minutes: 20 });
  await reconcile(world.deps, new Date(world.now().getTime() - 2 * 60 * 60 * 1000));

  const tickets = await world.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute();
  expect(tickets).toEqual([{ state: 'valid' }]);
  expect(await refundsOf(eventId)).toEqual([]);
  expect(await bookOf(world, eventId)).toEqual(before);
  const differences = await world.db
    .selectFrom('differences')
    .where('resolvedAt', 'is', null)
    .select(['kind', 'subject'])
    .execute();
  expect(differences).toContainEqual({ kind: 'unknown-payment', subject: foreign });
  expect(differences.map(({ subject }) => subject)).not.toContain(own);
});

it('does not keep the order’s own refund from being recorded when both are told together', async () => {
  const { eventId } = await eventOnSale(world);
  await buyTickets(world, eventId, generalAdmission(1), 'both@example.com');
  await world.settle();
  const own = await paymentOf(world, eventId);
  const foreign = await paymentThatNames(await orderOf(eventId));

  // Nobody works on the first notice before the second is there.
  await world.db.transaction().execute(async (tx) => {
    await tx.selectFrom('orders').where('eventId', '=', eventId).select('id').forUpdate().execute();
    for (const payment_intent of [foreign, own]) await stripeOf(world).refunds.create({ payment_intent });
  });
  await world.settle();

  expect(await refundsOf(eventId)).toEqual([{ reason: 'external', cents: 24_00 }]);
});

const refundsOf = (eventId: string) =>
  world.db.selectFrom('refunds').where('eventId', '=', eventId).select(['reason', 'cents']).execute();

const orderOf = (eventId: string) =>
  world.db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .select(['eventId', 'id as orderId'])
    .executeTakeFirstOrThrow();

/** Another payment on the same account, beside which somebody wrote our order's id. */
async function paymentThatNames({ eventId, orderId }: { eventId: string; orderId: string }): Promise<string> {
  const other = await eventOnSale(world);
  await planFault(world, { webhook: 'drop', times: 1000 });
  const checkout = await openCheckout(world, other.eventId, generalAdmission(1));
  await checkout.pay('other@example.com');
  await world.settle();
  await clearFaults(world);
  const payment = await paymentOf(world, other.eventId);

  await world.db.deleteFrom('orderLines').where('eventId', '=', other.eventId).execute();
  await world.db.deleteFrom('orders').where('eventId', '=', other.eventId).execute();
  const named = JSON.stringify({ event_id: eventId, order_id: orderId });
  await sql`
    update sandbox.objects set body = jsonb_set(body::jsonb, '{metadata}', ${named}::jsonb)::json
     where body->'metadata'->>'event_id' = ${other.eventId}`.execute(world.db);
  return payment;
}
