/** The organizer's check-in page: before, during, and printed. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { busyView, emptyView, serveView, VIEW_PATH } from '../journeys/check-in-views.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

/** 7:48 PM at the event. */
const EVENING = new Date('2031-06-13T23:48:23Z');
const tonight = { startDate_startTime: '2031-06-13T20:00', endDate_endTime: '2031-06-13T23:30' };

for (const variant of VARIANTS) {
  test(`the check-in page, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer, tonight);
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    const path = `/door/${eventId}`;
    const totals = page.getByRole('region', { name: 'Totals' });

    await serveView(page, () => emptyView(EVENING));
    await page.goto(path);
    await expect(totals).toBeVisible();
    await take(page, `${variant.name}/doors-empty`);
    await page.unroute(VIEW_PATH);

    await serveView(page, () => busyView(EVENING));
    await page.goto(path);
    await expect(totals).toBeVisible();
    await take(page, `${variant.name}/doors`);
    await page.getByRole('button', { name: 'Remove Balcony stairs' }).click();
    await take(page, `${variant.name}/doors-remove`);
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Include the attendant code' }).check();
    await page.getByRole('button', { name: 'Show preview' }).click();
    await page.getByRole('article', { name: 'Door guide' }).scrollIntoViewIfNeeded();
    await take(page, `${variant.name}/doors-guide`);

    const folder = join(import.meta.dirname, '../../screenshots', variant.name);
    await mkdir(folder, { recursive: true });
    for (const format of ['A4', 'Letter'])
      await writeFile(join(folder, `door-guide-${format}.pdf`), await page.pdf({ format, printBackground: false }));
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1030 });
    await take(page, `${variant.name}/doors-guide-print`);
    await page.context().close();
  });
}
