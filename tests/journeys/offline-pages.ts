/** Shared by the offline journeys: pages behind a failing proxy, and access to their caches. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { inChromium } from './chromium.ts';
import { openPage } from './journey.ts';
import { watchContext } from './policy-reports.ts';
import { openProxy, type TestProxy } from './proxy.ts';
import { expect, test as staged } from './public-setup.ts';

export { expect };

export const test = staged.extend<{ network: TestProxy }>({
  network: async ({ product }, use) => {
    const network = await openProxy(product);
    await use(network);
    await network.disconnect();
  },
});

export const openAt = (browser: Browser, network: TestProxy, options: BrowserContextOptions = {}): Promise<Page> =>
  openPage(browser, { url: network.url }, { viewport: { width: 390, height: 844 }, ...options });

/** Waits until the page's service worker has cached everything. */
export const untilCached = (page: Page) => expect.poll(() => page.evaluate(isCached)).toBe(true);

async function isCached(): Promise<boolean> {
  const { active, waiting, installing } = (await navigator.serviceWorker.getRegistration()) ?? {};
  return active?.state === 'activated' && !waiting && !installing;
}

/** Paths in each cache, by the cache's name. */
export const cachedFiles = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(async () => {
    const versions: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      versions[name] = requests.map(({ url }) => new URL(url).pathname);
    }
    return versions;
  });

/** The page's entry script. */
export const entryOf = (page: Page) => page.locator('script[data-entry]').first().getAttribute('data-entry');

/** A browser with a persistent profile. Each `open` restarts it after the previous one was closed. */
export async function withProfile(
  policyReports: string[],
  use: (open: () => Promise<Page>) => Promise<void>,
): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'handstamp-profile-'));
  const { launchOptions, ...options } = inChromium;
  const opened: BrowserContext[] = [];
  try {
    await use(async () => {
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

/** Clears the HTTP cache and closes the browser: whatever opens later comes from the service worker. */
export async function leaveOnlyServiceWorkerCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await page.context().close();
}
