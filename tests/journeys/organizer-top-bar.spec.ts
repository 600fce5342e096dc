/** The bar above the screens of organizers, the payouts of all events, and a home with nothing to come. */
import type { Page } from '@playwright/test';
import { automaticPayouts } from '#messages/payouts.ts';
import { editorPhotos, eventEditor } from '#messages/records/event-editor.ts';
import { home } from '#messages/records/home.ts';
import { overview } from '#messages/records/overview.ts';
import { payoutsPage } from '#messages/records/payouts-page.ts';
import { topBar } from '#messages/records/top-bar.ts';
import { eventTabs, palette } from '#messages/records/workspace.ts';
import { lifeActions } from '#messages/sales/event-life.ts';
import { addDatesText } from '#messages/series/add-dates.ts';
import { buyTickets, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectFits, expectReadable, test } from './journey.ts';
import { press as pressKey, tabTo, type } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  memberOf,
  newAccount,
  openProfile,
  press,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const WIDE = { viewport: { width: 1360, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 } };
const barOf = (page: Page) => page.getByRole('navigation', { name: topBar.label });
const menuButton = (page: Page) => page.getByRole('button', { name: topBar.menu });

test('a bar leads to events, money and the account, by keyboard, in both themes [WORK-7 WORK-10]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await buyTickets(siteOf(product), eventId, generalAdmission(2));
  const page = await browserOf(organizer, browser, product, WIDE);
  await openProfile(page);
  await expect(barOf(page).locator('[aria-current=page]')).toHaveText(topBar.events);
  await expect(page.getByRole('link', { name: topBar.create })).toHaveCount(0);

  await pressKey(page, barOf(page).getByRole('link', { name: topBar.money }));
  await expect(page.getByRole('heading', { name: payoutsPage.title, level: 1 })).toBeFocused();
  const row = page.getByRole('table', { name: payoutsPage.caption }).getByRole('row').nth(1);
  await expect(row).toContainText('Basement Brass');
  await expect(row).toContainText(payoutsPage.states['too-early']);
  await expect(row).toContainText('$30.54');
  const automatic = page.getByRole('checkbox', { name: automaticPayouts.label });
  await tabTo(page, automatic);
  await page.keyboard.press('Space');
  await expectToasts(page, [automaticPayouts.turnedOn]);
  await page.reload();
  await expect(automatic).toBeChecked();
  await expect(row).toContainText(/We request it /);
  await expectReadable(page);

  await pressKey(page, menuButton(page));
  await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'true');
  await expectReadable(page);
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expectReadable(page);
  await page.keyboard.press('Escape');
  await expect(menuButton(page)).toBeFocused();
  await expect(page.getByRole('button', { name: topBar.logOut })).toHaveCount(0);
  // Leaving it with the keyboard closes it, too.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: topBar.logOut })).toBeVisible();
  await page.getByRole('button', { name: 'Open navigation' }).focus();
  await expect(page.getByRole('button', { name: topBar.logOut })).toHaveCount(0);

  await pressKey(page, menuButton(page));
  await pressKey(page, page.getByRole('link', { name: topBar.yourData, exact: true }).first());
  await expect(page.locator('#your-data')).toBeFocused();
  await page.goto('/money');
  await row.getByRole('link', { name: payoutsPage.moneyOf('$30.54', 'Basement Brass') }).click();
  await expect(page.getByRole('heading', { name: eventTabs.money, level: 1 })).toBeFocused();
  await expect(page).toHaveURL(`/events/${eventId}/money`);

  await pressKey(page, page.getByRole('link', { name: topBar.create }));
  await expect(dialogOf(page, 'Create Event')).toBeVisible();
  await expect(page).toHaveURL(/\/profile$/);
  await press(dialogOf(page, 'Create Event'), 'Close');
  await menuButton(page).click();
  await press(page, topBar.logOut);
  await expect(page).toHaveURL(/\/login$/);
  await expect(barOf(page)).toHaveCount(0);
});

test('the bar moves nothing, is not on phones, and public pages have none [WORK-7]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, WIDE);
  const boxes = () =>
    page.evaluate(() =>
      ['header', 'h1', 'button[aria-label="Open navigation"]'].map((what) => {
        const { x, y, width, height } = document.querySelector(what)?.getBoundingClientRect() ?? new DOMRect();
        return [x, y, width, height];
      }),
    );
  // Its answer comes late.
  let release = () => {};
  const late = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/protected/organizations', async (route) => {
    await late;
    await route.continue();
  });
  await page.goto('/money');
  await expect(page.getByRole('table')).toBeVisible();
  await expect(barOf(page)).toHaveCount(0);
  const before = await boxes();
  release();
  await expect(barOf(page)).toBeVisible();
  expect(await boxes()).toEqual(before);

  for (const path of ['/', `/payment/${eventId}`, '/FAQ']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Your events' })).toBeVisible();
    await expect(barOf(page)).toHaveCount(0);
  }

  const phone = await browserOf(organizer, browser, product, PHONE);
  await phone.goto('/money');
  await expect(phone.getByText('$0.00').first()).toBeVisible();
  await expect(barOf(phone)).toBeHidden();
  await expectFits(phone);
  await expectReadable(phone);
  await openProfile(phone);
  await expect(phone.getByRole('button', { name: palette.open })).toHaveCount(1);
  await phone.keyboard.press('Control+k');
  await expect(phone.getByRole('combobox', { name: palette.label })).toHaveCount(1);
});

