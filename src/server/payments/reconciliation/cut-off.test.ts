/** Interrupted runs continue in the next run, and unresolvable items don't block the others. */
import { type KyselyPlugin, RawNode, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { clearFaults, paymentOf, planFault, simulateAtBank, stripeOf } from '#tests/support/money.ts';
import { buyTickets, eventOnSale, generalAdmission, openCheckout } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { reconcile } from './reconcile.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(async () => {
  vi.restoreAllMocks();
  await clearFaults(app);
  await app.settle();
  await app.db.deleteFrom('balanceTransactions').where('type', '=', 'adjustment').execute();
  await reconcileSince(new Date(0));
});

const dropWebhooks = () => planFault(app, { webhook: 'drop', times: 1000 });

const reconcileSince = (since: Date, limits = {}) => reconcile(app.deps, since, limits);

const readUntil = async () =>
  (await app.db.selectFrom('balanceTransactionCursor').select('until').executeTakeFirst())?.until ?? null;

async function paidEvents(count: number) {
  const events: { eventId: string; payment: string }[] = [];
  for (let i = 0; i < count; i++) {
    const { eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, generalAdmission(1), `paid-${i}@example.com`);
    await app.settle();
    events.push({ eventId, payment: await paymentOf(app, eventId) });
  }
  return events;
}

const countOf = async (table: 'refunds' | 'disputes' | 'tickets', eventIds: readonly string[]) =>
  (await app.db.selectFrom(table).where('eventId', 'in', eventIds).select('id').execute()).length;

describe('an interrupted run', () => {
  it('over payments is not recorded, so the next run looks back as far', async () => {
    const events = await paidEvents(3);
    const ids = events.map(({ eventId }) => eventId);
    await app.advance({ minutes: 20 });
    await reconcileSince(app.now());
    await dropWebhooks();
    for (const { payment } of events) await stripeOf(app).refunds.create({ payment_intent: payment });
    await app.advance({ days: 6 });
    const before = await readUntil();

    // One comes from Stripe's list of refunds, one more from its balance transactions.
    await reconcileSince(app.now(), { polls: 1 });
    expect([await countOf('refunds', ids), await readUntil()]).toEqual([2, before]);
    await reconcileSince(app.now(), { polls: 1 });
    expect(await countOf('refunds', ids)).toBe(3);
    expect(await readUntil()).not.toEqual(before);
  });

  it('over checkouts is not recorded', async () => {
    await reconcileSince(app.now());
    const before = await readUntil();
    await dropWebhooks();
    const { eventId } = await eventOnSale(app);
    for (const buyer of [1, 2]) {
      const checkout = await openCheckout(app, eventId, generalAdmission(1));
      await checkout.pay(`silent-${buyer}@example.com`);
    }
    await app.settle();

    await reconcileSince(app.now(), { settledCheckouts: 1 });
    expect([await countOf('tickets', [eventId]), await readUntil()]).toEqual([1, before]);
    await reconcileSince(app.now(), { settledCheckouts: 1 });
    expect(await countOf('tickets', [eventId])).toBe(2);
    expect(await readUntil()).not.toEqual(before);
  });
});

describe('an unresolvable item', () => {
  it('in the ledger comparison is polled in turn, then with increasing backoff', async () => {
    const payments = (await paidEvents(2)).map(({ payment }) => payment);
    for (const paymentId of payments) await movement(`txn_${paymentId}`, paymentId, -1_00);
    await app.advance({ minutes: 20 });
    const readPayment = vi.spyOn(app.deps.paymentProcessor, 'readPayment');
    const polledSubjects = async () => {
      readPayment.mockClear();
      await reconcileSince(app.now(), { polls: 1 });
      return readPayment.mock.calls.map(([paymentId]) => paymentId);
    };

    expect([...(await polledSubjects()), ...(await polledSubjects())].sort()).toEqual([...payments].sort());
    expect(await polledSubjects()).toEqual([]);
    await app.advance({ minutes: 21 });
    expect(await polledSubjects()).toHaveLength(1);
    // A changed state is polled at once.
    await polledSubjects();
    await movement('txn_more', payments[0] ?? '', -2_00);
    await app.advance({ minutes: 16 });
    expect(await polledSubjects()).toEqual([payments[0]]);
  });

  it('of another application does not block finding a dispute', async () => {
    const [disputed, ...others] = await paidEvents(3);
    if (!disputed) throw new Error('no payment');
    await dropWebhooks();
    await simulateAtBank(app, 'disputes', { payment_intent: disputed.payment });
    for (const { eventId, payment } of others) {
      await stripeOf(app).refunds.create({ payment_intent: payment });
      await makeForeign(eventId, payment);
    }

    await reconcileSince(app.now(), { polls: 2 });
    await reconcileSince(app.now(), { polls: 2 });

    expect(await countOf('disputes', [disputed.eventId])).toBe(1);
  });
});

it('queries touched payments once a run, however many pages there are', async () => {
  const at = app.now();
  await sql`
    insert into balance_transactions (id, type, payment_id, net_cents, created_at)
    select 'txn_many_' || n, 'adjustment', 'pi_many_' || n, 0, ${at} from generate_series(1, 1600) n`.execute(app.db);
  await app.advance({ minutes: 20 });
  let asked = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      if (
        RawNode.is(node) &&
        node.sqlFragments.some((part) => part.includes('from balance_transactions where created'))
      )
        asked += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };

  await reconcile({ ...app.deps, db: app.deps.db.withPlugin(counting) }, at);

  // Once for the payments and once for the recent movements.
  expect(asked).toBe(2);
});

/** Makes the payment look like one of another application on the account. */
async function makeForeign(eventId: string, payment: string): Promise<void> {
  await sql`
    update sandbox.objects set body = jsonb_set(body::jsonb, '{metadata}', '{}')::json
     where body->'metadata'->>'event_id' = ${eventId}`.execute(app.db);
  await app.db.updateTable('orders').set({ paymentId: 'pi_another' }).where('paymentId', '=', payment).execute();
}

async function movement(id: string, paymentId: string, netCents: number): Promise<void> {
  const createdAt = app.now();
  await app.db
    .insertInto('balanceTransactions')
    .values({ id, type: 'adjustment', paymentId, transferId: null, netCents, createdAt })
    .execute();
}
