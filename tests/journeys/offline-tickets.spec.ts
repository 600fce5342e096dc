import type { Page } from '@playwright/test';
import { checkoutSession } from '#contract/app/checkout.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { ticketCodes } from './buyer-steps.ts';
import { expectReadable } from './journey.ts';
import {
  cachedFiles,
  expect,
  leaveOnlyServiceWorkerCache,
  openAt,
  test,
  untilCached,
  withProfile,
} from './offline-pages.ts';
import { okay } from './public-setup.ts';

const SAVED = 'Saved on this device';
const NO_CONNECTION = 'No connection';
const DAY_MS = 24 * 60 * 60 * 1000;

test.describe('Tickets that were opened once', () => {
  test('open offline at check-in with their codes and the time of the last update', async ({
    browser,
    network,
    stage,
  }) => {
    const { sessionId, numbers } = await stage.sell(2);
    const page = await openAt(browser, network);
    await page.goto(`/success?session_id=${sessionId}`);
    await expect(page.getByText(SAVED, { exact: true })).toBeVisible();
    await expectReadable(page);
    await untilCached(page);
    await network.disconnect();

    await page.reload();
    await expect(ticketCodes(page)).toHaveCount(2);
    await expect(page.getByText(NO_CONNECTION, { exact: true })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: NO_CONNECTION })).toHaveText(`${NO_CONNECTION}. ${SAVED}.`);
    for (const number of numbers) {
      const code = page.getByRole('img', { name: number });
      await code.scrollIntoViewIfNeeded();
      expect(await readQr(await code.screenshot())).toMatchObject([{ text: number }]);
    }
    await expectReadable(page);

    await page.getByRole('button', { name: 'Show at the door' }).first().click();
    await network.reconnect();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(page.getByText(NO_CONNECTION, { exact: true })).toHaveCount(0);
    await expect(page.getByRole('dialog', { name: 'Ticket for the door' })).toBeVisible();
  });

  test('open in a restarted browser without an HTTP cache, and work at once', async ({
    network,
    stage,
    policyReports,
  }) => {
    const { sessionId, numbers } = await stage.sell(2);
    await withProfile(policyReports, async (open) => {
      const before = await open();
      await before.goto(`${network.url}/success?session_id=${sessionId}`);
      await expect(ticketCodes(before)).toHaveCount(2);
      await untilCached(before);
      const address = before.url();
      await leaveOnlyServiceWorkerCache(before);
      await network.disconnect();

      const after = await open();
      await after.goto(address);
      await after.mouse.wheel(0, 300);
      await after.getByRole('button', { name: 'Show at the door' }).first().click();
      const shown = after.getByRole('dialog').getByRole('img', { name: numbers[0] ?? '' });
      expect(await readQr(await shown.screenshot())).toMatchObject([{ text: numbers[0] }]);
      await after.keyboard.press('Escape');
      await expect(ticketCodes(after)).toHaveCount(2);
    });
  });

  test('show after two seconds of a slow connection', async ({ browser, network, stage }) => {
    const { sessionId } = await stage.sell(1);
    const page = await openAt(browser, network);
    await page.goto(`/success?session_id=${sessionId}`);
    await untilCached(page);

    network.hang();
    await page.reload();
    await expect(ticketCodes(page)).toHaveCount(1, { timeout: 10_000 });
    await expect(page.getByText(NO_CONNECTION, { exact: true })).toBeVisible();
  });

  test('update once the server is back: a refunded one is gone', async ({ browser, network, stage }) => {
    const { sessionId, numbers } = await stage.sell(2);
    const [refunded = '', left = ''] = numbers;
    const page = await openAt(browser, network);
    await page.goto(`/success?session_id=${sessionId}`);
    await untilCached(page);
    await network.disconnect();
    await page.reload();
    await expect(ticketCodes(page)).toHaveCount(2);

    okay(await stage.site.call(requestRefund, { eventId: stage.onSale.eventId, confirmationCode: refunded }));
    await network.reconnect();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(ticketCodes(page)).toHaveCount(1);
    // The page shows the answer before it has saved it.
    await expect.poll(() => storedText(page)).not.toContain(refunded);
    await network.disconnect();
    await page.reload();
    await expect(page.getByRole('img', { name: left })).toBeVisible();
    await expect(ticketCodes(page)).toHaveCount(1);

    okay(await stage.site.call(requestRefund, { eventId: stage.onSale.eventId, confirmationCode: left }));
    await network.reconnect();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'This order has been refunded' })).toBeVisible();
    await expect.poll(async () => (await cachedFiles(page))['tickets']).toEqual([]);
  });

  test('open even if saved before tickets had positions', async ({ browser, network, stage }) => {
    const { sessionId, numbers } = await stage.sell(2);
    const page = await openAt(browser, network);
    await page.goto(`/success?session_id=${sessionId}`);
    await expect(page.getByText(SAVED, { exact: true })).toBeVisible();
    await untilCached(page);
    await saveWithoutPositions(page);
    expect(await storedText(page)).not.toContain('position');
    await network.disconnect();

    await page.reload();
    await expect(ticketCodes(page)).toHaveCount(2);
    for (const [index, number] of numbers.entries())
      await expect(page.getByRole('listitem').filter({ hasText: number })).toContainText(`Ticket ${index + 1} of 2`);
    expect((await cachedFiles(page))['tickets']).toHaveLength(1);
  });

  test('can be removed from the device, and stay removed', async ({ browser, network, stage }) => {
    const { sessionId, numbers } = await stage.sell(1);
    const page = await openAt(browser, network);
    await page.goto(`/success?session_id=${sessionId}`);
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Not saved on this device')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Not saved on this device')).toBeVisible();
    await untilCached(page);
    expect(await storedText(page)).not.toContain(numbers[0]);

    await network.disconnect();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Failed to fetch confirmation data' })).toBeVisible();

    await network.reconnect();
    await page.reload();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText(SAVED, { exact: true })).toBeVisible();
    await network.disconnect();
    await page.reload();
    await expect(ticketCodes(page)).toHaveCount(1);
  });

  test('are deleted when such a page opens 30 days after the event', async ({ browser, network, stage }) => {
    const { sessionId } = await stage.sell(1);
    const page = await openAt(browser, network);
    await page.goto(`/success?session_id=${sessionId}`);
    await expect(page.getByText(SAVED, { exact: true })).toBeVisible();
    await untilCached(page);
    const { order } = okay(await stage.site.call(checkoutSession, { sessionId }));
    const until = new Date(order?.openUntil ?? '');
    const lastDay = until.toLocaleDateString('en-US', { timeZone: 'America/Chicago', month: 'short', day: 'numeric' });
    await expect(page.getByText(`Opens offline until ${lastDay}.`)).toBeVisible();
    const ends = new Date(`${stage.onSale.day}T23:00:00-05:00`);
    expect(Math.abs(until.getTime() - ends.getTime() - 30 * DAY_MS)).toBeLessThan(2 * 60 * 60 * 1000);

    const savedCount = async () => (await cachedFiles(page))['tickets']?.length;
    await page.clock.setFixedTime(new Date(until.getTime() - 1000));
    await page.goto('/success');
    await expect(page.getByRole('heading', { level: 1, name: 'No session ID provided' })).toBeVisible();
    expect(await savedCount()).toBe(1);
    await page.clock.setFixedTime(until);
    await page.reload();
    await expect.poll(savedCount).toBe(0);
  });
});

/** All stored tickets as text. */
const storedText = (page: Page) =>
  page.evaluate(async () => {
    const cache = await caches.open('tickets');
    const texts = (await cache.keys()).map(async (address) => (await cache.match(address))?.text());
    return (await Promise.all(texts)).join('\n');
  });

/** Rewrites stored tickets in the format without positions. */
const saveWithoutPositions = (page: Page) =>
  page.evaluate(async () => {
    const cache = await caches.open('tickets');
    for (const address of await cache.keys()) {
      const text = await (await cache.match(address))?.text();
      const old = JSON.parse(text ?? '', (key, value) => (key === 'position' || key === 'of' ? undefined : value));
      await cache.put(address, new Response(JSON.stringify(old)));
    }
  });
