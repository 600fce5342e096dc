import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestPayout } from '#contract/payouts.ts';
import { requestRefund } from '#contract/refunds.ts';
import { newEventId } from '#server/new-id.ts';
import { runEverything } from '#tests/support/heal.ts';
import { until } from '#tests/support/measured.ts';
import { buyTickets, cardWith, codesOf, expectOk, openCheckout } from '#tests/support/people.ts';
import { placeOf } from '#tests/support/place-of.ts';
import { insertEvent } from './insert-event.ts';
import { actorsAt, openTwoServers, type TwoServers } from './two-servers/open-two-servers.ts';
import { backUp, restore } from './two-servers/restore-backup.ts';

const HOUR = 60 * 60 * 1000;
/** Money that may be moved at once. */
const AT_ONCE = cardWith('4000 0000 0000 0077');

let stage: TwoServers;
beforeAll(async () => {
  stage = await openTwoServers();
}, 180_000);
afterAll(() => stage?.close());

async function newEvent(hours: number) {
  const eventId = newEventId();
  const now = stage.now();
  const types = [{ name: 'Floor', priceCents: 2400, quantity: 100 }];
  const endsAt = new Date(now.getTime() + hours * HOUR);
  await insertEvent(stage.db, { now, eventId, organizerId: stage.organizer.id, title: 'Restored', endsAt, types });
  return eventId;
}

const buy = (server: number, eventId: string, quantity: number, email: string) =>
  buyTickets(
    placeOf(stage.servers[server] ?? stage.servers[0]),
    eventId,
    [{ ticketName: 'Floor', quantity }],
    email,
    AT_ONCE,
  );

async function organizerOf(eventId: string) {
  const [organizer] = (await actorsAt(stage, eventId)).organizers;
  if (!organizer) throw new Error('there are two servers');
  return organizer;
}

/** Of one kind, what the card company has made by itself or for us. */
async function made(kind: 'refund' | 'transfer'): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from sandbox.objects where kind = ${kind} order by seq`.execute(
    stage.db,
  );
  return rows.map(({ id }) => id);
}

async function openDifferences(): Promise<string[]> {
  const rows = await stage.db
    .selectFrom('differences')
    .where('resolvedAt', 'is', null)
    .select(['kind', 'subject'])
    .orderBy('kind')
    .execute();
  return rows.map(({ kind, subject }) => `${kind} ${subject}`);
}

async function stateOf(sessionId: string) {
  const order = await stage.db
    .selectFrom('orders')
    .where('sessionId', '=', sessionId)
    .select('state')
    .executeTakeFirst();
  return order?.state;
}

describe('a backup that is older than what the card company knows', () => {
  it('comes to nobody being charged, paid or refunded a second time, and the gap is named', {
    timeout: 300_000,
  }, async () => {
    const over = await newEvent(2);
    const onSale = await newEvent(200);
    await buy(0, over, 3, 'over@example.com');
    await stage.pass(26 * 60 * 60 + 60);
    const kept = await buy(1, onSale, 3, 'kept@example.com');
    const open = await openCheckout(placeOf(stage.servers[0]), onSale, [{ ticketName: 'Floor', quantity: 2 }]);
    await runEverything(stage);
    await Promise.all(stage.servers.map((server) => server.stop()));
    await stage.rest();
    const backup = await backUp(stage.address);
    await Promise.all(stage.servers.map((server) => server.start()));

    // The gap: a payout, a refund, a payment of what was open, and a whole sale.
    const organizer = await organizerOf(over);
    const [refunded = ''] = codesOf(kept);
    expectOk(await organizer.call(requestPayout, { eventId: over }));
    expectOk(await stage.visitor().call(requestRefund, { eventId: onSale, confirmationCode: refunded }));
    expect((await open.pay('open@example.com', AT_ONCE)).status).toBe(303);
    const lost = await buy(1, onSale, 1, 'lost@example.com');
    await runEverything(stage);
    const before = { refunds: await made('refund'), transfers: await made('transfer') };
    expect([before.refunds.length, before.transfers.length]).toEqual([1, 1]);

    await Promise.all(stage.servers.map((server) => server.stop()));
    await stage.rest();
    await restore(stage.address, backup);
    await Promise.all(stage.servers.map((server) => server.start()));

    // Asked at once, before anything was compared.
    const again = await organizerOf(over);
    await again.call(requestPayout, { eventId: over });
    await until('the comparison has named the gap', async () => (await openDifferences()).length > 0, 60);
    await stage.visitor().call(requestRefund, { eventId: onSale, confirmationCode: refunded });
    await stage.pass(6 * 60 * 60);

    expect(await made('transfer')).toEqual(before.transfers);
    expect(await made('refund')).toEqual(before.refunds);
    expect(await stateOf(open.sessionId)).toBe('paid');
    const named = await openDifferences();
    expect(named).toContain(`unknown-transfer ${before.transfers[0]}`);
    expect(named).toContain(`unknown-order ${lost.sessionId}`);
  });
});
