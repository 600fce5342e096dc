import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { browserOf, dialogOf, newAccount, openProfile, press } from './organizer-page.ts';

/** Scans as the scanner stores them, see src/web/scanner. Synced scans have no number. */
const scan = (ticketKey: number, confirmationNumber: string | null) => ({
  eventId: 'AAAAAAAAAAAAAAAA',
  ticketKey,
  confirmationNumber,
});

const storeScans = (page: Page, scans: readonly object[]) =>
  page.evaluate(
    (rows) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('door', 1);
        opening.onupgradeneeded = () =>
          opening.result.createObjectStore('scans', { keyPath: ['eventId', 'ticketKey'] });
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const writing = opening.result.transaction('scans', 'readwrite');
          for (const each of rows) writing.objectStore('scans').put(each);
          writing.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    scans,
  );

const databases = (page: Page) => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));

test.describe('Logging out of a browser that scanned offline', () => {
  test('asks first while scans wait for their sync, and loses none of them', async ({ browser, product }) => {
    const page = await browserOf(await newAccount(product), browser, product);
    await openProfile(page);
    await storeScans(page, [scan(1, '1234567890'), scan(2, '1234567891'), scan(3, null)]);

    for (const [button, asked] of [
      ['Logout', 'Unsynced scans'],
      ['Delete Account', 'Unsynced scans'],
    ] as const) {
      await press(page, button);
      await expect(dialogOf(page, asked)).toContainText("2 check-ins made offline in this browser haven't synced");
      await press(page, 'Not now');
      await expect(dialogOf(page, asked)).toHaveCount(0);
    }
    expect(await databases(page)).toEqual(['door']);
    expect(new URL(page.url()).pathname).toBe('/profile');

    await press(page, 'Logout');
    await press(page, 'Continue anyway');
    await page.waitForURL('/login');
    expect(await databases(page)).toEqual([]);
  });

  test('does not ask if all scans are synced, and creates no database', async ({ browser, product }) => {
    const organizer = await newAccount(product);
    const page = await browserOf(organizer, browser, product);
    await openProfile(page);
    await press(page, 'Delete Account');
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await databases(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await storeScans(page, [scan(1, null)]);
    await press(page, 'Logout');
    await page.waitForURL('/login');
  });
});
