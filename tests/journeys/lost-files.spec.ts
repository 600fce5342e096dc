/** The network loses one file of the app. Nobody notices one lost request; a file that never comes is explained in place. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { buyTickets, eventOnSale, generalAdmission, PASSWORD } from '#tests/support/people.ts';
import { placeOf } from '#tests/support/place-of.ts';
import type { Product } from '#tests/support/product.ts';
import { payWithCard, ticketCodes } from './buyer-steps.ts';
import { launchPhone } from './chromium.ts';
import { answer, checkByHand, phoneSize, throughDoor, withPhone } from './door-steps.ts';
import { expect, expectAccessible, oncePerProduct, openPage, withOwnProduct } from './journey.ts';
import { dialogOf, fillIn } from './organizer-page.ts';
import { toasts } from './public-stage.ts';
import { cameraShowing, filmOf } from './qr-camera.ts';

const BUILT = fileURLToPath(new URL('../../dist/web/static', import.meta.url));
/** Drawn on screens of another density than the one of this browser, or where somebody turns to them. */
const NEVER_ASKED_FOR = /\/(?:layers|layers-2x|loading|marker-icon-2x)-/;
/** Walks run side by side. */
const LANES = 2;
/**
 * Each walk is taken so many times, each time without another part of its files: what is beside a lost one is there, or lost too.
 * `LOSE_EACH=1` takes it once for each file, which takes many minutes.
 */
const PARTS = process.env['LOSE_EACH'] ? 1000 : 2;

/** An event of one lane's own, so that walks do not meet. */
interface Lane {
  eventId: string;
  title: string;
  attendantCode: string;
  email: string;
  /** Tickets that nobody has scanned. */
  numbers: string[];
}

type Walk = (page: Page, lane: Lane) => Promise<void>;

interface Stage {
  lanes: Lane[];
  /** Of a camera that films a ticket of the first lane. */
  film: string;
  /** Takes a walk in a new window where the first request for each of these files fails. Answers which files were asked for. */
  walkWithout(lost: readonly string[], walk: Walk, lane: Lane): Promise<string[]>;
  /** The files that a walk asks for when nothing is lost. */
  filesOf(walk: Walk): Promise<string[]>;
}

const stageOf = oncePerProduct(setStage);

const test = withOwnProduct({ RATE_LIMIT_SCALE: '0' }).extend<{ stage: Stage }>({
  stage: async ({ product, browser }, use) => use(await stageOf(product, browser)),
});

async function setStage(product: Product, browser: Browser): Promise<Stage> {
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, index) => openLane(product, index)));
  const film = join(tmpdir(), `handstamp-lost-files-${process.pid}.y4m`);
  await filmOf(lanes[0]?.numbers.pop() ?? '', film);
  const asked = new Map<Walk, Promise<string[]>>();
  const stage: Stage = {
    lanes,
    film,
    async walkWithout(lost, walk, lane) {
      const phone = walk === attendant ? await launchPhone(cameraShowing(film)) : null;
      const page = await openPage(phone ?? browser, product, {
        permissions: ['camera'],
        viewport: phoneSize,
        reducedMotion: 'reduce',
      });
      const found = await losingFirst(lost, page, () => walk(page, lane));
      await page.context().close();
      await phone?.close();
      return found;
    },
    filesOf(walk) {
      const [lane] = lanes;
      if (!lane) throw new Error('no lane');
      const files = asked.get(walk) ?? stage.walkWithout([], walk, lane);
      asked.set(walk, files);
      return files;
    },
  };
  return stage;
}

async function openLane(product: Product, index: number): Promise<Lane> {
  const place = placeOf(product);
  const title = `Basement Brass ${index + 1}`;
  const { eventId, attendantCode, email } = await eventOnSale(place, {
    title,
    tickets: [
      { ticketName: 'General admission', ticketDescription: 'Standing', ticketPrice: 24, ticketQuantity: 1000 },
    ],
  });
  const { confirmationData } = await buyTickets(place, eventId, generalAdmission(100));
  return {
    eventId,
    title,
    attendantCode,
    email,
    numbers: confirmationData.map(({ confirmationNumber }) => confirmationNumber),
  };
}

async function losingFirst(lost: readonly string[], page: Page, walk: () => Promise<void>): Promise<string[]> {
  const asked = new Set<string>();
  await page.context().route('**/static/**', (route) => {
    const { pathname } = new URL(route.request().url());
    const isFirst = !asked.has(pathname);
    asked.add(pathname);
    return isFirst && lost.includes(pathname) ? route.abort() : route.continue();
  });
  try {
    await walk();
    return [...asked];
  } catch (cause) {
    throw new Error(`without the first request for ${lost.join(', ')}: ${String(cause)}`, { cause });
  }
}

