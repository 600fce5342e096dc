import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import { type ActionItem, adminActionItems } from '#contract/app/action-items.ts';
import { adminDisputes, adminMoney, adminOverview } from '#contract/app/admin.ts';
import type { AnyEndpoint, ReplyOf } from '#contract/endpoint.ts';
import { reviewReasons } from '#messages/checkout.ts';
import { discrepancyMessages } from '#messages/operator.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newId } from '#server/platform/ids.ts';
import {
  type Planted,
  plantDispute,
  plantLedger,
  plantOrder,
  plantOutsideRefund,
  plantPayout,
  plantRefund,
  plantTransferReversal,
  plantWebhookEvent,
} from '#tests/support/action-items.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let visitor: Visitor;
let email: string;
beforeAll(async () => {
  // No jobs run, so that stuck work stays stuck.
  app = await startTestApp({ runsJobs: false });
  ({ visitor, email } = await newOrganizer(app));
  await appointAdmin(app.deps, { email, isAdmin: true });
  const { organizationId } = await actorOf(app.db, email);
  await app.db.updateTable('organizations').set({ name: 'Night Owls' }).where('id', '=', organizationId).execute();
  await sql`delete from email_outbox`.execute(app.db);
  await sql`delete from graphile_worker._private_jobs`.execute(app.db);
});
afterAll(() => app.close());

/** Logs in again each time, because sessions expire when the clock advances. */
async function ask<E extends AnyEndpoint>(endpoint: E): Promise<ReplyOf<E>> {
  await visitor.call(login, { email, password: PASSWORD });
  return (await visitor.send(endpoint, {})).body;
}

async function actionItemsOf({ eventId }: Pick<Planted, 'eventId'>): Promise<ActionItem[]> {
  const body = await ask(adminActionItems);
  return body.items.filter((item) => item.event?.eventId === eventId);
}

const order = (buyerEmail?: string) => plantOrder(app.db, email, app.now(), buyerEmail);
const brief = (items: readonly ActionItem[]) =>
  items.map(({ kind, cents, why, buyerEmail }) => [kind, cents, why, buyerEmail]);

