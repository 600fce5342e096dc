import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { card, TestSandbox } from '#tests/support/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(async () => {
  await sandbox.sandbox.idle();
  sandbox.received.length = 0;
});
afterAll(() => sandbox.close());

describe('a checkout', () => {
  it('charges the card, records the balance transaction and sends signed webhooks', async () => {
    const session = await sandbox.openSession();
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
    });
    expect(session.id).toMatch(/^cs_test_[0-9A-Za-z]{58}$/);

    const page = await (await fetch(session.url ?? '')).text();
    expect(page).toContain('Test payments. No card is charged.');
    expect(page).toContain('Pay $50.00');

    const response = await sandbox.pay(session.url ?? '');
    await sandbox.sandbox.idle();

    expect(response).toMatchObject({ status: 303, location: `${sandbox.publicUrl}/success?session_id=${session.id}` });
    expect(sandbox.eventTypes().sort()).toEqual(
      [
        'charge.succeeded',
        'charge.updated',
        'checkout.session.completed',
        'payment_intent.created',
        'payment_intent.succeeded',
      ].sort(),
    );
    const paid = await sandbox.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['line_items', 'payment_intent.latest_charge.balance_transaction'],
    });
    expect(paid).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      amount_total: 50_00,
      customer_details: { email: 'Bo@Example.com', name: 'Bo Buyer' },
      line_items: { object: 'list', data: [{ object: 'item', quantity: 2, amount_total: 50_00 }] },
      payment_intent: {
        status: 'succeeded',
        transfer_group: 'event_e1',
        latest_charge: {
          payment_method_details: { card: { last4: '4242', exp_month: 12, exp_year: 2039, brand: 'visa' } },
          balance_transaction: { amount: 50_00, fee: 1_75, net: 48_25, status: 'pending' },
        },
      },
    });
  });

  it('never stores a card number', async () => {
    const session = await sandbox.openSession();
    await sandbox.pay(session.url ?? '', '4000 0000 0000 9995');
    await sandbox.pay(session.url ?? '', '5555 5555 5555 4444');
    await sandbox.pay((await sandbox.openSession()).url ?? '', '4111 1111 1111 1111');

    const { rows } = await sandbox.pool.query<{ all: string }>(
      `select (select string_agg(body::text || inside::text, ' ') from sandbox.objects)
           || (select string_agg(payload, ' ') from sandbox.events) as all`,
    );

    expect(rows[0]?.all).toContain('4444');
    expect(rows[0]?.all).not.toMatch(/5555.?5555|4000.?0000|4111.?1111/);
  });

  it('shows why a card was declined and accepts another card on the same session', async () => {
    const session = await sandbox.openSession();
    const url = session.url ?? '';

    const declined = await sandbox.pay(url, '4000000000009995');
    expect(declined.status).toBe(402);
    expect(declined.html).toContain('Your card has insufficient funds.');
    expect(declined.html).toContain('value="Bo@Example.com"');
    expect(declined.html).not.toContain('value="4000000000009995"');
    expect((await sandbox.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');

    expect((await sandbox.pay(url)).status).toBe(303);
    const { payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(session.id);
    const charges = await sandbox.stripe.charges.list({ payment_intent: String(payment_intent) });
    expect(charges.data.map(({ status, failure_code }) => [status, failure_code])).toEqual([
      ['succeeded', null],
      ['failed', 'card_declined'],
    ]);
  });

  it.each([
    ['4000000000000002', 402, 'Your card was declined.'],
    ['4000000000000069', 402, 'Your card has expired.'],
    ['4000000000000127', 402, 'Your card&#39;s security code is incorrect.'],
    ['4000000000000119', 402, 'An error occurred while processing your card.'],
    ['4242424242424241', 422, 'Your card number is incorrect.'],
    ['4111111111111111', 402, 'used a non test card'],
    ['12', 422, 'Your card number is incomplete.'],
  ])('declines or rejects %s', async (number, status, message) => {
    const response = await sandbox.pay((await sandbox.openSession()).url ?? '', number);

    expect(response.status).toBe(status);
    expect(response.html).toContain(message);
  });

  it('shows an error next to each invalid field', async () => {
    const { url } = await sandbox.openSession();

    const response = await sandbox.submit(url ?? '', { email: 'x', number: '', exp: '13/20', cvc: '1', zip: 'abc' });

    expect(response.status).toBe(422);
    for (const name of ['email', 'number', 'exp', 'cvc', 'zip']) {
      expect(response.html).toMatch(
        new RegExp(`<input id="${name}"[^>]*aria-describedby="[^"]*${name}-error"[^>]*aria-invalid`),
      );
    }
  });

  it('runs the 3D Secure challenge for cards that require it', async () => {
    const failed = await sandbox.openSession();
    const challenge = await sandbox.pay(failed.url ?? '', '4000002760003184');
    expect(challenge.location).toBe(`/sandbox/pay/${failed.id}/challenge`);
    const failedChallenge = await sandbox.submit(`${failed.url}/challenge`, { outcome: 'fail' });
    expect(failedChallenge).toMatchObject({ status: 402 });
    expect(failedChallenge.html).toContain('We are unable to authenticate your payment method.');

    await sandbox.pay(failed.url ?? '', '4000002760003184');
    const response = await sandbox.submit(`${failed.url}/challenge`, { outcome: 'complete' });
    expect(response).toMatchObject({ status: 303, location: `${sandbox.publicUrl}/success?session_id=${failed.id}` });
  });

  it('only asks for an email address when the total is zero', async () => {
    const session = await sandbox.openSession([{ name: 'Free', cents: 0, quantity: 1 }]);
    expect(await (await fetch(session.url ?? '')).text()).not.toContain('name="number"');

    const response = await sandbox.submit(session.url ?? '', { email: 'a@b.co' });
    await sandbox.sandbox.idle();

    expect(response.status).toBe(303);
    expect(sandbox.eventTypes()).toEqual(['checkout.session.completed']);
    expect(await sandbox.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      payment_intent: null,
    });
  });

  it('fills in a test card without JavaScript', async () => {
    const { url } = await sandbox.openSession();

    const response = await sandbox.submit(url ?? '', { email: 'a@b.co', fill: 'amex' });

    expect(response.status).toBe(200);
    expect(response.html).toContain('value="3782 822463 10005"');
    expect(response.html).toContain('value="a@b.co"');
  });

  it('rejects a form without the CSRF token of its session', async () => {
    const session = await sandbox.openSession();

    const response = await sandbox.post(session.url ?? '', { ...card('4242424242424242'), csrf: 'guessed' });

    expect(response.status).toBe(403);
    expect((await sandbox.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
  });

  it('shows a page for complete, expired and unknown sessions', async () => {
    const paid = await sandbox.openSession();
    await sandbox.pay(paid.url ?? '');
    const expired = await sandbox.openSession();
    await sandbox.stripe.checkout.sessions.expire(expired.id);

    const complete = await fetch(paid.url ?? '');
    expect(await complete.text()).toContain('This order is complete');
    expect((await fetch(expired.url ?? '')).status).toBe(410);
    expect((await fetch(`${sandbox.publicUrl}/sandbox/pay/cs_test_x`)).status).toBe(404);
  });

  it('escapes names that an organizer entered', async () => {
    const { url } = await sandbox.openSession([{ name: '<script>alert(1)</script>', cents: 100, quantity: 1 }]);

    const page = await (await fetch(url ?? '')).text();

    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;');
  });
});

describe('concurrent requests for one session', () => {
  it('charges once for a double click', async () => {
    const session = await sandbox.openSession();
    const url = session.url ?? '';
    const page = await (await fetch(url)).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';

    const before = (await sandbox.stripe.charges.list({ limit: 100 })).data.length;

    const responses = await whileLocked(session.id, 2, () =>
      [1, 2].map(() => sandbox.post(url, { ...card('4242424242424242'), csrf })),
    );

    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    expect((await sandbox.stripe.charges.list({ limit: 100 })).data).toHaveLength(before + 1);
  });

  it('either expires or charges a session, never both', async () => {
    const session = await sandbox.openSession();
    const url = session.url ?? '';
    const page = await (await fetch(url)).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';

    const [paid, expired] = await whileLocked(session.id, 2, () => [
      sandbox
        .post(url, { ...card('4242424242424242'), csrf })
        .then(({ location }) => location?.includes('/success') ?? false),
      sandbox.stripe.checkout.sessions.expire(session.id).then(
        () => true,
        () => false,
      ),
    ]);

    expect([paid, expired].filter(Boolean)).toHaveLength(1);
    const { status, payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(session.id);
    expect(status).toBe(paid ? 'complete' : 'expired');
    expect(payment_intent === null).toBe(!paid);
  });

  it('returns Stripe’s error when expiring a paid session', async () => {
    const session = await sandbox.openSession();
    await sandbox.pay(session.url ?? '');

    await expect(sandbox.stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({
      statusCode: 400,
      message:
        'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of `complete`.',
    });
  });
});

/** Locks the session until `count` statements are blocked on it, so that they race. */
async function whileLocked<T>(id: string, count: number, start: () => Promise<T>[]): Promise<T[]> {
  const blocker = await sandbox.pool.connect();
  await blocker.query('begin');
  await blocker.query('select 1 from sandbox.objects where id = $1 for update', [id]);
  const requests = start();
  await sandbox.untilBlocked(count);
  await blocker.query('commit');
  blocker.release();
  return await Promise.all(requests);
}