const buyer: Walk = async (page, { eventId }) => {
  await page.goto(`/payment/${eventId}`);
  const add = page.getByRole('button', { name: 'Add to Cart' }).first();
  await add.click();
  await page.locator('.leaflet-container').scrollIntoViewIfNeeded();
  await expect(page.getByRole('button', { name: 'Zoom in' })).toBeVisible();
  await page.getByRole('link', { name: 'Request a Refund' }).first().click();
  await page.getByLabel('Confirmation Code').fill('12');
  await page.getByRole('button', { name: 'Request a Refund' }).click();
  await expect(toasts(page)).toHaveText(['Confirmation code must be exactly 10 digits.']);
  await expect(page.getByLabel('Confirmation Code')).toHaveValue('12');
  await page.goBack();
  await expect(page.getByRole('group', { name: 'Quantity of General admission' })).toContainText('1');
  await page.getByRole('button', { name: 'Checkout' }).first().click();
  await payWithCard(page, 'bo@example.com');
  await expect(ticketCodes(page)).toHaveCount(1);
};

const attendant: Walk = async (page, lane) => {
  await throughDoor(page, lane);
  await expect(answer(page)).toContainText(/Let them in|Already in|Unknown code/);
  await checkByHand(page, lane.numbers.pop() ?? '');
  await expect(answer(page)).toContainText('Let them in: General admission.');
};

const organizer: Walk = async (page, lane) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(lane.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('article', { name: lane.title })).toBeVisible();
  await page.getByRole('button', { name: 'Create Event' }).first().click();
  const form = dialogOf(page, 'Create Event');
  await fillIn(form, {
    title: 'Typed once',
    street: '178 Bleecker St',
    city: 'New York',
    state: 'NY',
    postalCode: '10012',
  });
  await expect(form.getByRole('button', { name: 'Zoom in' })).toBeVisible();
  await form.getByRole('button', { name: 'Create Event', exact: true }).click();
  await expect(toasts(page).first()).toBeVisible();
  await expect(form.getByLabel('Title')).toHaveValue('Typed once');
  await page.goto(`/door/${lane.eventId}`);
  await expect(page.getByText(lane.attendantCode).first()).toBeVisible();
};

/** Opens one screen that no other walk passes through. */
const visit =
  (path: string): Walk =>
  async (page) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  };

const visits = [
  '/',
  '/FAQ',
  '/legal',
  '/register',
  '/forgot-password',
  '/reset-password/token',
  '/verify-email?token=token',
  '/change-email',
  '/privacy',
  '/privacy/token',
  '/refund/AAAAAAAAAAAAAAAA/token',
  '/dashboard',
  '/nowhere',
].map((path) => visit(path));

const inTurn = [buyer, attendant, organizer];

test.describe('One lost request', () => {
  if (process.env['LOSE_EACH']) test.setTimeout(900_000);

  for (const walk of inTurn)
    test(`of any file is not noticed by the ${walk.name}`, async ({ stage }) => {
      await withoutEach(await stage.filesOf(walk), walk, stage);
    });

  test('of any other file of the build is not noticed by a visitor of its screen', async ({ stage }) => {
    const seen = new Set<string>();
    for (const walk of inTurn) for (const file of await stage.filesOf(walk)) seen.add(file);
    for (const walk of visits) {
      const others = (await stage.filesOf(walk)).filter((file) => !seen.has(file));
      await withoutEach(others, walk, stage);
      for (const file of others) seen.add(file);
    }
    expect(builtFiles().filter((file) => !seen.has(file) && !NEVER_ASKED_FOR.test(file))).toEqual([]);
  });
});

