/** Buyers and visitors write to the organizer, whose address they don't see. */
import { contactSent, contactPage as text } from '#messages/sales/contact.ts';
import { contactLink } from '#messages/sales/event-page.ts';
import { buyTickets, eventOnSale, generalAdmission, goodCard } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, expect, expectFits, expectReadable, linkIn, test } from './journey.ts';
import { expectTabReachesAll, press, type } from './keyboard.ts';
import { closeWindows, newWindow } from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const NARROW = { viewport: { width: 320, height: 640 } };

test('a visitor asks a question by keyboard in a window 320 pixels wide [PAGE-4]', async ({ browser, product }) => {
  const event = await eventOnSale(siteOf(product), { title: 'Questions Night' });
  const page = await newWindow(browser, product, NARROW);
  await page.goto(`/payment/${event.eventId}`);
  await press(page, page.getByRole('link', { name: contactLink }));
  await expect(page.getByRole('heading', { level: 1, name: 'Contact Cooperage Nights' })).toBeVisible();
  await expect(page.getByText('About Questions Night')).toBeVisible();

  await press(page, page.getByRole('button', { name: text.submit }));
  await expect(page.getByLabel(text.email)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel(text.message)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel(text.email)).toBeFocused();
  await expectFits(page);
  await expectReadable(page);

  await type(page, page.getByLabel(text.email), 'visitor@example.com');
  await type(page, page.getByLabel(text.message), 'Is there a lift?');
  await press(page, page.getByRole('button', { name: text.submit }));
  await expect(page.getByRole('status').filter({ hasText: contactSent })).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
  await expectTabReachesAll(page, page.locator('main'));
  expect(await page.content()).not.toContain(event.email);

  const message = await emailTo(product, event.email, /^Message about Questions Night$/);
  expect(message.text).toContain('> Is there a lift?');
  await emailTo(product, 'visitor@example.com', /passed on/);
});

test('a buyer asks from the order, and from the email of the tickets [PAGE-4 ORDER-2]', async ({
  browser,
  product,
}) => {
  const site = siteOf(product);
  const event = await eventOnSale(site, { title: 'Answers Night' });
  const email = 'asks@example.com';
  const card = { ...goodCard, name: 'Sofia Marchetti' };
  const { details } = await buyTickets(site, event.eventId, generalAdmission(1), email, card);
  const page = await newWindow(browser, product, NARROW);
  await page.goto(`/order/${details?.token}`);
  await expect(page.getByRole('heading', { level: 1, name: "You're in, Sofia." })).toBeVisible();
  await press(page, page.getByRole('link', { name: contactLink }));
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByLabel(text.email)).toHaveCount(0);
  await expectFits(page);
  await expectReadable(page);

  await page.goto(linkIn(await emailTo(product, email, /your ticket/), `/contact/${details?.token}`));
  await type(page, page.getByLabel(text.message), 'Can I bring a friend?');
  await press(page, page.getByRole('button', { name: text.submit }));
  await expect(page.getByRole('status').filter({ hasText: contactSent })).toBeVisible();
  await press(page, page.getByRole('link', { name: text.backToOrder }));
  await expect(page).toHaveURL(new RegExp(`/order/${details?.token}$`));

  expect((await emailTo(product, event.email, /^Message about Answers Night$/)).text).toContain('Sofia Marchetti');
});

test('an unknown event has no form [PAGE-4]', async ({ page }) => {
  const reply = await page.goto('/contact/AAAAAAAAAAAAAAAA');
  expect(reply?.status()).toBe(404);
  await expect(page.getByLabel(text.message)).toHaveCount(0);
});
