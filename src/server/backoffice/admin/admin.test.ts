import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import { adminOverview } from '#contract/app/admin.ts';

import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { buyTickets, eventOnSale, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ hasOrganizers: false });
});
afterAll(() => app.close());

async function newAdmin() {
  const admin = await newOrganizer(app);
  await appointAdmin(app.deps, { email: admin.email, isAdmin: true });
  return admin;
}

const NOTHING = {
  orders: 0,
  webhookEvents: 0,
  emails: 0,
  refunds: 0,
  payouts: 0,
  transferReversals: 0,
  disputes: 0,
  discrepancies: 0,
  jobs: 0,
  checkIns: 0,
};

const claimsOf = (token: string | undefined): unknown =>
  JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());

describe("the operator's overview", () => {
  it('is for admins only, by the current state of the database [ADM-1]', async () => {
    const { visitor, email } = await newOrganizer(app);
    const answers = [];
    for (const isAdmin of [false, true, false]) {
      await appointAdmin(app.deps, { email, isAdmin });
      answers.push(await visitor.call(adminOverview, {}));
    }

    expect(answers.map(({ status }) => status)).toEqual([404, 200, 404]);
    expect(answers[0]?.body).toEqual(expect.objectContaining({ code: 'page.not-found' }));
    expect(await app.call(adminOverview, {})).toMatchObject({ status: 401, body: { code: 'session.missing' } });
  });

  it('denies a token that claims to be an admin without an admin account [ADM-1]', async () => {
    const { email } = await newAdmin();
    const visitor = app.visitor();
    await visitor.call(login, { email, password: PASSWORD });
    await appointAdmin(app.deps, { email, isAdmin: false });

    expect(claimsOf(visitor.cookies.get('token'))).toMatchObject({ isAdmin: true });
    expect((await visitor.call(adminOverview, {})).status).toBe(404);
  });

  it('counts the whole product, and has no action items in a healthy one [ADM-1]', async () => {
    const admin = await newAdmin();
    const { body: before } = await admin.visitor.call(adminOverview, {});
    const { eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, [
      { ticketName: 'General admission', quantity: 2 },
      { ticketName: 'Balcony', quantity: 1 },
    ]);
    await app.settle();

    const { body } = await admin.visitor.call(adminOverview, {});

    expect(body).toEqual({
      organizers: before.organizers + 1,
      activeEvents: before.activeEvents + 1,
      ticketsSold: before.ticketsSold + 3,
      gross: before.gross + 86.5,
      actionItems: NOTHING,
      ledgerDiscrepancyCents: 0,
    });
  });
});
