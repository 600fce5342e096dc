/** An event's photos and guest list. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { checkGuest } from '#contract/app/check-in.ts';
import { downloadGuestList } from '#messages/guests.ts';
import { attendantOf, buyTickets } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, expect, test } from './journey.ts';
import {
  browserOf,
  callsOf,
  closeWindows,
  dialogOf,
  expectFallback,
  expectToasts,
  failing,
  type Organizer,
  openProfile,
  press,
  putOnSale,
  readyOrganizer,
  showDetails,
} from './organizer-page.ts';

let organizer: Organizer;
let event: Awaited<ReturnType<typeof putOnSale>>;
let page: Page;
test.beforeAll(async ({ browser, product }) => {
  organizer = await readyOrganizer(product);
  event = await putOnSale(product, organizer);
  page = await browserOf(organizer, browser, product);
});
test.afterAll(({ browser }) => closeWindows({ browser }));
test.beforeEach(() => openProfile(page));

const picture = async (name: string, background: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .png()
    .toBuffer(),
});

test.describe('Photos', () => {
  test('can be uploaded several at a time [PHOTO-1 PHOTO-2]', async () => {
    await press(page, 'Add Photos');
    const dialog = dialogOf(page, 'Upload Photos');
    const calls = callsOf(page);
    const alert = page.waitForEvent('dialog');
    const pressed = press(page, 'Upload');
    expect((await alert).message()).toBe('Please select files to upload');
    await (await alert).accept();
    await pressed;
    expect(calls).toEqual([]);

    const files = [await picture('red.png', '#c22'), await picture('green.png', '#2c2')];
    await expect(dialog.getByText('Please select files to upload')).toBeVisible();
    await dialog.locator('[name="images"]').setInputFiles(files);
    await expect(dialog.getByText('Please select files to upload')).toHaveCount(0);
    const upload = () => press(page, 'Upload (2)');
    await expectFallback(page, '/api/protected/add-photos', upload, 'Error uploading files');
    await upload();
    await expectToasts(page, ['Photos Uploaded']);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(calls.at(-1)?.address).toBe('POST /api/protected/add-photos');
    expect(calls.at(-1)?.headers['content-type']).toMatch(/^multipart\/form-data/);
  });

  test('can be selected and deleted [PHOTO-3 PHOTO-4]', async () => {
    await press(page, 'Delete Photos');
    const dialog = dialogOf(page, 'Delete Photos');
    const calls = callsOf(page);
    const photos = dialog.getByRole('listitem');
    await expect(photos).toHaveCount(2);
    await press(page, 'Delete Selected');
    await expectToasts(page, ['No photos selected for deletion.']);
    expect(calls).toEqual([]);

    await dialog.getByRole('checkbox', { name: 'Photo 1' }).check();
    const remove = () => press(page, 'Delete Selected (1)');
    const failed = 'Failed to delete selected photos. Please try again.';
    await expectFallback(page, '/api/protected/delete-photos', remove, failed);
    await expect(dialog.getByText('Error deleting photos: Unknown error')).toBeVisible();
    await failing(page, '/api/protected/delete-photos', { msg: 'Locked.' }, async () => {
      await remove();
      await expectToasts(page, [failed]);
      await expect(dialog.getByText('Error deleting photos: Locked.')).toBeVisible();
    });
    await remove();
    await expectToasts(page, ['Selected photos deleted successfully!']);
    expect(calls.at(-1)).toMatchObject({
      address: 'POST /api/protected/delete-photos',
      body: { eventId: event.eventId, photosToDelete: [expect.stringContaining('/photos/')] },
    });
    await press(page, 'Delete Photos');
    await expect(photos).toHaveCount(1);
  });
});

test.describe('The guest list', () => {
  test('shows who checked in, and resends a ticket [GUEST-1 GUEST-2 EVT-2]', async ({ product }) => {
    const site = siteOf(product);
    const email = `guest-${Date.now()}@example.com`;
    const { confirmationData } = await buyTickets(
      site,
      event.eventId,
      [
        { ticketName: 'General admission', quantity: 1 },
        { ticketName: 'Balcony', quantity: 1 },
      ],
      email,
    );
    const [first, second] = confirmationData.map(({ confirmationNumber }) => confirmationNumber);
    if (!first || !second) throw new Error('two tickets were bought');
    const attendant = await attendantOf(site, event.eventId, event.attendantCode);
    await attendant.call(checkGuest, { eventId: event.eventId, confirmationNumber: first });

    await page.reload();
    await showDetails(page);
    await expect(page.getByText('2 tickets sold, $62.50 grossed', { exact: true })).toBeVisible();
    await press(page, 'Show Guest List');
    const row = (number: string) => page.getByRole('row').filter({ hasText: number });
    await expect(row(first)).toContainText(email);
    await expect(row(first).getByText('Yes', { exact: true })).toBeVisible();
    await expect(row(second).getByText('No', { exact: true })).toBeVisible();

    const calls = callsOf(page);
    const resend = () => row(second).getByRole('button', { name: 'Resend Ticket' }).click();
    await expectFallback(page, '/api/protected/resend-ticket', resend, 'Error resending ticket');
    await failing(page, '/api/protected/resend-ticket', { msg: 'Refunded.' }, async () => {
      await resend();
      await expectToasts(page, ['Refunded.']);
    });
    await resend();
    await expectToasts(page, ['Ticket resent successfully']);
    expect(calls.at(-1)).toMatchObject({
      address: 'POST /api/protected/resend-ticket',
      body: { email, confirmationNumber: second },
    });
    await expect(async () => {
      const message = await emailTo(product, email, /./);
      expect(message.text).toContain(second);
      expect(message.text).not.toContain(first);
    }).toPass();

    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: downloadGuestList }).click();
    const file = await downloaded;
    expect(file.suggestedFilename()).toMatch(/^Guests of .+ \d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(lines.find((line) => line.includes(first))).toContain('"Yes"');
    expect(lines.find((line) => line.includes(second))).toContain('"No"');

    await press(page, 'Hide Guest List');
    await expect(page.getByRole('row')).toHaveCount(0);
  });
});
