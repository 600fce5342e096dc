/** An operator finds what to stop, stops it with a reason, and lets it go on. */

import type { Page } from '@playwright/test';
import { TITLE_MAX } from '#domain/limits.ts';
import { handleReportsTexts, reportList, reportPage } from '#messages/operations/abuse-reports.ts';
import { type BrakeAction, brakeTexts, searchTexts, suspended } from '#messages/operations/brakes.ts';
import { movedEventList } from '#messages/operations/moved-events.ts';
import { accountBanner } from '#messages/operations/payout-account.ts';
import { reportLink, salesPaused } from '#messages/sales/event-page.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import type { Db } from '#server/platform/database.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { changeAccount } from '#tests/support/payout-account.ts';
import { buyTickets, eventOnSale, newOrganizer } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectAccessible, expectFits, expectReadable, openPage, withOwnProduct } from './journey.ts';
import { browserOf, openProfile, putOnSale, readyOrganizer } from './organizer-page.ts';
import { logIn } from './organizer-steps.ts';

/** A server on which nothing is stopped yet. */
const test = withOwnProduct();

const NOTE = 'The venue knows nothing of it.';

async function openDashboard(page: Page, product: Product, db: Db): Promise<void> {
  const { email } = await newOrganizer(siteOf(product));
  await appointAdmin({ db }, { email, isAdmin: true });
  await logIn(page, email);
  await page.goto('/dashboard');
  await expect(page.getByText(searchTexts.nothingBraked)).toBeVisible();
}

const results = (page: Page, list = searchTexts.events) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem');

async function find(page: Page, q: string): Promise<void> {
  await page.getByLabel(searchTexts.label).fill(q);
  await page.getByLabel(searchTexts.label).press('Enter');
}

/** By keyboard alone, and not without a reason. */
async function brake(page: Page, action: BrakeAction, list = searchTexts.events): Promise<void> {
  const { label, question, done } = brakeTexts[action];
  await results(page, list).getByRole('button', { name: label }).press('Enter');
  const dialog = page.getByRole('dialog', { name: label });
  await expect(dialog).toContainText(question);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: label }).press('Enter');
  await expect(dialog).toContainText('Please write a note of at least 5 characters.');
  await dialog.getByLabel('Reason').fill(NOTE);
  await dialog.getByRole('button', { name: label }).press('Enter');
  await expect(page.getByText(done)).toBeVisible();
  await expect(dialog).toHaveCount(0);
}

test('an operator stops the sale of an event and resumes it [BRAKE-2]', async ({ page, browser, product, db }) => {
  const owner = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, owner, { title: 'Fake Venue Night' });
  await openDashboard(page, product, db);
  await find(page, 'nothing like it');
  await expect(page.getByText(searchTexts.notFound('nothing like it'))).toBeVisible();
  await find(page, 'fake venue');
  await expect(results(page)).toHaveCount(1);
  await expectAccessible(page);

  await brake(page, 'stop-sales');
  await expect(results(page)).toContainText(NOTE);
  await expectAccessible(page);

  const buyer = await openPage(browser, product);
  await buyer.goto(`/payment/${eventId}`);
  await expect(buyer.getByText(salesPaused, { exact: true }).first()).toBeVisible();
  for (const button of await buyer.getByRole('button', { name: 'Add to Cart' }).all())
    await expect(button).toBeDisabled();
  await expectAccessible(buyer);
  await buyer.setViewportSize({ width: 390, height: 844 });
  await expectReadable(buyer);
  const organizer = await browserOf(owner, browser, product);
  await openProfile(organizer);
  await expect(organizer.getByRole('article')).toContainText(NOTE);
  await expectAccessible(organizer);

  await page.reload();
  await expect(page.getByText(searchTexts.braked)).toBeVisible();
  await brake(page, 'resume-sales');
  await expect(page.getByText(searchTexts.nothingBraked)).toBeVisible();
  await buyer.reload();
  await buyer.getByRole('button', { name: 'Add to Cart' }).first().click();
  await expect(buyer.getByText(salesPaused, { exact: true })).toHaveCount(0);
});

test('an operator suspends an organization and lifts it [BRAKE-1]', async ({ page, browser, product, db }) => {
  const owner = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, owner, { title: 'Hall of Nowhere' });
  await openDashboard(page, product, db);
  await find(page, 'hall of nowhere');
  await brake(page, 'suspend-organization', searchTexts.organizations);
  await expect(results(page, searchTexts.organizations)).toContainText(NOTE);

  const buyer = await openPage(browser, product);
  await buyer.goto(`/payment/${eventId}`);
  await expect(buyer.getByText(salesPaused, { exact: true }).first()).toBeVisible();
  await expect(buyer.getByText(NOTE)).toHaveCount(0);
  const organizer = await browserOf(owner, browser, product);
  await openProfile(organizer);
  await expect(organizer.getByText(suspended)).toBeVisible();
  await expect(organizer.getByText(NOTE).first()).toBeVisible();
  await expectAccessible(organizer);
  await organizer.setViewportSize({ width: 390, height: 844 });
  await expectReadable(organizer);

  await page.reload();
  await brake(page, 'resume-organization', searchTexts.organizations);
  await expect(page.getByText(searchTexts.nothingBraked)).toBeVisible();
  await organizer.reload();
  await expect(organizer.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(organizer.getByText(suspended)).toHaveCount(0);
});

