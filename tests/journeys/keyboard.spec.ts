import type { Locator, Page } from '@playwright/test';
import { ticketCodes } from './buyer-steps.ts';
import { demoIn } from './demo.ts';
import { expect, openPage, test } from './journey.ts';

const MOST_TABS = 60;

test.describe('Without a mouse', () => {
  test('a buyer gets from the event page to a ticket by keyboard alone', async ({ browser, product }) => {
    const page = await openPage(browser, product);
    await page.goto(demoIn(product.output()).eventUrl);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

    await press(page, page.getByRole('button', { name: /Add to Cart/ }).first());
    await press(page, page.getByRole('button', { name: 'Checkout' }).first());
    await page.waitForURL(/\/sandbox\/pay\//);

    await type(page, page.getByLabel('E-mail'), `keys-${Date.now()}@example.com`);
    await type(page, page.getByLabel('Card number'), '4242424242424242');
    await type(page, page.getByLabel('Expiry date'), '1234');
    await type(page, page.getByLabel('Security code'), '123');
    await type(page, page.getByLabel(/^Name/), 'Kim Keys');
    await page.keyboard.press('Enter');

    await page.waitForURL(/\/success\?session_id=/);
    await expect(ticketCodes(page)).toHaveCount(1);
  });

  test('the first Tab offers to skip to the content, and focus can be seen', async ({ browser, product }) => {
    const page = await openPage(browser, product);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

    await page.keyboard.press('Tab');
    const focused = page.locator(':focus-visible');
    await expect(focused).toHaveAccessibleName(/skip/i);
    await expect(focused).toBeInViewport();
  });
});

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(target)} was not reached by ${MOST_TABS} tabs`);
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}
