/** A sale that is faster than the card company: the buyers wait with their tickets held, and are told so. */
import type { Page } from '@playwright/test';
import { createCheckoutSession } from '#contract/checkout.ts';
import { heldTitle, pageOpens } from '#contract/checkout-words.ts';
import { publicEvent } from '#contract/events.ts';
import { eventOnSale, generalAdmission, type Place } from '#tests/support/people.ts';
import { payWithCard } from './buyer-steps.ts';
import { expect, expectReadable } from './journey.ts';
import { untilPaymentPage, withSlowPages } from './slow-pages.ts';

const test = withSlowPages(8);

/** Some buyers come before: one gets the page that the pace allows, the others wait. */
async function buyersBefore(place: Place, eventId: string, count: number): Promise<void> {
  for (let buyer = 0; buyer <= count; buyer++)
    await place.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });
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

const panel = (page: Page) => page.getByText(heldTitle, { exact: true });

async function balconyLeft(place: Place, eventId: string): Promise<number | undefined> {
  const { body } = await place.call(publicEvent, { eventId });
  return 'tickets' in body ? body.tickets.find(({ ticketName }) => ticketName === 'Balcony')?.available : undefined;
}

test.describe('Tickets that are held for a payment page', () => {
  test('are shown with the honest place, outlive a reload, and lead to the page by themselves', async ({
    page,
    place,
    db,
  }) => {
    const { eventId } = await eventOnSale(place);
    await buyersBefore(place, eventId, 2);
    await checkOut(page, eventId);

    await expect(panel(page)).toBeVisible();
    await expect(panel(page)).toBeInViewport();
    await expect(
      page.getByText(/^(2 people|1 person) ahead of you\. The payment page opens automatically in/),
    ).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: pageOpens(30) })).toHaveCount(1);
    expect(await balconyLeft(place, eventId)).toBe(9);
    await expectReadable(page);
    await page.emulateMedia({ colorScheme: 'light' });

    await page.reload();
    await expect(panel(page)).toBeVisible();
    await untilPaymentPage(page, db);
    await payWithCard(page, 'patient@example.com');
    await page.goto(`/payment/${eventId}`);
    await expect(page.getByText('Your cart is empty.')).toBeVisible();
    await expect(panel(page)).toHaveCount(0);
  });

  test('can be given back, on a phone and by keyboard', async ({ page, place }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const { eventId } = await eventOnSale(place);
    await buyersBefore(place, eventId, 3);
    await checkOut(page, eventId);

    await expect(panel(page)).toBeInViewport();
    await page.getByRole('button', { name: 'Release my tickets' }).focus();
    await page.keyboard.press('Enter');

    await expect(panel(page)).toHaveCount(0);
    await expect(page.getByText('Tickets released.')).toBeVisible();
    await expect.poll(() => balconyLeft(place, eventId)).toBe(10);
    await expect(page.getByRole('button', { name: 'Checkout' }).first()).toBeEnabled();
  });

  test('wait at an address of their own, for whoever only follows the answer', async ({ page, place, db }) => {
    const { eventId } = await eventOnSale(place);
    await buyersBefore(place, eventId, 1);
    const { body } = await place.call(createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Balcony', quantity: 2 }],
    });

    await page.goto(body.url);

    await expect(panel(page)).toBeVisible();
    expect(new URL(page.url()).hash).toBe('');
    await untilPaymentPage(page, db);
  });
});
