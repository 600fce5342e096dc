/** A file of the app that never loads, or too late, is explained in its place and breaks nothing else. */
import type { Page } from '@playwright/test';
import {
  checkoutNotLoaded,
  mapNeedsReload,
  queuedCheckoutNotLoaded,
  saleNotLoaded,
  serverSilent,
  tryingAgain,
} from '#messages/pages.ts';
import { eventOnSale } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectAccessible, oncePerProduct, withOwnProduct } from './journey.ts';
import { loseFile, loseFileForGood, MODULE_RETRY, stallFile } from './lost-files.ts';
import { dialogOf, dismissToasts, fillIn } from './organizer-page.ts';
import { logIn } from './organizer-steps.ts';
import { skipServerRendering, toasts } from './public-setup.ts';

interface Stage {
  eventId: string;
  title: string;
  email: string;
}

const stageOf = oncePerProduct(async (product: Product): Promise<Stage> => {
  const title = 'Basement Brass';
  const { eventId, email } = await eventOnSale(siteOf(product), { title });
  return { eventId, title, email };
});

const test = withOwnProduct({ RATE_LIMIT_SCALE: '0' }).extend<{ stage: Stage }>({
  stage: async ({ product }, use) => use(await stageOf(product)),
});

const APP = '**/static/js/index-*.js';
const EVENT_SCREEN = '**/static/js/EventScreen-*.js';
const LEGAL_SCREEN = '**/static/js/LegalScreen-*.js';
const EVENT_CALLS = '**/static/js/event-calls-*.js';
const TOASTS = '**/static/js/ToastRegion-*.js';
const MAP = '**/static/js/leaflet-map-*.js';

const retry = (page: Page) => page.getByRole('button', { name: 'Try again' });
/** Visible until the page works. */
const note = (page: Page) => page.locator('#not-loaded');
/** Announced as an alert. */
const notLoaded = (page: Page) => page.getByRole('alert').filter({ hasText: "Part of this page didn't load." });
const screenNotLoaded = (page: Page) => page.getByRole('main').getByText("This page didn't load.");
const toTerms = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Terms and Conditions' });
const terms = (page: Page) => page.getByRole('heading', { level: 1, name: 'Terms And Conditions' });
const add = (page: Page) => page.getByRole('button', { name: 'Add to Cart' }).first();
const quantity = (page: Page) => page.getByRole('group', { name: 'Quantity of General admission' });
const checkout = (page: Page) => page.getByRole('button', { name: 'Checkout' }).first();

/** Gone after a reload. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute('data-marked', ''));
const expectNotReloaded = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-marked', '');

/** Holds back the check if the server is up; `fail` ends it with a network error. */
async function stallServerCheck(page: Page): Promise<{ fail(): void }> {
  const over = Promise.withResolvers<void>();
  await page.route('**/*', async (route) => {
    if (route.request().method() !== 'HEAD') return route.fallback();
    await over.promise;
    await route.abort();
  });
  return { fail: () => over.resolve() };
}

async function openEvent(page: Page, { eventId }: Stage): Promise<void> {
  await page.goto(`/payment/${eventId}`);
}

