/** The network loses one request for a file of the app, and nobody notices. What never comes: lost-files-explained.spec.ts. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { buyTickets, eventOnSale, generalAdmission, PASSWORD } from '#tests/support/people.ts';
import { placeOf } from '#tests/support/place-of.ts';
import type { Product } from '#tests/support/product.ts';
import { payWithCard, ticketCodes } from './buyer-steps.ts';
import { launchPhone } from './chromium.ts';
import { answer, checkByHand, phoneSize, throughDoor, withPhone } from './door-steps.ts';
import { expect, oncePerProduct, openPage, withOwnProduct } from './journey.ts';
import { losing } from './losing-files.ts';
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
  // There it goes with the product.
  const film = join(product.dataDir, 'ticket.y4m');
  await filmOf(lanes[0]?.numbers.pop() ?? '', film);
  const asked = new Map<Walk, Promise<string[]>>();
  const stage: Stage = {
    lanes,
    film,
    async walkWithout(lost, walk, lane) {
      const phone = walk === attendant ? await launchPhone(cameraShowing(film)) : null;
      try {
        const page = await openPage(phone ?? browser, product, {
          permissions: ['camera'],
          viewport: phoneSize,
          reducedMotion: 'reduce',
        });
        try {
          return await losingFirst(lost, page, () => walk(page, lane));
        } finally {
          await page.context().close();
        }
      } finally {
        await phone?.close();
      }
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

test('A reader of codes that never comes leaves the door to typed codes until it is there', async ({
  product,
  stage,
}) => {
  const [lane] = stage.lanes;
  if (!lane) throw new Error('no lane');
  await withPhone(product, cameraShowing(stage.film), async (page) => {
    const recent = page.getByRole('region', { name: 'Recent' }).getByRole('listitem');
    const lose = await losing(page, '**/static/zxing_reader-*.wasm');
    await throughDoor(page, lane);
    await expect(page.getByText("The scanner couldn't load.")).toBeVisible();
    await checkByHand(page, lane.numbers.pop() ?? '');
    await expect(answer(page)).toContainText('Let them in: General admission.');
    await expect(recent).toHaveCount(1);

    await lose.stop();
    await expect(recent).toHaveCount(2);
    await expect(page.getByText("The scanner couldn't load.")).toBeHidden();
  });
});

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
