import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestSandbox } from '#tests/support/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterAll(() => sandbox.close());

const INCLUDE: ('configuration.recipient' | 'requirements')[] = ['configuration.recipient', 'requirements'];

async function statusOf(id: string) {
  const account = await sandbox.stripe.v2.core.accounts.retrieve(id, { include: INCLUDE });
  return account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status;
}

describe('onboarding', () => {
  it('activates transfers and payouts', async () => {
    const account = await sandbox.openAccount();
    expect(account).toMatchObject({
      object: 'v2.core.account',
      dashboard: 'express',
      metadata: { organization_id: 'o1' },
    });
    expect(await statusOf(account.id)).toBe('restricted');
    await expect(sandbox.stripe.accounts.createLoginLink(account.id)).rejects.toMatchObject({ statusCode: 400 });

    const link = await sandbox.accountLink(account.id);
    const response = await sandbox.submit(link.url, { outcome: 'complete' });

    expect(response).toMatchObject({ status: 303, location: `${sandbox.publicUrl}/return` });
    expect(await statusOf(account.id)).toBe('active');
    await sandbox.sandbox.idle();
    expect(sandbox.eventTypes()).toContain('account.updated');
    expect(await sandbox.stripe.accounts.retrieve(account.id)).toMatchObject({
      object: 'account',
      type: 'express',
      details_submitted: true,
      payouts_enabled: true,
      capabilities: { transfers: 'active' },
    });
  });

  it('can leave a requirement due or be abandoned', async () => {
    const account = await sandbox.openAccount();
    await sandbox.submit((await sandbox.accountLink(account.id)).url, { outcome: 'leave' });
    await expect(sandbox.stripe.accounts.createLoginLink(account.id)).rejects.toMatchObject({ statusCode: 400 });

    await sandbox.submit((await sandbox.accountLink(account.id)).url, { outcome: 'requirement' });
    const { requirements } = await sandbox.stripe.v2.core.accounts.retrieve(account.id, { include: INCLUDE });

    expect(await statusOf(account.id)).toBe('restricted');
    expect(requirements?.entries).toHaveLength(1);
  });

  it('redirects a used or expired link to the refresh URL', async () => {
    const account = await sandbox.openAccount();
    const used = await sandbox.accountLink(account.id);
    await sandbox.submit(used.url, { outcome: 'leave' });
    const expired = await sandbox.accountLink(account.id);
    await sandbox.control('clock', { advance_seconds: 301 });

    for (const { url } of [used, expired]) {
      const response = await fetch(url, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([303, `${sandbox.publicUrl}/refresh`]);
    }
    expect((await fetch(`${sandbox.publicUrl}/sandbox/connect/nothing`)).status).toBe(404);
  });

  it('leaves out properties that were not included', async () => {
    const { id } = await sandbox.openAccount();

    const bare = await sandbox.stripe.v2.core.accounts.retrieve(id);

    expect(bare).not.toHaveProperty('configuration');
    expect((await sandbox.stripe.v2.core.accounts.list({ limit: 1 })).data[0]?.id).toBe(id);
  });
});

describe('the Express dashboard', () => {
  it('opens once, and stays open in that browser only', async () => {
    const { id } = await sandbox.onboardedAccount();
    const { url } = await sandbox.stripe.accounts.createLoginLink(id);

    const first = await fetch(url);
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await first.text()).toContain('No transfers yet.');

    expect((await fetch(url)).status).toBe(410);
    expect((await fetch(url, { headers: { cookie } })).status).toBe(200);
  });
});

describe('the console', () => {
  it('only responds to this machine', async () => {
    const address = `${sandbox.publicUrl}/sandbox/`;

    expect((await fetch(address)).status).toBe(200);
    expect((await fetch(address, { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(403);
    expect((await sandbox.post(`${sandbox.publicUrl}/sandbox/clock`, { advance_seconds: '3600' })).status).toBe(403);
    expect((await sandbox.submit(address, { advance_seconds: '3600' })).status).toBe(303);
  });
});
