/** A sales tax that prices include, from the Money tab to the receipt. */

import { formText } from '#messages/forms.ts';
import { includedTax as text } from '#messages/records/included-tax.ts';
import { orderPage } from '#messages/sales/order-page.ts';
import { buyTickets, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectFits, expectReadable, test } from './journey.ts';
import { press, type } from './keyboard.ts';
import { browserOf, closeWindows, expectToasts, newWindow, putOnSale, readyOrganizer } from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const NARROW = { viewport: { width: 320, height: 640 } };

test('an organizer states the tax in the prices, by keyboard at 320 pixels, and receipts show it [TAX-1]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, NARROW);
  await page.goto(`/events/${eventId}/money`);
  const section = page.getByRole('region', { name: text.title });

  await type(page, section.getByLabel(text.percent), '31');
  await press(page, section.getByRole('button', { name: text.save }));
  await expect(section.getByText(formText({ field: 'percent', reason: 'tax-percent.invalid' }))).toBeVisible();
  await section.getByLabel(text.percent).clear();
  await type(page, section.getByLabel(text.percent), '8.875');
  await type(page, section.getByLabel(text.label), 'NYC sales tax');
  await press(page, section.getByRole('button', { name: text.save }));
  await expectToasts(page, [text.saved]);

  const order = await buyTickets(siteOf(product), eventId, generalAdmission(2));
  const buyer = await newWindow(browser, product, NARROW);
  await buyer.goto(`/order/${order.details?.token}`);
  const row = buyer.getByRole('row', { name: orderPage.includedTax({ rate: 8_875, label: 'NYC sales tax' }) });
  await expect(row.getByRole('cell')).toHaveText('$3.92');
  await expectFits(buyer);

  await page.reload();
  await expect(section.getByLabel(text.percent)).toHaveValue('8.875');
  await expect(section.getByText('$3.92')).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
});
