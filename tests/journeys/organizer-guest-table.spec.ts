/** The *Guests* screen of an event. */
import type { Page } from '@playwright/test';
import { guestPageEnds, guestRows } from '#contract/app/sales/guest-table.ts';
import { addCompsLink, ticketResent } from '#messages/guests.ts';
import { tryAgain } from '#messages/pages.ts';
import { eventList } from '#messages/records/workspace.ts';
import { compsPage, compWithdrawn } from '#messages/sales/comps.ts';
import { guestDrawer, guestStateNames, printedList, guestTablePage as text } from '#messages/sales/guest-table.ts';
import { addGuests } from '#tests/support/comps.ts';
import { askBuyers, buyWithDetails, questionForm } from '#tests/support/guest-forms.ts';
import { nameMany, sellAt, sellMany } from '#tests/support/many-guests.ts';
import { buyTickets, expectOk, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, expect, expectFits, expectReadable, withOwnProduct } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  openProfile,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';

const test = withOwnProduct();

test.afterEach(({ browser }) => closeWindows({ browser }));

const NARROW = { viewport: { width: 320, height: 640 } };

const names = (page: Page) => page.getByRole('table').getByRole('row').getByRole('link').allTextContents();
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('link');
const chip = (page: Page, label: string, count: number) =>
  page.getByRole('button', { name: text.chip(label, count), exact: true });

test('lists guests by name, filters and opens them, by keyboard at 320 pixels [LIST-1]', async ({
  browser,
  product,
}) => {
  const site = siteOf(product);
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const seller = { ...organizer, eventId };
  const { Meal: meal = '' } = await askBuyers(seller, {
    asksNames: 'optional',
    questions: [questionForm('Meal', { kind: 'one-of', options: ['Soup', 'Pie'], isRequired: false })],
  });
  const email = `sofia-${Date.now()}@example.com`;
  await buyWithDetails(
    site,
    eventId,
    { tickets: [{ name: 'Sofia Reyes', answers: { [meal]: 'Pie' } }, { name: 'Omar' }] },
    { email, cartItems: generalAdmission(2) },
  );
  expectOk(await addGuests(seller, [{ email: 'kim@example.com' }]));

  const page = await browserOf(organizer, browser, product, NARROW);
  await openProfile(page);
  await press(page, page.getByRole('link', { name: eventList.open, exact: true }));
  await press(page, page.getByRole('link', { name: /^Guests \d/ }));
  await expect(page.getByRole('heading', { name: text.title, level: 1 })).toBeVisible();
  await expect(page.getByText(text.found(3))).toBeVisible();
  await expect.poll(() => names(page)).toEqual(['kim@example.com', 'Omar', 'Sofia Reyes']);
  await tabTo(page, page.getByRole('link', { name: addCompsLink }));
  await expectFits(page);
  await expectReadable(page);

  // Search, in the address, so that a reload keeps it.
  const search = page.getByLabel(text.search);
  await type(page, search, 'reyes');
  await expect(page.getByText(text.found(1))).toBeVisible();
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('reyes');
  await page.reload();
  await expect(page.getByText(text.found(1))).toBeVisible();
  await expect(search).toHaveValue('reyes');
  await search.fill('zzz');
  await expect(page.getByText(text.noHit)).toBeVisible();
  await expectReadable(page);
  await press(page, page.getByRole('button', { name: text.clear }));
  await expect(page.getByText(text.found(3))).toBeVisible();

  await press(page, chip(page, text.filters['checked-in'], 0));
  await expect(page.getByText(text.noHit)).toBeVisible();
  await press(page, chip(page, text.everyone, 3));
  await press(page, page.getByRole('button', { name: text.more(0), exact: true }));
  await page.getByLabel(text.question).selectOption({ label: 'Meal' });
  await page.getByLabel(text.answer).selectOption('Pie');
  await expect(page.getByText(text.found(1))).toBeVisible();
  await expect.poll(() => names(page)).toEqual(['Sofia Reyes']);
  await page.getByLabel(text.question).selectOption('');
  await page.getByLabel(text.channel).selectOption('comp');
  await expect(page.getByText(text.found(1))).toBeVisible();
  await expect.poll(() => names(page)).toEqual(['kim@example.com']);
  await page.getByLabel(text.channel).selectOption('');
  await expect(page.getByText(text.found(3))).toBeVisible();

  // Rows by the arrow keys, and the drawer with the focus back at its row.
  await tabTo(page, rowOf(page, 'kim@example.com'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await expect(rowOf(page, 'Sofia Reyes')).toBeFocused();
  await page.keyboard.press('Enter');
  const drawer = dialogOf(page, 'Sofia Reyes');
  await expect(drawer.getByText('Pie', { exact: true })).toBeVisible();
  await expect(drawer.getByText(guestDrawer.happenings.bought)).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
  expect(new URL(page.url()).searchParams.get('guest')).toMatch(/^[\da-f-]{36}$/);
  await press(page, drawer.getByRole('button', { name: guestDrawer.resend }));
  await expectToasts(page, [ticketResent]);
  await emailTo(product, email, /./);
  await press(page, drawer.getByRole('link', { name: /^2\./ }));
  await expect(dialogOf(page, 'Omar')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(new URL(page.url()).search).toBe('');
  await expect(rowOf(page, 'Sofia Reyes')).toBeFocused();

  await press(page, rowOf(page, 'kim@example.com'));
  await press(page, dialogOf(page, 'kim@example.com').getByRole('button', { name: guestDrawer.withdraw }));
  await press(page, page.getByRole('button', { name: compsPage.withdraw, exact: true }));
  await expectToasts(page, [compWithdrawn]);
  await expect(dialogOf(page, 'kim@example.com').getByText(guestDrawer.happenings.withdrawn)).toBeVisible();
  // The back button closes it as well.
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText(text.found(2))).toBeVisible();
  await press(page, chip(page, text.filters.refunded, 1));
  await expect(page.getByText(text.found(1))).toBeVisible();
  await expect(page.getByRole('row').getByText(guestStateNames.refunded)).toBeVisible();
});

test('says that there are no guests yet, and that an event is unknown', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, NARROW);
  await page.goto(`/events/${eventId}/guests`);
  await expect(page.getByRole('heading', { name: text.none })).toBeVisible();
  await expect(page.getByText(text.share)).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: text.view, exact: true }).last());
  await expectFits(page);
  await expectReadable(page);
  await page.goto('/events/AAAAAAAAAAAAAAAA/guests');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
});

