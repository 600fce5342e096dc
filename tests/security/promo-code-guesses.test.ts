/** Promo codes are words, so few guesses are judged. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { applyPromoCode, endPromoCode } from '#contract/app/sales/promo-codes.ts';
import { eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp(
  (opened) => {
    app = opened;
  },
  { rateLimitScale: 1 },
);

const GUESSES = 20;

async function eventWithCode() {
  const event = await eventOnSale(app);
  return { ...event, promoCodeId: await newPromoCode(event, promoForm('SPRING')) };
}

const apply = (eventId: string, code: string) => app.call(applyPromoCode, { eventId, code });

async function guess(often: number, attempt: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < often; count += 1) statuses.push((await attempt()).status);
  return statuses;
}

const wrong = (often: number) => Array<number>(often).fill(404);

it('judges twenty guesses of a network in an hour, and a right code after that, too [PROMO-6]', async () => {
  const { eventId } = await eventWithCode();
  expect(await guess(GUESSES + 1, () => apply(eventId, 'WRONG'))).toEqual([...wrong(GUESSES), 429]);
  expect((await apply(eventId, 'SPRING')).status).toBe(200);
});

it('judges no more of them at once [PROMO-6]', async () => {
  const { eventId } = await eventWithCode();
  const replies = await Promise.all(Array.from({ length: 60 }, (_, index) => apply(eventId, `GUESS${index}`)));
  expect(replies.filter(({ status }) => status === 404).length).toBeLessThanOrEqual(GUESSES);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404, 429]));
});

it('counts guesses with a cart that has a reservation already [PROMO-6]', async () => {
  const { eventId } = await eventWithCode();
  const order = { eventId, cartId: randomUUID(), cartItems: generalAdmission(1) };
  const buyer = app.visitor();
  expectOk(await buyer.call(createCheckoutSession, order));
  const checkOut = () => buyer.call(createCheckoutSession, { ...order, promoCode: 'WRONG' });
  expect(await guess(GUESSES + 1, checkOut)).toEqual([...wrong(GUESSES), 429]);
});

it('counts neither right codes nor those that have ended, because links outlive them', async () => {
  const event = await eventWithCode();
  const { eventId } = event;
  await newPromoCode(event, promoForm('WINTER'));
  expectOk(await event.visitor.call(endPromoCode, event));
  expect(new Set(await guess(GUESSES + 1, () => apply(eventId, 'WINTER')))).toEqual(new Set([200]));
  expect(await guess(GUESSES + 1, () => apply(eventId, 'SPRING'))).toEqual(wrong(GUESSES + 1));
  expect(await guess(GUESSES, () => apply(eventId, 'WRONG'))).toEqual(wrong(GUESSES));
});
