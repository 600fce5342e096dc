/** The doors of an event, as the organizer sees them: before, during, and on paper. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { livelyView, quietView, serveView, VIEW_PATH } from '../journeys/door-evening.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { LOOKS, settingsOf, take } from './picture.ts';

/** A quarter to eight in the evening, at the place of the event. */
const EVENING = new Date('2027-06-11T23:48:23Z');
const tonight = { startDate_startTime: '2027-06-11T20:00', endDate_endTime: '2027-06-11T23:30' };

for (const look of LOOKS) {
  test(`the doors, ${look.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer, tonight);
    const page = await browserOf(organizer, browser, product, settingsOf(look));
    const doors = `/door/${eventId}`;
    const figures = page.getByRole('region', { name: 'Totals' });

    await serveView(page, () => quietView(EVENING));
    await page.goto(doors);
    await expect(figures).toBeVisible();
    await take(page, `${look.name}/doors-empty`);
    await page.unroute(VIEW_PATH);

    await serveView(page, () => livelyView(EVENING));
    await page.goto(doors);
    await expect(figures).toBeVisible();
    await take(page, `${look.name}/doors`);
    await page.getByRole('button', { name: 'Remove Balcony stairs' }).click();
    await take(page, `${look.name}/doors-remove`);
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Include the attendant code' }).check();
    await page.getByRole('button', { name: 'Show preview' }).click();
    await page.getByRole('article', { name: 'Door guide' }).scrollIntoViewIfNeeded();
    await take(page, `${look.name}/doors-guide`);

    const paper = join(import.meta.dirname, '../../screenshots', look.name);
    await mkdir(paper, { recursive: true });
    for (const format of ['A4', 'Letter'])
      await writeFile(join(paper, `door-guide-${format}.pdf`), await page.pdf({ format, printBackground: false }));
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1030 });
    await take(page, `${look.name}/doors-guide-print`);
    await page.context().close();
  });
}
