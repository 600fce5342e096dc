import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import { type ActionItemKind, adminActionItems, retryActionItem } from '#contract/app/action-items.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { errorText } from '#messages/errors.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newId } from '#server/platform/ids.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { advanceTo, clearFaults, movementsAtStripe, planFault, settlementOf } from '#tests/support/money.ts';
import { buyTickets, emailsTo, eventOnSale, logInAgain, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let admin: Visitor;
let email: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ visitor: admin, email } = await newOrganizer(app));
  await appointAdmin(app.deps, { email, isAdmin: true });
});
afterAll(() => app.close());

async function retry(kind: ActionItemKind, subject: string) {
  await admin.call(login, { email, password: PASSWORD });
  const reply = await admin.call(retryActionItem, { kind, subject });
  await app.settle();
  return reply;
}

async function actionItemKinds(): Promise<ActionItemKind[]> {
  await admin.call(login, { email, password: PASSWORD });
  return (await admin.call(adminActionItems, {})).body.items.map(({ kind }) => kind);
}

describe('retrying an action item', () => {
  it('sends an email whose job was lost, once', async () => {
    const id = newId();
    await sql`insert into email_outbox (id, kind, subject_id, to_address, created_at)
              values (${id}, 'password-changed', ${id}, 'cy@example.com', ${app.now()})`.execute(app.db);
    await app.advance({ minutes: 20 });
    const before = await actionItemKinds();

    const replies = [await retry('email-unsent', id), await retry('email-unsent', id)];

    expect(before).toEqual(['email-unsent']);
    expect(replies.map(({ status, body }) => [status, body.msg])).toEqual([
      [200, 'Tried again.'],
      [409, errorText('action-item.gone')],
    ]);
    expect(await emailsTo(app, 'cy@example.com')).toHaveLength(1);
    expect(await actionItemKinds()).toEqual([]);
  });

  it('sends a payout that failed while Stripe was unreachable, once', async () => {
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, [{ ticketName: 'General admission', quantity: 3 }]);
    await advanceTo(app, new Date((await settlementOf(app, event.eventId)).getTime() + 60_000));
    await logInAgain(event);
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'error_before', times: 1000 });
    await event.visitor.call(requestPayout, { eventId: event.eventId });
    await app.advance({ hours: 2 });
    const { id } = await app.db
      .selectFrom('payouts')
      .where('eventId', '=', event.eventId)
      .select('id')
      .executeTakeFirstOrThrow();
    const [kind = 'payout-unsent'] = await actionItemKinds();

    const inVain = await retry(kind, id);
    await clearFaults(app);
    const after: number[] = [];
    for (const _ of [1, 2]) after.push((await retry((await actionItemKinds())[0] ?? kind, id)).status);

    expect(kind).toMatch(/^payout-(unsent|refused)$/);
    expect(inVain.status).toBe(503);
    expect(after).toEqual([200, 409]);
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toHaveLength(1);
    expect(await actionItemKinds()).toEqual([]);
  });
});
