import { describe, expect, it } from 'vitest';
import { hostedPageOf } from './hosted-page.ts';

const LIVE = new URL('https://tickets.example/payment/x');
const AT_HOME = new URL('http://127.0.0.1:3000/payment/x');

describe('links to Stripe', () => {
  it.each([
    ['https://checkout.stripe.com/c/pay/cs_live_1', LIVE],
    ['https://connect.stripe.com/setup/e/acct_1/x', LIVE],
    ['https://tickets.example/sandbox/pay/cs_1', LIVE],
    ['https://checkout.stripe.com/c/pay/cs_test_1', AT_HOME],
    ['http://localhost:3000/sandbox/pay/cs_1', AT_HOME],
  ])('opens %s', (url, here) => expect(hostedPageOf(url, here)).toBe(url));

  it.each([
    ['https://evil.example/pay', LIVE],
    ['https://checkout.stripe.com.evil.example/pay', LIVE],
    ['https://evilstripe.com/pay', LIVE],
    ['https://stripe.com@evil.example/pay', LIVE],
    ['http://checkout.stripe.com/pay', LIVE],
    ['//evil.example/pay', LIVE],
    ['/\\evil.example/pay', LIVE],
    ['javascript:alert(1)', LIVE],
    ['javascript:alert(1)', AT_HOME],
    ['data:text/html,x', AT_HOME],
    ['https://evil.example/pay', AT_HOME],
  ])('never opens %s', (url, here) => expect(() => hostedPageOf(url, here)).toThrow('not a Stripe page'));
});
