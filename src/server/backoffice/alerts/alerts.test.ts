import { describe, expect, it } from 'vitest';
import { adminAlerts } from '#contract/app/alerts.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newId } from '#server/platform/ids.ts';
import { plantDispute, plantOrder, plantRefund } from '#tests/support/action-items.ts';
import { emailsTo, eventOnSale, expectOk, newOrganizer } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { sendAlerts, sendCheckAlerts } from './send-alerts.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

/** An address of its own, so that each test reads only its emails. */
function operator() {
  const alertEmail = `${newId()}@example.com`;
  const deps = { ...app.deps, alertEmail };
  return {
    alert: () => sendAlerts(deps),
    check: (...failed: string[]) => sendCheckAlerts({ ...deps, findFailedChecks: async () => failed }),
    async emails() {
      await app.settle();
      return (await emailsTo(app, alertEmail)).map(({ text }) => text);
    },
  };
}

async function plantedOrder() {
  const { email } = await eventOnSale(app);
  return plantOrder(app.db, email, app.now(), 'ann@example.com');
}

/** Resolves what earlier tests left, so that nothing of theirs is sent. */
async function resolveAll() {
  await app.db.deleteFrom('refunds').where('state', '=', 'failed').execute();
  await app.db.deleteFrom('disputes').execute();
  await app.db.deleteFrom('discrepancies').execute();
  await app.db.updateTable('alerts').set({ resolvedAt: app.now() }).execute();
}

const openAlerts = async () =>
  app.db.selectFrom('alerts').where('resolvedAt', 'is', null).select(['kind', 'subject']).execute();

describe('an alert', () => {
  it('is emailed once, again every day while it lasts, and not when it is over [ALERT-1]', async () => {
    await resolveAll();
    const { alert, emails } = operator();
    await insertDiscrepancy();

    await alert();
    await alert();
    expect(await emails()).toHaveLength(1);
    await app.advance({ hours: 23 });
    await alert();
    expect(await emails()).toHaveLength(1);
    await app.advance({ hours: 1 });
    await alert();
    expect(await emails()).toHaveLength(2);

    await app.db.updateTable('discrepancies').set({ resolvedAt: app.now() }).execute();
    await app.advance({ hours: 24 });
    await alert();
    expect(await emails()).toHaveLength(2);
    expect(await openAlerts()).toEqual([]);
  });

  it('is raised for an action item after 15 minutes, and names its kind without any person [ALERT-1]', async () => {
    await resolveAll();
    const { alert, emails } = operator();
    const planted = await plantedOrder();
    await plantRefund(app.db, planted, { state: 'failed', cents: 100 });

    await alert();
    expect(await emails()).toEqual([]);
    await app.advance({ minutes: 16 });
    await alert();

    const [text = ''] = await emails();
    expect(text).toContain('Refund bounced');
    expect(text).not.toContain('ann@example.com');
  });

  it('is raised for a dispute that is due in 3 days [ALERT-1]', async () => {
    await resolveAll();
    const disputeId = await plantDispute(app.db, await plantedOrder(), 'open');
    const due = (days: number) =>
      app.db
        .updateTable('disputes')
        .set({ dueAt: new Date(app.now().getTime() + days * 86_400_000) })
        .where('id', '=', disputeId)
        .execute();
    const { alert } = operator();

    await due(4);
    await alert();
    expect(await openAlerts()).not.toContainEqual({ kind: 'dispute-due', subject: disputeId });
    await due(2);
    await alert();
    expect(await openAlerts()).toContainEqual({ kind: 'dispute-due', subject: disputeId });
  });

  it('is raised once for all emails that wait [ALERT-1]', async () => {
    await resolveAll();
    const createdAt = new Date(app.now().getTime() - 16 * 60_000);
    const waiting = { kind: 'tickets', toAddress: 'ann@example.com', createdAt, params: '{}', sentAt: null };
    const rows = [1, 2].map(() => ({ ...waiting, id: newId(), subjectId: newId(), accountId: null }));
    await app.db.insertInto('emailOutbox').values(rows).execute();

    await operator().alert();

    expect(await openAlerts()).toEqual([{ kind: 'email-failing', subject: 'queue' }]);
    const ids = rows.map(({ id }) => id);
    await app.db.deleteFrom('emailOutbox').where('id', 'in', ids).execute();
  });

  it("is raised for a failing check of the doctor's, and only by its job [ALERT-1]", async () => {
    await resolveAll();
    const { alert, check, emails } = operator();

    await check('Mail server');
    await alert();
    await check('Mail server');
    expect(await emails()).toEqual([expect.stringContaining('Failed check: Mail server')]);
    await check();
    expect(await openAlerts()).toEqual([]);
  });

  it('is sent by one of two jobs at the same time [ALERT-1]', async () => {
    await resolveAll();
    const { alert, emails } = operator();
    await insertDiscrepancy();
    await sendAlerts({ ...app.deps, alertEmail: null });

    const { pending } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('alerts').where('resolvedAt', 'is', null).select('id').forUpdate().execute();
      const pending = Promise.all([alert(), alert()]);
      await app.untilBlocked(2);
      return { pending };
    });
    await pending;

    expect(await emails()).toHaveLength(1);
  });

  it('is listed for operators, also without an address to email [ALERT-1]', async () => {
    await resolveAll();
    await insertDiscrepancy();
    await sendAlerts({ ...app.deps, alertEmail: null });
    const { email, visitor } = await newOrganizer(app);
    await appointAdmin(app.deps, { email, isAdmin: true });

    const { alerts, total } = expectOk(await visitor.call(adminAlerts, {}));

    expect(alerts).toMatchObject([{ kind: 'discrepancy', lastSentAt: null }]);
    expect(total).toBe(1);
  });
});

async function insertDiscrepancy() {
  const { eventId } = await eventOnSale(app);
  const row = { id: newId(), kind: 'payout', subject: eventId, eventId, cents: 100, foundAt: app.now() } as const;
  await app.db
    .insertInto('discrepancies')
    .values({ ...row, resolvedAt: null })
    .execute();
}
