/** The organizer's check-in page: totals, sync conflicts, devices, the link for staff and the printed guide. */
import type { Browser, Page } from '@playwright/test';
import { checkGuest, enterAttendantCode } from '#contract/app/check-in.ts';
import { type CheckInDashboard, removeDevice } from '#contract/app/check-in-devices.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { attendantCodeChanged } from '#messages/check-in.ts';
import {
  admittedTwice,
  deviceRemoved,
  invalidAdmissions,
  memberDevice,
  noArrivals,
  noDevice,
  syncConflictMessages,
  viewNotLoaded,
  viewNotRefreshed,
} from '#messages/check-in-dashboard.ts';
import { eventTabs } from '#messages/records/workspace.ts';
import { eventCancelled, eventNotFound } from '#messages/sales/event-page.ts';
import { attendantOf, buyTickets, codesOf, generalAdmission } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { ADMITTED, busyView, emptyView, serveView, VIEW_PATH } from './check-in-views.ts';
import { expect, expectFits, expectReadable, test } from './journey.ts';
import {
  browserOf,
  callsOf,
  closeWindows,
  dialogOf,
  expectToasts,
  openProfile,
  putOnSale,
  readyOrganizer,
  showDetails,
} from './organizer-page.ts';
import { okay } from './public-setup.ts';

const PHONE = { width: 390, height: 844 };

const totals = (page: Page) => page.getByRole('region', { name: 'Totals' });
const devices = (page: Page) => page.getByRole('table', { name: 'Devices at the door' });
const asOf = (page: Page) => page.getByText(/^as of /);

async function openCheckInPage(browser: Browser, product: Product, change: Parameters<typeof putOnSale>[2] = {}) {
  const organizer = await readyOrganizer(product);
  const event = await putOnSale(product, organizer, change);
  const page = await browserOf(organizer, browser, product);
  const open = (view?: () => CheckInDashboard) => loadCheckInPage(page, event.eventId, view);
  return { ...event, organizer, page, open };
}

async function loadCheckInPage(page: Page, eventId: string, view?: () => CheckInDashboard): Promise<void> {
  await page.unroute(VIEW_PATH);
  if (view) await serveView(page, view);
  await page.goto(`/door/${eventId}`);
  await expect(totals(page)).toBeVisible();
  // The frame above it moves everything when it arrives.
  await expect(page.getByRole('link', { name: eventTabs.door, exact: true })).toBeVisible();
}

const LONG_TITLE = 'The Wonderful Midwinter Marching Band Weekend Mmmm';
const LONG_STREET = '1234 Northwest Martin Luther King Junior Boulevard, Building 17, Floor 3';

test.afterEach(({ browser }) => closeWindows({ browser }));

