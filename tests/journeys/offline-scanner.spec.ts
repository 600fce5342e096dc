import type { Page } from '@playwright/test';
import { answer, checkByHand } from './check-in-steps.ts';
import {
  cachedFiles,
  expect,
  leaveOnlyServiceWorkerCache,
  openAt,
  test,
  untilCached,
  withProfile,
} from './offline-pages.ts';
import { toasts } from './public-setup.ts';

const DECODER = /zxing_reader-[\w-]{7}\.wasm$/;

/** Expects the complete scanner page: styles, fonts and the decoder. */
async function expectWhole(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Which event?' })).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  const fonts = await page.evaluate(async () => {
    await document.fonts.ready;
    const loaded = [...document.fonts].filter(({ status }) => status === 'loaded');
    return loaded.map(({ family }) => family.replaceAll('"', ''));
  });
  expect(fonts).toEqual(expect.arrayContaining(['Bricolage Grotesque', 'Instrument Sans']));
  expect(await decoderOf(page)).toBe('WebAssembly');
}

/** Fetches and compiles the decoder as the scanner does. */
async function decoderOf(page: Page): Promise<string> {
  const files = Object.values(await cachedFiles(page)).flat();
  const address = files.find((file) => DECODER.test(file)) ?? 'none';
  return page.evaluate(async (url) => {
    const compiled = await WebAssembly.compileStreaming(fetch(url));
    return Object.prototype.toString.call(compiled).slice(8, -8);
  }, address);
}

test.describe('The scanner', () => {
  test('opens offline with styles, fonts and the decoder', async ({ browser, network }) => {
    const page = await openAt(browser, network);
    await page.goto('/scanner');
    await untilCached(page);
    await network.disconnect();

    await page.reload();
    await expectWhole(page);
    await page.goto('/scanner?event=AAAAAAAAAAAAAAAA');
    await expect(page.getByLabel('Attendant Code')).toBeVisible();
  });

  test('opens offline in a restarted browser without an HTTP cache, and works at once', async ({
    network,
    stage,
    policyReports,
  }) => {
    const { numbers } = await stage.sell(2);
    const [first = '', second = ''] = numbers;
    await withProfile(policyReports, async (open) => {
      const before = await open();
      await before.goto(`${network.url}/scanner?event=${stage.onSale.eventId}`);
      await before.getByLabel('Attendant Code').fill(stage.onSale.attendantCode);
      await before.getByRole('button', { name: 'Open the scanner' }).click();
      await expect(before.getByText(/, online, list from/)).toBeVisible();
      await untilCached(before);
      await leaveOnlyServiceWorkerCache(before);
      await network.disconnect();

      const after = await open();
      await after.goto(`${network.url}/scanner?event=${stage.onSale.eventId}`);
      await checkByHand(after, first);
      await expect(answer(after)).toContainText('Let them in · saved offline: Floor.');
      await checkByHand(after, first);
      await expect(answer(after)).toContainText('Already in');
      await expect(toasts(after).first()).toBeVisible();
      await checkByHand(after, second);
      await expect(answer(after)).toContainText('Let them in · saved offline: Floor.');
      expect(await decoderOf(after)).toBe('WebAssembly');
    });
  });

  test('does not wait long for a slow connection or a failing server', async ({ browser, network }) => {
    const page = await openAt(browser, network);
    await page.goto('/scanner');
    await untilCached(page);

    network.hang();
    const startedAt = Date.now();
    await page.reload();
    await expectWhole(page);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    await network.reconnect();
    network.fail();
    await page.reload();
    await expectWhole(page);
  });

  test('can be installed: the browser reports no errors', async ({ network, policyReports }) => {
    // Incognito contexts cannot install apps.
    await withProfile(policyReports, async (open) => {
      const page = await open();
      await page.goto(`${network.url}/scanner`);
      await untilCached(page);
      const session = await page.context().newCDPSession(page);

      await expect(async () => {
        const { url, errors, data } = await session.send('Page.getAppManifest');
        expect([url, errors]).toEqual([`${network.url}/manifest.webmanifest`, []]);
        expect(JSON.parse(data ?? '{}')).toMatchObject({ start_url: '/scanner', scope: '/', display: 'standalone' });
      }).toPass();
      expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
    });
  });

  test('starts with the event where it was installed, even with separate storage', async ({
    browser,
    network,
    stage,
  }) => {
    const { eventId, title } = stage.onSale;
    const page = await openAt(browser, network);
    await page.goto(`/scanner?event=${eventId}`);
    const manifest = page.locator('link[rel="manifest"]');
    await expect(manifest).toHaveAttribute('href', `/manifest.webmanifest?event=${eventId}`);
    const reply = await page.request.get((await manifest.getAttribute('href')) ?? '');
    const installed: { start_url: string } = await reply.json();

    const app = await openAt(browser, network);
    await app.goto(installed.start_url);
    await expect(app.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(app.getByLabel('Attendant Code')).toBeVisible();
    await expect(app).toHaveURL(/\?event=/);
  });

  test('caches only files and its own page, and leaves every other page without a service worker', async ({
    browser,
    network,
    stage,
  }) => {
    const page = await openAt(browser, network);
    await page.goto('/scanner');
    await untilCached(page);
    await page.reload();
    const cached = Object.values(await cachedFiles(page)).flat();
    expect(cached).toContain('/scanner');
    expect(cached.filter((path) => !/^\/static\/[^?]+$/.test(path))).toEqual(['/scanner']);

    for (const path of ['/', `/payment/${stage.onSale.eventId}`, '/login', '/FAQ']) {
      await page.goto(path);
      expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
      expect(await page.locator('link[rel="manifest"]').count()).toBe(0);
    }
  });
});
