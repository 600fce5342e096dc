import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '#tests/support/raw-request.ts';
import { TestSandbox } from '#tests/support/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(async () => {
  await sandbox.sandbox.idle();
  await checkedBalance();
  sandbox.received.length = 0;
});
afterAll(() => sandbox.close());

const consoleUrl = () => `${sandbox.publicUrl}/sandbox/`;
const consoleHtml = async () => await (await fetch(consoleUrl())).text();

/** Presses the first button whose accessible name starts with `label`. */
async function press(label: string) {
  const page = await consoleHtml();
  const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const action = new RegExp(`value="([^"]+)" aria-label="${label}`).exec(page)?.[1];
  if (!action) throw new Error(`No button is labeled ${label}`);
  return await sandbox.post(`${consoleUrl()}acts`, { csrf, act: action });
}

async function createPayment(number?: string) {
  const session = await sandbox.openSession();
  await sandbox.pay(session.url ?? '', number);
  const { payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(session.id);
  return String(payment_intent);
}

const disputesOf = async (payment_intent: string) =>
  (await sandbox.stripe.disputes.list({ payment_intent })).data.map(({ status }) => status);

/** Returns the balance after checking that it equals the sum of its balance transactions. */
async function checkedBalance() {
  const { available, pending } = await sandbox.stripe.balance.retrieve();
  const displayed = (available[0]?.amount ?? 0) + (pending[0]?.amount ?? 0);
  let net = 0;
  for await (const transaction of sandbox.stripe.balanceTransactions.list({ limit: 100 })) net += transaction.net;
  expect(displayed).toBe(net);
  return displayed;
}

describe('access to the console', () => {
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    rawRequest(sandbox.publicUrl, { method, path, headers });
  const port = () => new URL(sandbox.publicUrl).port;

  it.each(['tickets.example', 'rebound.evil.example', 'localhost.evil.example'])(
    'is denied by the name %s [OPS-4]',
    async (host) => {
      for (const [method, path] of [
        ['GET', '/sandbox/'],
        ['POST', '/sandbox/clock'],
        ['POST', '/sandbox/acts'],
      ] as const)
        expect((await ask(method, path, { host })).status).toBe(403);
    },
  );

  it('is allowed by a name of this machine, and not through a proxy [OPS-4]', async () => {
    expect((await ask('GET', '/sandbox/', { host: `localhost:${port()}` })).status).toBe(200);
    for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'via', 'forwarded'])
      expect((await ask('GET', '/sandbox/', { host: 'localhost', [name]: 'x' })).status).toBe(403);
  });

  it("is everyone's once it is open, and its buttons still need its own form [OPS-4]", async () => {
    const open = await TestSandbox.open({ isConsoleOpen: true });
    const headers = { host: 'tickets.example', 'x-forwarded-for': '203.0.113.9' };
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const page = await rawRequest(open.publicUrl, { method: 'GET', path: '/sandbox/', headers });
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? [];
    const advance = async (token: string) => {
      const body = new URLSearchParams({ csrf: token, advance_seconds: '3600' }).toString();
      const clock = { method: 'POST', path: '/sandbox/clock', headers: { ...headers, ...type }, body };
      return (await rawRequest(open.publicUrl, clock)).status;
    };

    expect(page.status).toBe(200);
    expect([await advance(''), await advance(csrf)]).toEqual([403, 303]);
    await open.close();
  });
});