test.describe('Code that never loads', () => {
  for (const [what, file] of [
    ['the app', APP],
    ['its screen', EVENT_SCREEN],
  ] as const) {
    test(
      `leaves the event page readable without ${what}, says so, and loads on another attempt`,
      MODULE_RETRY,
      async ({ context, stage }) => {
        const page = await context.newPage();
        const lose = await loseFile(page, file);
        await openEvent(page, stage);
        await expect(notLoaded(page)).toBeVisible();
        await expect(page.getByText('Six horns in a cellar.')).toBeVisible();
        await expectAccessible(page);

        await lose.stop();
        await mark(page);
        await retry(page).click();
        await expect(note(page)).toBeHidden();
        await add(page).click();
        await expect(quantity(page)).toContainText('1');
        await expectNotReloaded(page);
      },
    );

    test(`loads after a reload if the browser caches the failure of ${what}`, async ({ context, stage }) => {
      const page = await context.newPage();
      const lose = await loseFileForGood(page, file);
      await openEvent(page, stage);
      await expect(notLoaded(page)).toBeVisible();
      lose.stop();
      const reloaded = page.waitForEvent('domcontentloaded');
      await retry(page).click();
      await reloaded;
      await add(page).click();
      await expect(quantity(page)).toContainText('1');
      await expect(note(page)).toBeHidden();
    });
  }

  test('keeps the current page while the server does not answer', async ({ context, stage }) => {
    const page = await context.newPage();
    await loseFile(page, APP);
    const server = await stallServerCheck(page);
    await openEvent(page, stage);
    await expect(notLoaded(page)).toBeVisible();
    await mark(page);
    await retry(page).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Trying again…' })).toBeVisible();
    server.fail();
    await expect(notLoaded(page)).toBeVisible();
    await expect(retry(page)).toBeFocused();
    await expectNotReloaded(page);
  });

  test('is explained on a page that is a frame without it', async ({ context }) => {
    const page = await context.newPage();
    const lose = await loseFile(page, APP);
    await page.goto('/login');
    await expect(notLoaded(page)).toBeVisible();
    await lose.stop();
    await retry(page).click();
    await expect(page.getByLabel('Email')).toBeVisible();
  });

  test('is explained if it is a style sheet', async ({ page }) => {
    const lose = await loseFile(page, '**/static/public-styles-*.css');
    await page.goto('/FAQ');
    await expect(notLoaded(page)).toBeVisible();
    await lose.stop();
    await retry(page).click();
    await expect(page.getByRole('link', { name: 'Skip to content' })).toHaveCSS('position', 'absolute');
    await expect(note(page)).toBeHidden();
  });

  test('is reported after two minutes of a stalled connection, on a page that is a frame without it', async ({
    context,
  }) => {
    const page = await context.newPage();
    await page.clock.install();
    await page.route(APP, () => new Promise(() => {}), { times: 1 });
    const asked = page.waitForRequest(/\/js\/index-/);
    await page.goto('/login', { waitUntil: 'commit' });
    await asked;
    await page.clock.fastForward(100_000);
    await expect(note(page)).toBeHidden();
    await page.clock.fastForward(30_000);
    await expect(notLoaded(page)).toBeVisible();
    await retry(page).click();
    await expect(page.getByLabel('Email')).toBeVisible();
  });

  test('clears the message when it loads after all', async ({ context, stage }) => {
    const page = await context.newPage();
    await page.clock.install();
    const stall = await stallFile(page, APP);
    const asked = page.waitForRequest(/\/js\/index-/);
    await page.goto(`/payment/${stage.eventId}`, { waitUntil: 'commit' });
    await asked;
    await page.clock.fastForward(100_000);
    await expect(note(page)).toBeHidden();
    await page.clock.fastForward(30_000);
    await expect(notLoaded(page)).toBeVisible();

    stall.release();
    await expect(note(page)).toBeHidden();
    await add(page).click();
    await expect(quantity(page)).toContainText('1');
    await page.clock.fastForward(130_000);
    await expect(note(page)).toBeHidden();
  });
});

test('A page with an error is not reported as one that did not load', async ({ page }) => {
  await page.clock.install();
  await page.addInitScript(() => {
    Date.prototype.getFullYear = () => {
      throw new Error('a broken clock');
    };
  });
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await page.clock.fastForward(130_000);
  await expect(note(page)).toBeHidden();
});

