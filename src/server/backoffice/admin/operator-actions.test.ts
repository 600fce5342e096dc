import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import {
  type ActionItemKind,
  refundReviewedOrder,
  retryActionItem,
  settleAnotherWay,
  writeOffReceivable,
} from '#contract/app/action-items.ts';
import { operatorActionMessages } from '#messages/operator.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { inTransaction } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import {
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
import { ledgerOf } from '#tests/support/money.ts';
import { newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let admin: Visitor;
let email: string;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  ({ visitor: admin, email } = await newOrganizer(app));
  await appointAdmin(app.deps, { email, isAdmin: true });
});
afterAll(() => app.close());
beforeEach(async () => {
  await admin.call(login, { email, password: PASSWORD });
});

const note = 'By wire, on Monday.';
const order = () => plantOrder(app.db, email, app.now());

async function jobsAbout(id: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select t.identifier as name from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
     where j.payload::text like ${`%${id}%`}`.execute(app.db);
  return rows.map(({ name }) => name);
}

async function actionsOn(subject: string) {
  const rows = await app.db
    .selectFrom('operatorActions as a')
    .innerJoin('users as u', 'u.id', 'a.operatorId')
    .where('a.subject', '=', subject)
    .select(['u.email', 'a.action', 'a.kind', 'a.cents', 'a.note'])
    .execute();
  return rows.map((row) => [row.email, row.action, row.kind, row.cents, row.note]);
}

const retry = (kind: ActionItemKind, subject: string) => admin.call(retryActionItem, { kind, subject });

describe('retrying', () => {
  it('requeues stuck work and records the operator', async () => {
    const planted = await order();
    const webhookEvent = await plantWebhookEvent(app.db, planted);
    const refund = await plantRefund(app.db, planted, { state: 'claimed' });
    const recovery = await plantTransferReversal(app.db, await order(), { state: 'claimed' });
    await app.advance({ hours: 2 });
    await admin.call(login, { email, password: PASSWORD });

    const replies = [
      await retry('webhook-unprocessed', webhookEvent),
      await retry('refund-unsent', refund),
      await retry('reversal-unsettled', recovery),
    ];

    expect(replies.map(({ status, body }) => [status, body.msg])).toEqual(
      replies.map(() => [200, operatorActionMessages.retry.done]),
    );
    expect(await jobsAbout(webhookEvent)).toEqual(['process-webhook-event']);
    expect(await jobsAbout(refund)).toEqual(['send-refund']);
    expect(await jobsAbout(recovery)).toEqual(['send-reversal']);
    expect(await actionsOn(refund)).toEqual([[email, 'retry', 'refund-unsent', 0, '']]);
  });

  it('gives a failed job all of its attempts again', async () => {
    const { eventId } = await order();
    await sql`select graphile_worker.add_job('look', json_build_object('eventId', ${eventId}::text), max_attempts => 3)`.execute(
      app.db,
    );
    const { rows } = await sql<{ id: string }>`
      update graphile_worker._private_jobs set attempts = 3 where payload ->> 'eventId' = ${eventId} returning id`.execute(
      app.db,
    );
    const id = String(rows[0]?.id);

    const replies = [await retry('job-given-up', id), await retry('job-given-up', id)];
    const { rows: after } = await sql`select attempts from graphile_worker._private_jobs where id = ${id}`.execute(
      app.db,
    );

    expect(replies.map(({ status }) => status)).toEqual([200, 409]);
    expect(replies[1]?.body.code).toBe('action-item.gone');
    expect(after).toEqual([{ attempts: 0 }]);
  });

  it('requests a refused refund of a cancelled event once, however often it is retried', async () => {
    const planted = await order();
    const { eventId, orderId } = planted;
    const ticket = await app.db
      .updateTable('tickets')
      .set({ state: 'refunding' })
      .where('orderId', '=', orderId)
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`update events set cancelled_at = now() where id = ${eventId}`.execute(app.db);
    const refused = { state: 'refused', reason: 'event-cancelled', ticketId: ticket.id, failureReason: 'No.' } as const;
    const refund = await plantRefund(app.db, planted, refused);

    const replies = [await retry('refund-refused', refund), await retry('refund-refused', refund)];
    const { rows } = await sql`select state, ticket_id from refunds where event_id = ${eventId} order by id`.execute(
      app.db,
    );

    expect(replies.map(({ status }) => status)).toEqual([200, 409]);
    expect(rows).toMatchObject([{ state: 'refused' }, { state: 'claimed' }]);
  });

  it('requests a refused refund of an order without tickets as a new refund', async () => {
    const planted = await order();
    const refund = await plantRefund(app.db, planted, { state: 'refused', failureReason: 'No.' });

    const replies = [await retry('refund-refused', refund), await retry('refund-refused', refund)];
    const { rows } = await sql<{ id: string; state: string; cents: number }>`
      select id, state, cents from refunds where event_id = ${planted.eventId} order by id`.execute(app.db);

    expect(replies.map(({ status }) => status)).toEqual([200, 409]);
    expect(rows).toMatchObject([
      { id: refund, state: 'refused', cents: 100 },
      { state: 'claimed', cents: 100 },
    ]);
    expect(await jobsAbout(rows[1]?.id ?? '')).toEqual(['send-refund']);
  });

  it('is denied for items that cannot be retried, and for resolved ones', async () => {
    const planted = await order();
    const failed = await plantRefund(app.db, planted, { state: 'failed' });

    expect(await retry('refund-failed', failed)).toMatchObject({
      status: 409,
      body: { code: 'action-item.not-possible' },
    });
    expect(await retry('email-unsent', 'nothing')).toMatchObject({ status: 409, body: { code: 'action-item.gone' } });
    expect(await actionsOn(failed)).toEqual([]);
  });
});

describe('an order that does not match its payment', () => {
  const setAside = (orderId: string, reviewReason: string) =>
    sql`update orders set state = 'needs-review', review_reason = ${reviewReason}, received_cents = 700
         where id = ${orderId}`.execute(app.db);

  it('is refunded once and in full', async () => {
    const { orderId, eventId } = await order();
    await setAside(orderId, 'other-amount');

    const replies = [1, 2].map(() => admin.call(refundReviewedOrder, { subject: orderId }));
    const third = await Promise.all(replies).then(() => admin.call(refundReviewedOrder, { subject: orderId }));
    const { rows } = await sql`select cents, reason, state from refunds where event_id = ${eventId}`.execute(app.db);

    expect(third).toMatchObject({ status: 200, body: { msg: operatorActionMessages['refund-order'].done } });
    expect(rows).toEqual([{ cents: 700, reason: 'unfulfillable-order', state: 'claimed' }]);
    expect(await actionsOn(orderId)).toEqual([[email, 'refund-order', 'order-needs-review', 700, '']]);
  });

  it('has to be refunded in the Stripe dashboard if it was paid in another currency', async () => {
    const { orderId } = await order();
    await setAside(orderId, 'other-currency');

    const reply = await admin.call(refundReviewedOrder, { subject: orderId });

    expect(reply).toMatchObject({ status: 409, body: { code: 'review.other-currency' } });
    expect(await actionsOn(orderId)).toEqual([]);
  });
});

describe('a failed refund', () => {
  it('is recorded as paid another way once, even by two operators concurrently', async () => {
    const planted = await order();
    const subject = await plantRefund(app.db, planted, { state: 'failed' });
    const started = await inTransaction(app.db, async (tx) => {
      await sql`select 1 from refunds where id = ${subject} for update`.execute(tx);
      const both = [1, 2].map(() => admin.call(settleAnotherWay, { subject, note }));
      await app.untilBlocked(2);
      return { both };
    });

    const replies = await Promise.all(started.both);

    expect(replies.map(({ status, body }) => [status, body.msg])).toEqual(
      replies.map(() => [200, operatorActionMessages['paid-another-way'].done]),
    );
    expect(await ledgerOf(app, planted.eventId, 'owed-paid')).toEqual([
      'owed-paid operator -100',
      'owed-paid owed-to-buyers 100',
    ]);
    expect(await actionsOn(subject)).toEqual([[email, 'paid-another-way', 'refund-failed', 100, note]]);
  });

  it('cannot be recorded as paid another way once it was paid in the Stripe dashboard', async () => {
    const planted = await order();
    const subject = await plantRefund(app.db, planted, { state: 'failed' });
    await plantOutsideRefund(app.db, planted, 100);

    const reply = await admin.call(settleAnotherWay, { subject, note });

    expect(reply).toMatchObject({ status: 409, body: { code: 'action-item.gone' } });
    expect(await actionsOn(subject)).toEqual([]);
  });

  it('is recorded as paid another way only for the part not paid in the Stripe dashboard', async () => {
    const planted = await order();
    const subject = await plantRefund(app.db, planted, { state: 'failed' });
    await plantOutsideRefund(app.db, planted, 40);

    const replies = [1, 2].map(() => admin.call(settleAnotherWay, { subject, note }));

    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await ledgerOf(app, planted.eventId, 'owed-paid')).toEqual([
      'owed-paid operator -60',
      'owed-paid owed-to-buyers 60',
    ]);
    expect(await actionsOn(subject)).toEqual([[email, 'paid-another-way', 'refund-failed', 60, note]]);
  });

  it('requires a note and the failed state', async () => {
    const planted = await order();
    const subject = await plantRefund(app.db, planted, { state: 'sent' });

    expect((await admin.call(settleAnotherWay, { subject, note: ' ok ' })).status).toBe(400);
    expect((await admin.call(settleAnotherWay, { subject: 'nothing', note })).status).toBe(400);
    expect((await admin.call(settleAnotherWay, { subject, note })).status).toBe(409);
    expect(await ledgerOf(app, planted.eventId)).toEqual([]);
  });
});

describe("an organizer's debt", () => {
  const debtBook = (eventId: string) => ledgerOf(app, eventId, 'write-off');

  it('is written off once, even by two operators concurrently', async () => {
    const debtor = await newOrganizer(app);
    const planted = await plantOrder(app.db, debtor.email, app.now());
    const subject = await plantTransferReversal(app.db, planted, { state: 'receivable' });
    const started = await inTransaction(app.db, async (tx) => {
      const { organizationId } = await actorOf(tx, debtor.email);
      await sql`select 1 from organizations where id = ${organizationId} for update`.execute(tx);
      const both = [1, 2].map(() => admin.call(writeOffReceivable, { subject, note }));
      await app.untilBlocked(2);
      return { both };
    });

    const replies = await Promise.all(started.both);

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await debtBook(planted.eventId)).toEqual(['write-off receivables -4554', 'write-off write-offs 4554']);
    expect(await actionsOn(subject)).toEqual([[email, 'write-off', 'receivable', 4554, note]]);
  });

  it('is written off only for the part payouts have not covered, and not while one is pending', async () => {
    const debtor = await newOrganizer(app);
    const planted = await plantOrder(app.db, debtor.email, app.now());
    const subject = await plantTransferReversal(app.db, planted, { state: 'receivable' });
    const next = await plantOrder(app.db, debtor.email, app.now());
    const payout = await plantPayout(app.db, next, { state: 'requested', debtDeductedCents: 4000 });
    const early = await admin.call(writeOffReceivable, { subject, note });

    await sql`update payouts set state = 'paid', paid_at = now(), transfer_id = 'tr_1' where id = ${payout}`.execute(
      app.db,
    );
    const sold = { processor: 5000, 'organizer-payable': -5000 };
    await plantLedger(app.db, { ...next, subjectId: newId(), kind: 'sale', entries: sold });
    const entries = { 'organizer-payable': 5000, processor: -1000, receivables: -4000 };
    await plantLedger(app.db, { ...next, subjectId: payout, kind: 'payout', entries });
    const later = await admin.call(writeOffReceivable, { subject, note });

    expect(early).toMatchObject({ status: 409, body: { code: 'action-item.payout-under-way' } });
    expect(later.status).toBe(200);
    expect(await debtBook(planted.eventId)).toEqual(['write-off receivables -554', 'write-off write-offs 554']);
  });
});

describe('every operator action', () => {
  it('is denied to anyone but an admin, and changes nothing', async () => {
    const planted = await order();
    const subject = await plantRefund(app.db, planted, { state: 'failed' });
    const { visitor } = await newOrganizer(app);
    const acts = [
      [retryActionItem, { kind: 'refund-failed', subject }],
      [refundReviewedOrder, { subject }],
      [settleAnotherWay, { subject, note }],
      [writeOffReceivable, { subject, note }],
    ] as const;

    for (const [endpoint, input] of acts) {
      expect(await visitor.send(endpoint, input)).toMatchObject({ status: 404, body: { code: 'page.not-found' } });
      expect((await app.visitor().send(endpoint, input)).status).toBe(401);
    }
    expect(await ledgerOf(app, planted.eventId, 'owed-paid')).toEqual([]);
  });

  it('cannot be deleted from the record', async () => {
    expect((await app.db.selectFrom('operatorActions').select('id').execute()).length).toBeGreaterThan(5);
    await expect(app.db.deleteFrom('operatorActions').execute()).rejects.toThrow('never changed or removed');
    await expect(app.deps.db.deleteFrom('operatorActions').execute()).rejects.toThrow('permission denied');
  });
});
