/** Free tickets: an organizer without onboarding puts them on sale, and buyers confirm an address. */
import type { Page } from '@playwright/test';
import { createEvent } from '#contract/app/events.ts';
import { beforeOnboarding, onboardingIncomplete } from '#messages/accounts.ts';
import { continueCheckout } from '#messages/checkout.ts';
import { errorText } from '#messages/errors.ts';
import { submissionFailed } from '#messages/pages.ts';
import { freeOrderPage as text, ticketLine } from '#messages/sales/free-orders.ts';
import { eventForm, expectOk } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { ticketCodes } from './buyer-steps.ts';
import { phoneSize } from './check-in-steps.ts';
import { type Email, emailTo, expect, expectFits, expectReadable, test } from './journey.ts';
import { press, type } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  expectToasts,
  newWindow,
  type Organizer,
  openProfile,
  verifiedAccount,
} from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

let buyers = 0;
const newAddress = () => `free-buyer-${++buyers}@example.com`;

async function putFreeEventOnSale(product: Product, organizer: Organizer) {
  const site = siteOf(product);
  const ticket = { ticketName: 'Standing', ticketDescription: 'Come in', ticketPrice: 0, ticketQuantity: 50 };
  return expectOk(await organizer.visitor.call(createEvent, eventForm(site, { tickets: [ticket] })));
}

