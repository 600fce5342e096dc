import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { readQr } from '#tests/support/read-qr.ts';
import { payWithCard, ticketCodes } from './buyer-steps.ts';
import { launchPhone } from './chromium.ts';
import { emailTo, expect, expectAccessible, openPage, test } from './journey.ts';
import { showDetails } from './organizer-page.ts';
import { completeOnboarding, createEvent, logIn, signUp } from './organizer-steps.ts';
import { cameraShowing, filmOf } from './qr-camera.ts';

const TITLE = 'Basement Brass Night';

test.describe('From an empty account to a checked-in guest', () => {
  test('a ticket is sold, paid, emailed and checked in [REG-3 MAIL-1 LOGIN-4 EVT-5 EVT-15 CONF-1 CONF-4 DOOR-4 DOOR-5 DOOR-8]', async ({
    browser,
    product,
  }) => {
    const organizer = `organizer-${Date.now()}@example.com`;
    const buyer = `buyer-${Date.now()}@example.com`;
    const office = await openPage(browser, product);

    await signUp(office, product, organizer);
    await logIn(office, organizer);
    await completeOnboarding(office);
    const event = await createEvent(office, TITLE);

    const home = await openPage(browser, product);
    const hosts = externalHosts(home, product.url);
    const [number = '', ...others] = await test.step('the buyer pays', () => buyTickets(home, event.url, buyer));
    expect(others).toHaveLength(2);
    await test.step('the email has the same tickets', async () => {
      const message = await emailTo(product, buyer, new RegExp(TITLE));
      expect(message.text).toContain(number);
      await home.goto(`/sandbox/inbox/${message.id}`);
      const picture = home.frameLocator('iframe').getByRole('img', { name: number });
      expect(await readQr(await picture.screenshot())).toMatchObject([{ text: number }]);
    });

    expect([...hosts]).toEqual(['tile.openstreetmap.org']);

    await test.step('the guest list has the buyer', async () => {
      await office.reload();
      await showDetails(office);
      await office.getByRole('button', { name: 'Show Guest List' }).click();
      await expect(office.getByText('3 tickets sold, $90.50 grossed')).toBeVisible();
      await expect(guestRow(office, number)).toContainText('No');
      await expectAccessible(office);
    });

    await test.step('the camera checks the guest in', async () => {
      const film = join(product.dataDir, `${number}.y4m`);
      await filmOf(number, film);
      const phone = await launchPhone(cameraShowing(film));
      await scanByCamera(
        await openPage(phone, product, { permissions: ['camera'], viewport: { width: 390, height: 844 } }),
        event.url,
        event.attendantCode,
      );
      await phone.close();
    });

    const door = await openPage(browser, product);
    await test.step('a typed code checks the second guest in, and no one twice', async () => {
      await openScanner(door, event.url, event.attendantCode);
      await typeCode(door, others[0] ?? '');
      await expect(result(door, /^Let them in/)).toBeVisible();
      await expectAccessible(door);
      await typeCode(door, number);
      await expect(result(door, /Already scanned at/)).toBeVisible();
      await typeCode(door, '1000000001');
      await expect(result(door, /No ticket for this event has this code\./)).toBeVisible();
    });

    await test.step('the guest list shows both', async () => {
      await office.reload();
      await showDetails(office);
      await office.getByRole('button', { name: 'Show Guest List' }).click();
      await expect(guestRow(office, number)).toContainText('Yes');
      await expect(guestRow(office, others[0] ?? '')).toContainText('Yes');
      await expect(guestRow(office, others[1] ?? '')).toContainText('No');
    });
  });
});

const guestRow = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number });
const result = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text }).first();

/** Hosts that a page contacts, except the server. Fills while the page is used. */
function externalHosts(page: Page, productUrl: string): Set<string> {
  const hosts = new Set<string>();
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && host !== new URL(productUrl).host) hosts.add(host);
  });
  return hosts;
}

/** Buys two tickets of one type and one of another. Returns the confirmation numbers. */
async function buyTickets(page: Page, eventUrl: string, email: string): Promise<string[]> {
  await page.goto(eventUrl);
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
  await expectAccessible(page);
  const addFloor = page
    .getByRole('listitem')
    .filter({ hasText: 'Floor' })
    .getByRole('button', { name: /Add to Cart/ });
  await addFloor.click();
  await addFloor.click();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Balcony' })
    .getByRole('button', { name: /Add to Cart/ })
    .click();
  await expect(page.getByText('$90.50').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Checkout' }).first().click();

  await page.waitForURL(/\/sandbox\/pay\//);
  await expect(page.getByRole('button', { name: 'Pay $90.50' })).toBeVisible();
  await expectAccessible(page);
  await payWithCard(page, email);
  const codes = ticketCodes(page);
  await expect(codes).toHaveCount(3);
  await expectAccessible(page);
  const numbers: string[] = [];
  for (const code of await codes.all())
    numbers.push(...(await readQr(await code.screenshot())).map(({ text }) => text));
  for (const number of numbers) await expect(page.getByText(number).first()).toBeVisible();
  expect(new Set(numbers).size).toBe(3);
  return numbers;
}

async function openScanner(page: Page, eventUrl: string, attendantCode: string): Promise<void> {
  await page.goto(eventUrl);
  await page.getByRole('button', { name: 'I am an Attendant' }).first().click();
  await page.waitForURL(/\/scanner/);
  await page.getByRole('textbox', { name: 'Attendant Code' }).fill(attendantCode.toLowerCase());
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(page.getByRole('textbox', { name: 'Confirmation Code' })).toBeVisible();
}

async function scanByCamera(page: Page, eventUrl: string, attendantCode: string): Promise<void> {
  await openScanner(page, eventUrl, attendantCode);
  if (await page.getByRole('button', { name: 'Start scanner' }).isVisible())
    await page.getByRole('button', { name: 'Start scanner' }).click();
  await expect(result(page, /^Let them in: (Floor|Balcony)\./)).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(144, 238, 144)');
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Confirmation Code' }).fill(code);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
}