describe('the list of action items', () => {
  it('is empty while nothing needs attention [ADM-1]', async () => {
    await order();

    expect(await ask(adminActionItems)).toEqual({ items: [], total: 0 });
  });

  it('gives work a few minutes to complete by itself', async () => {
    const planted = await order();
    await sql`update orders set state = 'reserved', reservation_expires_at = ${planted.at} where id = ${planted.orderId}`.execute(
      app.db,
    );
    await plantWebhookEvent(app.db, planted);
    await plantRefund(app.db, planted, { state: 'claimed' });
    await plantPayout(app.db, planted, { state: 'requested' });
    const before = await actionItemsOf(planted);

    await app.advance({ minutes: 6 });
    const soon = await actionItemsOf(planted);
    await app.advance({ hours: 1 });

    expect(before).toEqual([]);
    expect(soon.map(({ kind }) => kind).sort()).toEqual(['order-reserved', 'webhook-unprocessed']);
    expect((await actionItemsOf(planted)).map(({ kind }) => kind).sort()).toEqual([
      'order-reserved',
      'payout-unsent',
      'refund-unsent',
      'webhook-unprocessed',
    ]);
  });

  it('shows kind, event, time, amount and reason of an item', async () => {
    const planted = await order('bo@example.com');
    await sql`update orders set state = 'needs-review', review_reason = 'other-amount', received_cents = 700
               where id = ${planted.orderId}`.execute(app.db);

    const [item] = await actionItemsOf(planted);

    expect(item).toEqual({
      kind: 'order-needs-review',
      subject: planted.orderId,
      event: { eventId: planted.eventId, title: 'Basement Brass', organization: 'Night Owls' },
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      cents: 700,
      why: reviewReasons['other-amount'],
      buyerEmail: 'bo@example.com',
    });
  });

  it('shows the buyer only if money is owed to them', async () => {
    const planted = await order('ann@example.com');
    await plantRefund(app.db, planted, { state: 'refused', failureReason: 'Card expired.' });
    const failed = await order('ann@example.com');
    await plantRefund(app.db, failed, { state: 'failed' });
    const asked = await order('ann@example.com');
    const { id: ticketId } = await app.db
      .selectFrom('tickets')
      .where('orderId', '=', asked.orderId)
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    await plantRefund(app.db, asked, { state: 'refused', reason: 'requested', ticketId, failureReason: 'No.' });
    await sql`update events set ends_at = ${new Date(app.now().getTime() + 3_600_000)} where id = ${asked.eventId}`.execute(
      app.db,
    );

    expect(brief(await actionItemsOf(planted))).toEqual([['refund-refused', 100, 'Card expired.', 'ann@example.com']]);
    expect(brief(await actionItemsOf(failed))).toEqual([['refund-failed', 100, null, 'ann@example.com']]);
    expect(brief(await actionItemsOf(asked))).toEqual([['refund-request-refused', 100, 'No.', null]]);

    await app.advance({ hours: 26 });
    expect(await actionItemsOf(asked)).toEqual([]);
  });

  it('shows the part of a failed refund that was not paid in the Stripe dashboard', async () => {
    const planted = await order('ann@example.com');
    await plantRefund(app.db, planted, { state: 'failed' });
    await plantOutsideRefund(app.db, planted, 40);
    const before = brief(await actionItemsOf(planted));
    await plantOutsideRefund(app.db, planted, 60);

    expect(before).toEqual([['refund-failed', 60, null, 'ann@example.com']]);
    expect(await actionItemsOf(planted)).toEqual([]);
  });

  it('shows a pending refund after 10 days', async () => {
    const planted = await order();
    await plantRefund(app.db, planted, { state: 'sent' });
    await app.advance({ days: 9 });
    const before = await actionItemsOf(planted);
    await app.advance({ days: 2 });

    expect(before).toEqual([]);
    expect(brief(await actionItemsOf(planted))).toEqual([['refund-unsettled', 100, null, null]]);
  });

  it('distinguishes payouts by what they wait for', async () => {
    const refused = await order();
    await plantPayout(app.db, refused, { state: 'requested', failureReason: 'The books disagree.' });
    const account = await order();
    await plantPayout(app.db, account, { state: 'awaiting-account', failureReason: 'Not active.' });
    const funds = await order();
    await plantPayout(app.db, funds, { state: 'awaiting-funds' });
    const before = await actionItemsOf(funds);
    await app.advance({ days: 6 });

    expect(before).toEqual([]);
    expect(brief(await actionItemsOf(refused))).toEqual([['payout-rejected', 1000, 'The books disagree.', null]]);
    expect(brief(await actionItemsOf(account))).toEqual([['payout-awaiting-account', 1000, 'Not active.', null]]);
    expect(brief(await actionItemsOf(funds))).toEqual([['payout-awaiting-funds', 1000, null, null]]);
  });

  it('shows reversals, and leaves disputes and inquiries to their own list [EVID-1]', async () => {
    const claimed = await order();
    await plantTransferReversal(app.db, claimed, { state: 'claimed', failureReason: 'No such transfer.' });
    const asked = await order();
    await plantDispute(app.db, asked, 'inquiry');

    expect(brief(await actionItemsOf(claimed))).toEqual([['reversal-unsettled', 4554, 'No such transfer.', null]]);
    expect(brief(await actionItemsOf(asked))).toEqual([]);
    const { disputes } = await ask(adminDisputes);
    const listed = disputes.filter(({ eventId }) => [claimed.eventId, asked.eventId].includes(eventId));
    expect(listed.map(({ isInquiry }) => isInquiry).sort()).toEqual([false, true]);
  });

  it('applies money kept from payouts to the oldest debt first', async () => {
    const first = await order();
    await plantTransferReversal(app.db, first, { state: 'receivable' });
    await app.advance({ hours: 1 });
    const second = await order();
    await plantTransferReversal(app.db, second, { state: 'receivable' });
    const entries = { 'organizer-payable': 5000, receivables: -5000 };
    const sold = { processor: 5000, 'organizer-payable': -5000 };
    await plantLedger(app.db, { ...second, subjectId: newId(), kind: 'sale', entries: sold });
    await plantLedger(app.db, { ...second, subjectId: newId(), kind: 'payout', entries });

    expect(await actionItemsOf(first)).toEqual([]);
    expect((await actionItemsOf(second)).find(({ kind }) => kind === 'receivable')).toMatchObject({
      cents: 2 * 4554 - 5000,
    });
  });

  it('shows the last job error of an item', async () => {
    const planted = await order();
    const webhookEvent = await plantWebhookEvent(app.db, planted);
    for (const words of ['at first', 'Stripe is unreachable']) {
      await sql`select graphile_worker.add_job('process-webhook-event', json_build_object('webhookEventId', ${webhookEvent}::text))`.execute(
        app.db,
      );
      await sql`update graphile_worker._private_jobs set last_error = ${words}
                 where payload ->> 'webhookEventId' = ${webhookEvent} and last_error is null`.execute(app.db);
    }
    await app.advance({ minutes: 6 });

    expect(brief(await actionItemsOf(planted))).toEqual([['webhook-unprocessed', null, 'Stripe is unreachable', null]]);
    await sql`delete from graphile_worker._private_jobs where payload ->> 'webhookEventId' = ${webhookEvent}`.execute(
      app.db,
    );
    expect(brief(await actionItemsOf(planted))).toEqual([['webhook-unprocessed', null, 'charge.updated', null]]);
  });

  it('shows open discrepancies and failed jobs without email addresses', async () => {
    const { eventId, at } = await order();
    const discrepancy = { kind: 'payment', subject: 're_1', eventId, cents: -300 };
    await app.db
      .insertInto('discrepancies')
      .values([
        { ...discrepancy, id: newId(), foundAt: at, resolvedAt: null },
        { ...discrepancy, id: newId(), subject: 're_2', foundAt: at, resolvedAt: at },
      ])
      .execute();
    await sql`select graphile_worker.add_job('announce-event-change', json_build_object('eventId', ${eventId}::text))`.execute(
      app.db,
    );
    await sql`update graphile_worker._private_jobs
                 set attempts = max_attempts, last_error = 'no mailbox <bo.b@example.com> here'
               where payload ->> 'eventId' = ${eventId}`.execute(app.db);

    expect(brief(await actionItemsOf({ eventId })).sort()).toEqual([
      ['discrepancy', 300, discrepancyMessages.payment, null],
      ['job-given-up', null, 'announce-event-change: no mailbox <(address)> here', null],
    ]);
  });

  it('is counted by kind and in total in the overview', async () => {
    const body = await ask(adminActionItems);
    const overview = await ask(adminOverview);

    expect(body.total).toBe(body.items.length);
    const { disputes, ...listed } = overview.actionItems;
    expect(Object.values(listed).reduce((sum, count) => sum + count, 0)).toBe(body.total);
    expect({ disputes, ...listed }).toMatchObject({ discrepancies: 1, jobs: 1, disputes: 2, orders: 2 });
  });
});

