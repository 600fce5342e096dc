import type { Page } from '@playwright/test';
import { saveAccountInfo } from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { checkoutSession } from '#contract/app/checkout.ts';
import { editOrganizationPage } from '#contract/app/sales/organizer-page.ts';
import {
  CITY_MAX,
  DESCRIPTION_MAX,
  ORGANIZATION_BIO_MAX,
  ORGANIZATION_NAME_MAX,
  STREET_MAX,
  SUBTITLE_MAX,
  TICKET_DESCRIPTION_MAX,
  TICKET_NAME_MAX,
  TITLE_MAX,
  VENUE_NAME_MAX,
} from '#domain/limits.ts';
import { accountInfo, attendantOf, buyTickets } from '#tests/support/people.ts';
import { weeklySeries } from '#tests/support/series.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { ticketCodes } from './buyer-steps.ts';
import { expectAccessible, expectReadable } from './journey.ts';
import { browserOf, newWindow, putOnSale, readyOrganizer } from './organizer-page.ts';
import { expect, mockCall, okay, type Stage, test, toasts } from './public-setup.ts';

/** In addition to those in accessible.spec.ts. */
const addressesIn = ({ onSale, cancelled, ended }: Stage) => [
  '/forgot-password',
  '/reset-password/some-token',
  '/verify-email',
  '/change-email',
  '/confirm-email-change?token=some-token',
  '/undo-email-change?token=some-token',
  '/invitation?token=some-token',
  '/dashboard',
  '/scanner',
  `/payment/${cancelled.eventId}`,
  `/refund/${onSale.eventId}`,
  `/report/${onSale.eventId}`,
  `/contact/${onSale.eventId}`,
  `/payment/${onSale.eventId}/changes`,
  `/contact/${ended.eventId}`,
  `/refund/${ended.eventId}`,
  `/refund/${cancelled.eventId}`,
];

const states: [what: string, enter: (page: Page, stage: Stage) => Promise<void>][] = [
  ['an open navigation', openNavigation],
  ['a cart and a toast', fillCart],
  ['tickets, and one over the full screen', showTickets],
  ['tickets being made', waitForTickets],
  ['an accepted refund', askForRefund],
  ['a form with errors', breakFormRules],
  ['a broken page', breakPage],
  ['a scanner with an admitted and a denied guest', checkGuests],
];

test.describe('In light and in dark, everyone can read', () => {
  test('every public address', async ({ page, stage }) => {
    for (const address of addressesIn(stage)) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await expectReadable(page);
    }
  });

  for (const [what, enter] of states) test(what, async ({ page, stage }) => enter(page, stage));
});

