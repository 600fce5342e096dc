import type { Page } from '@playwright/test';
import { demoIn } from './demo.ts';
import { expect, expectReadable, openPage, test } from './journey.ts';
import { logIn } from './organizer-steps.ts';

/** Narrowest screen that WCAG requires: 1280 pixels at 400 % zoom. */
const NARROW = { width: 320, height: 640 };

test.describe('On a narrow screen, in light and dark,', () => {
  test('each public screen is accessible and fits', async ({ browser, product }) => {
    const page = await openPage(browser, product, { viewport: NARROW });
    const { eventUrl } = demoIn(product.output());

    for (const address of ['/', '/register', '/login', '/FAQ', '/legal', '/success', '/nowhere', eventUrl]) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectFits(page);
      await expectReadable(page);
    }

    await page.getByRole('button', { name: 'Add to Cart' }).first().click();
    await expectFits(page);
    await expectReadable(page);
    await page.getByRole('button', { name: 'Checkout' }).first().click();
    await page.waitForURL(/\/sandbox\/pay\//);
    await expectFits(page);
    await expectReadable(page);
  });

  test("the organizer's screens are accessible and fit", async ({ browser, product }) => {
    const page = await openPage(browser, product, { viewport: NARROW });
    const { email, password } = demoIn(product.output());
    await logIn(page, email, password);

    await page.getByRole('button', { name: 'Show Details' }).first().click();
    await page.getByRole('button', { name: 'Show Guest List' }).first().click();
    await expect(page.getByRole('button', { name: 'Resend Ticket' }).first()).toBeVisible();
    await expectFits(page);
    await expectReadable(page);
    for (const dialog of ['Create Event', 'Update Info', 'Add Photos']) {
      await page.getByRole('button', { name: dialog }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectFits(page);
      await expectReadable(page);
      await page.keyboard.press('Escape');
    }
  });
});

/** Nothing overflows to the side. */
async function expectFits(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(NARROW.width);
}
