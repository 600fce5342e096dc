import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import { adminOverview } from '#contract/app/admin.ts';
import * as contract from '#contract/app/factors.ts';
import { endSessions } from '#contract/app/security.ts';
import { appointAdmin, endSessionsOf, forgetFactorsOf } from '#server/accounts/appoint-admin.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { addApp } from '#tests/support/authenticator-app.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { expectOk, newOrganizer, PASSWORD, verifiedOrganizer } from '#tests/support/people.ts';
import { cookieHeader, sendInput } from '#tests/support/send-sample.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
/** As with a live Stripe key. */
let strict: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  strict = await startTestApp({ takesRealMoney: true, hasOrganizers: false });
});
afterAll(async () => {
  await strict.close();
  await app.close();
});

const isLoggedIn = async (visitor: Visitor) => (await visitor.call(accounts.profile, {})).status === 200;

describe('the operator', () => {
  it('ends all sessions of a person [SESS-3]', async () => {
    const { visitor, email } = await newOrganizer(app);

    expect(await endSessionsOf(app.deps, ` ${email} `)).toBe(true);

    expect(await isLoggedIn(visitor)).toBe(false);
    expect(await endSessionsOf(app.deps, 'unknown@example.com')).toBe(false);
  });

  it('ends them on the dashboard, and the audit log says who did [SESS-3]', async () => {
    const { visitor, email } = await newOrganizer(app);
    const operator = await newOrganizer(app);
    await appointAdmin(app.deps, { email: operator.email, isAdmin: true });

    const unknown = await operator.visitor.call(endSessions, { email: 'unknown@example.com' });
    expect(unknown).toMatchObject({ status: 404, body: errorBody('person.unknown') });
    expect(await isLoggedIn(visitor)).toBe(true);
    expectOk(await operator.visitor.call(endSessions, { email: ` ${email.toUpperCase()}` }));

    expect(await isLoggedIn(visitor)).toBe(false);
    expect(await isLoggedIn(operator.visitor)).toBe(true);
    const { userId: subject } = await actorOf(app.db, email);
    const { userId: actorId } = await actorOf(app.db, operator.email);
    const recorded = app.db.selectFrom('auditEvents').where('subject', '=', subject);
    expect(await recorded.where('action', '=', 'log-out-person').select(['actorId', 'actorKind']).execute()).toEqual([
      { actorId, actorKind: 'operator' },
    ]);
  });

  it('lets a person in who has lost the phone and the codes [AUTH-6]', async () => {
    const { visitor, email } = await verifiedOrganizer(app);
    await addApp(app, visitor);

    expect(await forgetFactorsOf(app.deps, email)).toBe(true);

    expect(await isLoggedIn(visitor)).toBe(false);
    expect(expectOk(await app.visitor().call(accounts.login, { email, password: PASSWORD }))).toHaveProperty('token');
  });
});

describe('an operator', () => {
  const dashboard = async (site: TestApp) => {
    const operator = await verifiedOrganizer(site);
    await site.db.updateTable('users').set({ isAdmin: true }).where('email', '=', operator.email).execute();
    return operator;
  };

  it('works without a second factor in the sandbox [AUTH-7]', async () => {
    const { visitor } = await dashboard(app);

    expect((await visitor.call(adminOverview, {})).status).toBe(200);
  });

  it('reaches the set-up only where money is real, and keeps the last factor [AUTH-7]', async () => {
    const { visitor } = await dashboard(strict);

    const endpoints = await endpointsOfContract();
    const operatorsOwn = endpoints.filter(([, { access }]) => access === 'admin');
    expect(operatorsOwn.length).toBeGreaterThan(20);
    for (const [name, endpoint] of operatorsOwn) {
      const answer = await sendInput(strict.publicUrl, endpoint, {}, cookieHeader(visitor.cookies));
      const denied = { status: 403, text: JSON.stringify(errorBody('auth.factor-required')) };
      expect({ name, status: answer.status, text: answer.text }).toEqual({ name, ...denied });
    }
    await addApp(strict, visitor);

    expect((await visitor.call(adminOverview, {})).status).toBe(200);
    const [factor] = expectOk(await visitor.call(contract.factors, {})).factors;
    const removal = await visitor.call(contract.removeFactor, { factorId: factor?.id ?? '' });
    expect(removal).toMatchObject({ status: 409, body: errorBody('auth.last-factor') });
  });
});
