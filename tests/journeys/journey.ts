/** Fixtures of every journey: a running server, a mailbox and accessibility checks. */
import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { type Db, openDatabase, openPool } from '#server/platform/database.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { startServers } from '#tests/support/several-servers.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { ACTION_TIMEOUT_MS, inChromium } from './chromium.ts';
import { watchPolicy } from './policy-reports.ts';

export interface Email {
  id: string;
  subject: string;
  text: string;
}

interface TestFixtures {
  baseURL: string;
  /** Of the server. Each object starts another server. */
  settings: Settings;
  product: Product;
  db: Db;
  /** Policy violations of all pages since the test began. */
  policyReports: string[];
  /** True only in tests that violate the policy on purpose; otherwise a report fails the test. */
  expectsReports: boolean;
}

type Settings = NonNullable<Parameters<typeof startProduct>[0]>;

/** Settings of the server that most files share. */
const SHARED: Settings = { SEED_DEMO: '1' };

/** `npm run journeys -- --servers=3`. */
const SERVERS = Number(process.env['SERVERS'] ?? 1);

interface Running {
  product: Product;
  /** The server's database, as its owner. */
  db: Db;
  remove(): Promise<void>;
}

async function startOnOwnDatabase(settings: Settings): Promise<Running> {
  const database = await createTestDatabase();
  const environment = { ...settings, DATABASE_URL: database.connectionString };
  const starting = SERVERS > 1 ? startServers(SERVERS, environment) : startProduct(environment);
  const product = await starting.catch(async (error: unknown) => {
    await database.drop();
    throw error;
  });
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

/** Servers of one worker: the one that most files share, and the current file's own. */
class Products {
  private readonly running = new Map<Settings, Promise<Running>>();

  async of(settings: Settings): Promise<Running> {
    await this.remove((other) => other !== SHARED && other !== settings);
    const running = this.running.get(settings) ?? startOnOwnDatabase(settings);
    this.running.set(settings, running);
    running.catch(() => this.running.delete(settings));
    return running;
  }

  async remove(matches: (settings: Settings) => boolean): Promise<void> {
    for (const [settings, running] of this.running) {
      if (!matches(settings)) continue;
      this.running.delete(settings);
      await (await running).remove();
    }
  }
}

interface WorkerFixtures {
  products: Products;
  browserReports: string[];
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  // Nothing specific to a file has worker scope: that would start another worker with all its fixtures.
  products: [
    async ({}, use) => {
      const products = new Products();
      await use(products);
      await products.remove(() => true);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  settings: [SHARED, { option: true }],
  product: async ({ products, settings }, use) => use((await products.of(settings)).product),
  db: async ({ products, settings }, use) => use((await products.of(settings)).db),
  browserReports: [async ({ browser }, use) => use(watchPolicy(browser)), { scope: 'worker', auto: true }],
  expectsReports: [false, { option: true }],
  policyReports: [
    async ({ browserReports, expectsReports }, use) => {
      browserReports.splice(0);
      await use(browserReports);
      if (!expectsReports) expect(browserReports, 'reports of the content security policy').toEqual([]);
    },
    { auto: true },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  page: async ({ page }, use) => use(await waitingForHydration(page)),
});

/** For files that need a server without other tests' data. */
export const withOwnProduct = (settings: Settings = {}) => test.extend({ settings: async ({}, use) => use(settings) });

/** Prepares data once per server, for all tests that use it. */
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

/** A separate browser context with default timeouts. */
export async function openPage(
  browser: Browser,
  product: Pick<Product, 'url'>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ ...inChromium, baseURL: product.url, ...options });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const page = await context.newPage();
  return options.javaScriptEnabled === false ? page : waitingForHydration(page);
}

const HYDRATION_TIMEOUT_MS = 30_000;

/**
 * Waits after each navigation until the page is hydrated: before that a link is a plain link, and a test's click could
 * load another page.
 */
async function waitingForHydration(page: Page): Promise<Page> {
  await page.addInitScript(() => {
    addEventListener('handstamp:ready', () => document.documentElement.setAttribute('data-ready', ''));
  });
  const open = page.goto.bind(page);
  page.goto = async (...where) => {
    const response = await open(...where);
    const isReady = () => !document.getElementById('root') || document.documentElement.hasAttribute('data-ready');
    // A page with broken scripts never becomes ready.
    await page.waitForFunction(isReady, undefined, { timeout: HYDRATION_TIMEOUT_MS }).catch(() => {});
    return response;
  };
  return page;
}

/** The newest email to an address with a matching subject. Emails take a moment to send. */
export async function emailTo(product: Product, address: string, subject: RegExp): Promise<Email> {
  const found: Email[] = [];
  await expect(async () => {
    const reply = await fetch(`${product.url}/sandbox/inbox.json?to=${encodeURIComponent(address)}`);
    const emails = (await reply.json()) as Email[];
    found.splice(0, Infinity, ...emails.filter((email) => subject.test(email.subject)));
    expect(found.length).toBeGreaterThan(0);
  }).toPass({ timeout: 60_000 });
  const [newest] = found;
  if (!newest) throw new Error(`no email to ${address}`);
  return newest;
}

/** The first link with the given path in an email's text. */
export function linkIn(email: Email, path: string): string {
  const link = email.text.match(/https?:\/\/\S+/g)?.find((address) => new URL(address).pathname === path);
  if (!link) throw new Error(`"${email.subject}" has no link to ${path}:\n${email.text}`);
  return link;
}

/** No violation of WCAG 2.2 A and AA that axe can find. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, (axe) => axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']));
}

/** Nothing is wider than the window. */
export async function expectFits(page: Page): Promise<void> {
  const tooWide = await page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const all = [...document.querySelectorAll('body *')];
    return all.filter((one) => one.getBoundingClientRect().right > innerWidth).map(({ outerHTML }) => outerHTML);
  });
  expect(tooWide, page.url()).toEqual([]);
}

