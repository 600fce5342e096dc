/** Editing and cancelling several dates of a series. */
import { errorText } from '#messages/errors.ts';
import { saveAndEmail } from '#messages/events.ts';
import { eventTabs } from '#messages/records/workspace.ts';
import { seriesDates, seriesScope } from '#messages/series/series-changes.ts';
import { buyTickets, emailsTo, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectFits, expectReadable, test } from './journey.ts';
import { press, tabTo } from './keyboard.ts';
import { browserOf, closeWindows, memberOf, openProfile, readyOrganizer } from './organizer-page.ts';
import { putWeeklyOnSale } from './weekly.ts';

const NARROW = { width: 320, height: 640 };
const TITLE = 'Basement Brass';

test.afterEach(({ browser }) => closeWindows({ browser }));

test('edits this and later dates by keyboard at 320 pixels, says whom it emails, and lists what became of each [SERIES-5 LIFE-9]', async ({
  browser,
  product,
}) => {
  const site = siteOf(product);
  const organizer = await readyOrganizer(product);
  const [, second = '', crowded = '', last = ''] = await putWeeklyOnSale(product, organizer, 4);
  await buyTickets(site, second, generalAdmission(1), 'ann@example.com');
  await buyTickets(site, crowded, generalAdmission(3), 'crowd@example.com');
  await buyTickets(site, last, generalAdmission(1), 'last@example.com');
  const page = await browserOf(organizer, browser, product, { viewport: NARROW });
  await openProfile(page);
  await page.getByRole('article', { name: TITLE }).first().getByRole('button', { name: 'Edit Event' }).click();

  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Street').fill('12 Attic Ave');
  await dialog.getByLabel('Quantity').first().fill('2');
  const later = dialog.getByRole('radio', { name: seriesScope.later(4) });
  await tabTo(page, dialog.getByRole('radio', { name: seriesScope.own }));
  await page.keyboard.press('ArrowDown');
  await expect(later).toBeChecked();
  await expectFits(page);
  await expectReadable(page);
  await press(page, dialog.getByRole('button', { name: 'Save Changes' }));
  const question = errorText('series-change.emails-buyers', { buyers: 2, dates: 2, about: 'venue' });
  await expect(dialog.getByRole('alert')).toContainText(question);
  expect(await emailsTo(site, 'ann@example.com')).toHaveLength(1);
  await press(page, dialog.getByRole('button', { name: saveAndEmail }));

  await expect(dialog.getByText(seriesDates.done(4, 1))).toBeVisible();
  const rows = dialog.getByRole('row');
  await expect(rows.filter({ hasText: seriesDates.states.updated })).toHaveCount(3);
  await expect(rows.filter({ hasText: seriesDates.states.denied })).toContainText(
    errorText('edit.quantity-below-sold', { name: 'General admission', reserved: 3 }),
  );
  await expectFits(page);
  await expectReadable(page);
  for (const address of ['ann@example.com', 'last@example.com']) expect(await emailsTo(site, address)).toHaveLength(2);
  expect(await emailsTo(site, 'crowd@example.com')).toHaveLength(1);

  await press(page, dialog.getByRole('link', { name: seriesDates.see }));
  await expect(page.getByRole('heading', { level: 1, name: eventTabs.dates })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: seriesDates.states.denied })).toHaveCount(1);
  await expectFits(page);
  await expectReadable(page);
  await press(page, page.getByRole('row').getByRole('link').first());
  await expect(page).toHaveURL(new RegExp(`/events/${second}$`));
});

test('cancels all coming dates after their title was typed, with what it refunds [SERIES-5]', async ({
  browser,
  product,
}) => {
  const site = siteOf(product);
  const organizer = await readyOrganizer(product);
  const [first = '', second = ''] = await putWeeklyOnSale(product, organizer, 3);
  await buyTickets(site, second, generalAdmission(2), 'ben@example.com');
  const editor = await memberOf(product, organizer, 'editor');
  const other = await browserOf(editor, browser, product);
  await other.goto(`/events/${first}/dates`);
  await expect(other.getByRole('row')).toHaveCount(4);
  await expect(other.getByRole('button', { name: seriesDates.cancel })).toHaveCount(0);

  const page = await browserOf(organizer, browser, product, { viewport: NARROW });
  await page.goto(`/events/${first}/dates`);
  await press(page, page.getByRole('button', { name: seriesDates.cancel }));
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(seriesDates.refunds({ dates: 3, ticketsSold: 2, freeTickets: 0, gross: 48 }));
  await expectFits(page);
  await expectReadable(page);
  await dialog.getByRole('textbox').fill(TITLE);
  await press(page, dialog.getByRole('button', { name: seriesDates.cancel }));
  await expect(page.getByRole('row').filter({ hasText: seriesDates.states.cancelled })).toHaveCount(3);
  await expect(page.getByRole('button', { name: seriesDates.cancel })).toHaveCount(0);
  const subjects = (await emailsTo(site, 'ben@example.com')).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.includes('cancelled'))).toHaveLength(1);
});
