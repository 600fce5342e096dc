import type { Page } from '@playwright/test';
import { demoIn } from './demo.ts';
import { expect, expectAccessible, openPage, test } from './journey.ts';
import { dismissToasts } from './organizer-page.ts';
import { logIn } from './organizer-steps.ts';

/** Fails the call without a message, like a proxy or a lost connection. */
async function failing(page: Page, path: string, act: () => Promise<void>): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
  await act();
  await page.unroute(`**${path}`);
}

/** Expects an error toast, and dismisses it with all others. */
async function expectToast(page: Page, message: string): Promise<void> {
  const toast = page.locator('#toasts').getByRole('alert').filter({ hasText: message });
  await expect(toast.getByText(message, { exact: true })).toBeVisible();
  await dismissToasts(page);
}

test('a failed call shows an error and can be repeated [AFF-1 EVT-17 PAY-1 PHOTO-1 PHOTO-2 PHOTO-3 PHOTO-4]', async ({
  browser,
  product,
}) => {
  const page = await openPage(browser, product);
  const { email, password } = demoIn(product.output());
  await logIn(page, email, password);
  const card = page.getByRole('article', { name: 'Basement Brass' });
  const dialog = page.getByRole('dialog');
  const press = (name: string) => card.getByRole('button', { name }).click();

  await failing(page, '/api/protected/requestPayout', async () => {
    await press('Request Payout');
    await expectToast(page, 'Error requesting payout');
  });

  await press('Cancel Event');
  await failing(page, '/api/protected/cancel-event', async () => {
    await dialog.getByLabel('Type the event title to confirm').fill('Basement');
    await dialog.getByRole('button', { name: 'Cancel Event' }).click();
    await expectToast(page, 'Type it exactly as written: Basement Brass');
    await expectAccessible(page);
    await dialog.getByLabel('Type the event title to confirm').fill('Basement Brass');
    await dialog.getByRole('button', { name: 'Cancel Event' }).click();
    await expectToast(page, 'Error cancelling event');
  });
  await dialog.getByRole('button', { name: 'Keep the event' }).click();

  await press('Edit Event');
  await failing(page, '/api/protected/event/*', async () => {
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expectToast(page, 'Submission failed: Unknown error');
    await expectAccessible(page);
  });
  await dialog.getByRole('button', { name: 'Close' }).click();

  await press('Add Photos');
  page.once('dialog', (alert) => {
    expect(alert.message()).toBe('Please select files to upload');
    void alert.accept();
  });
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await failing(page, '/api/protected/add-photos', async () => {
    await dialog.getByLabel('Choose photos').setInputFiles({
      name: 'cellar.png',
      mimeType: 'image/png',
      buffer: DOT,
    });
    await dialog.getByRole('button', { name: 'Upload (1)' }).click();
    await expectToast(page, 'Error uploading files');
  });
  await dialog.getByRole('button', { name: 'Upload (1)' }).click();
  await expect(page.getByText('Photos Uploaded')).toBeVisible();

  await press('Delete Photos');
  await dialog.getByRole('button', { name: 'Delete Selected' }).click();
  await expectToast(page, 'No photos selected for deletion.');
  await dialog.getByRole('checkbox').last().check();
  await failing(page, '/api/protected/delete-photos', async () => {
    await dialog.getByRole('button', { name: 'Delete Selected' }).click();
    await expectToast(page, 'Failed to delete selected photos. Please try again.');
    await expect(dialog.getByText('Error deleting photos: Unknown error')).toBeVisible();
    await expectAccessible(page);
  });
  await dialog.getByRole('button', { name: 'Delete Selected' }).click();
  await expect(page.getByText('Selected photos deleted successfully!')).toBeVisible();

  await page.getByRole('button', { name: 'Affiliate Program' }).click();
  await failing(page, '/api/protected/generate-code', async () => {
    await dialog.getByRole('button', { name: 'Generate Code' }).click();
    await expectToast(page, 'Generation failed: Unknown error');
    await expectAccessible(page);
  });
  await page.context().close();
});

test("the server's error on an edit stays in the form [EVT-6 PROF-4]", async ({ browser, product }) => {
  const page = await openPage(browser, product);
  const { email, password } = demoIn(product.output());
  await logIn(page, email, password);
  const dialog = page.getByRole('dialog');

  await page.getByRole('article', { name: 'Basement Brass' }).getByRole('button', { name: 'Edit Event' }).click();
  await dialog.getByLabel('Quantity').first().fill('1');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByText(/^\d+ General admission tickets are sold or being bought/)).toBeVisible();

  await dialog.getByLabel('Quantity').first().fill('151');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  const updated = page.getByRole('dialog', { name: 'Event Updated' });
  await expect(updated).toBeVisible();
  await expectAccessible(page);
  await updated.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Show Details' }).first().click();
  await expect(page.getByText('Quantity: 151')).toBeVisible();

  await page.getByRole('button', { name: 'Create Event' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(dialog.getByLabel('Title')).toHaveValue('');
  await page.context().close();
});

test('the account screens show errors before and after sending [MAIL-3 MAIL-4 PASS-1 PASS-2 PASS-3 PASS-5 PASS-6]', async ({
  browser,
  product,
}) => {
  const page = await openPage(browser, product);

  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await expectToast(page, 'Email is required.');
  await expectAccessible(page);

  await page.goto('/reset-password/nobody-knows-this-token');
  const [first, second] = [
    page.getByLabel('New Password', { exact: true }),
    page.getByLabel('Confirm New Password', { exact: true }),
  ];
  await first.fill('eleven horns');
  await second.fill('twelve horns');
  await second.press('Enter');
  await expectToast(page, 'Passwords do not match.');
  await first.fill('x'.repeat(301));
  await second.fill('x'.repeat(301));
  await second.press('Enter');
  await expectToast(page, 'Passwords must be 300 characters or less.');
  await first.fill('eleven horns');
  await second.fill('eleven horns');
  await second.press('Enter');
  await expectToast(page, 'An error occurred. Please try again.');
  await expect(page.getByRole('button', { name: /^Show / })).toHaveCount(2);
  await expectAccessible(page);

  const { email, password } = demoIn(product.output());
  await logIn(page, email, password);
  await page.getByRole('link', { name: 'Change Email' }).click();
  await page.getByLabel('New Email').fill('x'.repeat(301));
  await page.getByLabel('New Email').press('Enter');
  await expectToast(page, 'Email must be 300 characters or less.');
  await page.getByLabel('New Email').fill('nobody at all');
  await page.getByLabel('New Email').press('Enter');
  await expectToast(page, 'Email must be a valid email address.');
  await expectAccessible(page);
  await page.getByLabel('New Email').fill('new-door@example.com');
  await page.getByLabel('New Email').press('Enter');
  await expect(page.getByText('Click the link we sent to your new address.').first()).toBeVisible();
  await page.context().close();
});

/** One black pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
);
