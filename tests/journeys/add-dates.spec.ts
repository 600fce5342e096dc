/** Adding dates to an event, by keyboard alone in a window 320 pixels wide. On a server of its own. */
import { addDatesText } from '#messages/series/add-dates.ts';
import { datesAdded, datesText, seriesFields } from '#messages/series/series.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { eveningIn } from '#tests/support/local-days.ts';
import { clockOf, setClock } from '#tests/support/move-clock.ts';
import { logInAgain } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectFits, expectReadable, withOwnProduct } from './journey.ts';
import { press, tabTo } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  openProfile,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';
import { nightBeforeSkippedHour, threeWeeksBeforeSkippedHour } from './series-dates.ts';

const test = withOwnProduct();

const NARROW = { viewport: { width: 320, height: 640 } };
const title = 'Cellar Strings';

test.afterEach(({ browser }) => closeWindows({ browser }));

test('a weekly event gets its dates, and is one line and one card at home [SERIES-1 SERIES-4 SERIES-7]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer, { title, ...eveningIn(new Date(), 1) });
  await putOnSale(product, organizer, { title: 'Roof Swing' });
  const page = await browserOf(organizer, browser, product, NARROW);
  await openProfile(page);
  const card = page.getByRole('article', { name: title });

  await press(page, card.getByRole('button', { name: addDatesText.title, exact: true }));
  const dialog = dialogOf(page, addDatesText.title);
  const rows = dialog.getByRole('table', { name: addDatesText.preview }).getByRole('row');
  await expect(rows).toHaveCount(9);
  await expectFits(page);
  await expectReadable(page);
  await tabTo(page, dialog.getByLabel(addDatesText.count, { exact: true }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('61');
  await expect(dialog.getByRole('status')).toContainText('60');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('12');
  await expect(rows).toHaveCount(13);
  await press(page, rows.nth(3).getByRole('button'));
  await expect(dialog.getByRole('status')).toContainText(addDatesText.total(11));
  await press(page, dialog.getByRole('button', { name: addDatesText.add(11), exact: true }));
  await expectToasts(page, [datesAdded(11)]);
  await expect(dialog).toBeHidden();

  await expect(card).toHaveCount(1);
  const line = page.getByRole('listitem').filter({ hasText: title }).first();
  await press(page, line.getByRole('button', { name: datesText.open(12, title) }));
  const dates = page.getByRole('list', { name: datesText.title(title) }).getByRole('listitem');
  await expect(dates).toHaveCount(12);
  await expectFits(page);
  await press(page, dates.nth(1).getByRole('link'));
  await expect(page.getByText(datesText.position(2, 12))).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
  await press(page, page.getByRole('link', { name: datesText.previous }));
  await expect(page.getByText(datesText.position(1, 12))).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/events/${eventId}$`));
  await press(page, page.getByRole('link', { name: 'Dates', exact: true }));
  await expect(page.getByRole('row')).toHaveCount(13);
  await expectReadable(page);

  await openProfile(page);
  await press(page, card.getByRole('button', { name: 'Edit Event', exact: true }));
  await tabTo(page, dialogOf(page, 'Edit Event').getByLabel(seriesFields.subtitle));
});

test('a skipped hour is marked before anything is made, and the date gets another time [SERIES-3]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  await setClock(product.sandboxUrl, threeWeeksBeforeSkippedHour(new Date()));
  await logInAgain(organizer);
  const now = clockOf(product.sandboxUrl);
  const { eventId } = await newDraft(siteOf(product), organizer, { title, ...nightBeforeSkippedHour(now, 2) });
  const page = await browserOf(organizer, browser, product, NARROW);
  await page.clock.setFixedTime(now);
  await page.goto(`/events/${eventId}`);
  await press(page, page.getByRole('button', { name: addDatesText.title, exact: true }));
  const dialog = dialogOf(page, addDatesText.title);
  const note = dialog.getByText(addDatesText.notes['skipped-hour']);
  await expect(note).toHaveCount(1);
  await expectFits(page);
  await expectReadable(page);

  await press(page, dialog.getByRole('button', { name: addDatesText.add(8), exact: true }));
  await expectToasts(page, [addDatesText.denied(1)]);
  await dialog.locator('input[type="time"]').fill('03:30');
  await expect(note).toHaveCount(0);
  await press(page, dialog.getByRole('button', { name: addDatesText.add(8), exact: true }));
  await expectToasts(page, [datesAdded(8)]);
  await expect(page.getByText(datesText.position(1, 9))).toBeVisible();

  await openProfile(page);
  const card = page.getByRole('article', { name: title });
  await press(page, card.getByRole('button', { name: 'Publish', exact: true }));
  await press(page, page.getByRole('button', { name: datesText.publishAll(9) }));
  await expectToasts(page, [datesText.allPublished]);
});