test.describe('A screen that never loads', () => {
  test('keeps the cart and the page that a buyer came from', MODULE_RETRY, async ({ page, stage }) => {
    await openEvent(page, stage);
    await add(page).click();
    const lose = await loseFile(page, LEGAL_SCREEN);
    await toTerms(page).click();
    await expect(screenNotLoaded(page)).toBeVisible();

    await lose.stop();
    await mark(page);
    await retry(page).press('Enter');
    await expect(terms(page)).toBeFocused();
    await expectNotReloaded(page);
    await page.goBack();
    await expect(quantity(page)).toContainText('1');
  });

  test('loads after a reload if the browser caches the failure, and keeps the cart', async ({ page, stage }) => {
    await openEvent(page, stage);
    await add(page).click();
    const lose = await loseFileForGood(page, LEGAL_SCREEN);
    await toTerms(page).click();
    await expect(screenNotLoaded(page)).toBeVisible();

    lose.stop();
    await retry(page).click();
    await expect(terms(page)).toBeVisible();
    await page.goBack();
    await expect(quantity(page)).toContainText('1');
  });

  test(
    'stays explained while the server does not answer, and shows the attempt',
    MODULE_RETRY,
    async ({ page, stage }) => {
      await openEvent(page, stage);
      const lose = await loseFile(page, LEGAL_SCREEN);
      const server = await stallServerCheck(page);
      await toTerms(page).click();
      await expect(screenNotLoaded(page)).toBeVisible();
      await mark(page);
      await retry(page).press('Enter');
      await expect(retry(page)).toHaveAttribute('aria-busy', 'true');
      await expect(page.getByRole('status').filter({ hasText: tryingAgain })).toBeVisible();
      server.fail();
      await expect(page.getByRole('status').filter({ hasText: serverSilent })).toBeVisible();
      await expect(retry(page)).toBeFocused();
      await expectAccessible(page);

      await lose.stop();
      await retry(page).press('Enter');
      await expect(terms(page)).toBeFocused();
      await expectNotReloaded(page);
    },
  );

  test('is not mistaken for an unknown event', MODULE_RETRY, async ({ page, stage }) => {
    await skipServerRendering(page);
    const lose = await loseFile(page, EVENT_CALLS);
    await openEvent(page, stage);
    await expect(screenNotLoaded(page)).toBeVisible();
    await lose.stop();
    await retry(page).click();
    await expect(page.getByRole('heading', { level: 1, name: stage.title })).toBeFocused();
  });

  test('is reported after two minutes of a stalled connection', async ({ page }) => {
    await page.clock.install();
    await page.goto('/');
    await page.route(LEGAL_SCREEN, () => new Promise(() => {}), { times: 1 });
    const asked = page.waitForRequest(/LegalScreen/);
    await page.getByRole('contentinfo').locator('a[href="/Legal"]').click();
    await asked;
    await page.clock.fastForward(100_000);
    await expect(screenNotLoaded(page)).toBeHidden();
    await page.clock.fastForward(30_000);
    await expect(screenNotLoaded(page)).toBeVisible();
    await retry(page).click();
    await expect(terms(page)).toBeVisible();
  });
});

