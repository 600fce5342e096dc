/** The home of an organizer with many events, the frame around the screens of one, and the search that leads to both. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { eventFiles } from '#messages/records/journal-file.ts';
import { statementButtons } from '#messages/records/statement-file.ts';
import { eventFrameText, eventList, eventTabs, moneyTab, palette } from '#messages/records/workspace.ts';
import { copiesOfEvent } from '#tests/support/copied-events.ts';
import { buyTickets, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectFits, expectReadable, test } from './journey.ts';
import { press as pressKey, type } from './keyboard.ts';
import { browserOf, closeWindows, openProfile, press, putOnSale, readyOrganizer } from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const DAY = 24 * 60 * 60 * 1000;
const rowOf = (page: Page, title: string) =>
  page.getByRole('region', { name: eventList.title }).getByRole('listitem').filter({ hasText: title });
const tabs = (page: Page, title: string) => page.getByRole('navigation', { name: eventFrameText.tabs(title) });

test('thirty events fit two screens, and each is found, opened and read in two presses [WORK-1 LIFE-10]', async ({
  browser,
  product,
  db,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const past = await copiesOfEvent(
    db,
    eventId,
    28,
    (index) => new Date(Date.now() - (index + 2) * DAY),
    (index) => `Swing ${index + 1}`,
  );
  await copiesOfEvent(
    db,
    eventId,
    1,
    () => new Date(Date.now() + 60 * DAY),
    () => 'Open Mic',
  );
  const page = await browserOf(organizer, browser, product, { viewport: { width: 1360, height: 900 } });
  await openProfile(page);

  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(rowOf(page, 'Swing')).toHaveCount(6);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1800);
  await press(page, eventList.more);
  await expect(rowOf(page, 'Swing')).toHaveCount(12);
  await press(page, eventList.group(eventList.groups.upcoming, 2));
  await expect(rowOf(page, 'Open Mic')).toHaveCount(1);
  await page.getByLabel(eventList.search).fill('swing 28');
  await expect(page.getByText(eventList.noHit('swing 28'))).toBeVisible();
  await press(page, eventList.group(eventList.groups.past, 1));
  await expect(rowOf(page, 'Swing 28')).toHaveCount(1);

  await press(page, eventList.detailsOf(false, 'Swing 28'));
  const card = page.getByRole('article', { name: 'Swing 28' });
  await expect(card.getByText('38 Withers St, Brooklyn, NY 11211')).toBeVisible();
  await expect(card.getByRole('link', { name: /\/payment\// })).toHaveAttribute('href', new RegExp(past[27] ?? ''));
  await card.getByRole('button', { name: 'Cancel Event' }).click();
  await expect(page.getByRole('dialog', { name: 'Cancel Event' })).toBeVisible();
  await page.keyboard.press('Escape');
  await press(page, eventList.detailsOf(true, 'Swing 28'));
  await expect(card).toBeHidden();
  await expectReadable(page);
});

test('shows sales of others by itself', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product);
  await page.clock.install();
  await openProfile(page);
  await expect(page.getByText('0 of 110')).toBeVisible();
  await buyTickets(siteOf(product), eventId, generalAdmission(3));

  await page.clock.fastForward(16_000);

  await expect(page.getByText('3 of 110').first()).toBeVisible();
});

test('leads from screen to screen of an event and to another one by keyboard, at 320 pixels [WORK-2 WORK-3]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await putOnSale(product, organizer, { title: 'Open Mic' });
  await buyTickets(siteOf(product), eventId, generalAdmission(2));
  const page = await browserOf(organizer, browser, product, { viewport: { width: 320, height: 640 } });
  await openProfile(page);
  const card = page.getByRole('article', { name: 'Basement Brass' });
  await pressKey(page, card.getByRole('link', { name: eventList.open, exact: true }));

  const links = tabs(page, 'Basement Brass').getByRole('link');
  await expect(links).toHaveText([/^Overview/, /^Guests 2/, /^Orders 1/, /^Tickets 2/, /^Page/, /^Door/, /^Money/]);
  for (const tab of ['money', 'door', 'tickets', 'orders', 'guests', 'overview', 'page'] as const) {
    await pressKey(page, links.filter({ hasText: eventTabs[tab] }));
    await expect(page.getByRole('heading', { name: eventTabs[tab], level: 1 })).toBeFocused();
    await expect(tabs(page, 'Basement Brass').locator('[aria-current=page]')).toContainText(eventTabs[tab]);
    await expect(page).toHaveTitle(`${eventTabs[tab]} · Basement Brass · Handstamp`);
    await expectFits(page);
    await expectReadable(page);
  }

  await page.keyboard.press('Control+k');
  const search = page.getByRole('combobox', { name: palette.label });
  await expect(search).toBeFocused();
  await expectReadable(page);
  await type(page, search, 'mic');
  await expect(page.getByRole('dialog').getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(tabs(page, 'Open Mic')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(search).toBeHidden();
  await page.keyboard.press('Control+k');
  await type(page, search, 'nothing at all');
  await expect(page.getByRole('dialog').getByText(palette.none)).toBeVisible();
});

test('the money of an event equals its statement, and leads to the guests behind it [JOURNAL-1 WORK-4]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await buyTickets(siteOf(product), eventId, generalAdmission(2));
  const page = await browserOf(organizer, browser, product);
  await page.goto(`/events/${eventId}/money`);

  const gets = page.getByRole('region', { name: moneyTab.gets });
  await expect(gets.getByText('$30.54').first()).toBeVisible();
  await expect(gets.locator('dl > div').filter({ hasText: 'You get' }).locator('dd')).toHaveText('$30.54');
  const files = page.getByRole('region', { name: eventFiles.title });
  for (const [button, name, content] of [
    [statementButtons.pdf, /^Statement of Basement Brass [\d-]+\.pdf$/, /^%PDF/],
    [statementButtons.csv, /^Statement of Basement Brass [\d-]+\.csv$/, /Basement Brass/],
    [eventFiles.downloadJournal, /^Journal of Basement Brass [\d-]+\.csv$/, /"organizer-payable"/],
  ] as const) {
    const download = page.waitForEvent('download');
    await pressKey(page, files.getByRole('link', { name: button }));
    const file = await download;
    expect(file.suggestedFilename()).toMatch(name);
    expect(await readFile(await file.path(), 'latin1')).toMatch(content);
  }
  await gets.getByRole('link', { name: '2 tickets sold' }).click();
  await expect(page.getByRole('heading', { name: eventTabs.guests, level: 1 })).toBeFocused();
  await expect(page.getByRole('row')).toHaveCount(3);
});

test('says that an event is not in the account', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const page = await browserOf(organizer, browser, product);
  for (const tab of ['', '/dates', '/guests', '/orders', '/tickets', '/door', '/money']) {
    await page.goto(`/events/AAAAAAAAAAAAAAAA${tab}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Event not found' })).toBeVisible();
    await expect(page.getByText(eventFrameText.unknown)).toBeVisible();
  }
});
