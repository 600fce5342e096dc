/** Editing and cancelling several dates of a series. */
import { saveAndEmail } from '#messages/events.ts';
import { seriesDates, seriesScope } from '#messages/series/series-changes.ts';
import { buyTickets, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, closeWindows, openProfile, readyOrganizer } from '../journeys/organizer-page.ts';
import { putWeeklyOnSale } from '../journeys/weekly.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`dates of a series, ${variant.name}`, async ({ browser, product }) => {
    const site = siteOf(product);
    const organizer = await readyOrganizer(product);
    const [first = '', second = '', third = ''] = await putWeeklyOnSale(product, organizer, 5);
    await buyTickets(site, second, generalAdmission(1));
    await buyTickets(site, third, generalAdmission(3));
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await openProfile(page);
    await page.getByRole('button', { name: 'Edit Event' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Street').fill('12 Attic Ave');
    await dialog.getByLabel('Quantity').first().fill('2');
    await dialog.getByRole('radio', { name: seriesScope.later(5) }).check();
    await take(page, `${variant.name}/series-scope`);
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await take(page, `${variant.name}/series-emails`);
    await dialog.getByRole('button', { name: saveAndEmail }).click();
    await expect(dialog.getByText(seriesDates.done(5, 1))).toBeVisible();
    await take(page, `${variant.name}/series-result`);
    await page.goto(`/events/${first}/dates`);
    await expect(page.getByRole('row')).toHaveCount(6);
    await take(page, `${variant.name}/series-dates`, true);
    await page.getByRole('button', { name: seriesDates.cancel }).click();
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible();
    await take(page, `${variant.name}/series-cancel`);
  });
