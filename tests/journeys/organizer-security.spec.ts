/** The security page, the question for the password before sensitive acts, and the check of the payout account. */
import type { Page } from '@playwright/test';
import { login } from '#contract/app/accounts.ts';
import { REAUTHENTICATION_MINUTES } from '#domain/accounts/roles.ts';
import { errorText } from '#messages/errors.ts';
import { payoutAccountCheck } from '#messages/payouts.ts';
import { passwordChange, passwordCommon, securityPage, sessionList } from '#messages/security.ts';
import type { Db } from '#server/platform/database.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { accountInfo } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectAccessible, test } from './journey.ts';
import {
  browserOf,
  dialogOf,
  expectToasts,
  fillIn,
  newAccount,
  openProfile,
  PASSWORD,
  press,
  readyOrganizer,
} from './organizer-page.ts';

const NEW_PASSWORD = 'a brand new secret';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** As if the password had been entered longer ago than it counts. */
async function forgetPasswordOf(email: string, db: Db) {
  const { id } = await storedAccount(db, email);
  const reauthenticatedAt = new Date(Date.now() - REAUTHENTICATION_MINUTES * 60_000 - 1000);
  await db.updateTable('sessions').set({ reauthenticatedAt }).where('userId', '=', id).execute();
}

const passwordForm = (page: Page) => page.getByRole('region', { name: passwordChange.title }).locator('form');

test('the security page changes the password, and warns of one that is guessed first [AUTH-4]', async ({
  browser,
  product,
}) => {
  const page = await browserOf(await newAccount(product), browser, product);
  await openProfile(page);
  await page.getByRole('link', { name: securityPage.title }).click();
  await expect(page.getByRole('heading', { name: securityPage.title })).toBeVisible();
  await expectAccessible(page);

  await press(page, passwordChange.submit);
  await expectToasts(page, ['Enter your password.', 'Password must be at least 8 characters.']);
  await fillIn(passwordForm(page), { password: PASSWORD, newPassword: 'password1' });
  await page.getByLabel(passwordChange.again, { exact: true }).focus();
  await expect(page.getByText(passwordCommon)).toBeVisible();

  await fillIn(passwordForm(page), { newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD, password: 'wrong' });
  await expect(page.getByText(passwordCommon)).toHaveCount(0);
  await press(page, passwordChange.submit);
  await expectToasts(page, [errorText('password.wrong')]);
  await fillIn(passwordForm(page), { password: PASSWORD });
  await press(page, passwordChange.submit);
  await expectToasts(page, [passwordChange.done]);
  await expect(passwordForm(page).locator('[name="newPassword"]')).toHaveValue('');
});

test('the security page lists the logged-in devices, and logs them out [SESS-1]', async ({ browser, product }) => {
  const account = await newAccount(product);
  for (const _ of [1, 2]) {
    const other = siteOf(product).visitor({ isBrowser: true });
    await other.send(login, { email: account.email, password: PASSWORD }, { 'user-agent': CHROME });
  }
  const page = await browserOf(account, browser, product);
  await page.goto('/organization/security');
  const rows = page
    .getByRole('table', { name: sessionList.caption })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: sessionList.isThis })).toHaveCount(1);
  await expectAccessible(page);

  await page
    .getByRole('button', { name: sessionList.endLabel('Chrome on Windows') })
    .first()
    .click();
  await expectToasts(page, [sessionList.ended]);
  await expect(rows).toHaveCount(2);
  await press(page, sessionList.endOthers);
  await expectToasts(page, [sessionList.othersEnded]);
  await expect(rows).toHaveCount(1);
  await expect(page.getByText(sessionList.onlyThis)).toBeVisible();
});

test('a download of personal data asks for the password, and goes on by itself [AUTH-8]', async ({
  browser,
  product,
  db,
}) => {
  const account = await newAccount(product);
  const page = await browserOf(account, browser, product);
  await openProfile(page);
  await forgetPasswordOf(account.email, db);
  const dialog = dialogOf(page, "Confirm that it's you");

  await press(page, 'Download My Data');
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expectToasts(page, [errorText('auth.reauthentication-required')]);

  await press(page, 'Download My Data');
  await dialog.getByLabel('Password', { exact: true }).fill('not this one');
  await page.keyboard.press('Enter');
  await expectToasts(page, [errorText('password.wrong')]);
  const download = page.waitForEvent('download');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toBe('my-records.json');
  await expect(dialog).toHaveCount(0);
});

test('the payout account is confirmed after a password reset, and says who is paid [AUTH-3]', async ({
  browser,
  product,
  db,
}) => {
  const account = await readyOrganizer(product);
  const { organizationId } = await storedAccount(db, account.email);
  await db
    .updateTable('payoutAccounts')
    .set({ confirmedAt: null })
    .where('organizationId', '=', organizationId)
    .execute();
  const page = await browserOf(account, browser, product);
  await openProfile(page);
  await expect(page.getByText(payoutAccountCheck.why)).toBeVisible();

  await press(page, payoutAccountCheck.open);
  const dialog = dialogOf(page, payoutAccountCheck.title);
  await expect(dialog.getByText(accountInfo.organizationName)).toBeVisible();
  await expect(dialog.getByText(payoutAccountCheck.bankEnding('6789'))).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: payoutAccountCheck.confirm }).click();
  await expectToasts(page, ['Your payout account is confirmed.']);
  await expect(page.getByText(payoutAccountCheck.why)).toHaveCount(0);
});
