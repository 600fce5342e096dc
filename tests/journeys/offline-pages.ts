/** What journeys without a network share: a window in front of a product that can go away, and a look at what is kept. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { inChromium } from './chromium.ts';
import { openPage } from './journey.ts';
import { watchContext } from './policy-reports.ts';
import { type Front, openFront } from './proxy.ts';
import { expect, test as staged } from './public-setup.ts';

export { expect };

export const test = staged.extend<{ front: Front }>({
  front: async ({ product }, use) => {
    const front = await openFront(product);
    await use(front);
    await front.goAway();
  },
});

export const windowAt = (browser: Browser, front: Front, options: BrowserContextOptions = {}): Promise<Page> =>
  openPage(browser, { url: front.url }, { viewport: { width: 390, height: 844 }, ...options });

/** Until the worker of a page has kept all it wants. */
export const untilKept = (page: Page) => expect.poll(() => page.evaluate(isKept)).toBe(true);

async function isKept(): Promise<boolean> {
  const { active, installing } = (await navigator.serviceWorker.getRegistration()) ?? {};
  return active?.state === 'activated' && !installing;
}

/** By the name of each kept version, the addresses that are in it. */
export const keptFiles = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(async () => {
    const versions: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      versions[name] = requests.map(({ url }) => new URL(url).pathname);
    }
    return versions;
  });

/** The script that began the page. */
export const entryOf = (page: Page) => page.locator('script[type="module"]').getAttribute('src');

/** A browser that remembers, as those of people do. Each `open` starts it anew, after the one before was closed. */
export async function withProfile(
  policyReports: string[],
  look: (open: () => Promise<Page>) => Promise<void>,
): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'handstamp-profile-'));
  const { launchOptions, ...options } = inChromium;
  const opened: BrowserContext[] = [];
  try {
    await look(async () => {
      const context = await chromium.launchPersistentContext(profile, { ...launchOptions, ...options });
      opened.push(context);
      await watchContext(context, policyReports);
      return context.newPage();
    });
  } finally {
    for (const context of opened) await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

/** Closes the browser with nothing in its HTTP cache: what opens later comes from the worker. */
export async function leaveOnlyKeptFiles(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await page.context().close();
}