describe('the console', () => {
  it('opens, escalates and closes disputes and inquiries', async () => {
    const payment = await createPayment();

    const response = await press('Dispute now');
    expect(response).toMatchObject({ status: 303, location: '/sandbox/?done=dispute#payments' });
    expect(await disputesOf(payment)).toEqual(['needs_response']);
    await press('Win');
    expect(await disputesOf(payment)).toEqual(['won']);

    const other = await createPayment();
    await press('Open inquiry');
    await press('Escalate to dispute');
    await press('Lose');
    expect(await disputesOf(other)).toEqual(['lost']);

    const third = await createPayment();
    await press('Open inquiry');
    await press('Close inquiry');
    expect(await disputesOf(third)).toEqual(['warning_closed']);
  });

  it('fails a refund that had succeeded', async () => {
    const refund = await sandbox.stripe.refunds.create({ payment_intent: await createPayment() });

    await press('Fail refund');

    expect(await sandbox.stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: 'failed',
      failure_balance_transaction: expect.stringMatching(/^txn_/),
    });
    await sandbox.sandbox.idle();
    expect(sandbox.eventTypes()).toContain('refund.failed');
  });

  it('does not credit the balance when a refund without funds fails', async () => {
    const { id } = await sandbox.onboardedAccount();
    const payment_intent = await createPayment('4000000000000077');
    await press('Release pending funds').catch(() => null);
    const amount = (await sandbox.stripe.balance.retrieve()).available[0]?.amount ?? 0;
    await sandbox.stripe.transfers.create({ amount, currency: 'usd', destination: id });
    const refund = await sandbox.stripe.refunds.create({ payment_intent });
    expect(refund).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' });

    await press('Fail refund');

    const failed = await sandbox.stripe.refunds.retrieve(refund.id);
    expect(failed).toMatchObject({ status: 'failed', balance_transaction: null });
    expect(failed).not.toHaveProperty('failure_balance_transaction');
  });

  it('makes pending funds available', async () => {
    await createPayment();
    expect((await sandbox.stripe.balance.retrieve()).pending[0]?.amount).toBeGreaterThan(0);

    await press('Release pending funds');

    expect((await sandbox.stripe.balance.retrieve()).pending[0]?.amount).toBe(0);
    await sandbox.sandbox.idle();
    expect(sandbox.eventTypes()).toContain('balance.available');
  });

  it('restricts, reactivates and closes an account', async () => {
    const { id } = await sandbox.onboardedAccount();
    const transfers = async () => (await sandbox.stripe.accounts.retrieve(id)).capabilities?.transfers;

    await press('Restrict');
    expect(await transfers()).toBe('inactive');
    await press('Lift restriction');
    expect(await transfers()).toBe('active');
    await press('Close account');

    expect((await sandbox.stripe.v2.core.accounts.retrieve(id)).closed).toBe(true);
  });

  it('shows delivery attempts and resends an event', async () => {
    await sandbox.openAccount();
    await createPayment();
    await sandbox.sandbox.idle();
    expect(await consoleHtml()).toMatch(/charge\.updated[\s\S]*?<ol class="attempts"><li>[^<]*: 200<\/li>/);
    sandbox.received.length = 0;

    await press('Resend: charge.updated');
    await sandbox.sandbox.idle();

    expect(sandbox.eventTypes()).toEqual(['charge.updated']);
  });

  it('shows the error of an action that fails', async () => {
    const page = await consoleHtml();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';

    const response = await sandbox.post(`${consoleUrl()}acts`, { csrf, act: 'win du_x' });

    expect(response.status).toBe(409);
    expect(response.html).toContain('role="alert">No such dispute: &#39;du_x&#39;');
  });

  it('rejects a form without a valid CSRF token', async () => {
    const payment = await createPayment();

    expect((await sandbox.post(`${consoleUrl()}acts`, { csrf: 'guessed', act: `dispute ${payment}` })).status).toBe(
      403,
    );
    expect((await sandbox.post(`${consoleUrl()}acts`, { act: `dispute ${payment}` })).status).toBe(403);
    expect(await disputesOf(payment)).toEqual([]);
  });

  it('labels every button with its action and its object', async () => {
    await createPayment();

    const buttons = (await consoleHtml()).match(/<button class="link"[^>]*>/g) ?? [];

    expect(buttons.length).toBeGreaterThan(5);
    expect(buttons.filter((button) => !/aria-label="[^":]+: [^"]+"/.test(button))).toEqual([]);
  });
});
