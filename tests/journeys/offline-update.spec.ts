import type { Page } from '@playwright/test';
import { cachedFiles, entryOf, expect, openAt, test, untilCached } from './offline-pages.ts';

const versionsOf = async (page: Page) => Object.keys(await cachedFiles(page));

/** Asks as the browser itself does now and then. */
const lookForUpdate = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });

/** A file that the page fetches only later, by its old name. */
const fetchLater = (page: Page, file: string) => page.evaluate(async (path) => (await fetch(path)).status, file);

test.describe('Another build of the product', () => {
  test('takes over by itself, and leaves an open scanner all of its files', async ({ browser, network }) => {
    const page = await openAt(browser, network);
    await page.goto('/scanner');
    await untilCached(page);
    const [old = ''] = await versionsOf(page);
    const later = (await cachedFiles(page))[old]?.find((file) => /read-codes-[\w-]+\.js$/.test(file)) ?? 'none';

    network.changeBuild();
    await lookForUpdate(page);
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

  test('waits with what an old page in another window still needs', async ({ browser, network }) => {
    const open = await openAt(browser, network);
    await open.goto('/scanner');
    await untilCached(open);
    const [old = ''] = await versionsOf(open);
    network.changeBuild();

    const second = await open.context().newPage();
    await second.goto('/scanner');
    await expect.poll(() => versionsOf(second)).toHaveLength(2);
    await second.reload();
    await second.reload();
    expect(await versionsOf(second)).toContain(old);
    expect(await entryOf(second)).toContain('.next.js');

    await open.close();
    // The browser lets go of a closed window's lock a moment later.
    const versionsAfterReload = async () => {
      await second.reload();
      return versionsOf(second);
    };
    await expect.poll(versionsAfterReload).toEqual([expect.stringContaining('.next.js')]);
  });

  test('that lacks a file is not taken: the page that opens without a network stays a whole one', async ({
    browser,
    network,
  }) => {
    const page = await openAt(browser, network);
    await page.goto('/scanner');
    await untilCached(page);
    const before = await versionsOf(page);

    network.loseFile(/read-codes/);
    network.changeBuild();
    await lookForUpdate(page);
    await untilCached(page);
    await network.disconnect();
    await page.reload();
    expect(before[0]).toContain(await entryOf(page));
  });

  test('that knows of no worker is what everybody gets, kept pages or not', async ({ browser, network }) => {
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
