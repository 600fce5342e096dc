import type { Page } from '@playwright/test';
import { checkoutSession } from '#contract/checkout.ts';
import { ticketCodes } from './buyer-steps.ts';
import { expectAccessible } from './journey.ts';
import { expect, letCallAnswer, type Stage, test, toasts } from './public-stage.ts';

const addressesIn = ({ onSale, cancelled, ended }: Stage) => [
  '/',
  '/register',
  '/login',
  '/forgot-password',
  '/reset-password/some-token',
  '/verify-email',
  '/change-email',
  '/legal',
  '/FAQ',
  '/dashboard',
  '/scanner',
  '/success',
  '/nowhere',
  `/payment/${onSale.eventId}`,
  `/payment/${cancelled.eventId}`,
  `/refund/${onSale.eventId}`,
  `/refund/${ended.eventId}`,
  `/refund/${cancelled.eventId}`,
];

const states: [what: string, enter: (page: Page, stage: Stage) => Promise<void>][] = [
  ['an open navigation', openNavigation],
  ['a cart and a toast', fillCart],
  ['tickets, and one over the full screen', showTickets],
  ['tickets being made', waitForTickets],
  ['an accepted refund', askForRefund],
  ['a refused form', breakRules],
  ['a broken page', breakPage],
  ['a door that let one in and sent one away', checkGuests],
];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`In a ${colorScheme} browser everybody can read`, () => {
    test.use({ colorScheme });

    test('every public address', async ({ page, stage }) => {
      for (const address of addressesIn(stage)) {
        await page.goto(address);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await expectAccessible(page);
      }
    });

    for (const [what, enter] of states) test(what, async ({ page, stage }) => enter(page, stage));
  });
}

async function openNavigation(page: Page): Promise<void> {
  await page.goto('/FAQ');
  await page.getByRole('group').first().locator('summary').click();
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await expect(page.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
  await expectAccessible(page);
}

async function fillCart(page: Page, { onSale }: Stage): Promise<void> {
  await page.goto(`/payment/${onSale.eventId}`);
  const add = page.getByRole('listitem').filter({ hasText: 'Balcony' }).getByRole('button', { name: 'Add to Cart' });
  for (let taken = 0; taken < 5; taken++) await add.click();
  await expect(toasts(page)).toHaveCount(1);
  await page.getByRole('region', { name: 'Where it is' }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('button', { name: onSale.title })).toBeVisible();
  await expectAccessible(page);
}

async function showTickets(page: Page, stage: Stage): Promise<void> {
  const { sessionId } = await stage.sell(2);
  await page.goto(`/success?session_id=${sessionId}`);
  await expect(ticketCodes(page)).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show full screen' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Ticket for the door' })).toBeVisible();
  await expectAccessible(page);
}

async function waitForTickets(page: Page): Promise<void> {
  const json = { status: 'processing', confirmationData: [], order: null };
  await letCallAnswer(page, checkoutSession.path, { status: 200, json });
  await page.goto('/success?session_id=cs_test_1');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Payment received');
  await expectAccessible(page);
}

async function askForRefund(page: Page, stage: Stage): Promise<void> {
  const { numbers } = await stage.sell(1);
  await page.goto(`/refund/${stage.onSale.eventId}?code=${numbers[0]}`);
  await page.getByRole('button', { name: 'Request a Refund' }).click();
  await expect(page.getByRole('link', { name: 'Back to the event' })).toBeVisible();
  await expectAccessible(page);
}

async function breakRules(page: Page): Promise<void> {
  await page.goto('/register');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(toasts(page)).not.toHaveCount(0);
  await expectAccessible(page);
}

async function breakPage(page: Page): Promise<void> {
  await page.goto('/');
  await page.route('**/static/js/*LegalScreen*', (route) => route.abort());
  await page.getByRole('contentinfo').locator('a[href="/Legal"]').click();
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expectAccessible(page);
}

async function checkGuests(page: Page, stage: Stage): Promise<void> {
  const { onSale } = stage;
  const { numbers } = await stage.sell(1);
  await page.goto(`/payment/${onSale.eventId}`);
  await page.getByRole('button', { name: 'I am an Attendant' }).click();
  await page.getByLabel('Attendant Code').fill(onSale.attendantCode);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  for (const [code, msg] of [
    [numbers[0] ?? '', 'Let them in: Floor.'],
    [numbers[0] ?? '', 'Already scanned at'],
    ['1000000001', 'No ticket of this event has this code.'],
  ] as const) {
    await page.getByLabel('Confirmation Code').fill(code);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByRole('main').getByRole('status')).toContainText(msg);
    await expectAccessible(page);
  }
}
