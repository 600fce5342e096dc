/** A network that loses single files of the app, or delays them. */
import type { Page } from '@playwright/test';

/** Tag of tests in which a page loads a module again after a failure. scripts/gates.mjs omits them in older browsers. */
export const MODULE_RETRY = { tag: '@module-retry' };

/** Fails every request for a file until `stop`. */
export async function loseFile(page: Page, file: string): Promise<{ stop(): Promise<void> }> {
  await page.route(file, (route) => route.abort());
  return { stop: () => page.unroute(file) };
}

/**
 * Emulates browsers that cache failed module loads until the next page load: Safari up to 27, Chromium before 156,
 * Firefox before 154. This browser retries, so the route keeps failing what the page has lost once.
 */
export async function loseFileForGood(page: Page, file: string): Promise<{ stop(): void }> {
  const failed = new Set<string>();
  let isLosing = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) failed.clear();
  });
  await page.route(file, (route) => {
    const address = route.request().url();
    if (isLosing) failed.add(address);
    return failed.has(address) ? route.abort() : route.continue();
  });
  return {
    stop() {
      isLosing = false;
    },
  };
}

/** Delays a file until `release`. */
export async function stallFile(page: Page, file: string): Promise<{ release(): void }> {
  const released = Promise.withResolvers<void>();
  await page.route(file, async (route) => {
    await released.promise;
    await route.continue();
  });
  return { release: () => released.resolve() };
}
