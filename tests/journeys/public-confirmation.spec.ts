import { checkoutSession } from '#contract/app/checkout.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { ticketCodes } from './buyer-steps.ts';
import { emailTo } from './journey.ts';
import { expect, mockCall, skipServerRendering, test } from './public-setup.ts';

const SESSION = checkoutSession.path;

test.describe('The confirmation', () => {
  test('lists each ticket with its number and its code, black on white [CONF-1 CONF-2]', async ({ page, stage }) => {
    const { sessionId, numbers } = await stage.sell(2);
    await page.goto(`/success?session_id=${sessionId}`);
    await expect(ticketCodes(page)).toHaveCount(2);

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const number of numbers) {
        const pass = page.getByRole('article', { name: `Floor, ${number}` });
        await expect(pass.getByText('Floor', { exact: true })).toBeVisible();
        await expect(pass.getByText(number, { exact: true })).toBeVisible();
        const code = pass.getByRole('img', { name: number });
        expect(await code.boundingBox()).toMatchObject({ width: 150, height: 150 });
        expect(await readQr(await code.screenshot())).toEqual([{ text: number, level: 'M' }]);
        await expect(code.locator('rect')).toHaveCSS('fill', 'rgb(255, 255, 255)');
        await expect(code.locator('path')).toHaveCSS('fill', 'rgb(0, 0, 0)');
      }
    }
  });

  test('asks for a session if the address has none [CONF-3]', async ({ page }) => {
    for (const address of ['/success', '/success?session_id=']) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1, name: 'No session ID provided', exact: true })).toBeVisible();
    }
  });

  for (const [what, answer] of [
    ['the connection fails', null],
    ['the server fails', { status: 500 }],
  ] as const) {
    test(`says that it failed when ${what}, and retries on request [CONF-3]`, async ({ page, stage }) => {
      const { sessionId } = await stage.sell(1);
      await mockCall(page, SESSION, answer);
      await skipServerRendering(page, '**/success?*');
      await page.goto(`/success?session_id=${sessionId}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Failed to fetch confirmation data' })).toBeVisible();

      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(ticketCodes(page)).toHaveCount(1);
    });
  }

  test('says why it failed for an unknown session [CONF-3]', async ({ page }) => {
    await page.goto('/success?session_id=cs_test_nobody');
    await expect(page.getByRole('heading', { level: 1, name: 'Failed to fetch confirmation data' })).toBeVisible();
    await expect(page.getByText("We can't find an order for this link.")).toBeVisible();
  });

  const waiting: [status: string, heading: string][] = [
    ['processing', 'Payment received. Printing your tickets…'],
    ['unpaid', "This order isn't paid yet"],
    ['expired', 'This checkout has expired'],
    ['refunded', 'This order has been refunded'],
  ];
  for (const [status, heading] of waiting) {
    test(`has a heading for an order that is ${status} [CONF-1]`, async ({ page }) => {
      const json = { status, confirmationData: [], order: null };
      await mockCall(page, SESSION, { status: 200, json });
      await page.goto('/success?session_id=cs_test_1');
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(ticketCodes(page)).toHaveCount(0);
    });
  }

  test('also comes by email, with number and code [CONF-4]', async ({ page, product, stage }) => {
    const email = `mailed-${Date.now()}@example.com`;
    const { numbers } = await stage.sell(1, email);
    const message = await emailTo(product, email, new RegExp(stage.onSale.title));
    await page.goto(`/sandbox/inbox/${message.id}`);

    expect(message.text).toContain(numbers[0]);
    const picture = page.frameLocator('iframe').getByRole('img', { name: numbers[0] ?? '' });
    expect(await readQr(await picture.screenshot())).toMatchObject([{ text: numbers[0] }]);
  });
});
