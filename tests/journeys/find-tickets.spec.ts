/** A buyer whose email is lost. */
import { lostTickets } from '#messages/contacts.ts';
import { notFoundPage } from '#messages/pages.ts';
import { myTicketsSent, findTicketsPage as text } from '#messages/sales/find-tickets.ts';
import { buyTickets, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { ticketCodes } from './buyer-steps.ts';
import { phoneSize } from './check-in-steps.ts';
import { emailTo, expect, expectFits, expectReadable, linkIn, test } from './journey.ts';
import { press, type } from './keyboard.ts';
import { closeWindows, newWindow } from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

test('lost tickets are found from a dead link by keyboard, and open from the new email [FIND-1]', async ({
  browser,
  product,
}) => {
  const site = siteOf(product);
  const { eventId } = await eventOnSale(site);
  const email = 'lost-my-email@example.com';
  const order = await buyTickets(site, eventId, generalAdmission(2), email);
  const page = await newWindow(browser, product, { viewport: phoneSize });
  await page.goto('/tikets');
  await expect(page.getByRole('heading', { level: 1, name: notFoundPage })).toBeVisible();
  await press(page, page.getByRole('main').getByRole('link', { name: lostTickets }));
  await expect(page.getByRole('heading', { level: 1, name: text.title })).toBeVisible();
  await press(page, page.getByRole('button', { name: text.button }));
  await expect(page.getByLabel(text.email)).toHaveAttribute('aria-invalid', 'true');
  await type(page, page.getByLabel(text.email), email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: myTicketsSent })).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
  await page.goto(linkIn(await emailTo(product, email, /^Your tickets for /), `/order/${order.details?.token}`));
  await expect(ticketCodes(page)).toHaveCount(2);
});
