import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OrderRef } from '#domain/order.ts';
import { sweepWebhookEvents } from '#server/payments/webhooks/sweep-webhook-events.ts';
import { newId } from '#server/platform/ids.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { loseOrder, withoutWebhooks } from '#tests/support/lost-order.ts';
import { clearFaults, ledgerOf, postWebhook, stripeOf, webhookEventsOf } from '#tests/support/money.ts';
import { buyTickets, emailsTo, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { reconcile } from './reconcile.ts';

const HOUR = 60 * 60 * 1000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => clearFaults(app));

const reconcileNow = () => reconcile(app.deps, new Date(app.now().getTime() - 2 * HOUR));

async function reconcileLater() {
  await app.advance({ minutes: 20 });
  await reconcileNow();
  await app.settle();
}

const lostOrder = (email: string, options = {}) => loseOrder(app, email, options);

const ticketsOf = async (eventId: string) =>
  (await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').orderBy('state').execute()).map(
    ({ state }) => state,
  );

const orderOf = ({ eventId, orderId }: OrderRef) =>
  app.db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .select(['state', 'paymentId', 'buyerEmail'])
    .executeTakeFirst();

const refundsOf = (eventId: string) =>
  app.db.selectFrom('refunds').where('eventId', '=', eventId).select(['reason', 'state', 'cents']).execute();

const auditOf = ({ eventId, orderId }: OrderRef) =>
  app.db
    .selectFrom('auditEvents')
    .where('eventId', '=', eventId)
    .where('subject', '=', orderId)
    .select(['action', 'actorKind', 'params'])
    .execute();

const discrepancies = async () =>
  (await app.db.selectFrom('discrepancies').where('resolvedAt', 'is', null).select(['kind', 'subject']).execute()).map(
    ({ kind, subject }) => `${kind} ${subject}`,
  );

describe('a paid order that the database lost', () => {
  it('is rebuilt with new tickets, which are emailed once [OPS-9]', async () => {
    const lost = await lostOrder('rebuilt@example.com');

    await reconcileLater();
    await reconcileLater();

    expect(await orderOf(lost)).toEqual({
      state: 'paid',
      paymentId: lost.paymentId,
      buyerEmail: 'rebuilt@example.com',
    });
    expect(await ticketsOf(lost.eventId)).toEqual(['valid', 'valid']);
    const [email, ...others] = await emailsTo(app, 'rebuilt@example.com');
    expect(others).toEqual([]);
    expect(email?.text).toContain('replace');
    expect(await ledgerOf(app, lost.eventId)).toEqual([
      'card-fee card-fees 169',
      'card-fee processor -169',
      'sale organizer-payable -4800',
      'sale processor 4800',
    ]);
    expect(await auditOf(lost)).toEqual([
      { action: 'rebuild-order', actorKind: 'job', params: { isIssued: true, cents: 48_00 } },
    ]);
    expect(await discrepancies()).toEqual([]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is refunded where its tickets were sold since, and the buyer learns why [OPS-9]', async () => {
    const lost = await lostOrder('late@example.com', { quantity: 2, stock: 2 });
    await buyTickets(app, lost.eventId, generalAdmission(1), 'faster@example.com');

    await reconcileLater();
    await reconcileLater();

    expect(await orderOf(lost)).toMatchObject({ state: 'unfulfillable' });
    expect(await ticketsOf(lost.eventId)).toEqual(['valid']);
    expect(await refundsOf(lost.eventId)).toEqual([{ reason: 'unfulfillable-order', state: 'sent', cents: 48_00 }]);
    const [email] = await emailsTo(app, 'late@example.com');
    expect(email?.text).toContain('lost your order');
    expect(await auditOf(lost)).toMatchObject([{ params: { isIssued: false, cents: 48_00 } }]);
    expect(await discrepancies()).toEqual([]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is refunded if its ticket type is lost, too [OPS-9]', async () => {
    const lost = await lostOrder('type@example.com');
    await changeLine(lost.sessionId, '{lines,0,metadata,ticket_type_id}', newId());

    await reconcileLater();

    expect(await orderOf(lost)).toMatchObject({ state: 'unfulfillable' });
    expect(await refundsOf(lost.eventId)).toMatchObject([{ reason: 'unfulfillable-order', cents: 48_00 }]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('keeps the refund that one of its tickets had [OPS-9]', async () => {
    const lost = await lostOrder('refunded@example.com', { quantity: 3 });
    const metadata = { refund_id: newId(), ticket_id: newId(), event_id: lost.eventId, order_id: lost.orderId };
    const refund = { payment_intent: lost.paymentId, amount: 24_00, metadata };
    await withoutWebhooks(app, () => stripeOf(app).refunds.create(refund));

    await reconcileLater();
    await reconcileLater();

    expect(await ticketsOf(lost.eventId)).toEqual(['refunded', 'valid', 'valid']);
    expect(await refundsOf(lost.eventId)).toEqual([{ reason: 'requested', state: 'sent', cents: 24_00 }]);
    expect(await discrepancies()).toEqual([]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('stays a discrepancy if what was sold is not what was paid [OPS-9]', async () => {
    const lost = await lostOrder('odd@example.com');
    await changeLine(lost.sessionId, '{lines,0,quantity}', 7);

    await reconcileLater();

    expect(await orderOf(lost)).toBeUndefined();
    expect(await discrepancies()).toEqual(
      expect.arrayContaining([`unknown-order ${lost.sessionId}`, `unknown-payment ${lost.paymentId}`]),
    );

    await changeLine(lost.sessionId, '{lines,0,quantity}', 2);
    await reconcileLater();
    await reconcileLater();
    expect(await discrepancies()).toEqual([]);
  });

  it('is rebuilt once by two processes, also if its webhook comes meanwhile [OPS-9]', async () => {
    const lost = await lostOrder('raced@example.com');
    const [event] = await webhookEventsOf(app, lost.eventId, 'checkout.session.completed');
    const { both } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('ticketTypes').where('eventId', '=', lost.eventId).select('id').forUpdate().execute();
      const both = Promise.all([reconcileNow(), reconcileNow()]);
      // One waits for the stock, the other one for the order of the first.
      await app.untilBlocked(2);
      expect((await postWebhook(app, event?.payload ?? '')).status).toBe(200);
      return { both };
    });
    await both;
    await app.settle();
    await app.advance({ minutes: 20 });
    await sweepWebhookEvents(app.deps);
    await app.settle();

    expect(await ticketsOf(lost.eventId)).toEqual(['valid', 'valid']);
    expect(await emailsTo(app, 'raced@example.com')).toHaveLength(1);
    expect(await auditOf(lost)).toHaveLength(1);
    expect(await discrepancies()).toEqual([]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

const changeLine = (sessionId: string, path: string, value: string | number) =>
  sql`update sandbox.objects set inside = jsonb_set(inside::jsonb, ${path}::text[], ${JSON.stringify(value)}::jsonb)
       where id = ${sessionId}`.execute(app.db);
