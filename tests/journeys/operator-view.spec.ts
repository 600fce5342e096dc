import type { Page } from '@playwright/test';
import { actWords, nothingStuck, stuckWords } from '#contract/stuck.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import type { Db } from '#server/database.ts';
import { newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { placeOf } from '#tests/support/place-of.ts';
import type { Product } from '#tests/support/product.ts';
import { plantOrder, plantRecovery, plantRefund } from '#tests/support/stuck-work.ts';
import { expect, expectAccessible, expectReadable, withOwnProduct } from './journey.ts';
import { logIn } from './organizer-steps.ts';

/** Nothing needs its operator yet. */
const test = withOwnProduct();

const needsYou = (page: Page) => page.getByRole('region', { name: /^Needs attention/ });
const stuck = (page: Page, kind: keyof typeof stuckWords) =>
  needsYou(page).getByRole('listitem').filter({ hasText: stuckWords[kind].what });

async function logInAsAdmin(page: Page, product: Product, db: Db): Promise<string> {
  const { email } = await newOrganizer(placeOf(product));
  await appointAdmin({ db }, { email, isAdmin: true });
  await logIn(page, email, PASSWORD);
  return email;
}

/** What a bank and an empty account leave behind, put into the running product's database. */
async function plantTrouble(db: Db, email: string): Promise<void> {
  const at = new Date();
  const cameBack = await plantOrder(db, email, at, 'bo@example.com');
  await plantRefund(db, cameBack, { state: 'failed', cents: 2400 });
  const owed = await plantOrder(db, email, at);
  await plantRecovery(db, owed, { state: 'receivable' });
}

test('the operator sees what is stuck, and settles it by hand with a note', async ({ page, product, db }) => {
  const email = await logInAsAdmin(page, product, db);
  await page.goto('/dashboard');
  await expect(page.getByText(nothingStuck)).toBeVisible();
  await expectAccessible(page);

  await plantTrouble(db, email);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const refund = stuck(page, 'refund-failed');
  await expect(refund).toContainText('$24.00');
  await expect(refund).toContainText('bo@example.com');
  await expect(stuck(page, 'receivable')).toContainText('$45.54');
  await expectAccessible(page);

  // By keyboard alone, and not without a note.
  await refund.getByRole('button', { name: actWords['paid-another-way'].label }).press('Enter');
  const dialog = page.getByRole('dialog', { name: actWords['paid-another-way'].label });
  await expect(dialog).toContainText(actWords['paid-another-way'].question);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: actWords['paid-another-way'].label }).press('Enter');
  await expect(dialog).toContainText('Please write a note of at least 5 characters.');
  await dialog.getByLabel('Note').fill('By wire, on Monday.');
  await dialog.getByRole('button', { name: actWords['paid-another-way'].label }).press('Enter');

  await expect(page.getByText(actWords['paid-another-way'].done)).toBeVisible();
  await expect(refund).toHaveCount(0);
  await expect(stuck(page, 'receivable')).toHaveCount(1);
});

test('on a phone it is read without scrolling sideways, in light and in dark', async ({ page, product, db }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const email = await logInAsAdmin(page, product, db);
  await plantTrouble(db, email);
  await page.goto('/dashboard');

  await expect(stuck(page, 'receivable').first()).toBeVisible();
  await expectReadable(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});
