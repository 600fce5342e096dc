/** The payouts of all events of an organization. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { eventCard, payoutList } from '#contract/app/records/workspace.ts';
import { EVENT_ROWS_PER_PAGE } from '#domain/limits.ts';
import { copiesOfEvent } from '#tests/support/copied-events.ts';
import { decideDispute, disputePayment } from '#tests/support/disputes.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { openPayout } from '#tests/support/money.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

const payoutsOf = async ({ visitor }: Seller) => expectOk(await visitor.call(payoutList, {}));

/** Dollars that left for the organizers' accounts, and did not come back. */
async function paidInLedger(): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(-sum(cents), 0)::int as cents from ledger_entries
     where kind = 'payout' and account = 'processor'`.execute(app.db);
  return (rows[0]?.cents ?? 0) / 100;
}

it('is each event with what it would get, and what it got, to the cent of the ledger [WORK-10]', async () => {
  const seller = await eventOnSale(app);
  await buyTickets(app, seller.eventId, generalAdmission(3));
  await buyTickets(app, seller.eventId, generalAdmission(1));
  await app.settle();
  const { event } = expectOk(await seller.visitor.call(eventCard, { eventId: seller.eventId }));

  const before = await payoutsOf(seller);
  expect(before.sums).toEqual({ paid: 0, onItsWay: 0 });
  expect(before.payouts).toMatchObject([
    {
      eventId: seller.eventId,
      title: 'Basement Brass',
      index: 0,
      amount: event.payout.statement?.net,
      state: 'too-early',
      isEstimate: true,
      at: event.payout.opensAt,
    },
  ]);

  const disputeId = await disputePayment(app, seller.eventId, { which: 1 });
  await openPayout(app, seller);
  expect((await payoutsOf(seller)).payouts).toMatchObject([{ state: 'open', isEstimate: true }]);
  expectOk(await seller.visitor.call(requestPayout, { eventId: seller.eventId }));
  await app.settle();
  await decideDispute(app, disputeId, 'won');
  await app.settle();

  const after = await payoutsOf(seller);
  expect(after.payouts.map(({ index, state, isEstimate }) => [index, state, isEstimate])).toEqual([
    [0, 'paid', false],
    [1, 'paid', false],
  ]);
  expect(after.payouts.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(after.sums.paid, 2);
  expect(after.sums).toEqual({ paid: await paidInLedger(), onItsWay: 0 });
});

it('has no drafts, nothing for cancelled events, and pages to the last', async () => {
  const seller = await eventOnSale(app);
  await copiesOfEvent(
    app.db,
    seller.eventId,
    EVENT_ROWS_PER_PAGE + 2,
    (index) => new Date(Date.UTC(2027, 5, index + 1)),
  );
  await newDraft(app, seller);
  expectOk(await seller.visitor.call(cancelEvent, { eventId: seller.eventId }));

  const first = await payoutsOf(seller);
  const second = expectOk(await seller.visitor.call(payoutList, { after: first.next ?? '' }));
  const all = [...first.payouts, ...second.payouts];
  expect(first.payouts).toHaveLength(EVENT_ROWS_PER_PAGE);
  expect(second.next).toBeNull();
  expect(new Set(all.map(({ eventId }) => eventId)).size).toBe(EVENT_ROWS_PER_PAGE + 3);
  expect(all.filter(({ state }) => state === 'cancelled')).toMatchObject([
    { eventId: seller.eventId, amount: 0, at: null },
  ]);
});

it("begins no page after another organization's event", async () => {
  const seller = await eventOnSale(app);
  const other = await eventOnSale(app);

  expect(expectOk(await seller.visitor.call(payoutList, { after: other.eventId })).payouts).toEqual([]);
});
