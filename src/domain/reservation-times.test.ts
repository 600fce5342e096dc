import { describe, expect, it } from 'vitest';
import { minutesToPay, PAYMENT_PAGE_MINUTES, SHORT_PAYMENT_MINUTES } from './reservation-times.ts';

describe('the time to pay', () => {
  it.each([
    [{ unsold: 100, unpaid: 0 }, PAYMENT_PAGE_MINUTES],
    [{ unsold: 100, unpaid: 50 }, PAYMENT_PAGE_MINUTES],
    [{ unsold: 100, unpaid: 51 }, SHORT_PAYMENT_MINUTES],
    [{ unsold: 3, unpaid: 2 }, SHORT_PAYMENT_MINUTES],
    [{ unsold: 0, unpaid: 0 }, PAYMENT_PAGE_MINUTES],
  ])('with %o is %i minutes [RES-3]', (tickets, minutes) => {
    expect(minutesToPay(tickets)).toBe(minutes);
  });
});