test('an operator holds the payouts of an event and releases them [BRAKE-2]', async ({
  page,
  browser,
  product,
  db,
}) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner, { title: 'Reported Night' });
  await openDashboard(page, product, db);
  await find(page, 'reported night');
  await brake(page, 'hold-payout');
  await expect(results(page)).toContainText(NOTE);

  const organizer = await browserOf(owner, browser, product);
  await openProfile(organizer);
  await expect(organizer.getByRole('region', { name: 'Payout of Reported Night' })).toContainText(NOTE);
  await expectAccessible(organizer);

  await page.reload();
  await brake(page, 'release-payout');
  await expect(page.getByText(searchTexts.nothingBraked)).toBeVisible();
});

test('anyone reports an event, and an operator handles it [BRAKE-6]', async ({ page, browser, product, db }) => {
  const owner = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, owner, { title: 'Odd Night' });
  const visitor = await openPage(browser, product);
  await visitor.goto(`/payment/${eventId}`);
  await visitor.getByRole('link', { name: reportLink }).click();
  await expect(visitor).toHaveURL(new RegExp(`/report/${eventId}$`));
  await expectAccessible(visitor);
  await visitor.getByRole('button', { name: reportPage.submit }).press('Enter');
  await expect(visitor.getByText('Choose a reason.').first()).toBeVisible();
  await visitor.getByLabel(reportPage.reason).selectOption('not-real');
  await visitor.getByLabel(reportPage.text).fill('This hall burned down.');
  await expectAccessible(visitor);
  await visitor.getByRole('button', { name: reportPage.submit }).press('Enter');
  await expect(visitor.getByText(reportPage.sent).first()).toBeVisible();
  await visitor.setViewportSize({ width: 320, height: 640 });
  await expectReadable(visitor);

  await openDashboard(page, product, db);
  const reported = page.getByRole('region', { name: reportList.title(1) });
  await expect(reported).toContainText('This hall burned down.');
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectReadable(page);
  await reported.getByRole('button', { name: handleReportsTexts.label }).press('Enter');
  const dialog = page.getByRole('dialog', { name: handleReportsTexts.label });
  await dialog.getByLabel('Reason').fill('The venue confirms it.');
  await dialog.getByRole('button', { name: handleReportsTexts.label }).press('Enter');
  await expect(page.getByText(handleReportsTexts.done)).toBeVisible();
  await expect(reported).toHaveCount(0);
});

test('the search fits a phone without horizontal scrolling, in light and dark [BRAKE-2]', async ({
  page,
  product,
  db,
}) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner, { title: 'W'.repeat(TITLE_MAX) });
  await page.setViewportSize({ width: 390, height: 844 });
  await openDashboard(page, product, db);
  await find(page, owner.email);
  await expect(results(page)).toHaveCount(1);

  await expectReadable(page);
  await expectFits(page);
});

test('the profile says what Stripe did to the payout account, and what to do [BRAKE-5]', async ({
  browser,
  product,
  db,
}) => {
  const owner = await readyOrganizer(product);
  const { organizationId } = await actorOf(db, owner.email);
  const page = await browserOf(owner, browser, product, { viewport: { width: 390, height: 844 } });
  for (const status of ['restricted', 'active', 'closed'] as const) {
    await changeAccount({ db, sandboxUrl: product.sandboxUrl }, organizationId, status);
    const shown = status === 'active' ? [] : [accountBanner[status].title];
    await expect(async () => {
      await openProfile(page);
      const titles = Object.values(accountBanner).map(({ title }) => title);
      expect(
        await page
          .getByRole('main')
          .getByText(new RegExp(titles.join('|')))
          .allTextContents(),
      ).toEqual(shown);
    }).toPass();
    await expectAccessible(page);
    await expectReadable(page);
  }
});

test('an operator sees an event that moved after half was sold, and holds its payout [WINDOW-0 BRAKE-2]', async ({
  page,
  product,
  db,
}) => {
  const site = siteOf(product);
  const seat = { ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 20, ticketQuantity: 4 };
  const event = await eventOnSale(site, { title: 'Moved Night', tickets: [seat] });
  await buyTickets(site, event.eventId, [{ ticketName: 'Seat', quantity: 2 }]);
  const inDays = (days: number) => new Date(site.now().getTime() + days * 24 * 60 * 60 * 1000).toISOString();
  await editEventOf(site, event, { startDate_startTime: inDays(20), endDate_endTime: inDays(20.1) });
  const { email } = await newOrganizer(site);
  await appointAdmin({ db }, { email, isAdmin: true });
  await page.setViewportSize({ width: 320, height: 720 });
  await logIn(page, email);
  await page.goto('/dashboard');

  const moved = page.getByRole('region', { name: movedEventList.title(1) });
  await expect(moved).toContainText('Moved Night');
  await expectReadable(page);
  await expectFits(page);
  const { label, done } = brakeTexts['hold-payout'];
  await moved.getByRole('button', { name: label }).press('Enter');
  const dialog = page.getByRole('dialog', { name: label });
  await dialog.getByLabel('Reason').fill(NOTE);
  await dialog.getByRole('button', { name: label }).press('Enter');
  await expect(page.getByText(done)).toBeVisible();
});
