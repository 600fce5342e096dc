/** An add-on, from the *Tickets* screen to the door. */
import { publicEvent } from '#contract/app/events.ts';
import { handOut } from '#messages/check-in.ts';
import { handOutOffline } from '#messages/check-in-offline.ts';
import { errorText } from '#messages/errors.ts';
import { addOnNote } from '#messages/sales/event-page.ts';
import { ticketSettings as text, ticketsUpdated } from '#messages/sales/ticket-settings.ts';
import { buyTickets, codesOf, expectOk } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { answer, checkByHand, phoneSize } from './check-in-steps.ts';
import { expect, expectFits, expectReadable, test } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import { browserOf, closeWindows, expectToasts, newWindow, putOnSale, readyOrganizer } from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

test('an add-on is set up by keyboard, sold, and handed out once, also offline [PRICE-6]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId, eventUrl } = await putOnSale(product, organizer, { maxPerOrder: '2' });
  const page = await browserOf(organizer, browser, product, { viewport: phoneSize });
  await page.goto(`/events/${eventId}/tickets`);
  const types = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Ticket \d/ }) });
  await expect(types.first()).toBeVisible();
  const row = (await types.count()) + 1;
  await press(page, page.getByRole('link', { name: 'Skip to content' }));
  await press(page, page.getByRole('button', { name: text.add }));
  const shirt = types.filter({ has: page.getByRole('heading', { name: text.ticket(row) }) });
  await type(page, shirt.getByLabel(text.name, { exact: true }), 'T-shirt');
  await type(page, shirt.getByLabel(text.price, { exact: true }), '15');
  await type(page, shirt.getByLabel(text.quantity), '50');
  await type(page, shirt.getByLabel(text.description), 'Black');
  await tabTo(page, shirt.getByLabel(text.addOn, { exact: true }));
  await page.keyboard.press('Space');
  await expectFits(page);
  await expectReadable(page);
  await press(page, page.getByRole('button', { name: text.save }));
  await expectToasts(page, [ticketsUpdated]);
  await expect(shirt.getByLabel(text.addOn, { exact: true })).toBeChecked();

  const site = siteOf(product);
  const shown = expectOk(await site.visitor().call(publicEvent, { eventId }));
  expect(shown).toMatchObject({ tickets: expect.arrayContaining([expect.objectContaining({ isAddOn: true })]) });

  const buyer = await newWindow(browser, product, { viewport: phoneSize });
  await buyer.goto(eventUrl);
  await expect(buyer.getByRole('listitem').filter({ hasText: 'T-shirt' })).toContainText(addOnNote);
  const data = await buyer.locator('script[type="application/ld+json"]').textContent();
  expect(data).toContain('General admission');
  expect(data).not.toContain('T-shirt');
  for (const name of ['General admission', 'T-shirt']) {
    const stub = buyer.getByRole('listitem').filter({ has: buyer.getByRole('heading', { name }) });
    for (let count = 0; count < 2; count++) await stub.getByRole('button', { name: 'Add to Cart' }).click();
  }
  await expect(buyer.getByRole('status').filter({ hasText: '4 tickets in your cart' })).toBeAttached();

  const order = await buyTickets(site, eventId, [
    { ticketName: 'General admission', quantity: 1 },
    { ticketName: 'T-shirt', quantity: 2 },
  ]);
  const [, first = '', second = ''] = codesOf(order);
  await page.goto(`/scanner?event=${eventId}`);
  await checkByHand(page, first);
  await expect(answer(page)).toContainText(handOut('T-shirt'));
  await expect(page.locator('html')).toHaveAttribute('data-scanner', 'handed-out');
  await expectReadable(page);
  await expect(
    page
      .getByRole('main')
      .locator('header')
      .getByText(/^0 of 1$/),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'Checked in' })).toContainText('T-shirt');
  await page.waitForFunction(() => document.documentElement.dataset['scanner'] === 'ready');
  await checkByHand(page, first);
  const headline = errorText('check-in.already-handed-out', { time: '', device: null }).split(' at')[0] ?? '';
  await expect(answer(page)).toContainText(headline);

  await page.context().setOffline(true);
  await checkByHand(page, second);
  await expect(answer(page)).toContainText(handOutOffline('T-shirt'));
});