test('the bar shows a member what the role may do [WORK-7]', async ({ browser, product }) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner);
  for (const [role, places] of [
    ['finance', [topBar.events, topBar.money]],
    ['check-in', [topBar.events]],
  ] as const) {
    const page = await browserOf(await memberOf(product, owner, role), browser, product, WIDE);
    await page.goto('/change-email');
    await expect(barOf(page).getByRole('link')).toHaveText([...places]);
    await expect(page.getByRole('link', { name: topBar.create })).toHaveCount(0);
  }
});

test('an editor for chosen events is offered nothing that creates events [WORK-7 SERIES-8]', async ({
  browser,
  product,
}) => {
  const owner = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, owner);
  const offers = (page: Page) =>
    page.getByRole('link', { name: topBar.create }).or(
      page.getByRole('button', {
        name: new RegExp(`^(?:Create Event|${addDatesText.title}|${lifeActions.duplicate})$`),
      }),
    );
  for (const [onlyEventIds, count] of [
    [null, 3],
    [[eventId], 0],
  ] as const) {
    const member = await memberOf(product, owner, 'editor', onlyEventIds && [...onlyEventIds]);
    const page = await browserOf(member, browser, product, WIDE);
    await page.goto(`/events/${eventId}/page`);
    await expect(page.getByRole('region', { name: eventEditor.state })).toBeVisible();
    await expect(barOf(page).getByRole('link')).toHaveText([topBar.events]);
    await expect(offers(page)).toHaveCount(count);
    await page.keyboard.press('Control+k');
    await type(page, page.getByRole('combobox', { name: palette.label }), 'add');
    await expect(page.getByRole('option', { name: addDatesText.title })).toHaveCount(count === 0 ? 0 : 1);
  }
});

test('a home without an event shows an example, and one with past events runs the last again [WORK-9]', async ({
  browser,
  product,
  db,
}) => {
  const fresh = await browserOf(await newAccount(product), browser, product, PHONE);
  await openProfile(fresh);
  await expect(fresh.getByRole('figure')).toContainText(home.exampleMeans);
  await expect(fresh.getByText(home.exampleTitle)).toBeVisible();
  await expect(fresh.getByRole('figure')).toMatchAriaSnapshot(`- figure "${home.example} ${home.exampleMeans}"`);
  await expectFits(fresh);
  await expectReadable(fresh);

  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, WIDE);
  await openProfile(page);
  await expect(page.getByRole('button', { name: home.runAgain })).toHaveCount(0);
  const ended = new Date(Date.now() - 60 * 60 * 1000);
  await db
    .updateTable('events')
    .where('id', '=', eventId)
    .set({ startsAt: new Date(ended.getTime() - 60 * 60 * 1000), endsAt: ended })
    .execute();
  await page.reload();
  await press(page, home.runAgain);
  await expect(page.getByText('Draft', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: home.runAgain })).toHaveCount(0);
});

test('what needs the organizer leads to where it is done, and the search adds dates [WORK-11]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await putOnSale(product, organizer, { title: 'Open Mic' });
  const page = await browserOf(organizer, browser, product, WIDE);
  await page.goto(`/events/${eventId}`);
  await pressKey(page, page.getByRole('link', { name: overview.needs.photos.action }));
  await expect(page).toHaveURL(`/events/${eventId}/page#photos`);
  await expect(page.getByText(editorPhotos.title, { exact: true })).toBeFocused();
  await expect(page.getByText(editorPhotos.title, { exact: true })).toBeInViewport();

  await page.goto(`/events/${eventId}/orders`);
  await expect(page.getByRole('navigation', { name: /Basement Brass/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  await type(page, page.getByRole('combobox', { name: palette.label }), 'add');
  await expect(page.getByRole('option').first()).toHaveText(addDatesText.title);
  await page.keyboard.press('Enter');
  await expect(dialogOf(page, addDatesText.title)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialogOf(page, addDatesText.title)).toHaveCount(0);
  await expect(page).toHaveURL(`/events/${eventId}`);
});
