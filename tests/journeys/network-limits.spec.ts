/** Buyers on a network whose other people hold all that it may. */
import type { Page } from '@playwright/test';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { PAYMENT_PAGE_MINUTES } from '#domain/reservation-times.ts';
import { openCheckoutsTitle, releaseReservation, reservationEnded } from '#messages/checkout.ts';
import { newId } from '#server/platform/ids.ts';
import { moveClock } from '#tests/support/move-clock.ts';
import { eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { eventWithWaitingRoom, join } from '#tests/support/waiting-room.ts';
import { expect, expectAccessible, expectReadable, openPage, withOwnProduct } from './journey.ts';
import { expectTabReachesAll } from './keyboard.ts';

/** The test acts as the proxy in front, and moves the server's clock. */
const test = withOwnProduct({ TRUST_PROXY: '1' });

const PHONE = { viewport: { width: 390, height: 844 } };
const NETWORK = '203.0.113';
const OTHERS = { address: `${NETWORK}.1` };
const OURS = { extraHTTPHeaders: { 'x-forwarded-for': `${NETWORK}.2` } };

const eventUrl = (product: Product, eventId: string) => `${product.url}/payment/${eventId}`;
const checkout = (page: Page) => page.getByRole('button', { name: 'Checkout' }).filter({ visible: true });
const addTicket = (page: Page) =>
  page
    .getByRole('listitem')
    .filter({ hasText: 'General admission' })
    .getByRole('button', { name: /Add to Cart/ })
    .press('Enter');

test('A buyer whose network has too many unpaid tickets learns when to try again [RES-1]', async ({
  browser,
  product,
}) => {
  const site = siteOf(product);
  const { eventId } = await eventOnSale(site);
  const others = { eventId, cartId: newId(), cartItems: generalAdmission(20) };
  expectOk(await site.visitor(OTHERS).call(createCheckoutSession, others));

  for (const size of [PHONE, {}]) {
    const page = await openPage(browser, product, { ...size, ...OURS });
    await page.goto(eventUrl(product, eventId));
    await addTicket(page);
    await checkout(page).press('Enter');

    const denial = page.getByText(/Too many unpaid tickets from your network\..* try again at \d+:\d\d [AP]M E[DS]T/);
    await expect(denial.first()).toBeVisible();
    await expectReadable(page);
    // The cart stays for the next attempt.
    await expect(checkout(page)).toBeEnabled();
  }
});

test('The page of a ninth browser joins the line when sales start [ROOM-2]', async ({ browser, product }) => {
  const site = siteOf(product);
  const { eventId } = await eventWithWaitingRoom(site, 10, 1);
  for (let n = 0; n < 8; n++) expectOk(await join(site.visitor(OTHERS), eventId));

  const pages = [];
  for (const size of [PHONE, {}]) {
    const page = await openPage(browser, product, { ...size, ...OURS });
    await page.goto(eventUrl(product, eventId));
    await expect(page.getByRole('heading', { name: 'Not on sale yet' })).toBeVisible();
    await expect(page.getByRole('region').getByText(/Enough people on your network are waiting already/)).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: /Enough people on your network/ })).toBeAttached();
    await expect(page.getByText('We lost the connection')).toBeHidden();
    await expectReadable(page);
    pages.push(page);
  }

  await moveClock(product.sandboxUrl, 10 * 60);
  for (const page of pages) {
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.getByRole('heading', { name: "You're in the waiting room" })).toBeVisible();
  }
});

test('A browser with ten open checkouts releases one to start another [RES-2 RES-4]', async ({ browser, product }) => {
  const site = siteOf(product);
  for (const size of [PHONE, {}]) {
    const { eventId } = await eventOnSale(site);
    const page = await openPage(browser, product, { ...size, ...OURS });
    for (let opened = 0; opened < 10; opened += 1) {
      const data = { eventId, cartId: newId(), cartItems: generalAdmission(1) };
      const reply = await page.request.post(`${product.url}${createCheckoutSession.path}`, { data });
      expect(reply.status()).toBe(200);
    }
    await page.goto(eventUrl(product, eventId));
    await addTicket(page);
    await checkout(page).press('Enter');

    await expect(page.getByText('You have 10 open checkouts.').first()).toBeVisible();
    const release = page.getByRole('button', { name: releaseReservation });
    await expect(release).toHaveCount(10);
    await expectReadable(page);
    await release.first().press('Enter');
    await expect(release).toHaveCount(9);
    await checkout(page).press('Enter');
    await page.waitForURL(/\/sandbox\/pay\//);
  }
});

test('A buyer of the last ticket comes back by keyboard at 320 px, until the hold ends [RES-4]', async ({
  browser,
  product,
}) => {
  const site = siteOf(product);
  const ticket = { ticketName: 'General admission', ticketDescription: 'Standing', ticketPrice: 24, ticketQuantity: 1 };
  const { eventId } = await eventOnSale(site, { tickets: [ticket] });
  const first = await openPage(browser, product, { viewport: { width: 320, height: 640 }, ...OURS });
  await first.goto(eventUrl(product, eventId));
  await addTicket(first);
  await checkout(first).press('Enter');
  await first.waitForURL(/\/sandbox\/pay\//);

  const page = await first.context().newPage();
  // Another test may have moved the server's clock.
  await page.clock.install({ time: site.now() });
  await page.goto(eventUrl(product, eventId));
  const isOpen = page.getByText(openCheckoutsTitle(1), { exact: true });
  await expect(isOpen).toBeVisible();
  await addTicket(page);
  await expect(checkout(page)).toBeEnabled();
  await expectTabReachesAll(page, page.getByRole('main'));
  await expectReadable(page);
  await expectAccessible(page);

  await moveClock(product.sandboxUrl, PAYMENT_PAGE_MINUTES * 60);
  await page.clock.fastForward(PAYMENT_PAGE_MINUTES * 60_000);
  await expect(page.getByRole('status').filter({ hasText: reservationEnded })).toBeVisible();
  await expect(isOpen).toBeHidden();
  await expectAccessible(page);
});
