/** A network that takes single files of the app away from a page, or keeps them on their way. */
import type { Page } from '@playwright/test';

/** Loses a file each time it is asked for, until `stop`. */
export async function losing(page: Page, file: string): Promise<{ stop(): Promise<void> }> {
  await page.route(file, (route) => route.abort());
  return { stop: () => page.unroute(file) };
}

/**
 * The same in a browser that keeps failures: Safari up to 27, Chromium before 156, Firefox before 154. Their module map holds a lost
 * module as failed until the page is loaded again. The browser of these tests asks again, so what a page has lost once stays lost.
 */
export async function losingForGood(page: Page, file: string): Promise<{ stop(): void }> {
  const kept = new Set<string>();
  let isLosing = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) kept.clear();
  });
  await page.route(file, (route) => {
    const address = route.request().url();
    if (isLosing) kept.add(address);
    return kept.has(address) ? route.abort() : route.continue();
  });
  return {
    stop() {
      isLosing = false;
    },
  };
}

/** Keeps a file on its way, until `release`. */
export async function stalling(page: Page, file: string): Promise<{ release(): void }> {
  const released = Promise.withResolvers<void>();
  await page.route(file, async (route) => {
    await released.promise;
    await route.continue();
  });
  return { release: () => released.resolve() };
}
