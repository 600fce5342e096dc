/** An operator views an organization as support, logs a person out, and finds the codes of an organizer. */

import { errorText } from '#messages/errors.ts';
import { codeList, codeStateTexts } from '#messages/records/affiliates.ts';
import { viewingTexts as text } from '#messages/records/viewing.ts';
import { endSessionsTexts as logOut } from '#messages/security.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectAccessible, expectReadable, test } from './journey.ts';
import { browserOf, dialogOf, openProfile, press, putOnSale, readyOrganizer } from './organizer-page.ts';
import { logIn } from './organizer-steps.ts';

test('support sees an organization, changes nothing, and a banner says so [ACT-1]', async ({ page, product, db }) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner);
  const { email } = await newOrganizer(siteOf(product));
  await appointAdmin({ db }, { email, isAdmin: true });
  await logIn(page, email);
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

test('an operator logs a person out everywhere [SESS-3]', async ({ page, browser, product, db }) => {
  const owner = await readyOrganizer(product);
  const theirs = await browserOf(owner, browser, product);
  await openProfile(theirs);
  const { email } = await newOrganizer(siteOf(product));
  await appointAdmin({ db }, { email, isAdmin: true });
  await logIn(page, email);
  await page.goto('/dashboard');
  const form = page.getByRole('region', { name: logOut.title });
  const ask = async (address: string) => {
    await form.getByLabel(logOut.email).fill(address);
    await form.getByLabel(logOut.email).press('Enter');
  };
  const dialog = page.getByRole('dialog', { name: logOut.title });
  const confirm = () => dialog.getByRole('button', { name: logOut.submit }).press('Enter');

  await ask('stranger@example.com');
  await confirm();
  await expect(page.getByText(errorText('person.unknown'))).toBeVisible();
  await dialog.getByRole('button', { name: logOut.cancel }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await ask(owner.email);
  await expect(dialog).toContainText(owner.email);
  await expectAccessible(page);
  await expectReadable(page);
  await confirm();
  await expect(page.getByText(logOut.done)).toBeVisible();

  await theirs.reload();
  await theirs.waitForURL('**/login**');
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