/** 0 while it is loading. */
const rowInTheMiddle = (page: Page) =>
  page.evaluate(() => {
    const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('[aria-rowindex]');
    return row?.querySelector('a') ? Number(row.getAttribute('aria-rowindex')) : 0;
  });

const MANY = 50_000;
const MAX_NODES = 2000;

test('scrolls through thousands of guests with few of them on the page', async ({ browser, product, db }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await sellMany(db, eventId, MANY);
  await nameMany(db, eventId);
  const page = await browserOf(organizer, browser, product);
  await page.goto(`/events/${eventId}/guests`);
  await expect(page.getByText(text.found(MANY))).toBeVisible();
  const table = page.getByRole('table');
  await expect(table).toHaveAttribute('aria-rowcount', String(MANY + 1));
  const lastRow = page.locator(`[aria-rowindex="${MANY + 1}"]`);
  const countNodes = () => page.locator('*').count();

  for (const share of [0.25, 0.5, 0.75]) {
    await page.evaluate((at) => window.scrollTo(0, document.documentElement.scrollHeight * at), share);
    await expect.poll(() => rowInTheMiddle(page)).toBeGreaterThan(MANY * share - 50);
    expect(await rowInTheMiddle(page)).toBeLessThan(MANY * share + 50);
    expect(await countNodes()).toBeLessThan(MAX_NODES);
  }
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(lastRow.getByRole('link')).toBeVisible();
  expect(await countNodes()).toBeLessThan(MAX_NODES);
  const shown = await names(page);
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.map((name) => name.toLowerCase())).toEqual(shown.map((name) => name.toLowerCase()).toSorted());

  // Opening and closing a guest leaves the list where it is.
  const before = await page.evaluate(() => window.scrollY);
  await lastRow.getByRole('link').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - before)).toBeLessThan(5);
  await expect(lastRow.getByRole('link')).toBeFocused();
});

test('shows each guest once while tickets are sold', async ({ browser, product, db }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await sellMany(db, eventId, 300);
  const page = await browserOf(organizer, browser, product);
  await page.goto(`/events/${eventId}/guests`);
  const table = page.getByRole('table');
  await expect(table).toHaveAttribute('aria-rowcount', '301');
  const emails = async () => {
    const tickets = await db.selectFrom('tickets').where('eventId', '=', eventId).select('buyerEmail').execute();
    return tickets.map(({ buyerEmail }) => buyerEmail ?? '').toSorted();
  };
  const before = await emails();
  await sellAt(
    db,
    eventId,
    Array.from({ length: 60 }, () => new Date()),
  );

  const [first, end = ''] = [before.slice(0, 100), before[99]];
  const shown = [...first, ...(await emails()).filter((email) => email > end)];
  expect(shown.length).toBeGreaterThan(320);
  expect(shown.length).toBeLessThan(350);
  for (const index of [98, 99, 100, 101, 198, 199, 200, 201, 299, 300, shown.length - 1]) {
    const share = index / shown.length;
    await page.evaluate((at) => window.scrollTo(0, document.documentElement.scrollHeight * at), share);
    const row = page.locator(`[aria-rowindex="${index + 2}"]`);
    await row.scrollIntoViewIfNeeded();
    await expect(row.getByRole('link')).toHaveText(shown[index] ?? '');
  }
  await expect(table).toHaveAttribute('aria-rowcount', String(shown.length + 1));
});

