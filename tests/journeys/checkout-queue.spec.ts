/** A sale faster than Stripe: buyers wait in the checkout queue with reserved tickets. */
import type { Page } from '@playwright/test';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { pageOpens, queueTitle } from '#messages/checkout.ts';
import { eventOnSale, generalAdmission, type Site } from '#tests/support/people.ts';
import { payWithCard } from './buyer-steps.ts';
import { expect, expectReadable } from './journey.ts';
import { untilPaymentPage, withSlowQueue } from './slow-queue.ts';

const test = withSlowQueue(8);

/** Queues `count` buyers: the first gets the payment page that the rate allows, the others wait. */
async function queueBuyers(site: Site, eventId: string, count: number): Promise<void> {
  for (let buyer = 0; buyer <= count; buyer++)
    await site.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });
}

async function checkOut(page: Page, eventId: string): Promise<void> {
  await page.goto(`/payment/${eventId}`);
  await page
    .getByRole('region', { name: 'Tickets' })
    .getByRole('listitem')
    .filter({ hasText: 'Balcony' })
    .getByRole('button', { name: 'Add to Cart' })
    .click();
  await page.getByRole('button', { name: 'Checkout' }).first().click();
}

const queuePanel = (page: Page) => page.getByText(queueTitle, { exact: true });

async function balconyLeft(site: Site, eventId: string): Promise<number | undefined> {
  const { body } = await site.call(publicEvent, { eventId });
  return 'tickets' in body ? body.tickets.find(({ ticketName }) => ticketName === 'Balcony')?.available : undefined;
}

test.describe('Tickets reserved in the checkout queue', () => {
  test('show the true position, survive a reload, and lead to the payment page', async ({ page, site, db }) => {
    const { eventId } = await eventOnSale(site);
    await queueBuyers(site, eventId, 2);
    await checkOut(page, eventId);

    await expect(queuePanel(page)).toBeVisible();
    await expect(queuePanel(page)).toBeInViewport();
    await expect(
      page.getByText(/^(2 people|1 person) ahead of you\. The payment page opens automatically in/),
    ).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: pageOpens(30) })).toHaveCount(1);
    expect(await balconyLeft(site, eventId)).toBe(9);
    await expectReadable(page);
    await page.emulateMedia({ colorScheme: 'light' });

    await page.reload();
    await expect(queuePanel(page)).toBeVisible();
    await untilPaymentPage(page, db);
    await payWithCard(page, 'patient@example.com');
    await page.goto(`/payment/${eventId}`);
    await expect(page.getByText('Your cart is empty.')).toBeVisible();
    await expect(queuePanel(page)).toHaveCount(0);
  });

  test('can be released, on a phone and by keyboard', async ({ page, site }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const { eventId } = await eventOnSale(site);
    await queueBuyers(site, eventId, 3);
    await checkOut(page, eventId);

    await expect(queuePanel(page)).toBeInViewport();
    await page.getByRole('button', { name: 'Release my tickets' }).focus();
    await page.keyboard.press('Enter');

    await expect(queuePanel(page)).toHaveCount(0);
    await expect(page.getByText('Tickets released.')).toBeVisible();
    await expect.poll(() => balconyLeft(site, eventId)).toBe(10);
    await expect(page.getByRole('button', { name: 'Checkout' }).first()).toBeEnabled();
  });

  test('have their own address, for clients that only follow the redirect', async ({ page, site, db }) => {
    const { eventId } = await eventOnSale(site);
    await queueBuyers(site, eventId, 1);
    const { body } = await site.call(createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Balcony', quantity: 2 }],
    });

    await page.goto(body.url);

    await expect(queuePanel(page)).toBeVisible();
    expect(new URL(page.url()).hash).toBe('');
    await untilPaymentPage(page, db);
  });
});
