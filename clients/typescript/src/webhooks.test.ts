import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from './webhooks.ts';

const secret = `whsec_${Buffer.from('a secret of this test, long enough').toString('base64')}`;
const body = JSON.stringify({ type: 'ticket.checked_in', data: { id: 't1' } });

function signed(at = new Date()) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
}

describe('A webhook', () => {
  it('is read if its signature is right, in the headers of any server', () => {
    expect(verifyWebhook(body, signed(), secret)).toEqual(JSON.parse(body));
    expect(verifyWebhook(body, new Headers(signed()), secret)).toEqual(JSON.parse(body));
  });

  it.each([
    ['another body', body.replace('t1', 't2'), signed()],
    ['an old one', body, signed(new Date(Date.now() - 600_000))],
    ['no signature', body, {}],
  ])('is refused: %s', (_case, given, headers) => {
    expect(() => verifyWebhook(given, headers, secret)).toThrow();
  });
});
