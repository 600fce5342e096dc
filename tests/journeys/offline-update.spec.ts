import type { Page } from '@playwright/test';
import { cachedFiles, entryOf, expect, openAt, test, untilCached } from './offline-pages.ts';

const versionsOf = async (page: Page) => Object.keys(await cachedFiles(page));

/** Checks for an update, as the browser does from time to time. */
const checkForUpdate = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });

/** Fetches a file that the page loads later, by its old name. */
const fetchLater = (page: Page, file: string) => page.evaluate(async (path) => (await fetch(path)).status, file);

test.describe('Another build of the app', () => {
  test('takes over, and an open scanner keeps all of its files', async ({ browser, network }) => {
    const page = await openAt(browser, network);
    await page.goto('/scanner');
    await untilCached(page);
    const [old = ''] = await versionsOf(page);
    const later = (await cachedFiles(page))[old]?.find((file) => /read-codes-[\w-]+\.js$/.test(file)) ?? 'none';

    network.changeBuild();
    await checkForUpdate(page);
    await expect.poll(() => versionsOf(page)).toHaveLength(2);
    await untilCached(page);
    expect(await entryOf(page)).not.toContain('.next.js');
    expect(await fetchLater(page, later)).toBe(200);
    await expect(page.getByRole('heading', { level: 1, name: 'Which event?' })).toBeVisible();

    await page.reload();
    expect(await entryOf(page)).toContain('.next.js');
    await network.disconnect();
    await page.reload();
    expect(await entryOf(page)).toContain('.next.js');
    await expect(page.getByRole('heading', { level: 1, name: 'Which event?' })).toBeVisible();
    await expect.poll(() => versionsOf(page)).toEqual([expect.stringContaining('.next.js')]);
  });

  test('keeps what an old page in another tab still needs', async ({ browser, network }) => {
    const open = await openAt(browser, network);
    await open.goto('/scanner');
    await untilCached(open);
    const [old = ''] = await versionsOf(open);
    network.changeBuild();

    const second = await open.context().newPage();
    await second.goto('/scanner');
    await expect.poll(() => versionsOf(second)).toHaveLength(2);
    await untilCached(second);
    await second.reload();
    await second.reload();
    expect(await versionsOf(second)).toContain(old);
    expect(await entryOf(second)).toContain('.next.js');

    await open.close();
    // The browser releases a closed tab's lock a moment later.
    const versionsAfterReload = async () => {
      await second.reload();
      return versionsOf(second);
    };
    await expect.poll(versionsAfterReload).toEqual([expect.stringContaining('.next.js')]);
  });

  test('is rejected if a file is missing: the offline page stays complete', async ({ browser, network }) => {
    const page = await openAt(browser, network);
    await page.goto('/scanner');
    await untilCached(page);
    const before = await versionsOf(page);

    network.loseFile(/read-codes/);
    network.changeBuild();
    await checkForUpdate(page);
    await untilCached(page);
    await network.disconnect();
    await page.reload();
    expect(before[0]).toContain(await entryOf(page));
  });

  test('without a service worker is what everyone gets, with or without cached pages', async ({ browser, network }) => {
    const page = await openAt(browser, network);
    await page.goto('/scanner');
    await untilCached(page);

    network.loseWorker();
    network.changeBuild();
    for (let time = 0; time < 2; time++) {
      await page.reload();
      expect(await entryOf(page)).toContain('.next.js');
    }
  });
});