test('loads a part that failed again, at the same place and by keyboard [LIST-1]', async ({ browser, product, db }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await sellMany(db, eventId, 300);
  const page = await browserOf(organizer, browser, product, NARROW);
  const linkOf = (guest: number) => page.locator(`[aria-rowindex="${guest + 1}"]`).getByRole('link');
  const failure = page.getByRole('alert').filter({ hasText: text.notLoaded });
  const retry = failure.getByRole('button', { name: tryAgain });

  /** Returns what ends it. */
  async function failAfter100({ path }: { path: string }): Promise<() => Promise<void>> {
    const isRefused = (url: URL) => url.pathname === path.replace(':eventId', eventId);
    await page.goto('about:blank');
    await page.goto(`/events/${eventId}/guests`);
    await expect(page.getByText(text.found(300))).toBeVisible();
    await page.route(isRefused, (call) => call.abort());
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 3));
    await linkOf(100).focus();
    await expect(failure).toBeInViewport({ ratio: 1 });
    return () => page.unroute(isRefused);
  }

  for (const call of [guestPageEnds, guestRows]) {
    const mend = await failAfter100(call);
    await expectFits(page);
    await expectReadable(page);
    // The arrow keys lead to the button, and back to a row that the message doesn't cover.
    await page.keyboard.press('ArrowDown');
    await expect(retry).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(linkOf(100)).toBeFocused();
    const [row, message] = await Promise.all([linkOf(100).boundingBox(), failure.boundingBox()]);
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThan(message?.y ?? 0);

    await tabTo(page, retry);
    const refused = page.waitForEvent('requestfailed');
    await page.keyboard.press('Enter');
    await refused;
    await expect(retry).not.toHaveAttribute('aria-busy');
    await expect(retry).toBeFocused();
    await expect(linkOf(101)).toHaveCount(0);

    await mend();
    await page.keyboard.press('Enter');
    await expect(failure).toHaveCount(0);
    await expect(linkOf(100)).toBeFocused();
    await expect(linkOf(100)).toBeInViewport();
    await page.keyboard.press('ArrowDown');
    await expect(linkOf(101)).toBeFocused();
  }

  // A change reloads the list, and the part with it.
  const mend = await failAfter100(guestRows);
  await mend();
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('dialog').getByRole('button', { name: guestDrawer.resend }));
  await expectToasts(page, [ticketResent]);
  await page.keyboard.press('Escape');
  await expect(linkOf(101)).toBeVisible();
  await expect(failure).toHaveCount(0);
});

test('prints 40 names a page, in order and without addresses [LIST-3]', async ({ browser, product, db }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await sellMany(db, eventId, 90);
  await nameMany(db, eventId);
  await buyTickets(siteOf(product), eventId, generalAdmission(1), 'unnamed@example.com');
  const page = await browserOf(organizer, browser, product, NARROW);
  await page.goto(`/events/${eventId}/guests`);
  await press(page, page.getByRole('link', { name: text.print }));
  await expect(page.getByText(printedList.lead(3, 91))).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: printedList.print }));
  await expectFits(page);
  await expectReadable(page);
  const sheets = page.getByRole('region', { name: /^Page \d of 3$/ });
  const rows = await sheets.evaluateAll((all) => all.map((sheet) => sheet.querySelectorAll('tbody tr').length));
  expect(rows).toEqual([40, 40, 11]);
  const cells = await sheets.locator('td:nth-child(2)').allTextContents();
  const named = cells.filter((name) => name !== printedList.noName);
  expect(cells.slice(0, named.length)).toEqual(named);
  expect(named).toEqual(named.toSorted());
  await expect(sheets.first()).not.toContainText('@');
  await expect(sheets.getByRole('img', { name: text.filters['not-yet'] })).toHaveCount(91);
  // One sheet of paper each, on US Letter and on A4.
  for (const format of ['Letter', 'A4'] as const) {
    const pdf = (await page.pdf({ format, preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(3);
  }
});
