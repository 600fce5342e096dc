import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
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

const PAYS = '000123456789';
const FAILS = '000111111116';
const HOUR = 3600;

/** Returns the balance after checking that it equals the sum of its balance transactions. */
async function checkedBalance() {
  const { available, pending } = await sandbox.stripe.balance.retrieve();
  const displayed = (available[0]?.amount ?? 0) + (pending[0]?.amount ?? 0);
  let net = 0;
  for await (const transaction of sandbox.stripe.balanceTransactions.list({ limit: 100 })) net += transaction.net;
  expect(displayed).toBe(net);
  return displayed;
}

async function payFromBank(number: string) {
  const session = await sandbox.openSession([{ name: 'Door', cents: 25_00, quantity: 1 }]);
  const response = await sandbox.submit(session.url ?? '', { email: 'bo@example.com', number });
  expect(response).toMatchObject({ status: 303, location: `${sandbox.publicUrl}/success?session_id=${session.id}` });
  await sandbox.sandbox.idle();
  return session.id;
}

const unix = async () => {
  const clock: unknown = await (await sandbox.api('/_sandbox/clock')).json();
  return typeof clock === 'object' && clock && 'unix' in clock ? Number(clock.unix) : Number.NaN;
};

const sessionNow = (id: string) =>
  sandbox.stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge.balance_transaction'] });

it('a bank payment completes the session unpaid and succeeds an hour later', async () => {
  const before = await checkedBalance();
  const id = await payFromBank(PAYS);
  expect(await sessionNow(id)).toMatchObject({
    status: 'complete',
    payment_status: 'unpaid',
    customer_details: { email: 'bo@example.com' },
    payment_intent: { status: 'processing', latest_charge: null, amount_received: 0 },
  });
  expect(sandbox.eventTypes().sort()).toEqual([
    'checkout.session.completed',
    'payment_intent.created',
    'payment_intent.processing',
  ]);
  await sandbox.control('clock', { advance_seconds: HOUR - 60 });
  expect(await sessionNow(id)).toMatchObject({ payment_status: 'unpaid' });
  sandbox.received.length = 0;

  await sandbox.control('clock', { advance_seconds: 60 });

  expect(await sessionNow(id)).toMatchObject({
    payment_status: 'paid',
    payment_intent: {
      status: 'succeeded',
      amount_received: 25_00,
      latest_charge: {
        status: 'succeeded',
        paid: true,
        payment_method_details: { type: 'us_bank_account', us_bank_account: { last4: '6789' } },
        balance_transaction: { amount: 25_00, status: 'pending' },
      },
    },
  });
  expect((await checkedBalance()) - before).toBe(25_00 - 1_03);
  expect(sandbox.eventTypes().sort()).toEqual([
    'charge.succeeded',
    'charge.updated',
    'checkout.session.async_payment_succeeded',
    'payment_intent.succeeded',
  ]);
});

it('a bank payment can be refunded and disputed', async () => {
  const first = await payFromBank(PAYS);
  const second = await payFromBank(PAYS);
  await sandbox.control('clock', { advance_seconds: HOUR });
  const paymentOf = async (id: string) => String((await sandbox.stripe.checkout.sessions.retrieve(id)).payment_intent);

  const refund = await sandbox.stripe.refunds.create({ payment_intent: await paymentOf(first), amount: 5_00 });
  const dispute = await sandbox.control('disputes', { payment_intent: await paymentOf(second) });

  expect(refund).toMatchObject({ status: 'succeeded', destination_details: { type: 'us_bank_transfer' } });
  expect(dispute).toMatchObject({ status: 'needs_response', amount: 25_00 });
  expect(dispute).not.toHaveProperty('payment_method_details');
});

it('a bank payment can fail an hour later without moving funds', async () => {
  const before = await checkedBalance();
  const id = await payFromBank(FAILS);

  await sandbox.control('clock', { advance_seconds: HOUR });

  expect(await sessionNow(id)).toMatchObject({
    status: 'complete',
    payment_status: 'unpaid',
    payment_intent: {
      status: 'requires_payment_method',
      last_payment_error: { code: 'account_closed' },
      latest_charge: { status: 'failed', paid: false, failure_code: 'account_closed', balance_transaction: null },
    },
  });
  expect(await checkedBalance()).toBe(before);
  expect(sandbox.eventTypes()).toEqual(
    expect.arrayContaining(['charge.failed', 'payment_intent.payment_failed', 'checkout.session.async_payment_failed']),
  );
});

it('a long clock jump runs due work in order, each at its own time', async () => {
  const start = await unix();
  await payFromBank(FAILS);
  await sandbox.control('clock', { advance_seconds: 1800 });
  const slow = await sandbox.openSession();
  await sandbox.pay(slow.url ?? '', '4000000000007726');
  const { payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(slow.id);
  await sandbox.stripe.refunds.create({ payment_intent: String(payment_intent) });
  await sandbox.control('clock', { advance_seconds: 600 });
  await payFromBank(PAYS);
  sandbox.received.length = 0;

  await sandbox.control('clock', { advance_seconds: 12 * HOUR });

  const expectedTypes = [
    'checkout.session.async_payment_failed',
    'refund.updated',
    'checkout.session.async_payment_succeeded',
  ];
  const events = sandbox.received
    .map((received) => sandbox.verified(received))
    .filter(({ type }) => expectedTypes.includes(type));
  expect(events.map(({ type }) => type)).toEqual(expectedTypes);
  const minutes = events.map(({ created }) => Math.round((created - start) / 60));
  expect(minutes).toEqual([60, 90, 100]);
});

it('a canceled payment stays unpaid', async () => {
  const id = await payFromBank(PAYS);
  const { payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(id);
  await sandbox.stripe.paymentIntents.cancel(String(payment_intent));

  await sandbox.control('clock', { advance_seconds: 2 * HOUR });

  expect(await sessionNow(id)).toMatchObject({ payment_status: 'unpaid', payment_intent: { status: 'canceled' } });
});

it('a bank account can be filled in without JavaScript, and its number is not stored', async () => {
  const session = await sandbox.openSession();

  const filled = await sandbox.submit(session.url ?? '', { email: 'a@b.co', fill: 'bank-pays' });
  expect(filled.html).toContain('value="000123456789"');
  await payFromBank(PAYS);

  const { rows } = await sandbox.pool.query<{ all: string }>(
    `select (select string_agg(body::text || inside::text, ' ') from sandbox.objects)
         || (select string_agg(payload, ' ') from sandbox.events) as all`,
  );
  expect(rows[0]?.all).toContain('6789');
  expect(rows[0]?.all).not.toContain('123456789');
});
