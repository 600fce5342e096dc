/** An operator views an organization as support, and finds the codes of an organizer. */

import { errorText } from '#messages/errors.ts';
import { codeList, codeStateTexts } from '#messages/records/affiliates.ts';
import { viewingTexts as text } from '#messages/records/viewing.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectAccessible, test } from './journey.ts';
import { browserOf, dialogOf, openProfile, press, putOnSale, readyOrganizer } from './organizer-page.ts';
import { logIn } from './organizer-steps.ts';

test('support sees an organization, changes nothing, and a banner says so [ACT-1]', async ({ page, product, db }) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner);
  const { email } = await newOrganizer(siteOf(product));
  await appointAdmin({ db }, { email, isAdmin: true });
  await logIn(page, email, PASSWORD);
  await page.goto('/dashboard');
  const form = page.getByRole('region', { name: text.title });
  await form.getByLabel(text.organization).fill('stranger@example.com');
  await press(page, text.submit);
  await expect(page.getByText(errorText('view-as.unknown-organization'))).toBeVisible();
  await form.getByLabel(text.organization).fill(owner.email);
  await press(page, text.submit);

  await page.waitForURL('**/profile');
  const banner = page.getByRole('status').filter({ hasText: 'as support' });
  await expect(banner).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel Event' }).first()).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);

  await banner.getByRole('button', { name: text.end }).click();
  await page.waitForURL('**/dashboard');
  await expect(banner).toHaveCount(0);
});

test('the affiliate dialog says what became of each code [TRUST-3]', async ({ browser, product }) => {
  const page = await browserOf(await readyOrganizer(product), browser, product);
  await openProfile(page);
  await press(page, 'Affiliate Program');
  const dialog = dialogOf(page, 'Affiliate Program');
  await dialog.getByRole('button', { name: 'Generate Code' }).click();

  await expect(dialog.getByRole('table', { name: codeList.caption })).toContainText(codeStateTexts.unused);
  await expectAccessible(page);
});
