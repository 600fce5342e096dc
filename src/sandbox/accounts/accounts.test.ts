import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestSandbox } from '#tests/support/test-sandbox.ts';

const SECRET = 'whsec_forTheAccountsOfTheTests';

let sandbox: TestSandbox;
let server: Server;
const thin: { body: string; signature: string }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      thin.push({ body, signature: String(request.headers['stripe-signature']) });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  sandbox = await TestSandbox.open({ accountsWebhook: { url: `http://127.0.0.1:${port}/accounts`, secret: SECRET } });
});
afterAll(async () => {
  await sandbox.close();
  server.close();
});

const include: ('configuration.recipient' | 'identity')[] = ['configuration.recipient', 'identity'];
const thinEvents = async () => {
  await sandbox.sandbox.idle();
  return thin.splice(0).map(({ body, signature }) => sandbox.stripe.parseEventNotification(body, signature, SECRET));
};
const setStatus = (id: string, status: string) => sandbox.control(`accounts/${id}`, { status });
const transferTo = (destination: string) =>
  sandbox.stripe.transfers.create({ amount: 100, currency: 'usd', destination });

describe('thin events', () => {
  it('report account changes and link to the current account', async () => {
    const { id } = await sandbox.openAccount();
    await sandbox.submit((await sandbox.accountLink(id)).url, { outcome: 'complete' });

    const events = await thinEvents();
    expect(events.map(({ type }) => type).sort()).toEqual([
      'v2.core.account.created',
      'v2.core.account[configuration.recipient].capability_status_updated',
      'v2.core.account[configuration.recipient].capability_status_updated',
      'v2.core.account[requirements].updated',
    ]);
    const first = events.find(
      ({ type }) => type === 'v2.core.account[configuration.recipient].capability_status_updated',
    );
    expect(first).toMatchObject({ object: 'v2.core.event', livemode: false, related_object: { id } });
    const full = await sandbox.stripe.v2.core.events.retrieve(first?.id ?? '');
    expect(full).toMatchObject({ data: { updated_capability: expect.stringMatching(/^stripe_balance\./) } });
    const created = events.find(({ type }) => type === 'v2.core.account.created');
    if (created?.type !== 'v2.core.account.created') throw new Error('no event for the creation');
    expect((await created.fetchRelatedObject()).id).toBe(id);
  });

  it('are not sent to snapshot endpoints, which get account.updated', async () => {
    const types = sandbox.eventTypes();
    expect(types.filter((type) => type.startsWith('v2.'))).toEqual([]);
    const updated = sandbox.received.map((received) => sandbox.verified(received));
    expect(updated).toMatchObject([{ type: 'account.updated', account: expect.stringMatching(/^acct_/) }]);
    expect((await sandbox.stripe.events.list({ limit: 100 })).data.map(({ object }) => object)).not.toContain(
      'v2.core.event',
    );
  });

  it('are rejected by constructEvent', async () => {
    await sandbox.openAccount();
    await sandbox.sandbox.idle();
    const [last] = thin.splice(0);
    expect(() => sandbox.stripe.webhooks.constructEvent(last?.body ?? '', last?.signature ?? '', SECRET)).toThrow();
  });
});

describe('an account', () => {
  it('updates only the given properties', async () => {
    const { id } = await sandbox.openAccount();
    const changed = await sandbox.stripe.v2.core.accounts.update(id, {
      contact_email: 'new@example.com',
      identity: { entity_type: 'individual' },
      metadata: { more: 'x', user_id: '' },
      include,
    });
    expect(changed).toMatchObject({
      contact_email: 'new@example.com',
      display_name: 'Night Owls',
      identity: { country: 'us', entity_type: 'individual' },
      metadata: { more: 'x' },
    });
    expect(changed.metadata).not.toHaveProperty('user_id');
    const types = (await thinEvents()).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['v2.core.account.updated', 'v2.core.account[identity].updated']));
  });

  it('rejects transfers while restricted', async () => {
    const session = await sandbox.openSession();
    await sandbox.pay(session.url ?? '', '4000000000000077');
    const { id } = await sandbox.onboardedAccount();
    await setStatus(id, 'restricted');
    await expect(transferTo(id)).rejects.toMatchObject({
      statusCode: 400,
      code: 'insufficient_capabilities_for_transfer',
    });
    const restricted = await sandbox.stripe.v2.core.accounts.retrieve(id, { include });
    expect(restricted.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers).toMatchObject({
      status: 'restricted',
      status_details: [{ code: 'requirements_past_due' }],
    });
    await setStatus(id, 'active');
    expect((await transferTo(id)).amount).toBe(100);
  });

  it('rejects transfers, updates and API calls once closed', async () => {
    const { id } = await sandbox.onboardedAccount();
    await transferTo(id);
    await expect(sandbox.stripe.v2.core.accounts.close(id, {})).rejects.toMatchObject({ statusCode: 400 });
    await sandbox.control('clock', { advance_seconds: 24 * 3600 + 61 });
    await thinEvents();

    expect((await sandbox.stripe.v2.core.accounts.close(id, {})).closed).toBe(true);

    await expect(transferTo(id)).rejects.toMatchObject({ code: 'account_invalid' });
    await expect(sandbox.stripe.balance.retrieve({}, { stripeAccount: id })).rejects.toMatchObject({ statusCode: 403 });
    await expect(sandbox.stripe.v2.core.accounts.update(id, { display_name: 'x' })).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(sandbox.accountLink(id)).rejects.toMatchObject({ statusCode: 400 });
    await expect(sandbox.stripe.accounts.createLoginLink(id)).rejects.toMatchObject({ statusCode: 400 });
    const restored = await sandbox.stripe.v2.core.accounts.retrieve(id, { include });
    expect(restored.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status).toBe(
      'restricted',
    );
  });
});
