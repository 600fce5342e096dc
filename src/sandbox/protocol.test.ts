import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECRET_KEY, TestSandbox } from '#tests/support/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterAll(() => sandbox.close());

const AUTHORIZED = { authorization: `Bearer ${SECRET_KEY}` };
const FORM = { ...AUTHORIZED, 'content-type': 'application/x-www-form-urlencoded' };

const sessionForm = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    mode: 'payment',
    success_url: 'http://localhost/success',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '2500',
    'line_items[0][price_data][product_data][name]': 'Door',
    ...more,
  }).toString();

const postSession = (body: string, headers: Record<string, string> = {}) =>
  sandbox.api('/v1/checkout/sessions', { method: 'POST', headers: { ...FORM, ...headers }, body });

describe('authentication', () => {
  it('rejects a wrong or missing API key', async () => {
    await expect(sandbox.client('sk_test_another').balance.retrieve()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
      message: 'Invalid API Key provided: sk_test_****ther',
    });
    const withoutKey = await sandbox.api('/v1/balance');
    expect([withoutKey.status, await withoutKey.json()]).toMatchObject([
      401,
      { error: { type: 'invalid_request_error' } },
    ]);
  });
});

describe('parameters', () => {
  it.each([
    [{ bogus: '1' }, { code: 'parameter_unknown', param: 'bogus', message: 'Received unknown parameter: bogus' }],
    [
      { 'line_items[0][price_data][bogus]': '1' },
      { code: 'parameter_unknown', param: 'line_items[0][price_data][bogus]' },
    ],
    [{ expires_at: 'abc' }, { code: 'parameter_invalid_integer', message: 'Invalid integer: abc' }],
    [{ success_url: '' }, { code: 'parameter_invalid_empty', param: 'success_url' }],
    [{ success_url: 'javascript:alert(1)' }, { code: 'url_invalid', param: 'success_url' }],
    [{ expires_at: '1' }, { param: 'expires_at' }],
    [{ 'line_items[0][quantity]': '0' }, { param: 'line_items[0][quantity]' }],
    [{ 'line_items[0][price_data][unit_amount]': '49' }, { code: 'amount_too_small' }],
    [{ 'line_items[0][quantity]': '40000' }, { code: 'amount_too_large' }],
    [{ '__proto__[polluted]': '1' }, { code: 'parameter_unknown', param: '__proto__' }],
    [{ 'expand[0]': 'bogus' }, { message: 'This property cannot be expanded (bogus).' }],
  ])('%j is rejected with Stripe’s error', async (more, error) => {
    const response = await postSession(sessionForm(more));

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', ...error } });
  });

  it('reports a missing parameter', async () => {
    const response = await postSession('mode=payment&success_url=http://localhost/');

    expect(await response.json()).toMatchObject({
      error: { code: 'parameter_missing', param: 'line_items', message: 'Missing required param: line_items.' },
    });
  });

  it('rejects v1 accounts with Stripe’s message', async () => {
    await expect(sandbox.stripe.accounts.create({ type: 'express' })).rejects.toThrow('/v2/core/accounts');
  });
});

describe('errors', () => {
  it.each([
    ['POST', '/v1/x'],
    ['GET', '/v2/core/nothing'],
    ['DELETE', '/v1/charges/ch_1'],
    ['GET', '/'],
    ['GET', '/v1/charges/%ff%'],
  ])('are 404 for %s %s, which does not exist', async (method, path) => {
    const response = await sandbox.api(path, { method, headers: AUTHORIZED });

    expect(response.status).toBe(404);
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ error: { type: 'invalid_request_error' } });
    expect(body).toContain(`Unrecognized request URL (${method}: ${path})`);
  });

  it('report a missing object', async () => {
    await expect(sandbox.stripe.checkout.sessions.retrieve('cs_test_x')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such checkout.session: 'cs_test_x'",
    });
  });
});

describe('idempotency', () => {
  it('replays the first response byte for byte and runs the call once', async () => {
    const headers = { 'idempotency-key': 'cs:one:1' };
    const first = await postSession(sessionForm(), headers);
    const second = await postSession(sessionForm(), headers);

    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'));
    expect(second.headers.get('idempotency-key')).toBe('cs:one:1');
  });

  it('ignores parameter order and rejects different parameters', async () => {
    const headers = { 'idempotency-key': 'cs:two:1' };
    const first = await postSession(sessionForm({ locale: 'en', submit_type: 'book' }), headers);
    const reordered = await postSession(`submit_type=book&locale=en&${sessionForm()}`, headers);
    const other = await postSession(sessionForm({ locale: 'de' }), headers);

    expect(await reordered.text()).toBe(await first.text());
    expect([other.status, await other.json()]).toMatchObject([400, { error: { type: 'idempotency_error' } }]);
  });

  it('stores business errors but not invalid parameters', async () => {
    const wrong = await postSession(sessionForm({ bogus: '1' }), { 'idempotency-key': 'three' });
    const right = await postSession(sessionForm(), { 'idempotency-key': 'three' });
    expect([wrong.status, right.status]).toEqual([400, 200]);

    const small = sessionForm({ 'line_items[0][price_data][unit_amount]': '10' });
    await postSession(small, { 'idempotency-key': 'four' });
    const again = await postSession(small, { 'idempotency-key': 'four' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([400, 'true']);
  });

  it('rejects the key while the first call is running', async () => {
    const session = await sandbox.openSession();
    const blocker = await sandbox.pool.connect();
    await blocker.query('begin');
    await blocker.query('select 1 from sandbox.objects where id = $1 for update', [session.id]);

    const first = sandbox.stripe.checkout.sessions.expire(session.id, {}, { idempotencyKey: 'five' });
    await sandbox.untilBlocked(1);
    const second = await sandbox.api(`/v1/checkout/sessions/${session.id}/expire`, {
      method: 'POST',
      headers: { ...FORM, 'idempotency-key': 'five' },
    });
    await blocker.query('commit');
    blocker.release();

    expect(second.status).toBe(409);
    expect(second.headers.get('stripe-should-retry')).toBe('true');
    expect(await second.json()).toMatchObject({ error: { code: 'idempotency_key_in_use' } });
    expect((await first).status).toBe('expired');
  });
});

describe('lists', () => {
  it('are paginated from newest to oldest', async () => {
    const before = (await sandbox.stripe.checkout.sessions.list({ limit: 1 })).data[0]?.id;
    const createdIds = [];
    for (let count = 0; count < 5; count += 1) createdIds.push((await sandbox.openSession()).id);

    const first = await sandbox.stripe.checkout.sessions.list({ limit: 2, status: 'open' });
    const second = await sandbox.stripe.checkout.sessions.list({ limit: 2, starting_after: first.data[1]?.id ?? '' });
    const back = await sandbox.stripe.checkout.sessions.list({ limit: 2, ending_before: second.data[0]?.id ?? '' });

    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(createdIds.reverse().slice(0, 4));
    expect(first.has_more).toBe(true);
    expect(back.data.map(({ id }) => id)).toEqual(first.data.map(({ id }) => id));
    expect(first.data.map(({ id }) => id)).not.toContain(before);
    await expect(sandbox.stripe.checkout.sessions.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
    await expect(sandbox.stripe.checkout.sessions.list({ starting_after: 'cs_x' })).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });
});
