/** What journeys without a network share: a window in front of a product that can go away, and a look at what is kept. */
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { type Front, openFront } from './front.ts';
import { openPage } from './journey.ts';
import { expect, test as staged } from './public-stage.ts';

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
