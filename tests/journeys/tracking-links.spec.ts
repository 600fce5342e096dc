/** From a link on a poster to the row that names it. */

import { salesPage } from '#messages/records/sales-report.ts';
import { linkAdded, linkRemoved, linksPage as text } from '#messages/records/tracking-links.ts';
import { payWithCard } from './buyer-steps.ts';
import { expect, expectFits, expectReadable, withOwnProduct } from './journey.ts';
import { press, type } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  newWindow,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';

const test = withOwnProduct();

test.afterEach(({ browser }) => closeWindows({ browser }));

const PHONE = { viewport: { width: 375, height: 700 } };

test('a link on a poster brings a buyer, whom the links and the sales report count for it [LINK-1 REPORT-1]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, { viewport: { width: 1360, height: 900 } });

  await page.goto(`/events/${eventId}/sales`);
  await expect(page.getByRole('heading', { name: salesPage.none })).toBeVisible();
  await page.goto(`/events/${eventId}`);
  await press(page, page.getByRole('link', { name: text.fromShareKit }));
  await expect(page.getByRole('heading', { name: text.none })).toBeVisible();
  await press(page, page.getByRole('button', { name: text.add }));
  const form = dialogOf(page, text.form.title);
  await type(page, form.getByLabel(text.form.name), 'Poster at the café');
  await expect(form.getByLabel(text.form.slug)).toHaveValue('poster-at-the-cafe');
  await page.keyboard.press('Enter');
  await expectToasts(page, [linkAdded]);
  const row = page.getByRole('row', { name: /Poster at the café/ });
  const address = (await row.getByRole('link').getAttribute('href')) ?? '';
  expect(address).toContain(`/payment/${eventId}?from=poster-at-the-cafe`);

  const phone = await newWindow(browser, product, PHONE);
  await phone.goto(address);
  await phone.getByRole('button', { name: 'Add to Cart' }).first().click();
  await phone.getByRole('button', { name: 'Checkout' }).first().click();
  await phone.waitForURL(/\/sandbox\/pay\//);
  // The way back from the payment page has no `from`.
  await phone.goto(`/payment/${eventId}`);
  await phone.getByRole('button', { name: 'Add to Cart' }).first().click();
  await phone.getByRole('button', { name: 'Checkout' }).first().click();
  await payWithCard(phone, 'sofia@example.com');

  await page.reload();
  await expect(row.getByRole('cell').nth(2)).toHaveText('1');
  await expect(row.getByRole('cell').nth(3)).toHaveText('2');
  await expect(row.getByRole('cell').nth(4)).toHaveText('$48.00');
  await expectFits(page);

  await page.goto(`/events/${eventId}/sales`);
  await page.getByLabel(salesPage.split).selectOption('link');
  const table = page.getByRole('table', { name: salesPage.partTable('link') });
  await expect(table.getByRole('row', { name: /Poster at the café 2 \$48\.00 \$0\.00 0 \$0\.00/ })).toBeVisible();
  await expect(page.getByText(salesPage.daySummary(2, '$48.00', 1))).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
});

test('a code to print opens the link, and a removed link leaves the list [LINK-1]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, { viewport: { width: 320, height: 640 } });
  await page.goto(`/events/${eventId}/links`);
  await press(page, page.getByRole('button', { name: text.add }));
  await type(page, page.getByLabel(text.form.name), 'Radio');
  await page.keyboard.press('Enter');
  await expectToasts(page, [linkAdded]);

  await press(page, page.getByRole('button', { name: text.codeNamed('Radio') }));
  const dialog = dialogOf(page, text.codeNamed('Radio'));
  await expect(dialog.getByRole('img', { name: new RegExp(`${eventId}\\?from=radio$`) })).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    press(page, dialog.getByRole('button', { name: text.downloadCode })),
  ]);
  expect(file.suggestedFilename()).toBe('radio.svg');
  await expectFits(page);
  await page.keyboard.press('Escape');

  await press(page, page.getByRole('button', { name: text.removeNamed('Radio') }));
  await press(page, dialogOf(page, text.removeTitle).getByRole('button', { name: text.remove }));
  await expectToasts(page, [linkRemoved]);
  await expect(page.getByRole('heading', { name: text.none })).toBeVisible();
});
