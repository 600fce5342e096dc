/** The *Orders* screen of an event. */
import type { Page } from '@playwright/test';
import { eventTabs } from '#messages/records/workspace.ts';
import { endedTicket } from '#messages/sales/order-page.ts';
import {
  orderDrawer,
  orderResentToBuyer,
  orderStateNames,
  refundDialog,
  ordersPage as text,
  ticketsRefunded,
} from '#messages/sales/orders.ts';
import { sellMany } from '#tests/support/many-guests.ts';
import { buyTickets, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, expect, expectFits, expectReadable, withOwnProduct } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import { browserOf, closeWindows, expectToasts, putOnSale, readyOrganizer } from './organizer-page.ts';

const test = withOwnProduct();

test.afterEach(({ browser }) => closeWindows({ browser }));

const NARROW = { viewport: { width: 320, height: 640 } };

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('link');
const chip = (page: Page, label: string, count: number) =>
  page.getByRole('button', { name: text.chip(label, count), exact: true });

test('finds an order and refunds one of its three tickets, by keyboard at 320 pixels [WORK-5 WORK-6 OREF-1]', async ({
  browser,
  product,
}) => {
  const site = siteOf(product);
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const email = `sofia-${Date.now()}@example.com`;
  const order = await buyTickets(site, eventId, generalAdmission(3), email);
  await buyTickets(site, eventId, generalAdmission(1), 'kim@example.com');
  await site.settle();

  const page = await browserOf(organizer, browser, product, NARROW);
  await page.goto(`/events/${eventId}/guests`);
  await press(page, page.getByRole('link', { name: new RegExp(`^${eventTabs.orders} 2`) }));
  await expect(page.getByRole('heading', { name: text.title, level: 1 })).toBeVisible();
  await expect(page.getByText(text.found(2, 0))).toBeVisible();
  await expectFits(page);
  await expectReadable(page);

  // In the address, so that a reload keeps it.
  await type(page, page.getByLabel(text.search), 'sofia');
  await expect(page.getByText(text.found(1, 0))).toBeVisible();
  await page.reload();
  await expect(page.getByText(text.found(1, 0))).toBeVisible();
  await page.getByLabel(text.search).fill('zzz');
  await expect(page.getByText(text.noHit)).toBeVisible();
  await press(page, page.getByRole('button', { name: text.clear }));
  await expect(page.getByText(text.found(2, 0))).toBeVisible();

  await tabTo(page, page.getByRole('row').getByRole('link').first());
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog').filter({ hasText: email });
  await expect(drawer.getByRole('heading', { name: orderDrawer.payment })).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
  await press(page, drawer.getByRole('button', { name: orderDrawer.resend }));
  await expectToasts(page, [orderResentToBuyer]);
  await emailTo(product, email, /./);

  await press(page, drawer.getByRole('button', { name: orderDrawer.refund }));
  const dialog = page.getByRole('dialog', { name: /^Refund order/ });
  await expect(dialog.getByText(refundDialog.noneChosen)).toBeVisible();
  await tabTo(page, dialog.getByRole('checkbox', { name: /^2\./ }));
  await page.keyboard.press('Space');
  await expect(dialog.getByText(refundDialog.effect(24_00, 1))).toBeVisible();
  await type(page, dialog.getByLabel(refundDialog.reason), 'One chair broke.');
  await expectFits(page);
  await expectReadable(page);
  await press(page, dialog.getByRole('button', { name: refundDialog.confirm(24_00, 1), exact: true }));
  await expectToasts(page, [ticketsRefunded({ refunded: 1, refused: 0, isDelayed: false })]);
  await expect(dialog).toHaveCount(0);
  await expect(drawer.getByText(orderStateNames['partly-refunded'])).toBeVisible();
  await expect(drawer.getByText(orderDrawer.note('One chair broke.'))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(rowOf(page, orderStateNames['partly-refunded'])).toBeFocused();
  await press(page, chip(page, orderStateNames['partly-refunded'], 1));
  await expect(page.getByText(text.found(1, 0))).toBeVisible();
  expect((await emailTo(product, email, /^Your \$24\.00 refund/)).text).toContain('One chair broke');

  // The buyer's page.
  await page.goto(`/order/${order.details?.token}`);
  await expect(page.getByText(endedTicket('refunded', 24_00)).first()).toBeVisible();
});

test('says that there are no orders yet, and that an event is unknown', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, NARROW);
  await page.goto(`/events/${eventId}/orders`);
  await expect(page.getByRole('heading', { name: text.none })).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
  await page.goto('/events/AAAAAAAAAAAAAAAA/orders');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
});

test('scrolls through ten thousand orders with few of them on the page', async ({ browser, product, db }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const MANY = 10_000;
  await sellMany(db, eventId, 2 * MANY);
  const page = await browserOf(organizer, browser, product);
  await page.goto(`/events/${eventId}/orders`);
  await expect(page.getByText(text.found(MANY, 0))).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.locator(`[aria-rowindex="${MANY + 1}"]`).getByRole('link')).toBeVisible();
  expect(await page.locator('*').count()).toBeLessThan(2000);
});
