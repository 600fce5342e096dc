/** The *Overview* of an event. */
import type { Page } from '@playwright/test';
import { checkGuest } from '#contract/app/check-in.ts';
import { eventOverview } from '#contract/app/records/overview.ts';
import { linkCopied } from '#messages/pages.ts';
import { asTable } from '#messages/records/charts.ts';
import { overview as text } from '#messages/records/overview.ts';
import { eventNotFound } from '#messages/sales/event-page.ts';
import { guestTablePage } from '#messages/sales/guest-table.ts';
import { shareKit } from '#messages/sales/share-kit.ts';
import { sellAt } from '#tests/support/many-guests.ts';
import { attendantOf, buyTickets, codesOf, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectUsable, withOwnProduct } from './journey.ts';
import { press, tabTo } from './keyboard.ts';
import { browserOf, closeWindows, expectToasts, putOnSale, readyOrganizer } from './organizer-page.ts';

const test = withOwnProduct();

test.afterEach(({ browser }) => closeWindows({ browser }));

const DAY = 24 * 60 * 60_000;
const WIDE = { viewport: { width: 1360, height: 900 } };
const NARROW = { viewport: { width: 320, height: 640 } };

const tileOf = (page: Page, label: string) =>
  page
    .locator('dl')
    .filter({ has: page.getByText(label, { exact: true }) })
    .first();

for (const [name, size] of [
  ['320', NARROW],
  ['1360', WIDE],
] as const)
  test(`shows how an event sells, by keyboard at ${name} pixels [OVER-1 OVER-2 OVER-3 OVER-6]`, async ({
    browser,
    product,
    db,
  }) => {
    const site = siteOf(product);
    const organizer = await readyOrganizer(product);
    const { eventId, attendantCode } = await putOnSale(product, organizer, {
      startDate_startTime: new Date(Date.now() + 12 * DAY).toISOString(),
      endDate_endTime: new Date(Date.now() + 12.2 * DAY).toISOString(),
    });
    await sellAt(
      db,
      eventId,
      [8, 8, 7, 5, 3, 1].map((days) => new Date(Date.now() - days * DAY)),
    );
    const order = await buyTickets(site, eventId, generalAdmission(2), `sofia-${name}@example.com`);

    const page = await browserOf(organizer, browser, product, size);
    await page.goto(`/events/${eventId}`);
    await expect(page.getByRole('heading', { name: text.title, level: 1 })).toBeVisible();
    await expect(tileOf(page, text.sold)).toContainText('8');
    await expect(tileOf(page, text.sold)).toContainText(text.today(2));
    await expect(
      page.getByRole('img', { name: /8 of 110 tickets sold since .* At this pace: \d+ by the start\./ }),
    ).toBeVisible();
    await expect(page.getByRole('img', { name: /8 tickets sold\. Best day/ })).toBeVisible();
    await expectUsable(page);

    // The same as a table.
    await press(page, page.getByText(asTable).first());
    const table = page.getByRole('table', { name: text.paceTable });
    await expect(table.getByRole('row')).toHaveCount(7);
    await expect(table.getByRole('row').last().getByRole('cell').last()).toHaveText('8');
    await expectUsable(page);

    // It reads itself again.
    await expect(page.getByRole('listitem').filter({ hasText: 'Sam Buyer' })).toHaveCount(1);
    const door = await attendantOf(site, eventId, attendantCode);
    await door.call(checkGuest, { eventId, confirmationNumber: codesOf(order)[0] ?? '' });
    await expect(tileOf(page, text.checkedIn)).toContainText('1', { timeout: 40_000 });
    await expect(page.getByRole('listitem').filter({ hasText: 'Sam Buyer checked in' })).toBeVisible();

    // Figures open the rows behind them.
    await press(page, tileOf(page, text.checkedIn).getByRole('link'));
    await expect(page.getByRole('heading', { name: guestTablePage.title, level: 1 })).toBeVisible();
    await expect(page.getByText(guestTablePage.found(1))).toBeVisible();
    expect(new URL(page.url()).searchParams.get('state')).toBe('checked-in');
    await page.goBack();
    await press(page, page.getByRole('link', { name: 'Balcony' }));
    await expect(page.getByText(guestTablePage.noHit)).toBeVisible();
  });

test('begins with the share kit, says what needs its organizer, and ends with how it went [KIT-1 OVER-4 OVER-5]', async ({
  browser,
  product,
  db,
}) => {
  const site = siteOf(product);
  const organizer = await readyOrganizer(product);
  const { eventId, attendantCode, eventUrl } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, NARROW);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/events/${eventId}`);
  await expect(page.getByRole('heading', { name: shareKit.firstSale })).toBeVisible();
  await expect(page.getByRole('img', { name: /sold since/ })).toHaveCount(0);
  await expect(page.getByText(text.needs.photos.text)).toBeVisible();
  await press(page, page.getByRole('button', { name: shareKit.copy }).last());
  await expectToasts(page, [linkCopied]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(eventUrl);
  await tabTo(page, page.getByRole('link', { name: new RegExp(shareKit.names.story) }));
  const saved = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await saved).suggestedFilename()).toBe(`${shareKit.file('Basement Brass', 'story')}.png`);
  await expectUsable(page);

  const order = await buyTickets(site, eventId, generalAdmission(3));
  const change = (times: { startsAt: Date; endsAt: Date }) =>
    db.updateTable('events').set(times).where('id', '=', eventId).execute();
  await change({ startsAt: new Date(Date.now() - DAY / 24), endsAt: new Date(Date.now() + DAY / 24) });
  const door = await attendantOf(site, eventId, attendantCode);
  for (const confirmationNumber of codesOf(order).slice(0, 2))
    await door.call(checkGuest, { eventId, confirmationNumber });
  await page.reload();
  await expect(page.getByRole('heading', { name: text.doorTitle })).toBeVisible();
  await expectUsable(page);
  await press(page, page.getByRole('link', { name: text.openDoor }));
  await expect(page).toHaveURL(new RegExp(`/door/${eventId}$`));

  await change({ startsAt: new Date(Date.now() - DAY / 12), endsAt: new Date(Date.now() - 60_000) });
  await page.goto(`/events/${eventId}`);
  await expect(page.getByRole('heading', { name: text.recapTitle })).toBeVisible();
  await expect(tileOf(page, text.came)).toContainText('2');
  await expect(tileOf(page, text.busiest)).toContainText(text.arrivals(2));
  await expectUsable(page);
});

test('says that an event is unknown, and what went wrong', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, NARROW);
  await page.goto('/events/AAAAAAAAAAAAAAAA');
  await expect(page.getByText(eventNotFound)).toBeVisible();
  await page.route(`**${eventOverview.path.replace(':eventId', eventId)}`, (route) => route.abort());
  await page.goto(`/events/${eventId}`);
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unroute(`**${eventOverview.path.replace(':eventId', eventId)}`);
  await press(page, page.getByRole('button', { name: 'Try again' }));
  await expect(page.getByRole('heading', { name: shareKit.firstSale })).toBeVisible();
});
