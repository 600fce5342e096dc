import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Product } from '#tests/support/product.ts';
import { payWithCard, ticketCodes } from '../journeys/buyer-steps.ts';
import { launchPhone } from '../journeys/chromium.ts';
import { type Demo, demoIn } from '../journeys/demo.ts';
import { expect, mailTo, openPage, test } from '../journeys/journey.ts';
import { logIn } from '../journeys/organizer-steps.ts';
import { cameraShowing, filmOf } from '../journeys/qr-camera.ts';
import { LOOKS, type Look, settingsOf, type Take, take } from './picture.ts';

for (const look of LOOKS) {
  test(`the screens, ${look.name}`, async ({ browser, product }) => {
    const demo = demoIn(product.output());
    const email = `${look.name}@example.com`;
    const page = await openPage(browser, product, settingsOf(look));
    const picture = (screen: string) => take(page, `${look.name}/${screen}`);

    await visitPublicPages(page, picture);
    const numbers = await buy(page, demo, email, picture);
    const mail = await mailTo(product, email, /./);
    await page.goto('/sandbox/inbox');
    await picture('inbox');
    await page.goto(`/sandbox/inbox/${mail.id}`);
    await picture('mail');
    await admit(look, product, numbers);
    await openDoorWithoutCamera(page, demo, picture);
    await visitProfile(page, demo, picture);
    await page.context().close();
  });
}

async function visitPublicPages(page: Page, picture: Take): Promise<void> {
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
    await picture(screen);
  }
  await page.goto('/login');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a guess');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Invalid email or password.').first()).toBeVisible();
  await picture('login-refused');
}

async function buy(page: Page, demo: Demo, email: string, picture: Take): Promise<string[]> {
  await page.goto(demo.eventUrl);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await picture('event');
  const add = page.getByRole('button', { name: /Add to Cart/ });
  await add.first().click();
  await add.last().click();
  await picture('event-with-cart');
  await page.getByRole('button', { name: 'Checkout' }).first().click();

  await page.waitForURL(/\/sandbox\/pay\//);
  await picture('pay');
  await payWithCard(page, email);
  const codes = ticketCodes(page);
  await expect(codes).toHaveCount(2);
  await picture('success');
  const names = await Promise.all(
    (await codes.all()).map((code) =>
      code.evaluate((image) => image.getAttribute('aria-label') ?? image.getAttribute('alt') ?? ''),
    ),
  );
  return names.map((words) => /\d{10}/.exec(words)?.[0] ?? '');
}

/** A phone whose camera films the ticket. */
async function admit(look: Look, product: Product, [number = '']: string[]): Promise<void> {
  const film = join(tmpdir(), `handstamp-${look.name}.y4m`);
  await filmOf(number, film);
  const phone = await launchPhone(cameraShowing(film));
  const page = await openPage(phone, product, { ...settingsOf(look), permissions: ['camera'] });
  const demo = demoIn(product.output());
  const picture = (screen: string) => take(page, `${look.name}/${screen}`);

  await page.goto(demo.eventUrl);
  await page.getByRole('button', { name: 'I am an Attendant' }).first().click();
  await picture('scanner-code');
  await page.getByRole('textbox', { name: 'Attendant Code' }).fill(demo.attendantCode);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Let them in' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss message' }).first().click();
  await picture('scanner-admitted');
  await page.getByRole('textbox', { name: 'Confirmation Code' }).fill('1000000001');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'No ticket' }).first()).toBeVisible();
  await picture('scanner-refused');
  await phone.close();
}

async function openDoorWithoutCamera(page: Page, demo: Demo, picture: Take): Promise<void> {
  await page.goto(demo.eventUrl);
  await page.getByRole('button', { name: 'I am an Attendant' }).first().click();
  await page.getByRole('textbox', { name: 'Attendant Code' }).fill(demo.attendantCode);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(page.getByText(/No camera available|The camera is blocked/)).toBeVisible();
  await picture('scanner-no-camera');
}

async function visitProfile(page: Page, demo: Demo, picture: Take): Promise<void> {
  await logIn(page, demo.email, demo.password);
  await picture('profile');
  await page.getByRole('button', { name: 'Show Details' }).first().click();
  await page.getByRole('button', { name: 'Show Guest List' }).first().click();
  await picture('guest-list');
  for (const [button, screen] of [
    ['Create Event', 'create-event'],
    ['Update Info', 'account-information'],
    ['Add Photos', 'add-photos'],
  ] as const) {
    await page.getByRole('button', { name: button }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await picture(screen);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
}