/** From the event page to the order's own page. */
async function checkOut(page: Page, eventUrl: string, tickets = 1): Promise<void> {
  await page.goto(eventUrl);
  for (let count = 0; count < tickets; count++) await press(page, page.getByRole('button', { name: 'Add to Cart' }));
  await press(page, page.getByRole('button', { name: 'Checkout', exact: true }).locator('visible=true'));
  await page.waitForURL(/\/checkout\//);
  await expect(heading(page, text.title)).toBeVisible();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

const linkOf = ({ text: body }: Email) => /https?:\/\/\S+\/checkout\/\S+/.exec(body)?.[0] ?? '';

const codeIn = ({ subject }: { subject: string }) => /^\d{6}/.exec(subject)?.[0] ?? '';

async function sendCode(page: Page, email: string): Promise<void> {
  await type(page, page.getByLabel(text.email), email);
  await press(page, page.getByRole('button', { name: text.sendCode }));
  await expect(heading(page, text.sentTitle)).toBeFocused();
}

for (const [where, viewport] of [
  ['on a phone', phoneSize],
  ['on a wide screen', { width: 1360, height: 900 }],
] as const)
  test(`free tickets are ordered with the keyboard ${where}, after a mistyped address and code [FREE-3]`, async ({
    browser,
    product,
  }) => {
    const { eventUrl } = await putFreeEventOnSale(product, await verifiedAccount(product));
    const page = await newWindow(browser, product, { viewport });
    await checkOut(page, eventUrl, 2);
    await expect(page.getByText(ticketLine('Standing', 2))).toBeVisible();
    await expectFits(page);
    await expectReadable(page);
    await press(page, page.getByRole('button', { name: text.sendCode }));
    await expect(page.getByLabel(text.email)).toHaveAttribute('aria-invalid', 'true');

    await sendCode(page, `mistyped-${newAddress()}`);
    await expectFits(page);
    await expectReadable(page);
    await press(page, page.getByRole('button', { name: text.otherAddress }));
    const email = newAddress();
    await sendCode(page, email);
    const code = codeIn(await emailTo(product, email, /is your code/));
    await type(page, page.getByLabel(text.code), code === '111111' ? '222222' : '111111');
    await press(page, page.getByRole('button', { name: text.confirm }));
    const wrong = errorText('free-order.wrong-code', { left: 4 });
    await expect(page.getByLabel(text.code)).toHaveAccessibleDescription(new RegExp(wrong.slice(0, 20)));

    await type(page, page.getByLabel(text.code), code);
    await press(page, page.getByRole('button', { name: text.confirm }));
    await page.waitForURL(/\/success\?session_id=free_/);
    await expect(ticketCodes(page)).toHaveCount(2);
    await page.goto(eventUrl);
    await expect(page.getByText('Your cart is empty.').first()).toBeAttached();
  });

test('the link opens the tickets where it is pressed, and the page that waited says so [FREE-6]', async ({
  browser,
  product,
}) => {
  const { eventUrl } = await putFreeEventOnSale(product, await verifiedAccount(product));
  const waiting = await newWindow(browser, product, { viewport: phoneSize });
  await checkOut(waiting, eventUrl);
  const email = newAddress();
  await sendCode(waiting, email);
  const link = linkOf(await emailTo(product, email, /is your code/));

  const phone = await newWindow(browser, product, { viewport: phoneSize });
  await phone.goto(link);
  await expect(heading(phone, text.linkTitle)).toBeVisible();
  await expectFits(phone);
  await expectReadable(phone);
  await phone.goto(link);
  await press(phone, phone.getByRole('button', { name: text.linkButton }));
  await expect(ticketCodes(phone)).toHaveCount(1);

  await waiting.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(heading(waiting, text.confirmedTitle)).toBeVisible();
  await expect(waiting.getByText(text.confirmedLead(email), { exact: true })).toBeVisible();
  await expect(ticketCodes(waiting)).toHaveCount(0);
  await expectReadable(waiting);
  await phone.goto(link);
  await press(phone, phone.getByRole('button', { name: text.openTickets }));
  await expect(ticketCodes(phone)).toHaveCount(1);
});

test('a closed page leads back to its order, and the next order needs no code [FREE-4 FREE-7]', async ({
  browser,
  product,
}) => {
  const [first, second] = [await verifiedAccount(product), await verifiedAccount(product)];
  const { eventUrl } = await putFreeEventOnSale(product, first);
  const page = await newWindow(browser, product, { viewport: phoneSize });
  await checkOut(page, eventUrl);
  await page.goto(eventUrl);
  await page.getByRole('link', { name: continueCheckout }).click();
  const email = newAddress();
  await sendCode(page, email);
  await page.reload();
  await expect(heading(page, text.sentTitle)).toBeVisible();
  await type(page, page.getByLabel(text.code), codeIn(await emailTo(product, email, /is your code/)));
  await press(page, page.getByRole('button', { name: text.confirm }));
  await expect(ticketCodes(page)).toHaveCount(1);

  const other = await putFreeEventOnSale(product, second);
  await checkOut(page, other.eventUrl);
  await type(page, page.getByLabel(text.email), email);
  await press(page, page.getByRole('button', { name: text.sendCode }));
  await expect(ticketCodes(page)).toHaveCount(1);
});

test('an order whose time is over leads back to its event [FREE-4]', async ({ browser, product }) => {
  const { eventUrl } = await putFreeEventOnSale(product, await verifiedAccount(product));
  const page = await newWindow(browser, product, { viewport: phoneSize });
  await checkOut(page, eventUrl);
  await page.goto(eventUrl);
  await page.getByRole('button', { name: 'Release my tickets' }).click();
  await expect(page.getByRole('button', { name: 'Release my tickets' })).toHaveCount(0);
  await page.goBack();
  await expect(heading(page, text.expiredTitle)).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
  await press(page, page.getByRole('link', { name: text.toEvent }));
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();

  await page.goto('/checkout/made-up');
  await expect(heading(page, text.notLoaded)).toBeVisible();
  await expect(page.getByText(errorText('checkout.unknown'))).toBeVisible();
});

test('an organizer who only verified an address can create free events [FREE-1 FREE-2]', async ({
  browser,
  product,
}) => {
  const organizer = await verifiedAccount(product);
  const page = await browserOf(organizer, browser, product);
  await openProfile(page);
  await page.getByRole('button', { name: 'Create Event', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Event' });
  await expect(dialog.getByText(beforeOnboarding.freeOnly)).toBeVisible();
  const day = new Date(Date.now() + 21 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const fields: [string, string][] = [
    ['Title', 'Open Rehearsal'],
    ['Participants', '40'],
    ['Start date and time', `${day}T20:00`],
    ['End date and time', `${day}T23:30`],
    ['Street', '178 Bleecker St'],
    ['City', 'New York'],
    ['Postal code', '10012'],
    ['Name', 'Standing'],
    ['Price', '5'],
    ['Quantity', '50'],
  ];
  await dialog.getByLabel('Description').first().fill('Come and listen.');
  await dialog.getByLabel('State').selectOption('NY');
  for (const [label, value] of fields) await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByLabel('Description').nth(1).fill('Come in');
  await expect(dialog.getByLabel('Latitude')).toHaveValue(/^40\.7/);
  await dialog.getByRole('button', { name: 'Create Event' }).click();
  await expectToasts(page, [submissionFailed(onboardingIncomplete)]);

  await dialog.getByLabel('Price').fill('0');
  await dialog.getByRole('button', { name: 'Create Event' }).click();
  await expect(page.getByRole('dialog', { name: 'Event Created' })).toBeVisible();
});
