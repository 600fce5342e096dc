/** Debts and additional payouts that result from disputes: what operators see, and what they can do. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import { adminActionItems, operatorActions, retryActionItem, writeOffReceivable } from '#contract/app/action-items.ts';
import { adminOverview } from '#contract/app/admin.ts';
import { operatorActionMessages } from '#messages/operator.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newId } from '#server/platform/ids.ts';
import {
  type Planted,
  plantDispute,
  plantLedger,
  plantOrder,
  plantPayout,
  plantTransferReversal,
} from '#tests/support/action-items.ts';
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

const note = 'They have closed down.';

async function newDebtor(): Promise<Planted> {
  const debtor = await newOrganizer(app);
  return plantOrder(app.db, debtor.email, app.now());
}

async function asAdmin(): Promise<Visitor> {
  await admin.call(login, { email, password: PASSWORD });
  return admin;
}

async function itemsOf({ eventId }: Planted) {
  const { body } = await (await asAdmin()).call(adminActionItems, {});
  return body.items.filter((item) => item.event?.eventId === eventId);
}

const kindsOf = async (planted: Planted) => (await itemsOf(planted)).map(({ kind }) => kind).sort();
const writeOff = async (subject: string) => (await asAdmin()).call(writeOffReceivable, { subject, note });
const returnedBy = (planted: Planted, payoutId: string) =>
  app.db.updateTable('disputes').set({ returnedBy: payoutId }).where('eventId', '=', planted.eventId).execute();

describe('a debt whose dispute can still be won', () => {
  it.each(['open', 'won'] as const)('cannot be written off: %s', async (dispute) => {
    const planted = await newDebtor();
    const subject = await plantTransferReversal(app.db, planted, { state: 'receivable', dispute });
    // A won dispute is returned only once no other dispute of the order is open.
    if (dispute === 'won') await plantDispute(app.db, planted, 'open');

    expect(await writeOff(subject)).toMatchObject({ status: 409, body: { code: 'action-item.dispute-open' } });

    expect(await ledgerOf(app, planted.eventId, 'write-off')).toEqual([]);
    expect(await kindsOf(planted)).toEqual(['receivable-disputed']);
    expect(operatorActions['receivable-disputed']).toEqual([]);
  });

  it('can be written off once the dispute is lost, or was returned and left another debt', async () => {
    const lost = await newDebtor();
    const lostDebt = await plantTransferReversal(app.db, lost, { state: 'receivable', dispute: 'open' });
    await sql`update disputes set state = 'lost', closed_at = now() where event_id = ${lost.eventId}`.execute(app.db);
    const won = await newDebtor();
    const wonDebt = await plantTransferReversal(app.db, won, { state: 'receivable', dispute: 'won' });
    await returnedBy(won, await plantPayout(app.db, won, { state: 'paid', seq: 2 }));

    for (const [planted, subject] of [
      [lost, lostDebt],
      [won, wonDebt],
    ] as const) {
      expect(await kindsOf(planted)).toEqual(['receivable']);
      expect((await writeOff(subject)).status).toBe(200);
      expect(await ledgerOf(app, planted.eventId, 'write-off')).toHaveLength(2);
    }
  });
});

describe('money of a dispute that has ended', () => {
  it('is shown if the organizer does not have it after an hour, and can be retried', async () => {
    const taken = await newDebtor();
    await plantTransferReversal(app.db, taken, { state: 'receivable', dispute: 'won' });
    const heldBack = await newDebtor();
    const payoutId = await plantPayout(app.db, heldBack, { state: 'paid' });
    const disputeId = await plantDispute(app.db, heldBack, 'won');
    await app.db.updateTable('disputes').set({ excludedFrom: payoutId }).where('id', '=', disputeId).execute();
    const before = [...(await kindsOf(taken)), ...(await kindsOf(heldBack))];
    await app.advance({ minutes: 61 });

    expect(before).toEqual(['receivable-disputed']);
    expect(await kindsOf(taken)).toEqual(['receivable-disputed', 'return-unpaid']);
    expect(await itemsOf(heldBack)).toMatchObject([{ kind: 'return-unpaid', subject: disputeId, cents: 48_00 }]);
    const { body } = await (await asAdmin()).call(adminOverview, {});
    expect(body.actionItems.payouts).toBe(2);
  });

  it('is paid when the operator retries, and applied to its debt first', async () => {
    const planted = await newDebtor();
    await plantTransferReversal(app.db, planted, { state: 'receivable', dispute: 'won' });
    await sql`update payouts set statement = statement || '{"rate": {"flatCents": 75, "basisPoints": 200}}'
               where event_id = ${planted.eventId}`.execute(app.db);
    await app.advance({ minutes: 61 });
    const line = (await itemsOf(planted)).find(({ kind }) => kind === 'return-unpaid');

    const again = await admin.call(retryActionItem, { kind: 'return-unpaid', subject: line?.subject ?? '' });

    expect(again).toMatchObject({ status: 200, body: { msg: operatorActionMessages.retry.done } });
    expect(await kindsOf(planted)).toEqual([]);
    expect(await ledgerOf(app, planted.eventId, 'payout')).toEqual([
      'payout organizer-payable 4800',
      'payout platform-fees -246',
      'payout receivables -4554',
    ]);
  });

  it('is not shown if nothing is left, if it was paid, or while another dispute is open', async () => {
    const gone = await newDebtor();
    const paid = await newDebtor();
    const still = await newDebtor();
    for (const planted of [gone, paid, still]) {
      const payoutId = await plantPayout(app.db, planted, { state: 'paid' });
      const disputeId = await plantDispute(app.db, planted, planted === gone ? 'lost' : 'won');
      await app.db.updateTable('disputes').set({ excludedFrom: payoutId }).where('id', '=', disputeId).execute();
    }
    await app.db.updateTable('tickets').set({ state: 'void' }).where('orderId', '=', gone.orderId).execute();
    await returnedBy(paid, await plantPayout(app.db, paid, { state: 'paid', seq: 2 }));
    await plantDispute(app.db, still, 'open');
    await app.advance({ hours: 2 });

    expect(await kindsOf(gone)).toEqual([]);
    expect(await kindsOf(paid)).toEqual([]);
    expect(await kindsOf(still)).toEqual([]);
  });
});

describe('an organizer who paid more than they owed', () => {
  it('is shown with the amount, whatever other organizers owe', async () => {
    const planted = await newDebtor();
    const other = await newDebtor();
    await plantTransferReversal(app.db, other, { state: 'receivable' });
    await plantTransferReversal(app.db, planted, { state: 'receivable' });
    const before = await kindsOf(planted);
    const sold = { processor: 50_00, 'organizer-payable': -50_00 };
    await plantLedger(app.db, { ...planted, subjectId: newId(), kind: 'sale', entries: sold });
    const entries = { 'organizer-payable': 50_00, receivables: -50_00 };
    await plantLedger(app.db, { ...planted, subjectId: newId(), kind: 'payout', entries });

    expect(before).toEqual(['receivable']);
    // The debt was $48.00 less $2.46 of fees.
    expect(await itemsOf(planted)).toMatchObject([{ kind: 'over-deducted', cents: 50_00 - 45_54 }]);
  });
});
