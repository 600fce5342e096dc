import { describe, expect, it } from 'vitest';
import { buyerNameOf, denyPayment } from './payment.ts';

const order = { orderId: 'o1', totalCents: 24_00 };
const payment = { orderId: 'o1', currency: 'usd', totalCents: 24_00, buyerEmail: 'sam@example.com' };

describe('a payment', () => {
  it.each([
    ['matches its order', {}, null],
    ['is denied for another order', { orderId: 'o2' }, 'other-order'],
    ['is denied without an order', { orderId: null }, 'other-order'],
    ['is denied in another currency', { currency: 'eur' }, 'other-currency'],
    ['is denied below the total', { totalCents: 23_99 }, 'other-amount'],
    ['is denied above the total', { totalCents: 24_01 }, 'other-amount'],
    ['is denied without an email address for the tickets', { buyerEmail: null }, 'no-address'],
  ])('%s', (_case, change, denial) => {
    expect(denyPayment(order, { ...payment, ...change })).toBe(denial);
  });

  it('matches a free order', () => {
    expect(denyPayment({ ...order, totalCents: 0 }, { ...payment, totalCents: 0 })).toBe(null);
  });
});

describe('the name of a buyer', () => {
  it.each([
    ['Sofia Marchetti', 'Sofia Marchetti'],
    ['  Sofia\r\nBcc:\tx ', 'Sofia Bcc: x'],
    ['\u202eSofia\u200f \u0000', 'Sofia'],
    ['Zoë 🎺', 'Zoë 🎺'],
    ['', null],
    [' \u200b\u2066', null],
  ])('is one line of visible characters: %j', (reported, name) => {
    expect(buyerNameOf(reported)).toBe(name);
  });

  it('has at most 100 characters', () => {
    expect(buyerNameOf('🎺'.repeat(101))).toBe('🎺'.repeat(100));
  });
});