/** Checks in light mode, and in dark mode only what depends on colors. */
export async function expectReadable(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, (axe) => axe.withRules(['color-contrast', 'link-in-text-block']));
}

/** In a window of any size and in both themes. */
export async function expectUsable(page: Page): Promise<void> {
  await expectFits(page);
  await expectReadable(page);
}

async function expectNoViolations(page: Page, rules: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  let found = await findViolations(page, rules);
  // A toast whose time ends during the check fades out, and text that fades has little contrast. A fault stays.
  if (found.length > 0) found = await findViolations(page, rules);
  expect(found, page.url()).toEqual([]);
}

async function findViolations(page: Page, rules: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  // A dialog that is still fading in is half transparent.
  await untilStill(page);
  // The page has no frames from other origins, so axe needs no second page to merge results.
  // By default axe also describes each element that passes, which takes a third of its time.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations } = await rules(axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.failureSummary})`),
  );
}

const MAX_ANIMATION_MS = 1000;

/**
 * Waits for running animations, with an upper limit: a removed element's animation never finishes. Ignores longer ones,
 * such as a toast's progress bar.
 */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async (longest) => {
    // A change of color scheme starts its transitions with the next frame.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    const until = performance.now() + longest;
    // A color that is inherited goes on changing after its parent's transition, in one of its own.
    for (let rest = longest; rest > 0; rest = until - performance.now()) {
      const moving = document
        .getAnimations()
        .filter(
          ({ effect, playState }) => playState === 'running' && Number(effect?.getComputedTiming().endTime) <= longest,
        );
      if (moving.length === 0) return;
      const still = Promise.allSettled(moving.map(({ finished }) => finished));
      await Promise.race([still, new Promise((resolve) => setTimeout(resolve, rest))]);
    }
  }, MAX_ANIMATION_MS);
}

export { expect };
