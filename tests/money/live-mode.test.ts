import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptStart, type Product, startProduct } from '#tests/support/product.ts';

const LIVE = {
  STRIPE_SECRET_KEY: 'sk_live_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
  PUBLIC_URL: 'https://tickets.example',
  WEBHOOKS_TO_LOOPBACK: '0',
  // Without SMTP, email goes to an inbox on this machine.
  SMTP_URL: 'smtp://127.0.0.1:1',
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('../support/loopback-only.mjs', import.meta.url))}`,
};

let product: Product;
beforeAll(async () => {
  product = await startProduct(LIVE);
});
afterAll(() => product.remove());

describe('with a live Stripe key', () => {
  it('case 50: has no sandbox and no mention of test cards, and does not start without a webhook secret', async () => {
    for (const path of [
      '/sandbox/',
      '/sandbox/pay/cs_test_1',
      '/sandbox/connect/x',
      '/sandbox/inbox.json',
      '/_sandbox/clock',
    ])
      for (const method of ['GET', 'POST']) {
        const reply = await fetch(product.url + path, { method, redirect: 'manual' });
        expect([path, method, reply.status]).toEqual([path, method, 404]);
      }
    await expect(fetch(`${product.sandboxUrl}/_sandbox/clock`)).rejects.toThrow('fetch failed');
    await expect(fetch(`${product.sandboxUrl}/v1/balance`)).rejects.toThrow('fetch failed');
    for (const path of ['/', '/login', '/faq', '/success?session_id=cs_test_1'])
      expect(await (await fetch(product.url + path)).text()).not.toMatch(/test card|\b4242\b|42424242|sandbox/i);
    expect(product.output()).not.toMatch(/sandbox|\b4242\b|42424242/i);

    await product.stop();
    const { exitCode, output } = await attemptStart(product, { ...LIVE, STRIPE_WEBHOOK_SECRET: '' });
    expect(exitCode).toBe(78);
    expect(output).toContain('STRIPE_WEBHOOK_SECRET');
    expect(output).not.toContain(LIVE.STRIPE_SECRET_KEY);
    expect(existsSync(`${product.dataDir}/server.pid`)).toBe(false);
  });
});
