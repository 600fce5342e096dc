/** Holds that cannot be ended in the ordinary way. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkoutSession } from '#contract/checkout.ts';
import { reservedOf } from '#tests/support/money.ts';
import { eventOnSale, generalAdmission, goodCard, openCheckout } from '#tests/support/people.ts';
import { openWorld, type World } from '#tests/support/world.ts';
import { closeCheckouts } from './close-checkouts.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function held(isKnown = true) {
  const { eventId } = await eventOnSale(world);
  const checkout = await openCheckout(world, eventId, generalAdmission(1));
  if (!isKnown) await sql`delete from sandbox.objects where id = ${checkout.sessionId}`.execute(world.db);
  return { eventId, ...checkout };
}

it('an order whose payment page the card company does not know gives its tickets back', async () => {
  const { eventId, sessionId } = await held(false);

  await world.advance({ minutes: 32 });
  await settleLapsedOrders(world.deps);

  expect(await reservedOf(world, eventId)).toBe(0);
  expect((await world.call(checkoutSession, { sessionId })).body.status).toBe('expired');
});

it('also when its event is cancelled', async () => {
  const { eventId } = await held(false);

  await closeCheckouts(world.deps, { eventId });

  expect(await reservedOf(world, eventId)).toBe(0);
});

it('orders that cannot be ended yet do not keep the others waiting', async () => {
  const slow = await held();
  // The money is under way for days.
  await slow.pay('slow@example.com', { ...goodCard, number: '000123456789' });
  await world.advance({ minutes: 1 });
  const left = await held();
  await sql`update orders set hold_expires_at = business_now() where state = 'held'`.execute(world.db);
  await sql`update orders set hold_expires_at = hold_expires_at - interval '1 minute' where event_id = ${slow.eventId}`.execute(
    world.db,
  );

  for (let run = 0; run < 2; run++) await settleLapsedOrders(world.deps, 1);

  expect([await reservedOf(world, slow.eventId), await reservedOf(world, left.eventId)]).toEqual([1, 0]);
});