test.describe('A file that never comes', () => {
  const APP = '**/static/js/index-*.js';
  const retry = (page: Page) => page.getByRole('button', { name: 'Try again' });
  const notLoaded = (page: Page) => page.getByText("Part of this page didn't load.");
  const screenNotLoaded = (page: Page) => page.getByRole('main').getByText("This page didn't load.");
  const add = (page: Page) => page.getByRole('button', { name: 'Add to Cart' }).first();
  const quantity = (page: Page) => page.getByRole('group', { name: 'Quantity of General admission' });

  test('leaves the event page readable, says so, and comes with another attempt', async ({ context, stage }) => {
    const page = await context.newPage();
    const lose = await losing(page, APP);
    await page.goto(`/payment/${stage.lanes[0]?.eventId}`);
    await expect(notLoaded(page)).toBeVisible();
    await expect(page.getByText('Six horns in a cellar.')).toBeVisible();

    await lose.stop();
    await retry(page).click();
    await expect(notLoaded(page)).toBeHidden();
    await add(page).click();
    await expect(quantity(page)).toContainText('1');
  });

  test('is explained on a page that is nothing without it', async ({ context }) => {
    const page = await context.newPage();
    const lose = await losing(page, APP);
    await page.goto('/login');
    await expect(notLoaded(page)).toBeVisible();
    await lose.stop();
    await retry(page).click();
    await expect(page.getByLabel('Email')).toBeVisible();
  });

  test('is explained where it was the look of a page', async ({ page }) => {
    const lose = await losing(page, '**/static/looks-*.css');
    await page.goto('/FAQ');
    await expect(notLoaded(page)).toBeVisible();
    await lose.stop();
    await retry(page).click();
    await expect(page.getByRole('link', { name: 'Skip to content' })).toHaveCSS('position', 'absolute');
    await expect(notLoaded(page)).toBeHidden();
  });

  test('leaves the cart and the page that a buyer came from', async ({ page, stage }) => {
    await page.goto(`/payment/${stage.lanes[0]?.eventId}`);
    await add(page).click();
    const lose = await losing(page, '**/static/js/LegalScreen-*.js');
    await page.getByRole('main').getByRole('link', { name: 'Terms and Conditions' }).click();
    await expect(screenNotLoaded(page)).toBeVisible();

    await lose.stop();
    await retry(page).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms And Conditions' })).toBeVisible();
    await page.goBack();
    await expect(quantity(page)).toContainText('1');
  });

  test('does not take the cart when the checkout cannot be opened without it', async ({ page, stage }) => {
    const lose = await losing(page, '**/static/js/event-calls-*.js');
    await page.goto(`/payment/${stage.lanes[0]?.eventId}`);
    await add(page).click();
    await page.getByRole('button', { name: 'Checkout' }).first().click();
    await expect(toasts(page)).toHaveText(['Something went wrong on our side. Please try again.']);
    await expect(quantity(page)).toContainText('1');

    await lose.stop();
    await page.getByRole('button', { name: 'Checkout' }).first().click();
    await page.waitForURL(/\/sandbox\/pay\//);
  });

  test('does not keep messages from being shown, nor a form from keeping what was typed', async ({ page }) => {
    const lose = await losing(page, '**/static/js/ToastRegion-*.js');
    await page.goto('/register');
    await page.getByLabel('Email').fill('no address');
    await page.getByRole('button', { name: 'Register' }).click();
    await expect(toasts(page).filter({ hasText: 'Email must be a valid email address.' })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue('no address');
    await expectAccessible(page);

    const shown = await toasts(page).count();
    await page.getByRole('button', { name: 'Dismiss message' }).first().click();
    await expect(toasts(page)).toHaveCount(shown - 1);
    await lose.stop();
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Register' }).click();
    await expect(toasts(page).filter({ hasText: 'Email must be' })).toHaveCount(0);
  });

  test('leaves an address where the map would be', async ({ page, stage }) => {
    const lose = await losing(page, '**/static/js/leaflet-map-*.js');
    await page.goto(`/payment/${stage.lanes[0]?.eventId}`);
    await page.getByRole('group', { name: /^Map/ }).scrollIntoViewIfNeeded();
    await expect(page.getByText("The map didn't load.")).toBeVisible();
    await lose.stop();
    await retry(page).click();
    await expect(page.getByRole('button', { name: 'Zoom in' })).toBeVisible();
    await expect(page.getByText("The map didn't load.")).toBeHidden();
  });

  test('leaves the door to typed codes until the reader is there', async ({ product, stage }) => {
    const [lane] = stage.lanes;
    if (!lane) throw new Error('no lane');
    await withPhone(product, cameraShowing(stage.film), async (page) => {
      const lose = await losing(page, '**/static/zxing_reader-*.wasm');
      await throughDoor(page, lane);
      await expect(page.getByText('The scanner could not be loaded.')).toBeVisible();
      await checkByHand(page, lane.numbers.pop() ?? '');
      await expect(answer(page)).toContainText('Let them in: General admission.');

      await lose.stop();
      await expect(answer(page)).toContainText(/Already in|Let them in/);
      await expect(page.getByText('The scanner could not be loaded.')).toBeHidden();
    });
  });

  test('is given up after two minutes of a stalled connection', async ({ page }) => {
    await page.clock.install();
    await page.goto('/');
    await page.route('**/static/js/LegalScreen-*.js', () => new Promise(() => {}));
    const asked = page.waitForRequest(/LegalScreen/);
    await page.getByRole('contentinfo').locator('a[href="/Legal"]').click();
    await asked;
    await page.clock.fastForward(119_000);
    await expect(screenNotLoaded(page)).toBeHidden();
    await page.clock.fastForward(2000);
    await expect(screenNotLoaded(page)).toBeVisible();
  });
});

/** Loses a file each time it is asked for, until `stop`. */
async function losing(page: Page, file: string): Promise<{ stop(): Promise<void> }> {
  await page.route(file, (route) => route.abort());
  return { stop: () => page.unroute(file) };
}

async function withoutEach(files: readonly string[], walk: Walk, { walkWithout, lanes }: Stage): Promise<void> {
  const parts = Array.from({ length: PARTS }, (_, part) => files.filter((_file, index) => index % PARTS === part));
  const waiting = parts.filter((part) => part.length > 0);
  await Promise.all(
    lanes.map(async (lane) => {
      for (let lost = waiting.pop(); lost; lost = waiting.pop()) await walkWithout(lost, walk, lane);
    }),
  );
}

function builtFiles(): string[] {
  return readdirSync(BUILT, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:js|css|wasm|woff2|svg|png)$/.test(path))
    .map((path) => `/static/${path}`);
}
