/** Personal data: shown, downloaded and deleted. */
import { readFile } from 'node:fs/promises';
import { publicEvent } from '#contract/app/events.ts';
import { retentionDays } from '#domain/retention.ts';
import { errorText } from '#messages/errors.ts';
import {
  accountDeleted,
  privacyPage,
  recordsForm,
  recordsLinkSent,
  recordsPage,
  retainedBecause,
} from '#messages/privacy.ts';
import { buyTickets, expectOk, PASSWORD } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { demoIn } from './demo.ts';
import { emailTo, expect, expectFits, expectReadable, openPage, test } from './journey.ts';
import { browserOf, closeWindows, dialogOf, expectToasts, newAccount, openProfile } from './organizer-page.ts';
import { logIn } from './organizer-steps.ts';

const SIZES = [
  { width: 320, height: 640 },
  { width: 1280, height: 800 },
];

test.afterEach(({ browser }) => closeWindows({ browser }));

test('everyone can read what is stored, why and for how long', async ({ browser, product }) => {
  for (const viewport of SIZES) {
    const page = await openPage(browser, product, { viewport });
    await page.goto('/legal');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Your data' }).click();
    await expect(page.getByRole('heading', { level: 1, name: privacyPage.title })).toBeVisible();
    await expect(page.getByRole('table', { name: privacyPage.everyone })).toContainText(
      `${retentionDays.webhookEvent} days`,
    );
    await expectReadable(page);
    await expectFits(page);
    await page.context().close();
  }
});

test('a buyer without an account sees, downloads and deletes their data', async ({ browser, product }) => {
  const site = siteOf(product);
  const eventId = demoIn(product.output()).eventUrl.split('/').at(-1) ?? '';
  const event = expectOk(await site.call(publicEvent, { eventId }));
  const ticketName = 'tickets' in event ? (event.tickets[0]?.ticketName ?? '') : '';
  const email = 'forget-me@example.com';
  await buyTickets(site, eventId, [{ ticketName, quantity: 2 }], email);
  await emailTo(product, email, /./);

  const page = await openPage(browser, product, { viewport: SIZES[0] ?? null });
  await page.goto('/privacy');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: recordsForm.button }).click();
  await expect(page.getByRole('status').filter({ hasText: recordsLinkSent })).toBeVisible();
  await expectReadable(page);

  const message = await emailTo(product, email, /^Your Handstamp data/);
  await page.goto(/https?:\/\/\S+\/privacy\/\S+/.exec(message.text)?.[0] ?? '');
  const bought = page.getByRole('region', { name: recordsPage.purchases });
  await expect(bought).toContainText(retainedBecause['event-open']);
  await expectReadable(page);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: recordsPage.download }).click();
  const file = JSON.parse(await readFile((await (await download).path()) ?? '', 'utf8'));
  expect(file).toMatchObject({ email, purchases: [{ eventId }] });

  await page.getByRole('button', { name: recordsPage.remove, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: recordsPage.confirmTitle });
  await expectReadable(page);
  await dialog.getByRole('textbox').fill(email);
  await dialog.getByRole('button', { name: recordsPage.remove }).click();
  await expect(page.getByText('Purchases deleted: 0. Still needed: 1.')).toBeVisible();
  await expectReadable(page);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: recordsPage.failed })).toBeVisible();
});

test('an organizer downloads everything, and is deleted after entering the password', async ({ browser, product }) => {
  const account = await newAccount(product);
  const page = await browserOf(account, browser, product);
  await openProfile(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download My Data' }).click();
  const file = JSON.parse(await readFile((await (await download).path()) ?? '', 'utf8'));
  expect(file.profile).toMatchObject({ email: account.email });

  await page.getByRole('button', { name: 'Delete Account' }).click();
  const dialog = dialogOf(page, 'Delete Account');
  await dialog.getByLabel('Your password').fill('not my password');
  await expectReadable(page);
  await dialog.getByRole('button', { name: 'Delete Account' }).click();
  await expectToasts(page, [errorText('password.wrong')]);
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete Account' }).click();
  await page.waitForURL('/login');
  await expectToasts(page, [accountDeleted]);
  await page.goto('/profile');
  await page.waitForURL('/login');
});

test("an organizer with an event on sale learns why the account can't be deleted", async ({ browser, product }) => {
  const { email, password } = demoIn(product.output());
  const page = await openPage(browser, product);
  await logIn(page, email, password);
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Account' }).click();
  await expectToasts(page, [errorText('deletion.event-open')]);
});
