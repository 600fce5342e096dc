import { payWithCard, ticketCodes } from './buyer-steps.ts';
import { emailTo } from './journey.ts';
import { expect, test } from './public-setup.ts';

test.describe('A buyer without an account', () => {
  test('buys, refunds the ticket, and is no longer admitted [BUY-8 CONF-1 REF-2 DOOR-6]', async ({
    page,
    product,
    stage,
  }) => {
    const { eventId, attendantCode, title } = stage.onSale;
    const email = `refunds-${Date.now()}@example.com`;
    await page.goto(`/payment/${eventId}`);
    await page.getByRole('listitem').filter({ hasText: 'Floor' }).getByRole('button', { name: 'Add to Cart' }).click();
    await page.getByRole('button', { name: 'Checkout' }).first().click();
    await payWithCard(page, email);
    const name = await ticketCodes(page).getAttribute('aria-label');
    const number = /\d{10}/.exec(name ?? '')?.[0] ?? '';

    await page.getByRole('link', { name: 'Event page' }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText('Your cart is empty.')).toBeVisible();
    await page.getByRole('link', { name: 'Request a Refund' }).click();
    await page.getByLabel('Confirmation Code').fill(number);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main').getByRole('status')).toContainText(
      'Your refund request has been accepted. Please allow 3-7 business days for processing.',
    );
    expect((await emailTo(product, email, /^Your \$.* refund for /)).text).toContain(number);

    await page.getByRole('link', { name: 'Back to the event' }).click();
    await page.getByRole('button', { name: 'I am an Attendant' }).click();
    await page.getByLabel('Attendant Code').fill(attendantCode);
    await page.keyboard.press('Enter');
    await page.getByLabel('Confirmation Code').fill(number);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main').getByRole('status')).toContainText('This ticket has been refunded.');
  });
});
