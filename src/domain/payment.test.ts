import { describe, expect, it } from 'vitest';
import { denyPayment } from './payment.ts';

const order = { orderId: 'o1', totalCents: 24_00 };
const payment = { orderId: 'o1', currency: 'usd', totalCents: 24_00, buyerEmail: 'sam@example.com' };

describe('a payment of an order', () => {
  it.each([
    ['fits', {}, null],
    ['is of another order', { orderId: 'o2' }, 'other-order'],
    ['names no order', { orderId: null }, 'other-order'],
    ['is in another currency', { currency: 'eur' }, 'other-currency'],
    ['is too little', { totalCents: 23_99 }, 'other-amount'],
    ['is too much', { totalCents: 24_01 }, 'other-amount'],
    ['leaves nowhere to send the tickets', { buyerEmail: null }, 'no-address'],
  ])('%s', (_case, change, obstacle) => {
    expect(denyPayment(order, { ...payment, ...change })).toBe(obstacle);
  });

  it('fits a free order', () => {
    expect(denyPayment({ ...order, totalCents: 0 }, { ...payment, totalCents: 0 })).toBe(null);
  });
});
