import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import * as contract from '#contract/app/payouts.ts';

import { createAccountLink } from '#server/accounts/payout-account-links.ts';
import { newId } from '#server/platform/ids.ts';
import { ProcessorDenied } from '#server/platform/ports/processor-error.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { submitForm } from '#tests/support/html-form.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { accountInfo, connectPayouts, verifiedOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => clearFaults());
afterAll(() => app.close());

async function organizerWithAccountInfo(options: { isBrowser?: boolean } = {}) {
  const organizer = await verifiedOrganizer(app, options);
  await organizer.visitor.call(accounts.saveAccountInfo, accountInfo);
  return organizer;
}

describe('setting up payouts', () => {
  it('redirects to Stripe and reads the account once the organizer returns', async () => {
    const { visitor, email } = await organizerWithAccountInfo();
    const { status, body } = await visitor.call(contract.createAccountLink, {});
    expect(status).toBe(200);
    expect(await openSteps(visitor)).toContain('connect-payouts');

    const back = await submitForm(visitor, body.url, {}, 'Complete');
    expect(back.headers.get('location')).toBe(`${app.publicUrl}/profile?payouts=returned`);
    expect(await openSteps(visitor)).not.toContain('connect-payouts');
    const account = await payoutAccountOf(email);
    expect(account?.isActive).toBe(true);
    expect(account?.accountId).toMatch(/^acct_/);
  });

  it('does not count as connected just for returning', async () => {
    const { visitor } = await organizerWithAccountInfo();
    await visitor.call(contract.createAccountLink, {});
    await visitor.fetch(contract.onboardingReturnPath);

    expect(await openSteps(visitor)).toContain('connect-payouts');
  });

  it('creates one account for repeated and concurrent clicks', async () => {
    const { visitor, email } = await organizerWithAccountInfo();
    const links = await Promise.all([1, 2, 3].map(() => visitor.call(contract.createAccountLink, {})));

    expect(links.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(links.map(({ body }) => body.url)).size).toBe(3);
    expect(await countAccounts(email)).toBe(1);
  });

  it('finds the account after a lost response, even if the account information changed', async () => {
    const { visitor, email } = await organizerWithAccountInfo();
    await planFault({ match: { method: 'POST', path: '/v2/core/accounts' }, mode: 'drop_after', times: 10 });
    expect(await visitor.call(contract.createAccountLink, {})).toMatchObject({
      status: 503,
      body: { code: 'payments.unreachable' },
    });
    expect(await payoutAccountOf(email)).toMatchObject({ accountId: null });

    await clearFaults();
    await visitor.call(accounts.saveAccountInfo, { ...accountInfo, organizationName: 'Another name' });
    expect((await visitor.call(contract.createAccountLink, {})).status).toBe(200);
    expect(await countAccounts(email)).toBe(1);
  });

  it('allows a corrected request after Stripe refuses one', async () => {
    const { visitor, email } = await organizerWithAccountInfo();
    const denied = new ProcessorDenied('display_name is not allowed', 'invalid_fields');
    const refusing = { ...app.deps.payoutAccounts, open: () => Promise.reject(denied) };
    const session = {
      sessionId: newId(),
      viewingUntil: null,
      isBound: false,
      isAdmin: false,
      organizationName: null,
      hasFactor: false,
      organizationRequiresFactor: false,
    };
    const organizer = { ...(await actorOf(app.db, email)), ...session, email };

    await expect(createAccountLink({ ...app.deps, payoutAccounts: refusing }, organizer)).rejects.toBe(denied);
    expect(await payoutAccountOf(email)).toBeUndefined();
    expect((await visitor.call(contract.createAccountLink, {})).status).toBe(200);
  });

  it('requires the account information first', async () => {
    const { visitor, email } = await verifiedOrganizer(app);

    expect(await visitor.call(contract.createAccountLink, {})).toMatchObject({
      status: 409,
      body: { code: 'payout-account.account-information-missing' },
    });
    expect(await payoutAccountOf(email)).toBeUndefined();
  });

  it('requires a login', async () => {
    for (const endpoint of [contract.createAccountLink, contract.createLoginLink])
      expect(await app.call(endpoint, {})).toMatchObject({ status: 401, body: { code: 'session.missing' } });
  });

  it('renews an expired link for its organizer only', async () => {
    const { visitor } = await organizerWithAccountInfo();
    const { body } = await visitor.call(contract.createAccountLink, {});
    await visitor.fetch(body.url);
    const again = await visitor.fetch(body.url);
    expect(again.headers.get('location')).toBe(`${app.publicUrl}${contract.onboardingRefreshPath}`);

    const renewed = await visitor.fetch(contract.onboardingRefreshPath);
    expect(renewed.status).toBe(303);
    expect(renewed.headers.get('location')).toMatch(/\/sandbox\/connect\//);
    const stranger = await app.visitor().fetch(contract.onboardingRefreshPath);
    expect(stranger.headers.get('location')).toBe('/login');
  });
});

describe('the Stripe dashboard', () => {
  it('opens for a connected organizer', async () => {
    const { visitor } = await organizerWithAccountInfo();
    await connectPayouts(visitor);

    const { status, body } = await visitor.call(contract.createLoginLink, {});
    expect(status).toBe(200);
    expect(body.url).toMatch(/\/sandbox\/express\//);
  });

  it('is replaced by onboarding until that is complete', async () => {
    const { visitor } = await organizerWithAccountInfo();
    await visitor.call(contract.createAccountLink, {});

    const { status, body } = await visitor.call(contract.createLoginLink, {});
    expect(status).toBe(200);
    expect(body.url).toMatch(/\/sandbox\/connect\//);
  });

  it('requires an account', async () => {
    const { visitor } = await organizerWithAccountInfo();

    expect(await visitor.call(contract.createLoginLink, {})).toMatchObject({
      status: 409,
      body: { code: 'payout-account.no-payout-account' },
    });
  });
});

describe('the stored state of a payout account', () => {
  it('is kept while Stripe is unreachable', async () => {
    const { visitor } = await organizerWithAccountInfo();
    await connectPayouts(visitor);
    await app.advance({ minutes: 11 });
    await planFault({ match: { method: 'GET', path: '/v2/core/accounts/*' }, mode: 'drop_before', times: 10 });

    expect(await openSteps(visitor)).not.toContain('connect-payouts');
  });
});

async function openSteps(visitor: Visitor) {
  const { status, body } = await visitor.call(accounts.profile, {});
  expect(status).toBe(200);
  return body.openSteps;
}

const payoutAccountOf = (email: string) =>
  app.db.selectFrom('payoutAccounts').where('email', '=', email).selectAll().executeTakeFirst();

/** Number of Stripe accounts with this email. */
async function countAccounts(email: string): Promise<number> {
  const { rows } = await sql`
    select 1 from sandbox.objects where kind = 'v2.core.account' and body->>'contact_email' = ${email}`.execute(app.db);
  return rows.length;
}

/** Makes the next matching calls to Stripe fail. */
async function planFault(fault: { match: { method: string; path: string }; mode: string; times: number }) {
  const reply = await fetch(`${app.sandboxUrl}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  if (!reply.ok) throw new Error(await reply.text());
}

const clearFaults = () => fetch(`${app.sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