describe('the money overview', () => {
  it('totals the ledger and compares it with Stripe', async () => {
    const before = await ask(adminMoney);
    const planted = await order();
    const add = (kind: string, entries: Record<string, number>) =>
      plantLedger(app.db, { ...planted, subjectId: newId(), kind, entries });
    await add('sale', { processor: 5000, 'organizer-payable': -5000 });
    await add('card-fee', { 'card-fees': 175, processor: -175 });
    await add('payout', { 'organizer-payable': 5000, processor: -4000, 'platform-fees': -1000 });
    await add('dispute-opened', { disputed: 600, 'dispute-costs': 15, processor: -615 });
    await app.db
      .insertInto('balanceTransactions')
      .values([
        { id: 'txn_1', type: 'charge', paymentId: 'pi_1', transferId: null, netCents: 4825, createdAt: planted.at },
        { id: 'txn_2', type: 'payout', paymentId: null, transferId: null, netCents: -100, createdAt: planted.at },
      ])
      .execute();
    await app.db
      .insertInto('balanceTransactionCursor')
      .values({ until: planted.at, finishedAt: planted.at })
      .onConflict((conflict) => conflict.column('isTheOnlyRow').doUpdateSet({ finishedAt: planted.at }))
      .execute();

    const after = await ask(adminMoney);

    expect(after).toEqual({
      ...before,
      clearing: before.clearing + 210,
      provider: before.provider + 4825,
      providerOther: before.providerOther - 100,
      disputed: before.disputed + 600,
      platformFees: before.platformFees + 1000,
      cardFees: before.cardFees + 175,
      disputeCosts: before.disputeCosts + 15,
      margin: before.margin + 1000 - 175 - 15,
      reconciledAt: planted.at.toISOString(),
    });
  });

  it('is for admins only, like the list', async () => {
    const other = await newOrganizer(app);
    const stranger = app.visitor();
    for (const endpoint of [adminActionItems, adminMoney]) {
      expect((await other.visitor.call(endpoint, {})).status).toBe(404);
      expect((await stranger.call(endpoint, {})).status).toBe(401);
    }
  });
});