test.describe('A part that never loads', () => {
  test('keeps the cart if the checkout cannot open without it', MODULE_RETRY, async ({ page, stage }) => {
    const lose = await loseFile(page, EVENT_CALLS);
    await openEvent(page, stage);
    await add(page).click();
    await checkout(page).click();
    await expect(toasts(page)).toHaveText([checkoutNotLoaded]);
    await expect(quantity(page)).toContainText('1');

    await lose.stop();
    await checkout(page).click();
    await page.waitForURL(/\/sandbox\/pay\//);
  });

  test('loads after the reload that the checkout suggests if the browser caches the failure', async ({
    page,
    stage,
  }) => {
    const lose = await loseFileForGood(page, EVENT_CALLS);
    await openEvent(page, stage);
    await add(page).click();
    await checkout(page).click();
    await expect(toasts(page)).toHaveText([checkoutNotLoaded]);
    lose.stop();
    await checkout(page).click();
    await expect(toasts(page)).toHaveText([checkoutNotLoaded, checkoutNotLoaded]);
    await page.reload();
    await expect(quantity(page)).toContainText('1');
    await checkout(page).click();
    await page.waitForURL(/\/sandbox\/pay\//);
  });

  test('is reported in the waiting room, and a reload keeps the position and the cart', async ({ page, product }) => {
    const site = siteOf(product);
    const salesStart = new Date(site.now().getTime() + 600_000).toISOString();
    const { eventId } = await eventOnSale(site, { salesStart, useWaitingRoom: true, buyersPerMinute: 60 });
    const waiting = page.getByRole('heading', { name: "You're in the waiting room" });
    await page.goto(`/payment/${eventId}`);
    await expect(waiting).toBeVisible();
    await add(page).click();
    const [pass] = await page.context().cookies();

    const lose = await loseFileForGood(page, EVENT_CALLS);
    await page.reload();
    await expect(page.getByText(saleNotLoaded)).toBeVisible();
    lose.stop();
    await page.reload();
    await expect(waiting).toBeVisible();
    await expect(quantity(page)).toContainText('1');
    expect((await page.context().cookies())[0]?.value).toBe(pass?.value);
  });

  test('is reported in the checkout queue', async ({ page, stage }) => {
    const { eventId } = stage;
    await openEvent(page, stage);
    await page.evaluate((key) => sessionStorage.setItem(key, '"a-handle"'), `reservation:${eventId}`);
    await loseFile(page, EVENT_CALLS);
    await page.reload();
    await expect(page.getByText(queuedCheckoutNotLoaded).filter({ visible: true }).first()).toBeVisible();
  });

  test('leaves an address in place of the map', MODULE_RETRY, async ({ page, stage }) => {
    const lose = await loseFile(page, MAP);
    await openEvent(page, stage);
    const map = page.getByRole('group', { name: /^Map/ });
    await map.scrollIntoViewIfNeeded();
    await expect(page.getByText("The map didn't load.")).toBeVisible();
    await expect(page.getByText('38 Withers St, Brooklyn, NY 11211', { exact: true })).toBeVisible();
    await lose.stop();
    await retry(page).press('Enter');
    await expect(page.getByRole('button', { name: 'Zoom in' })).toBeVisible();
    await expect(page.getByText("The map didn't load.")).toBeHidden();
    await expect(map).toBeFocused();
  });

  test("offers a reload if the browser caches the map's failure, and keeps the cart", async ({ page, stage }) => {
    const lose = await loseFileForGood(page, MAP);
    await openEvent(page, stage);
    await add(page).click();
    await page.getByRole('group', { name: /^Map/ }).scrollIntoViewIfNeeded();
    await expect(page.getByText("The map didn't load.")).toBeVisible();
    lose.stop();
    await retry(page).click();
    await expect(page.getByText(mapNeedsReload)).toBeVisible();
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('group', { name: /^Map/ }).scrollIntoViewIfNeeded();
    await expect(page.getByRole('button', { name: 'Zoom in' })).toBeVisible();
    await expect(quantity(page)).toContainText('1');
  });
});

test.describe('Messages without the toast library', () => {
  const plain = (page: Page) => toasts(page).filter({ hasNot: page.locator('.Toastify__progress-bar') });

  test('are shown, keep the input, and hand over to the library once it loads', MODULE_RETRY, async ({ page }) => {
    const lose = await loseFile(page, TOASTS);
    await page.goto('/register');
    await page.getByLabel('Email').fill('no address');
    await page.getByRole('button', { name: 'Register' }).click();
    const wrongEmail = plain(page).filter({ hasText: 'Email must be a valid email address.' });
    await expect(wrongEmail).toBeVisible();
    await wrongEmail.hover();
    await expect(page.getByLabel('Email')).toHaveValue('no address');
    await expectAccessible(page);

    await lose.stop();
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Register' }).click();
    await expect(wrongEmail).toHaveCount(0);
    await expect(plain(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Register' }).click();
    await expect(toasts(page).locator('.Toastify__progress-bar').first()).toBeVisible();
  });

  test('do not overlap those of the library, and disappear by themselves', async ({ page }) => {
    const stall = await stallFile(page, TOASTS);
    await page.goto('/register');
    const submit = page.getByRole('button', { name: 'Register' });
    await submit.click();
    await expect(plain(page)).not.toHaveCount(0);
    const count = await plain(page).count();
    // A message's timer stops while the pointer is on it.
    await plain(page).first().hover();
    const loaded = page.waitForResponse(/ToastRegion/);
    stall.release();
    await (await loaded).finished();
    await expect(page.locator('#toasts .Toastify')).toBeAttached();
    await submit.press('Enter');
    await expect(toasts(page)).toHaveCount(2 * count);
    const boxes = await Promise.all((await toasts(page).all()).map((toast) => toast.boundingBox()));
    const ends = boxes.map((box) => (box?.y ?? 0) + (box?.height ?? 0));
    const covered = boxes.filter((box, index) => (ends[index - 1] ?? 0) > (box?.y ?? 0));
    expect(covered).toEqual([]);

    await page.mouse.move(0, 0);
    await expect(toasts(page)).toHaveCount(0);
    await submit.click();
    await expect(toasts(page).locator('.Toastify__progress-bar')).toHaveCount(count);
  });

  test('come without another wait while the library stalls', async ({ page }) => {
    await page.clock.install();
    await stallFile(page, TOASTS);
    await page.goto('/login');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    const submit = page.getByRole('button', { name: 'Login' });
    await submit.click();
    await expect(toasts(page)).toHaveText(['Invalid email or password.']);
    await dismissToasts(page);
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
    await submit.click();
    await expect(toasts(page)).toHaveText(['Invalid email or password.']);
  });

  test('are dismissed by Esc before the dialog below them', async ({ page, stage }) => {
    await loseFile(page, TOASTS);
    await logIn(page, stage.email);
    await page.getByRole('button', { name: 'Create Event' }).first().click();
    const form = dialogOf(page, 'Create Event');
    await fillIn(form, { title: 'Typed once' });
    await form.getByRole('button', { name: 'Create Event', exact: true }).click();
    await expect(toasts(page).first()).toBeVisible();
    const message = await toasts(page).last().innerText();
    await page.keyboard.press('Escape');
    await expect(toasts(page).filter({ hasText: message })).toHaveCount(0);
    await expect(form.getByLabel('Title')).toHaveValue('Typed once');
  });
});