test('The check-in page opens from the event’s card, and shows each check-in with its device within seconds', async ({
  browser,
  product,
}) => {
  const { page, eventId, attendantCode } = await openCheckInPage(browser, product);
  const site = siteOf(product);
  const codes = codesOf(await buyTickets(site, eventId, generalAdmission(3)));
  await openProfile(page);
  await page.getByRole('link', { name: 'Door', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Door' })).toBeFocused();
  await expect(page.getByText(noDevice)).toBeVisible();
  await expect(totals(page)).toContainText('0 of 3 sold');
  await expect(totals(page)).toContainText('100% of sold');

  const gate = await attendantOf(site, eventId, attendantCode, 'Gate 2');
  for (const confirmationNumber of codes.slice(0, 2))
    okay(await gate.call(checkGuest, { eventId, confirmationNumber }));

  await expect(totals(page)).toContainText('2 of 3 sold');
  const row = devices(page).getByRole('row').filter({ hasText: 'Gate 2' });
  await expect(row).toContainText('At the door');
  await expect(page.getByText(/^2 arrivals, /)).toBeVisible();

  await page.getByRole('button', { name: 'Remove Gate 2' }).click();
  const dialog = dialogOf(page, 'Remove Gate 2?');
  await dialog.getByLabel(/Type the device name/).fill('Gate 2');
  await dialog.getByRole('button', { name: 'Remove device' }).click();
  await expectToasts(page, [deviceRemoved]);
  await expect(dialog).toBeHidden();
  await expect(devices(page)).toBeHidden();
  await page.getByText('No longer at the door (1)').click();
  await expect(page.getByRole('table', { name: 'Devices that were at the door' })).toContainText('Removed');
  await expect(async () => {
    const { status } = await gate.call(checkGuest, { eventId, confirmationNumber: codes[2] ?? '' });
    expect(status).toBe(401);
  }).toPass({ timeout: 5000 });
});

test('Sync conflicts have their own messages and are accessible, in any theme and width', async ({
  browser,
  product,
}) => {
  const { page, open } = await openCheckInPage(browser, product);
  await open(() => busyView(new Date()));
  const banners = page.getByRole('main').getByRole('status');
  await expect(banners).toContainText(admittedTwice(2));
  await expect(banners).toContainText(invalidAdmissions(6));
  await page.getByRole('button', { name: 'Show all 8' }).click();
  const conflicts = page.getByRole('region', { name: 'Sync conflicts' }).getByRole('listitem');
  for (const label of Object.values(syncConflictMessages))
    await expect(conflicts.filter({ hasText: label }).first()).toBeVisible();
  await expect(conflicts.filter({ hasText: '4829103756' })).toContainText(/First.*Gate 1.*Again.*Gate 2/s);
  await expect(totals(page)).toContainText(`${ADMITTED} of 310 sold`);

  await page.getByText('As a table').click();
  await expect(page.getByRole('table', { name: /every 5 minutes/ }).getByRole('row')).toHaveCount(13);
  await page.getByRole('button', { name: 'Show preview' }).click();
  for (const size of [{ width: 1280, height: 800 }, PHONE, { width: 320, height: 640 }]) {
    await page.setViewportSize(size);
    await expectReadable(page);
    await expectFits(page);
  }
  await page.getByRole('button', { name: 'Remove Balcony stairs' }).click();
  await expect(dialogOf(page, 'Remove Balcony stairs?')).toBeVisible();
  await expectReadable(page);
});

test('A refresh keeps focus and scroll position, and a failed one says so', async ({ browser, product }) => {
  const { page, open } = await openCheckInPage(browser, product);
  await page.setViewportSize(PHONE);
  let now = Date.now();
  let admitted = 0;
  await open(() => {
    now += 3000;
    admitted += 1;
    const [first] = emptyView(new Date()).counts;
    return busyView(new Date(now), { counts: first ? [{ ...first, admitted }] : [] });
  });
  const remove = page.getByRole('button', { name: 'Remove Gate 2' });
  await remove.focus();
  const before = { scroll: await page.evaluate(() => window.scrollY), text: await asOf(page).textContent() };
  await expect(asOf(page)).not.toHaveText(before.text ?? '');
  await expect(remove).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(before.scroll);
  // Only conflicts are announced, never totals that change with each answer.
  await expect(
    page
      .getByRole('main')
      .locator('[aria-live], [role="status"]')
      .getByText(/sold|as of/),
  ).toHaveCount(0);

  // Before the other handler, so that no answer of the server comes in between.
  await page.route(VIEW_PATH, (route) => route.abort());
  await expect(asOf(page)).toContainText(viewNotRefreshed);
  await expect(devices(page)).toBeVisible();
  await page.unroute(VIEW_PATH);
  await serveView(page, () => busyView(new Date()));
  await expect(asOf(page)).not.toContainText(viewNotRefreshed);
});

test('Removing a device asks for its name and warns about its unsynced scans', async ({ browser, product }) => {
  const { page, open, eventId } = await openCheckInPage(browser, product);
  const view = busyView(new Date());
  await open(() => view);
  await page.route(`**${removeDevice.path}`, (route) => route.fulfill({ json: { msg: deviceRemoved } }));
  const calls = callsOf(page);
  await expect(page.getByRole('row', { name: 'Ada Cooper' })).toContainText(memberDevice);
  await expect(page.getByRole('button', { name: 'Remove Ada Cooper' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove Balcony stairs' }).press('Enter');
  const dialog = dialogOf(page, 'Remove Balcony stairs?');
  await expect(dialog).toContainText('7 scans are still waiting to sync.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Remove Balcony stairs' })).toBeFocused();

  await page.keyboard.press('Enter');
  await dialog.getByLabel(/Type the device name/).fill('Gate 1');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/exactly as written/)).toBeVisible();
  expect(calls).toEqual([]);
  await dialog.getByLabel(/Type the device name/).fill('Balcony stairs');
  await page.keyboard.press('Enter');

  await expect(dialog).toBeHidden();
  const deviceId = view.devices.find(({ name }) => name === 'Balcony stairs')?.id;
  expect(calls.map(({ body }) => body)).toEqual([{ eventId, deviceId }]);
});

test('Staff join with a link and a code, and a changed code ends the old one', async ({ browser, product }) => {
  const { page, open, eventId, attendantCode } = await openCheckInPage(browser, product);
  await openProfile(page);
  await showDetails(page);
  await page.getByRole('link', { name: 'Door QR' }).click();
  const entry = page.getByRole('region', { name: 'Set up a phone' });
  await expect(entry.getByRole('img', { name: 'QR code for the scanner' })).toBeInViewport();
  const address = `${product.url}/scanner?event=${eventId}`;
  await expect(entry.getByRole('link')).toHaveAttribute('href', address);
  await expect(entry).toContainText(attendantCode);
  const phone = await browser.newPage();
  await phone.goto(address);
  await expect(phone.getByLabel('Attendant Code')).toBeVisible();

  await page.getByRole('button', { name: 'Change attendant code' }).click();
  const dialog = dialogOf(page, 'Change the attendant code?');
  await expect(dialog).toContainText('within seconds');
  await dialog.getByRole('button', { name: 'Change the code' }).click();
  await expectToasts(page, [attendantCodeChanged]);
  await expect(entry).not.toContainText(attendantCode);
  const { status } = await siteOf(product).call(enterAttendantCode, { eventId, formData: { attendantCode } });
  expect(status).toBe(401);
  await open();
});

/** Page objects of a PDF. */
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

test('The check-in guide of an event with add-ons explains them, and fits one page [PRICE-6]', async ({
  browser,
  product,
}) => {
  const type = { ticketDescription: 'x', ticketPrice: 15, ticketQuantity: 50 };
  const { page, open } = await openCheckInPage(browser, product, {
    title: LONG_TITLE,
    street: LONG_STREET,
    tickets: [
      { ...type, ticketName: 'Seat' },
      { ...type, ticketName: 'T-shirt', isAddOn: true },
    ],
  });
  await open();
  await page.emulateMedia({ media: 'print' });
  const guide = page.getByRole('article', { name: 'Door guide' });
  await expect(guide.getByRole('row')).toHaveCount(19);
  await expect(guide).toContainText('Hand out');
  for (const format of ['A4', 'Letter']) expect(pagesOf(await page.pdf({ format })), format).toBe(1);
});

test('The check-in guide fits one page, and shows the code only on request', async ({ browser, product }) => {
  const { page, open, attendantCode } = await openCheckInPage(browser, product, {
    title: LONG_TITLE,
    street: LONG_STREET,
  });
  await open();
  const guide = page.getByRole('article', { name: 'Door guide' });
  await expect(guide).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(guide).toBeVisible();
  await expect(guide).toContainText('Brooklyn, NY 11211');
  await expect(guide.getByRole('row')).toHaveCount(16);
  await expect(guide).not.toContainText(attendantCode);
  await expect(totals(page)).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  for (const format of ['A4', 'Letter']) expect(pagesOf(await page.pdf({ format })), format).toBe(1);

  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('checkbox', { name: 'Include the attendant code' }).check();
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await expect(page.locator('html[data-printed]')).toHaveCount(1);
  await page.emulateMedia({ media: 'print' });
  await expect(guide).toContainText(attendantCode);
  for (const format of ['A4', 'Letter']) expect(pagesOf(await page.pdf({ format })), format).toBe(1);
});

test('The check-in page says so without guests, without an event and without an answer', async ({
  browser,
  product,
}) => {
  const { page, open, eventId, organizer } = await openCheckInPage(browser, product);
  await page.route(VIEW_PATH, (route) => route.abort());
  await page.goto(`/door/${eventId}`);
  await expect(page.getByRole('alert')).toContainText(viewNotLoaded);
  await page.unroute(VIEW_PATH);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(noArrivals)).toBeVisible();
  await expect(page.getByText(noDevice)).toBeVisible();
  await expectReadable(page);

  okay(await organizer.visitor.call(cancelEvent, { eventId }));
  await open();
  await expect(page.getByText(eventCancelled).first()).toBeVisible();

  const stranger = await readyOrganizer(product);
  const theirs = await browserOf(stranger, browser, product);
  await theirs.goto(`/door/${eventId}`);
  await expect(theirs.getByRole('heading', { level: 1, name: eventNotFound })).toBeVisible();
  await theirs.context().clearCookies();
  await theirs.goto(`/door/${eventId}`);
  await theirs.waitForURL(/\/login/);
});
