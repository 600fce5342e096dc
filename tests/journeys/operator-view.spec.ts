import type { Page } from '@playwright/test';
import { actionItemMessages, noActionItems, operatorActionMessages } from '#messages/operator.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import type { Db } from '#server/platform/database.ts';
import { plantOrder, plantRefund, plantTransferReversal } from '#tests/support/action-items.ts';
import { newOrganizer } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectAccessible, expectFits, expectReadable, withOwnProduct } from './journey.ts';
import { logIn } from './organizer-steps.ts';

/** A server without action items yet. */
const test = withOwnProduct();

const needsYou = (page: Page) => page.getByRole('region', { name: /^Needs attention/ });
const actionItem = (page: Page, kind: keyof typeof actionItemMessages) =>
  needsYou(page).getByRole('listitem').filter({ hasText: actionItemMessages[kind].what });

async function logInAsAdmin(page: Page, product: Product, db: Db): Promise<string> {
  const { email } = await newOrganizer(siteOf(product));
  await appointAdmin({ db }, { email, isAdmin: true });
  await logIn(page, email);
  return email;
}

/** Inserts a failed refund and an organizer's debt. */
async function insertActionItems(db: Db, email: string): Promise<void> {
  const at = new Date();
  const cameBack = await plantOrder(db, email, at, 'bo@example.com');
  await plantRefund(db, cameBack, { state: 'failed', cents: 2400 });
  const owed = await plantOrder(db, email, at);
  await plantTransferReversal(db, owed, { state: 'receivable' });
}

test('the operator sees action items and resolves one by hand with a note', async ({ page, product, db }) => {
  const email = await logInAsAdmin(page, product, db);
  await page.goto('/dashboard');
  await expect(page.getByText(noActionItems)).toBeVisible();
  await expectAccessible(page);

  await insertActionItems(db, email);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const refund = actionItem(page, 'refund-failed');
  await expect(refund).toContainText('$24.00');
  await expect(refund).toContainText('bo@example.com');
  await expect(actionItem(page, 'receivable')).toContainText('$45.54');
  await expectAccessible(page);

  // By keyboard alone, and not without a note.
  await refund.getByRole('button', { name: operatorActionMessages['paid-another-way'].label }).press('Enter');
  const dialog = page.getByRole('dialog', { name: operatorActionMessages['paid-another-way'].label });
  await expect(dialog).toContainText(operatorActionMessages['paid-another-way'].question);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: operatorActionMessages['paid-another-way'].label }).press('Enter');
  await expect(dialog).toContainText('Please write a note of at least 5 characters.');
  await dialog.getByLabel('Note').fill('By wire, on Monday.');
  await dialog.getByRole('button', { name: operatorActionMessages['paid-another-way'].label }).press('Enter');

  await expect(page.getByText(operatorActionMessages['paid-another-way'].done)).toBeVisible();
  await expect(refund).toHaveCount(0);
  await expect(actionItem(page, 'receivable')).toHaveCount(1);
});

test('the operator view fits a phone without horizontal scrolling, in light and dark', async ({
  page,
  product,
  db,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const email = await logInAsAdmin(page, product, db);
  await insertActionItems(db, email);
  await page.goto('/dashboard');

  await expect(actionItem(page, 'receivable').first()).toBeVisible();
  await expectReadable(page);
  await expectFits(page);
});
