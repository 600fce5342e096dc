/** The dialogs of accounts, teams and operators, by keyboard alone in a window 320 pixels wide. */
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { TOTP_SECONDS } from '#domain/accounts/factors.ts';
import { appSetUp, factorList, factorLogin, recoveryCodeList } from '#messages/accounts/factors.ts';
import { roleNames, teamDone, teamPage } from '#messages/accounts/team.ts';
import { reauthentication } from '#messages/accounts.ts';
import { brakeTexts, searchTexts } from '#messages/operations/brakes.ts';
import { payoutAccountCheck } from '#messages/payouts.ts';
import { planTexts } from '#messages/records/plans.ts';
import { viewingTexts } from '#messages/records/viewing.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { expect, expectUsable, withOwnProduct } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import {
  browserOf,
  dialogOf,
  expectToasts,
  memberOf,
  newWindow,
  openProfile,
  PASSWORD,
  putOnSale,
  readyOrganizer,
  verifiedAccount,
} from './organizer-page.ts';
import { logIn } from './organizer-steps.ts';

const test = withOwnProduct();

const NARROW = { viewport: { width: 320, height: 640 } };

const button = (page: Page, name: string, dialog = '') =>
  (dialog === '' ? page : dialogOf(page, dialog)).getByRole('button', { name, exact: true }).first();

test('an authenticator app is set up, asked for, and confirms who is there [AUTH-6 AUTH-8]', async ({
  browser,
  product,
  db,
}) => {
  const account = await verifiedAccount(product);
  const page = await browserOf(account, browser, product, NARROW);
  await page.goto('/organization/security');
  await press(page, button(page, factorList.addApp));
  const setUp = dialogOf(page, appSetUp.title);
  const key = (await setUp.locator('code').textContent())?.replaceAll(' ', '') ?? '';
  const codeIn = (steps: number) =>
    TOTP.generate({ secret: Secret.fromBase32(key), timestamp: Date.now() + steps * TOTP_SECONDS * 1000 });
  await expectUsable(page);
  await type(page, setUp.getByLabel(appSetUp.code), codeIn(0));
  await page.keyboard.press('Enter');
  await expectToasts(page, [appSetUp.done]);
  await expectUsable(page);
  await press(page, button(page, recoveryCodeList.done, recoveryCodeList.title));

  const { id: userId } = await storedAccount(db, account.email);
  await db
    .updateTable('sessions')
    .set({ reauthenticatedAt: new Date(0) })
    .where('userId', '=', userId)
    .execute();
  await press(page, button(page, factorList.renewCodes));
  await expect(dialogOf(page, reauthentication.title)).toBeVisible();
  await expectUsable(page);
  await type(page, dialogOf(page, reauthentication.title).getByLabel('Password', { exact: true }), PASSWORD);
  await page.keyboard.press('Enter');
  await press(page, button(page, recoveryCodeList.done, recoveryCodeList.title));

  const elsewhere = await newWindow(browser, product, NARROW);
  await elsewhere.goto('/login');
  await type(elsewhere, elsewhere.getByLabel('Email'), account.email);
  await type(elsewhere, elsewhere.getByLabel('Password', { exact: true }), PASSWORD);
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere.getByRole('heading', { name: factorLogin.title })).toBeVisible();
  await expectUsable(elsewhere);
  await type(elsewhere, elsewhere.getByLabel(factorLogin.code, { exact: true }), codeIn(1));
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere).toHaveURL(/\/profile$/);
});

test('an owner changes a role, removes the member, and confirms the payout account [ORG-4 AUTH-3]', async ({
  browser,
  product,
  db,
}) => {
  const owner = await readyOrganizer(product);
  const { email } = await memberOf(product, owner, 'viewer');
  const page = await browserOf(owner, browser, product, NARROW);
  await page.goto('/organization/team');
  await press(page, button(page, teamPage.changeLabel(email)));
  const dialog = dialogOf(page, teamPage.changeTitle(email));
  await tabTo(page, dialog.getByLabel(teamPage.role));
  await page.keyboard.type(roleNames.editor);
  await expectUsable(page);
  await press(page, dialog.getByRole('button', { name: teamPage.save }));
  await expectToasts(page, [teamDone.roleChanged]);
  await expect(page.getByRole('row', { name: email })).toContainText(roleNames.editor);
  await press(page, button(page, teamPage.removeLabel(email)));
  await expect(dialogOf(page, teamPage.removeTitle)).toBeVisible();
  await expectUsable(page);
  await press(page, button(page, teamPage.confirmRemove, teamPage.removeTitle));
  await expectToasts(page, [teamDone.removed]);

  const { organizationId } = await storedAccount(db, owner.email);
  await db
    .updateTable('payoutAccounts')
    .set({ confirmedAt: null })
    .where('organizationId', '=', organizationId)
    .execute();
  await openProfile(page);
  await press(page, button(page, payoutAccountCheck.open));
  await expect(dialogOf(page, payoutAccountCheck.title)).toBeVisible();
  await expectUsable(page);
  await press(page, button(page, payoutAccountCheck.confirm, payoutAccountCheck.title));
  await expect(page.getByText(payoutAccountCheck.why)).toHaveCount(0);
});

test('an operator stops a sale, opens a plan, and views an organization [BRAKE-2 PLAN-1 ACT-1]', async ({
  browser,
  product,
  db,
}) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner, { title: 'Narrow Hall' });
  const operator = await verifiedAccount(product);
  await appointAdmin({ db }, { email: operator.email, isAdmin: true });
  const page = await newWindow(browser, product, NARROW);
  await logIn(page, operator.email);
  await page.goto('/dashboard');
  await type(page, page.getByLabel(searchTexts.label), 'narrow hall');
  await page.keyboard.press('Enter');
  const found = page.getByRole('list', { name: searchTexts.events, exact: true }).getByRole('listitem');
  await expect(found).toContainText('Narrow Hall');
  await expectUsable(page);
  const { label, done } = brakeTexts['stop-sales'];
  await press(page, found.getByRole('button', { name: label }));
  await expect(dialogOf(page, label)).toBeVisible();
  await expectUsable(page);
  await type(page, dialogOf(page, label).getByLabel('Reason'), 'The hall is closed.');
  await press(page, button(page, label, label));
  await expect(page.getByText(done)).toBeVisible();

  await page.goto('/dashboard/plans');
  await press(page, button(page, planTexts.add));
  await expect(dialogOf(page, planTexts.add)).toBeVisible();
  await expectUsable(page);
  await page.keyboard.press('Escape');
  await expect(dialogOf(page, planTexts.add)).toHaveCount(0);

  await page.goto('/dashboard');
  await type(page, page.getByRole('region', { name: viewingTexts.title }).getByRole('textbox'), owner.email);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/profile');
  const banner = page.getByRole('status').filter({ hasText: 'as support' });
  await expect(banner).toBeVisible();
  await expectUsable(page);
  await press(page, banner.getByRole('button', { name: viewingTexts.end }));
  await page.waitForURL('**/dashboard');
});
