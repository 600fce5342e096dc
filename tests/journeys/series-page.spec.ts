/** The public page of a series: how buyers find another date, and how the organizer finds the page. */
import { editOrganizationPage } from '#contract/app/sales/organizer-page.ts';
import { allDates } from '#messages/sales/event-page.ts';
import { organizerPage, seriesPage as text } from '#messages/sales/organizer-page.ts';
import { shareKit } from '#messages/sales/share-kit.ts';
import { expectOk } from '#tests/support/people.ts';
import { weeklySeries } from '#tests/support/series.ts';
import { expect, expectFits, expectReadable, test } from './journey.ts';
import { expectTabReachesAll, press } from './keyboard.ts';
import { browserOf, closeWindows, newWindow, putOnSale, readyOrganizer } from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const WIDTHS = [320, 1360];
const of = (width: number) => ({ viewport: { width, height: 700 } });

for (const width of WIDTHS)
  test(`a buyer finds another date by keyboard, ${width} pixels wide [SERIES-6]`, async ({ browser, product, db }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer, { title: 'Series Night', venueName: 'The Cooperage' });
    const slug = `series-${width}`;
    expectOk(await organizer.visitor.call(editOrganizationPage, { slug }));
    const { seriesId, dates } = await weeklySeries({ ...organizer, eventId }, 5);
    const [, second = '', third = ''] = dates;
    await db.updateTable('events').set({ subtitle: 'Brass and strings' }).where('id', '=', third).execute();
    await db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', second).execute();

    const visitor = await newWindow(browser, product, of(width));
    await visitor.goto(`/payment/${eventId}`);
    await expect(visitor.getByRole('link', { name: /Brass and strings/ })).toBeVisible();
    await expectFits(visitor);
    await expectReadable(visitor);
    await press(visitor, visitor.getByRole('link', { name: allDates(5) }));
    await expect(visitor).toHaveURL(new RegExp(`/series/${seriesId}$`));
    await expect(visitor.getByRole('heading', { level: 1, name: 'Series Night' })).toBeVisible();
    const rows = visitor
      .locator('main')
      .getByRole('listitem')
      .filter({ has: visitor.getByRole('time') });
    await expect(rows).toHaveCount(6);
    await expect(rows.nth(1)).toContainText(organizerPage.sale.cancelled);
    await expect(rows.nth(2)).toContainText('Brass and strings');
    await expectTabReachesAll(visitor, visitor.locator('main'));
    await expectFits(visitor);
    await expectReadable(visitor);
    const download = visitor.waitForEvent('download');
    await press(visitor, visitor.getByRole('link', { name: organizerPage.calendar }));
    expect((await download).suggestedFilename()).toBe('calendar.ics');
    await press(visitor, rows.nth(2).getByRole('link'));
    await expect(visitor).toHaveURL(new RegExp(`/payment/${third}$`));

    await visitor.goto(`/o/${slug}`);
    await expect(visitor.getByText(organizerPage.more(4))).toBeVisible();
    await expectFits(visitor);
    await expectReadable(visitor);
    await press(visitor, visitor.getByRole('link', { name: 'Series Night' }));
    await expect(visitor).toHaveURL(new RegExp(`/series/${seriesId}$`));
    await press(visitor, visitor.getByRole('link', { name: 'Cooperage Nights' }));
    await expect(visitor).toHaveURL(new RegExp(`/o/${slug}$`));

    const scriptless = await newWindow(browser, product, { ...of(width), javaScriptEnabled: false });
    await scriptless.goto(`/series/${seriesId}`);
    await expect(scriptless.getByRole('link', { name: /day, .* [AP]M/ })).toHaveCount(6);
    await scriptless
      .getByRole('link', { name: /day, .* [AP]M/ })
      .first()
      .click();
    await expect(scriptless).toHaveURL(new RegExp(`/payment/${eventId}$`));
  });

test('an organizer copies the link to the series [SERIES-6]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const { seriesId } = await weeklySeries({ ...organizer, eventId }, 2);
  const page = await browserOf(organizer, browser, product, {
    ...of(320),
    permissions: ['clipboard-write', 'clipboard-read'],
  });
  await page.goto(`/events/${eventId}`);
  await press(page, page.getByRole('button', { name: shareKit.copySeries }));
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${product.url}/series/${seriesId}`);
  await expectFits(page);
  await expectReadable(page);
  await page.getByRole('link', { name: new RegExp(`/series/${seriesId}`) }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Basement Brass' })).toBeVisible();
});

test('a series whose dates are over has none, and an unknown one is not found [SERIES-6]', async ({
  browser,
  product,
  db,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const { seriesId } = await weeklySeries({ ...organizer, eventId }, 1);
  const endsAt = new Date(Date.now() - 1000);
  await db.updateTable('events').set({ startsAt: endsAt, endsAt }).where('seriesId', '=', seriesId).execute();
  const visitor = await newWindow(browser, product, of(320));
  await visitor.goto(`/series/${seriesId}`);
  await expect(visitor.getByText(text.empty)).toBeVisible();
  await expectFits(visitor);
  await expectReadable(visitor);
  const reply = await visitor.goto('/series/AAAAAAAAAAAAAAAA');
  expect(reply?.status()).toBe(404);
});
