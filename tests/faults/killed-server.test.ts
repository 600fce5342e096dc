import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { emailsTo, eventOnSale, pay, type Site } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';

let product: Product;
let site: Site;
let eventId: string;
beforeAll(async () => {
  product = await startProduct();
  site = siteOf(product);
  ({ eventId } = await eventOnSale(site));
});
afterAll(() => product.remove());

/** Pays with all webhooks paused, and kills the server before any is sent. */
async function payAndKill(email: string): Promise<string> {
  const fault = await fetch(`${product.sandboxUrl}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ webhook: 'delay', times: 100, ms: 60_000 }),
  });
  expect(fault.status).toBe(200);

  const buyer = site.visitor();
  const cartItems = [{ ticketName: 'Balcony', quantity: 2 }];
  const session = await buyer.call(createCheckoutSession, { eventId, cartItems });
  const paid = await pay(buyer, session.body.url, email);
  expect(paid.status).toBe(303);

  await product.kill();
  return session.body.id;
}

async function emailsWithin(seconds: number, email: string) {
  const deadline = Date.now() + seconds * 1000;
  let emails = await emailsTo(site, email);
  while (emails.length === 0 && Date.now() < deadline) emails = await emailsTo(site, email);
  return emails;
}

describe('a server killed between payment and webhook', () => {
  it('issues tickets once to a buyer who returns to the page', async () => {
    const sessionId = await payAndKill('back@example.com');
    await product.start();

    const first = await site.call(checkoutSession, { sessionId });
    const second = await site.call(checkoutSession, { sessionId });
    const emails = await emailsWithin(20, 'back@example.com');

    expect(first.body).toMatchObject({ status: 'confirmed', confirmationData: [{}, {}] });
    expect(second.body.confirmationData).toEqual(first.body.confirmationData);
    for (const { confirmationNumber } of first.body.confirmationData) {
      expect(emails[0]?.text).toContain(confirmationNumber);
    }
    await site.settle();
    expect(await emailsTo(site, 'back@example.com')).toHaveLength(1);
  });

  it('emails tickets once to a buyer who does not return', async () => {
    const sessionId = await payAndKill('gone@example.com');
    await product.start();

    expect(await emailsWithin(90, 'gone@example.com')).toHaveLength(1);

    const { body } = await site.call(checkoutSession, { sessionId });
    await site.settle();
    expect(body.confirmationData).toHaveLength(2);
    expect(await emailsTo(site, 'gone@example.com')).toHaveLength(1);
  });
});
