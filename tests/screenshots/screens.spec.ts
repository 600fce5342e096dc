import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { moneyTab } from '#messages/records/workspace.ts';
import type { Product } from '#tests/support/product.ts';
import { payWithCard, ticketCodes } from '../journeys/buyer-steps.ts';
import { launchPhone } from '../journeys/chromium.ts';
import { type Demo, demoIn } from '../journeys/demo.ts';
import { emailTo, expect, openPage, test } from '../journeys/journey.ts';
import { logIn } from '../journeys/organizer-steps.ts';
import { cameraShowing, filmOf } from '../journeys/qr-camera.ts';
import { settingsOf, type Take, take, VARIANTS, type Variant } from './screenshot.ts';

for (const variant of VARIANTS) {
  test(`the screens, ${variant.name}`, async ({ browser, product }) => {
    const demo = demoIn(product.output());
    const email = `${variant.name}@example.com`;
    const page = await openPage(browser, product, settingsOf(variant));
    const capture = (screen: string) => take(page, `${variant.name}/${screen}`);

    await visitPublicPages(page, capture);
    const numbers = await buy(page, demo, email, capture);
    const message = await emailTo(product, email, /./);
    await page.goto('/sandbox/inbox');
    await capture('inbox');
    await page.goto(`/sandbox/inbox/${message.id}`);
    await capture('email');
    await admit(variant, product, numbers);
    await openScannerWithoutCamera(page, demo, capture);
    await visitProfile(page, demo, capture);
    await page.context().close();
  });
}

async function visitPublicPages(page: Page, capture: Take): Promise<void> {
  const screens = {
    landing: '/',
    register: '/register',
    login: '/login',
    faq: '/FAQ',
    legal: '/legal',
    'not-found': '/nowhere',
  };
  for (const [screen, path] of Object.entries(screens)) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await capture(screen);
  }
  await page.goto('/login');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a guess');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Invalid email or password.').first()).toBeVisible();
  await capture('login-refused');
}

async function buy(page: Page, demo: Demo, email: string, capture: Take): Promise<string[]> {
  await page.goto(demo.eventUrl);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await capture('event');
  const add = page.getByRole('button', { name: /Add to Cart/ });
  await add.first().click();
  await add.last().click();
  await capture('event-with-cart');
  await page.getByRole('button', { name: 'Checkout' }).first().click();

  await page.waitForURL(/\/sandbox\/pay\//);
  await capture('pay');
  await payWithCard(page, email);
  const codes = ticketCodes(page);
  await expect(codes).toHaveCount(2);
  await capture('success');
  const names = await Promise.all(
    (await codes.all()).map((code) =>
      code.evaluate((image) => image.getAttribute('aria-label') ?? image.getAttribute('alt') ?? ''),
    ),
  );
  return names.map((label) => /\d{10}/.exec(label)?.[0] ?? '');
}

/** A phone whose camera shows the ticket. */
async function admit(variant: Variant, product: Product, [number = '']: string[]): Promise<void> {
  const film = join(tmpdir(), `handstamp-${variant.name}.y4m`);
  await filmOf(number, film);
  const phone = await launchPhone(cameraShowing(film));
  const page = await openPage(phone, product, { ...settingsOf(variant), permissions: ['camera'] });
  const demo = demoIn(product.output());
  const capture = (screen: string) => take(page, `${variant.name}/${screen}`);

  await page.goto(demo.eventUrl);
  await page.getByRole('button', { name: 'I am an Attendant' }).first().click();
  await capture('scanner-code');
  await page.getByRole('textbox', { name: 'Attendant Code' }).fill(demo.attendantCode);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Let them in' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss message' }).first().click();
  await capture('scanner-admitted');
  await page.getByRole('textbox', { name: 'Confirmation Code' }).fill('1000000001');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'No ticket' }).first()).toBeVisible();
  await capture('scanner-refused');
  await phone.close();
}

async function openScannerWithoutCamera(page: Page, demo: Demo, capture: Take): Promise<void> {
  await page.goto(demo.eventUrl);
  await page.getByRole('button', { name: 'I am an Attendant' }).first().click();
  await page.getByRole('textbox', { name: 'Attendant Code' }).fill(demo.attendantCode);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(page.getByText(/No camera available|The camera is blocked/)).toBeVisible();
  await capture('scanner-no-camera');
}

async function visitProfile(page: Page, demo: Demo, capture: Take): Promise<void> {
  await logIn(page, demo.email, demo.password);
  await capture('profile');
  await page.getByRole('button', { name: 'Show Details' }).first().click();
  await page.getByRole('button', { name: 'Show Guest List' }).first().click();
  await capture('guest-list');
  await page.goto(demo.eventUrl.replace('/payment/', '/events/').concat('/money'));
  await expect(page.getByText(moneyTab.gets)).toBeVisible();
  await capture('money');
  await page.goto('/profile');
  for (const [button, screen] of [
    ['Create Event', 'create-event'],
    ['Update Info', 'account-information'],
    ['Add Photos', 'add-photos'],
  ] as const) {
    await page.getByRole('button', { name: button }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await capture(screen);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
}
