import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestSandbox } from '#tests/support/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(async () => {
  await sandbox.sandbox.idle();
  await total();
  sandbox.received.length = 0;
});
afterAll(() => sandbox.close());

const consoleUrl = () => `${sandbox.publicUrl}/sandbox/`;
const consoleHtml = async () => await (await fetch(consoleUrl())).text();

/** Presses the first button whose accessible name begins so. */
async function press(words: string) {
  const page = await consoleHtml();
  const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const act = new RegExp(`value="([^"]+)" aria-label="${words}`).exec(page)?.[1];
  if (!act) throw new Error(`there is no button ${words}`);
  return await sandbox.post(`${consoleUrl()}acts`, { csrf, act });
}

async function sell(number?: string) {
  const session = await sandbox.openSession();
  await sandbox.pay(session.url ?? '', number);
  const { payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(session.id);
  return String(payment_intent);
}

const disputesOf = async (payment_intent: string) =>
  (await sandbox.stripe.disputes.list({ payment_intent })).data.map(({ status }) => status);

/** Available and pending, which are always the sum of the balance transactions. */
async function total() {
  const { available, pending } = await sandbox.stripe.balance.retrieve();
  const shown = (available[0]?.amount ?? 0) + (pending[0]?.amount ?? 0);
  let net = 0;
  for await (const transaction of sandbox.stripe.balanceTransactions.list({ limit: 100 })) net += transaction.net;
  expect(shown).toBe(net);
  return shown;
}

describe('the console', () => {
  it('lets the buyer dispute, and the bank decide', async () => {
    const payment = await sell();

    const landing = await press('Dispute now');
    expect(landing).toMatchObject({ status: 303, location: '/sandbox/?done=dispute#payments' });
    expect(await disputesOf(payment)).toEqual(['needs_response']);
    await press('Win');
    expect(await disputesOf(payment)).toEqual(['won']);

    const other = await sell();
    await press('Open inquiry');
    await press('Make it a dispute');
    await press('Lose');
    expect(await disputesOf(other)).toEqual(['lost']);

    const third = await sell();
    await press('Open inquiry');
    await press('Close inquiry');
    expect(await disputesOf(third)).toEqual(['warning_closed']);
  });

  it('sends a refund back', async () => {
    const refund = await sandbox.stripe.refunds.create({ payment_intent: await sell() });

    await press('Fail refund');

    expect(await sandbox.stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: 'failed',
      failure_balance_transaction: expect.stringMatching(/^txn_/),
    });
    await sandbox.sandbox.idle();
    expect(sandbox.eventTypes()).toContain('refund.failed');
  });

  it('fails a refund that was still waiting for money without inventing any', async () => {
    const { id } = await sandbox.onboardedAccount();
    const payment_intent = await sell('4000000000000077');
    await press('Make pending money available').catch(() => null);
    const amount = (await sandbox.stripe.balance.retrieve()).available[0]?.amount ?? 0;
    await sandbox.stripe.transfers.create({ amount, currency: 'usd', destination: id });
    const refund = await sandbox.stripe.refunds.create({ payment_intent });
    expect(refund).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' });

    await press('Fail refund');

    const failed = await sandbox.stripe.refunds.retrieve(refund.id);
    expect(failed).toMatchObject({ status: 'failed', balance_transaction: null });
    expect(failed).not.toHaveProperty('failure_balance_transaction');
  });

  it('makes pending money available', async () => {
    await sell();
    expect((await sandbox.stripe.balance.retrieve()).pending[0]?.amount).toBeGreaterThan(0);

    await press('Make pending money available');

    expect((await sandbox.stripe.balance.retrieve()).pending[0]?.amount).toBe(0);
    await sandbox.sandbox.idle();
    expect(sandbox.eventTypes()).toContain('balance.available');
  });

  it('restricts an account, lifts that, and closes it', async () => {
    const { id } = await sandbox.onboardedAccount();
    const transfers = async () => (await sandbox.stripe.accounts.retrieve(id)).capabilities?.transfers;

    await press('Restrict');
    expect(await transfers()).toBe('inactive');
    await press('Lift restriction');
    expect(await transfers()).toBe('active');
    await press('Close account');

    expect((await sandbox.stripe.v2.core.accounts.retrieve(id)).closed).toBe(true);
  });

  it('shows each attempt to deliver an event, and sends it again', async () => {
    await sandbox.openAccount();
    await sell();
    await sandbox.sandbox.idle();
    expect(await consoleHtml()).toMatch(/charge\.updated[\s\S]*?<ol class="attempts"><li>[^<]*: 200<\/li>/);
    sandbox.received.length = 0;

    await press('Resend: charge.updated');
    await sandbox.sandbox.idle();

    expect(sandbox.eventTypes()).toEqual(['charge.updated']);
  });

  it('says in words why something cannot be done', async () => {
    const page = await consoleHtml();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';

    const landing = await sandbox.post(`${consoleUrl()}acts`, { csrf, act: 'win du_x' });

    expect(landing.status).toBe(409);
    expect(landing.html).toContain('role="alert">No such dispute: &#39;du_x&#39;');
  });

  it('does nothing for a form of another site', async () => {
    const payment = await sell();

    expect((await sandbox.post(`${consoleUrl()}acts`, { csrf: 'guessed', act: `dispute ${payment}` })).status).toBe(
      403,
    );
    expect((await sandbox.post(`${consoleUrl()}acts`, { act: `dispute ${payment}` })).status).toBe(403);
    expect(await disputesOf(payment)).toEqual([]);
  });

  it('names every button by what it acts on', async () => {
    await sell();

    const buttons = (await consoleHtml()).match(/<button class="link"[^>]*>/g) ?? [];

    expect(buttons.length).toBeGreaterThan(5);
    expect(buttons.filter((button) => !/aria-label="[^":]+: [^"]+"/.test(button))).toEqual([]);
  });
});
