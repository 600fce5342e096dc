/** What journeys without a network share: a window in front of a product that can go away, and a look at what is kept. */
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { type Front, openFront } from './front.ts';
import { openPage } from './journey.ts';
import { test as staged } from './public-stage.ts';

export { expect } from './public-stage.ts';

export const test = staged.extend<{ front: Front }>({
  front: async ({ product }, use) => {
    await using front = await openFront(product);
    await use(front);
  },
});

export const windowAt = (browser: Browser, front: Front, options: BrowserContextOptions = {}): Promise<Page> =>
  openPage(browser, { url: front.url }, { viewport: { width: 390, height: 844 }, ...options });

/** Until the worker of a page has kept all it wants. */
export async function untilKept(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const { active, installing } = (await navigator.serviceWorker.getRegistration()) ?? {};
    return active?.state === 'activated' && !installing;
  });
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