test("No page scrolls sideways with an organizer's longest words", async ({ browser, product }) => {
  const site = siteOf(product);
  const organizer = await readyOrganizer(product);
  okay(
    await organizer.visitor.call(saveAccountInfo, {
      ...accountInfo,
      organizationName: 'W'.repeat(ORGANIZATION_NAME_MAX),
      organizationBio: 'W'.repeat(ORGANIZATION_BIO_MAX),
    }),
  );
  const ticketName = 'W'.repeat(TICKET_NAME_MAX);
  const { eventId, attendantCode } = await putOnSale(product, organizer, {
    title: 'W'.repeat(TITLE_MAX),
    subtitle: 'W'.repeat(SUBTITLE_MAX),
    venueName: 'W'.repeat(VENUE_NAME_MAX),
    description: 'W'.repeat(DESCRIPTION_MAX),
    street: 'W'.repeat(STREET_MAX),
    city: 'W'.repeat(CITY_MAX),
    tickets: [
      { ticketName, ticketDescription: 'W'.repeat(TICKET_DESCRIPTION_MAX), ticketPrice: 50_000, ticketQuantity: 100 },
    ],
  });
  const { seriesId } = await weeklySeries({ ...organizer, eventId }, 1);
  okay(await organizer.visitor.call(editOrganizationPage, { slug: 'long-words' }));
  const { sessionId } = await buyTickets(site, eventId, [{ ticketName, quantity: 1 }]);
  let page = await newWindow(browser, product);
  const fits = async () => {
    for (const width of [320, 375, 1360]) {
      await page.setViewportSize({ width, height: 800 });
      const actual = await page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(actual, `${page.url()} at ${width}`).toBe(width);
    }
  };

  await page.goto(`/payment/${eventId}`);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await fits();
  await page.getByRole('button', { name: 'I am an Attendant' }).click();
  await expect(page.getByLabel('Attendant Code')).toBeVisible();
  await fits();
  await page.getByLabel('Attendant Code').fill(attendantCode);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(page.getByLabel('Confirmation Code')).toBeVisible();
  await fits();

  for (const path of [`/series/${seriesId}`, '/o/long-words']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await fits();
  }

  page = await browserOf(organizer, browser, product);
  await page.goto(`/refund/${eventId}`);
  await expect(page.getByText(/^Refunds/).first()).toBeVisible();
  await fits();
  await page.goto(`/success?session_id=${sessionId}`);
  await expect(ticketCodes(page)).toHaveCount(1);
  await fits();
  await page.goto(`/door/${eventId}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await fits();
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Show Details' }).first().click();
  await expect(page.getByText('Processing fee waived')).toBeVisible();
  await fits();
  await page.context().close();
});

async function openNavigation(page: Page): Promise<void> {
  await page.goto('/FAQ');
  await page.getByRole('group').first().locator('summary').click();
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await expect(page.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
  await expectReadable(page);
}

async function fillCart(page: Page, { onSale }: Stage): Promise<void> {
  await page.goto(`/payment/${onSale.eventId}`);
  const add = page.getByRole('listitem').filter({ hasText: 'Balcony' }).getByRole('button', { name: 'Add to Cart' });
  for (let taken = 0; taken < 5; taken++) await add.click();
  await expect(toasts(page)).toHaveCount(1);
  await page.getByRole('region', { name: 'Location' }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('button', { name: onSale.title })).toBeVisible();
  await expectReadable(page);
}

async function showTickets(page: Page, stage: Stage): Promise<void> {
  const { sessionId } = await stage.sell(2);
  await page.goto(`/success?session_id=${sessionId}`);
  await expect(ticketCodes(page)).toHaveCount(2);
  await expectReadable(page);
  await page.getByRole('button', { name: 'Show at the door' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Ticket for the door' })).toBeVisible();
  await expectReadable(page);
}

async function waitForTickets(page: Page): Promise<void> {
  const json = { status: 'processing', confirmationData: [], order: null };
  await mockCall(page, checkoutSession.path, { status: 200, json });
  await page.goto('/success?session_id=cs_test_1');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Payment received');
  await expectReadable(page);
}

async function askForRefund(page: Page, stage: Stage): Promise<void> {
  const { numbers } = await stage.sell(1);
  await page.goto(`/refund/${stage.onSale.eventId}?code=${numbers[0]}`);
  await page.getByRole('button', { name: 'Request a Refund' }).click();
  await expect(page.getByRole('link', { name: 'Back to the event' })).toBeVisible();
  await expectReadable(page);
}

async function breakFormRules(page: Page): Promise<void> {
  await page.goto('/register');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(toasts(page)).not.toHaveCount(0);
  await expectReadable(page);
}

async function breakPage(page: Page): Promise<void> {
  await page.goto('/');
  await page.route('**/static/js/*LegalScreen*', (route) => route.abort());
  await page.getByRole('contentinfo').locator('a[href="/Legal"]').click();
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expectReadable(page);
}

async function checkGuests(page: Page, stage: Stage): Promise<void> {
  // The background stays white in dark mode; sell-and-admit.spec.ts covers light mode.
  await page.emulateMedia({ colorScheme: 'dark' });
  const { onSale } = stage;
  const { numbers } = await stage.sell(2);
  const [fresh = '', used = ''] = numbers;
  const otherDevice = await attendantOf(stage.site, onSale.eventId, onSale.attendantCode);
  okay(await otherDevice.call(checkGuest, { eventId: onSale.eventId, confirmationNumber: used }));
  await page.goto(`/payment/${onSale.eventId}`);
  await page.getByRole('button', { name: 'I am an Attendant' }).click();
  await page.getByLabel('Attendant Code').fill(onSale.attendantCode);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  for (const [code, msg] of [
    [fresh, 'Let them in: Floor.'],
    [used, 'Already scanned at'],
    ['1000000001', 'No ticket for this event has this code.'],
  ] as const) {
    await page.getByLabel('Confirmation Code').fill(code);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByRole('main').getByRole('status')).toContainText(msg);
    await expectAccessible(page);
  }
}
