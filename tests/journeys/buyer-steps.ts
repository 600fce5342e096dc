/** A buyer's steps from the payment page on. */
import type { Page } from '@playwright/test';
import { expect } from './journey.ts';

const GOOD_CARD = '4242 4242 4242 4242';

export async function payWithCard(page: Page, email: string): Promise<void> {
  await payAndReturn(page, email, GOOD_CARD);
  await expect(ticketCodes(page).first()).toBeVisible();
  // The codes show before the script that empties the cart has run.
  await page.waitForURL(/\/order\//);
}

/** Pays, and returns once the payment page has redirected, whatever the next page shows. */
export async function payAndReturn(page: Page, email: string, number: string): Promise<void> {
  await page.waitForURL(/\/sandbox\/pay\//);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 34');
  await page.getByLabel('Security code').fill('123');
  await page.getByLabel(/^Name/).fill('Bo Buyer');
  await page.getByLabel(/^ZIP/).fill('10012');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.waitForURL(/\/success\?session_id=/);
}

/** QR codes of a confirmation, one per ticket. */
export const ticketCodes = (page: Page) => page.getByRole('img', { name: /\d{10}/ });
