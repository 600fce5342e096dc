import type { Page } from '@playwright/test';
import { checkoutSession } from '#contract/checkout.ts';
import { requestRefund } from '#contract/refunds.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { ticketCodes } from './buyer-steps.ts';
import { expectReadable } from './journey.ts';
import { expect, keptFiles, test, untilKept, windowAt } from './kept-pages.ts';
import { okay } from './public-stage.ts';

const KEPT = 'Kept on this phone';
const NO_CONNECTION = 'No connection';
const DAY_MS = 24 * 60 * 60 * 1000;

test.describe('Tickets that were seen once', () => {
  test('open at a door without a network, with their codes, and say as of when', async ({ browser, front, stage }) => {
    const { sessionId, numbers } = await stage.sell(2);
    const page = await windowAt(browser, front);
    await page.goto(`/success?session_id=${sessionId}`);
    await expect(page.getByText(KEPT, { exact: true })).toBeVisible();
    await expectReadable(page);
    await untilKept(page);
    await front.goAway();

    await page.reload();
    await expect(ticketCodes(page)).toHaveCount(2);
    await expect(page.getByText(NO_CONNECTION, { exact: true })).toBeVisible();
    for (const number of numbers) {
      const code = page.getByRole('img', { name: number });
      await code.scrollIntoViewIfNeeded();
      expect(await readQr(await code.screenshot())).toMatchObject([{ text: number }]);
    }
    await expectReadable(page);

    await page.getByRole('button', { name: 'Show full screen' }).first().click();
    await front.comeBack();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(page.getByText(NO_CONNECTION, { exact: true })).toHaveCount(0);
    await expect(page.getByRole('dialog', { name: 'Ticket for the door' })).toBeVisible();
  });

  test('are shown after two seconds of a line that is hardly there', async ({ browser, front, stage }) => {
    const { sessionId } = await stage.sell(1);
    const page = await windowAt(browser, front);
    await page.goto(`/success?session_id=${sessionId}`);
    await untilKept(page);

    front.hang();
    await page.reload();
    await expect(ticketCodes(page)).toHaveCount(1, { timeout: 10_000 });
    await expect(page.getByText(NO_CONNECTION, { exact: true })).toBeVisible();
  });

  test('are those of the server again once it can be asked: one that was given back is gone', async ({
    browser,
    front,
    stage,
  }) => {
    const { sessionId, numbers } = await stage.sell(2);
    const [given = '', left = ''] = numbers;
    const page = await windowAt(browser, front);
    await page.goto(`/success?session_id=${sessionId}`);
    await untilKept(page);
    await front.goAway();
    await page.reload();
    await expect(ticketCodes(page)).toHaveCount(2);

    okay(await stage.place.call(requestRefund, { eventId: stage.onSale.eventId, confirmationCode: given }));
    await front.comeBack();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(ticketCodes(page)).toHaveCount(1);
    await front.goAway();
    await page.reload();
    await expect(page.getByRole('img', { name: left })).toBeVisible();
    await expect(ticketCodes(page)).toHaveCount(1);

    okay(await stage.place.call(requestRefund, { eventId: stage.onSale.eventId, confirmationCode: left }));
    await front.comeBack();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'This order has been refunded' })).toBeVisible();
    expect((await keptFiles(page))['tickets']).toEqual([]);
  });

  test('are forgotten when their holder wants it, and stay so', async ({ browser, front, stage }) => {
    const { sessionId, numbers } = await stage.sell(1);
    const page = await windowAt(browser, front);
    await page.goto(`/success?session_id=${sessionId}`);
    await page.getByRole('button', { name: 'Forget' }).click();
    await expect(page.getByText('Not kept on this phone')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Not kept on this phone')).toBeVisible();
    await untilKept(page);
    expect(await storedText(page)).not.toContain(numbers[0]);

    await front.goAway();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Failed to fetch confirmation data' })).toBeVisible();

    await front.comeBack();
    await page.reload();
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await expect(page.getByText(KEPT, { exact: true })).toBeVisible();
    await front.goAway();
    await page.reload();
    await expect(ticketCodes(page)).toHaveCount(1);
  });

  test('go with the first look at such a page from 30 days after the event on', async ({ browser, front, stage }) => {
    const { sessionId } = await stage.sell(1);
    const page = await windowAt(browser, front);
    const openUntil = new Promise<string>((resolve) => {
      page.on('response', async (response) => {
        if (new URL(response.url()).pathname === checkoutSession.path)
          resolve(checkoutSession.reply.parse(await response.json()).order?.openUntil ?? '');
      });
    });
    await page.goto(`/success?session_id=${sessionId}`);
    await expect(page.getByText(KEPT, { exact: true })).toBeVisible();
    await untilKept(page);
    const until = new Date(await openUntil);
    const ends = new Date(`${stage.onSale.day}T23:00:00-05:00`);
    expect(Math.abs(until.getTime() - ends.getTime() - 30 * DAY_MS)).toBeLessThan(2 * 60 * 60 * 1000);

    const kept = async () => (await keptFiles(page))['tickets']?.length;
    await page.clock.setFixedTime(new Date(until.getTime() - 1000));
    await page.goto('/success');
    await expect(page.getByRole('heading', { level: 1, name: 'No session ID provided' })).toBeVisible();
    expect(await kept()).toBe(1);
    await page.clock.setFixedTime(until);
    await page.reload();
    await expect.poll(kept).toBe(0);
  });
});

/** All that is kept of tickets, as text. */
const storedText = (page: Page) =>
  page.evaluate(async () => {
    const cache = await caches.open('tickets');
    const texts = (await cache.keys()).map(async (address) => (await cache.match(address))?.text());
    return (await Promise.all(texts)).join('\n');
  });
