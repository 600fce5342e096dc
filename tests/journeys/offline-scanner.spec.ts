import type { Page } from '@playwright/test';
import { answer, checkByHand } from './door-steps.ts';
import { expect, keptFiles, leaveOnlyKeptFiles, test, untilKept, windowAt, withProfile } from './kept-pages.ts';
import { toasts } from './public-stage.ts';

const DECODER = /zxing_reader-[\w-]{8}\.wasm$/;

/** The scanner's page with all that makes it one: its look, its letters, and the decoder, none of which is there by chance. */
async function expectWhole(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Which event?' })).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  const letters = await page.evaluate(async () => {
    await document.fonts.ready;
    const loaded = [...document.fonts].filter(({ status }) => status === 'loaded');
    return loaded.map(({ family }) => family.replaceAll('"', ''));
  });
  expect(letters).toEqual(expect.arrayContaining(['Bricolage Grotesque', 'Instrument Sans']));
  expect(await decoderOf(page)).toBe('WebAssembly');
}

/** Fetches the decoder as the scanner does, and lets the browser read it. */
async function decoderOf(page: Page): Promise<string> {
  const files = Object.values(await keptFiles(page)).flat();
  const address = files.find((file) => DECODER.test(file)) ?? 'none';
  return page.evaluate(async (url) => {
    const compiled = await WebAssembly.compileStreaming(fetch(url));
    return Object.prototype.toString.call(compiled).slice(8, -8);
  }, address);
}

test.describe('The scanner', () => {
  test('opens again without a network: with its styles, its letters and the decoder', async ({ browser, front }) => {
    const page = await windowAt(browser, front);
    await page.goto('/scanner');
    await untilKept(page);
    await front.goAway();

    await page.reload();
    await expectWhole(page);
    await page.goto('/scanner?event=AAAAAAAAAAAAAAAA');
    await expect(page.getByLabel('Attendant Code')).toBeVisible();
  });

  test('opens without a network in a browser that was closed and has no other cache, and is used at once', async ({
    front,
    stage,
    policyReports,
  }) => {
    const { numbers } = await stage.sell(2);
    const [first = '', second = ''] = numbers;
    await withProfile(policyReports, async (open) => {
      const before = await open();
      await before.goto(`${front.url}/scanner?event=${stage.onSale.eventId}`);
      await before.getByLabel('Attendant Code').fill(stage.onSale.attendantCode);
      await before.getByRole('button', { name: 'Open the scanner' }).click();
      await expect(before.getByText(/, online, list from/)).toBeVisible();
      await untilKept(before);
      await leaveOnlyKeptFiles(before);
      await front.goAway();

      const after = await open();
      await after.goto(`${front.url}/scanner?event=${stage.onSale.eventId}`);
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

  test('does not wait long for a line that is hardly there, nor for a server that is down', async ({
    browser,
    front,
  }) => {
    const page = await windowAt(browser, front);
    await page.goto('/scanner');
    await untilKept(page);

    front.hang();
    const startedAt = Date.now();
    await page.reload();
    await expectWhole(page);
    expect(Date.now() - startedAt).toBeLessThan(8000);
    await front.comeBack();
    front.breakDown();
    await page.reload();
    await expectWhole(page);
  });

  test('can be installed: the browser finds nothing missing', async ({ front, policyReports }) => {
    // Windows without a profile install nothing.
    await withProfile(policyReports, async (open) => {
      const page = await open();
      await page.goto(`${front.url}/scanner`);
      await untilKept(page);
      const session = await page.context().newCDPSession(page);

      await expect(async () => {
        const { url, errors, data } = await session.send('Page.getAppManifest');
        expect([url, errors]).toEqual([`${front.url}/manifest.webmanifest`, []]);
        expect(JSON.parse(data ?? '{}')).toMatchObject({ start_url: '/scanner', scope: '/', display: 'standalone' });
      }).toPass();
      expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
    });
  });

  test('starts at the door where it was installed, also with a storage of its own', async ({
    browser,
    front,
    stage,
  }) => {
    const { eventId, title } = stage.onSale;
    const page = await windowAt(browser, front);
    await page.goto(`/scanner?event=${eventId}`);
    const manifest = page.locator('link[rel="manifest"]');
    await expect(manifest).toHaveAttribute('href', `/manifest.webmanifest?event=${eventId}`);
    const reply = await page.request.get((await manifest.getAttribute('href')) ?? '');
    const installed: { start_url: string } = await reply.json();

    const app = await windowAt(browser, front);
    await app.goto(installed.start_url);
    await expect(app.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(app.getByLabel('Attendant Code')).toBeVisible();
    await expect(app).toHaveURL(/\?event=/);
  });

  test('keeps files and its page only, and leaves every other page without a worker', async ({
    browser,
    front,
    stage,
  }) => {
    const page = await windowAt(browser, front);
    await page.goto('/scanner');
    await untilKept(page);
    await page.reload();
    const kept = Object.values(await keptFiles(page)).flat();
    expect(kept).toContain('/scanner');
    expect(kept.filter((path) => !/^\/static\/[^?]+$/.test(path))).toEqual(['/scanner']);

    for (const path of ['/', `/payment/${stage.onSale.eventId}`, '/login', '/FAQ']) {
      await page.goto(path);
      expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
      expect(await page.locator('link[rel="manifest"]').count()).toBe(0);
    }
  });
});
