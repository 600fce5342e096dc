/** What every journey has: the started product, a mailbox to look into, and an eye for accessibility. */
import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { type Db, openDatabase, openPool } from '#server/platform/database.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { inChromium } from './chromium.ts';
import { watchPolicy } from './policy-reports.ts';

interface Mail {
  id: string;
  subject: string;
  text: string;
}

interface OfOneTest {
  baseURL: string;
  /** Of the product. Each object is another product. */
  settings: Settings;
  product: Product;
  db: Db;
  /** What pages have broken of their policy since the test began. */
  policyReports: string[];
  /** False in all tests but those that break it on purpose: then a report fails the test. */
  expectsReports: boolean;
}

type Settings = NonNullable<Parameters<typeof startProduct>[0]>;

/** The product that most files share. */
const SHARED: Settings = { SEED_DEMO: '1' };

interface Running {
  product: Product;
  /** The product's database, as its owner. */
  db: Db;
  remove(): Promise<void>;
}

async function startOnOwnDatabase(settings: Settings): Promise<Running> {
  const database = await createTestDatabase();
  const product = await startProduct({ ...settings, DATABASE_URL: database.connectionString }).catch(
    async (error: unknown) => {
      await database.drop();
      throw error;
    },
  );
  const pool = openPool(database.connectionString, () => {});
  return {
    product,
    db: openDatabase(pool),
    async remove() {
      await pool.end();
      await product.remove();
      await database.drop();
    },
  };
}

/** What runs in a worker: the product that most files share, and one that a file has for itself, for as long as it runs. */
class Products {
  private readonly running = new Map<Settings, Promise<Running>>();

  async of(settings: Settings): Promise<Running> {
    await this.remove((other) => other !== SHARED && other !== settings);
    const running = this.running.get(settings) ?? startOnOwnDatabase(settings);
    this.running.set(settings, running);
    running.catch(() => this.running.delete(settings));
    return running;
  }

  async remove(isMeant: (settings: Settings) => boolean): Promise<void> {
    for (const [settings, running] of this.running) {
      if (!isMeant(settings)) continue;
      this.running.delete(settings);
      await (await running).remove();
    }
  }
}

interface OfOneWorker {
  products: Products;
  watchedBrowser: string[];
}

export const test = base.extend<OfOneTest, OfOneWorker>({
  // Nothing that belongs to one file has the scope of a worker: another worker would be begun for it, with all that it starts.
  products: [
    async ({}, use) => {
      const products = new Products();
      await use(products);
      await products.remove(() => true);
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  settings: [SHARED, { option: true }],
  product: async ({ products, settings }, use) => use((await products.of(settings)).product),
  db: async ({ products, settings }, use) => use((await products.of(settings)).db),
  watchedBrowser: [async ({ browser }, use) => use(watchPolicy(browser)), { scope: 'worker', auto: true }],
  expectsReports: [false, { option: true }],
  policyReports: [
    async ({ watchedBrowser, expectsReports }, use) => {
      watchedBrowser.splice(0);
      await use(watchedBrowser);
      if (!expectsReports) expect(watchedBrowser, 'reports of the content security policy').toEqual([]);
    },
    { auto: true },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  page: async ({ page }, use) => use(await awaitingCode(page)),
});

/** For files whose product nobody else leaves anything in. */
export const withOwnProduct = (settings: Settings = {}) => test.extend({ settings: async ({}, use) => use(settings) });

/** Sets a stage once for each product, for all tests that play on it. */
export function oncePerProduct<Stage, Rest extends unknown[]>(
  set: (product: Product, ...rest: Rest) => Promise<Stage>,
): (product: Product, ...rest: Rest) => Promise<Stage> {
  const stages = new WeakMap<Product, Promise<Stage>>();
  return (product, ...rest) => {
    const stage = stages.get(product) ?? set(product, ...rest);
    stages.set(product, stage);
    return stage;
  };
}

/** A person's own window: no cookies of anybody else, and no endless patience. */
export async function openPage(
  browser: Browser,
  product: Pick<Product, 'url'>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ ...inChromium, baseURL: product.url, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return awaitingCode(await context.newPage());
}

const CODE_PATIENCE_MS = 15_000;

/**
 * Opens pages and waits until their code has taken over what the server drew: before that a link is a plain link,
 * and what a test prepares for a click within the page would be tested against another page load.
 */
async function awaitingCode(page: Page): Promise<Page> {
  await page.addInitScript(() => {
    addEventListener('handstamp:ready', () => document.documentElement.setAttribute('data-ready', ''));
  });
  const open = page.goto.bind(page);
  page.goto = async (...where) => {
    const response = await open(...where);
    const isReady = () => !document.getElementById('root') || document.documentElement.hasAttribute('data-ready');
    // A page whose code was broken on purpose never gets there.
    await page.waitForFunction(isReady, undefined, { timeout: CODE_PATIENCE_MS }).catch(() => {});
    return response;
  };
  return page;
}

const PATIENCE_MS = 20_000;

/** The newest mail to an address whose subject matches; mail takes a moment to leave. */
export async function mailTo(product: Product, address: string, subject: RegExp): Promise<Mail> {
  const found: Mail[] = [];
  await expect(async () => {
    const reply = await fetch(`${product.url}/sandbox/inbox.json?to=${encodeURIComponent(address)}`);
    const mails = (await reply.json()) as Mail[];
    found.splice(0, Infinity, ...mails.filter((mail) => subject.test(mail.subject)));
    expect(found.length).toBeGreaterThan(0);
  }).toPass({ timeout: 20_000 });
  const [newest] = found;
  if (!newest) throw new Error(`no mail to ${address}`);
  return newest;
}

/** The first address in a mail's text that leads to a path. */
export function linkIn(mail: Mail, path: string): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((address) => new URL(address).pathname === path);
  if (!link) throw new Error(`"${mail.subject}" has no link to ${path}:\n${mail.text}`);
  return link;
}

/** No violation of WCAG 2.2 A and AA that a program can find. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingFound(page, (axe) => axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']));
}

/** In the light, and then in the dark, where nothing but the colours is another. */
export async function expectReadable(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNothingFound(page, (axe) => axe.withRules(['color-contrast', 'link-in-text-block']));
}

async function expectNothingFound(page: Page, rules: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  // A dialog that is still rising is half transparent, and would be measured like that.
  await untilStill(page);
  // No frame of ours comes from elsewhere, so axe needs no second page to put together what it finds.
  const { violations } = await rules(new AxeBuilder({ page }).setLegacyMode(true)).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.failureSummary})`),
  );
  expect(found, page.url()).toEqual([]);
}

const MOVEMENT_MS = 1000;

/**
 * Waits for what moves on the page, and not longer than it can move: of what is taken away meanwhile no end is told. Not for a toast's time
 * bar: that is a clock, not a movement.
 */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate((longest) => {
    const moving = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) <= longest);
    const still = Promise.allSettled(moving.map(({ finished }) => finished));
    return Promise.race([still, new Promise((resolve) => setTimeout(resolve, longest))]);
  }, MOVEMENT_MS);
}

export { expect };
