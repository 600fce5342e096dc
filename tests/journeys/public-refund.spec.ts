import type { Page } from '@playwright/test';
import { checkGuest } from '#contract/app/check-in.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { instantOf } from '#domain/local-time.ts';
import { attendantOf } from '#tests/support/people.ts';
import { expect, mockCall, okay, sentTo, test, toasts } from './public-setup.ts';

const REFUND = requestRefund.path;
const ACCEPTED = 'Your refund request has been accepted. Please allow 3-7 business days for processing.';

const code = (page: Page) => page.getByLabel('Confirmation Code');
const honeypot = (page: Page) => page.locator('input[name="honeypot"]');
const submit = (page: Page) => page.getByRole('button', { name: 'Request a Refund' }).click();

async function submitRefund(page: Page, eventId: string, number: string): Promise<void> {
  await page.goto(`/refund/${eventId}`);
  await code(page).fill(number);
  await submit(page);
}

test.describe('The refund form', () => {
  test('takes one code of at most ten characters, sends it, and says what happens next [REF-1 REF-2]', async ({
    page,
    stage,
  }) => {
    const { eventId } = stage.onSale;
    const { numbers } = await stage.sell(1);
    const [number = ''] = numbers;
    await page.goto(`/refund/${eventId}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Request a Refund' })).toBeVisible();
    await expect(code(page)).toHaveAttribute('maxlength', '10');
    await code(page).pressSequentially(`${number}77`);
    await expect(code(page)).toHaveValue(number);
    await expect(honeypot(page)).not.toBeInViewport();
    const body = await sentTo(page, REFUND, () => submit(page));

    expect(body).toMatchObject({ confirmationCode: number, eventId });
    await expect(page.getByRole('main').getByRole('status').getByText(ACCEPTED, { exact: true })).toBeVisible();
    await expect(code(page)).toHaveCount(0);
    await page.getByRole('link', { name: 'Back to the event' }).click();
    await expect(page.getByRole('heading', { level: 1, name: stage.onSale.title })).toBeVisible();

    await submitRefund(page, eventId, number);
    await expect(toasts(page)).toHaveText(['This ticket has already been refunded.']);
  });

  test('sends nothing with a filled honeypot or without exactly ten digits [REF-3]', async ({ page, stage }) => {
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.goto(`/refund/${stage.onSale.eventId}`);
    for (const wrong of ['', '123456789', '12345o7890']) {
      await code(page).fill(wrong);
      await submit(page);
      await expect(toasts(page)).toHaveText(['Confirmation code must be exactly 10 digits.']);
      await expect(code(page)).toHaveAttribute('aria-invalid', 'true');
      await page.keyboard.press('Escape');
      await expect(toasts(page)).toHaveCount(0);
    }

    await code(page).fill('1234567890');
    await honeypot(page).evaluate((field: HTMLInputElement) => {
      field.value = 'https://spam.example';
    });
    await submit(page);
    await expect(toasts(page)).toHaveText(['Spam submission detected.']);
    await page.keyboard.press('Escape');
    await expect(toasts(page)).toHaveCount(0);

    await code(page).fill('123');
    await submit(page);
    await expect(toasts(page)).toHaveText([
      'Spam submission detected.',
      'Confirmation code must be exactly 10 digits.',
    ]);
    expect(sent).toEqual([]);
  });

  test('says which rule denies a refund: scanned, closed or unknown [REF-4 REF-5]', async ({ page, stage }) => {
    const { eventId, attendantCode } = stage.onSale;
    const { numbers } = await stage.sell(1);
    const [scanned = ''] = numbers;
    const door = await attendantOf(stage.site, eventId, attendantCode);
    okay(await door.call(checkGuest, { eventId, confirmationNumber: scanned }));

    for (const [number, msg] of [
      [scanned, "This ticket was scanned at the door, so it can't be refunded."],
      ['1000000001', "We can't find that code for this event."],
    ] as const) {
      await submitRefund(page, eventId, number);
      await expect(toasts(page)).toHaveText([msg]);
      // The toast goes; the field's message stays until the code is changed.
      await page.keyboard.press('Escape');
      await expect(toasts(page)).toHaveCount(0);
      await expect(code(page)).toHaveAccessibleDescription(new RegExp(msg));
      await expect(page.getByRole('main').getByText(msg, { exact: true })).toBeVisible();
      await expect(code(page)).toBeFocused();
      await code(page).press('Backspace');
      await expect(page.getByRole('main').getByText(msg, { exact: true })).toHaveCount(0);
    }
    await submitRefund(page, stage.ended.eventId, stage.ended.confirmationNumber);
    await expect(toasts(page)).toHaveText(['Refunds close 24 hours after the event ends.']);
    await expect(page.getByText('Refunds are closed')).toBeVisible();
  });

  test("says when refunds close, in the event's time zone [REF-4]", async ({ page, stage }) => {
    await page.goto(`/refund/${stage.onSale.eventId}`);
    const closes = page.getByRole('main').locator('time');
    const timeZone = 'America/Chicago';
    const ends = Number(instantOf(`${stage.onSale.day}T23:00`, timeZone, 'earlier'));
    const text = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'long', timeStyle: 'short' });

    await expect(closes).toContainText(`${text.format(ends + 24 * 60 * 60 * 1000)} C`);
  });

  test('accepts a ticket of a cancelled event, which is refunded automatically [REF-2]', async ({ page, stage }) => {
    const { eventId, confirmationNumber } = stage.cancelled;
    await page.goto(`/payment/${eventId}`);
    await page.getByRole('link', { name: 'Request a Refund' }).click();
    await expect(page.getByText('This event was cancelled')).toBeVisible();
    await code(page).fill(confirmationNumber);
    await submit(page);

    await expect(page.getByRole('main').getByRole('status').getByText(ACCEPTED, { exact: true })).toBeVisible();
  });

  test('does not mention a card for a free ticket [REF-2]', async ({ page, stage }) => {
    const msg = "Ticket canceled. It was free, so there's nothing to refund.";
    await mockCall(page, REFUND, { status: 200, json: { msg, amount: 0 } });
    await submitRefund(page, stage.onSale.eventId, '1000000001');

    const message = page.getByRole('main').getByRole('status');
    await expect(message.getByText(msg, { exact: true })).toBeVisible();
    await expect(message).not.toContainText(/card|days/);
    await expect(message).toContainText('no longer works');
  });

  test("shows the server's message, or its own without one [REF-5]", async ({ page, stage }) => {
    const { eventId } = stage.onSale;
    await mockCall(page, REFUND, { status: 409, json: { msg: 'The bank is closed today.' } });
    await submitRefund(page, eventId, '1000000001');
    await expect(toasts(page)).toHaveText(['The bank is closed today.']);
    await page.unrouteAll();

    for (const answer of [{ status: 500 }, null]) {
      await mockCall(page, REFUND, answer);
      await submitRefund(page, eventId, '1000000001');
      await expect(toasts(page)).toHaveText(['Something went wrong please contact support.']);
      await expect(code(page)).toHaveValue('1000000001');
      await page.unrouteAll();
    }
  });
});
