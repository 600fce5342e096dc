/** Tickets that go to another person, and addresses that are corrected. */
import type { Browser, Page } from '@playwright/test';
import { checkGuest } from '#contract/app/check-in.ts';
import { errorText } from '#messages/errors.ts';
import { ticketPosition } from '#messages/format.ts';
import { formText } from '#messages/forms.ts';
import { nameOfTicket, refundTexts, orderPage as text } from '#messages/sales/order-page.ts';
import { ticketSettings } from '#messages/sales/ticket-settings.ts';
import {
  correctAddress,
  correctEmailDialog,
  emailCorrected,
  ticketTransferred,
  transferPage,
} from '#messages/sales/ticket-transfers.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { payWithCard, ticketCodes } from './buyer-steps.ts';
import { type Email, emailTo, expect, expectUsable, test } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import { untilCached } from './offline-pages.ts';
import {
  browserOf,
  closeWindows,
  expectToasts,
  newWindow,
  openProfile,
  putOnSale,
  readyOrganizer,
  showDetails,
} from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const NARROW = { viewport: { width: 320, height: 640 } };

let people = 0;
const newAddress = () => `mover-${++people}@example.com`;

const linkBelow = ({ text: words }: Email, path: string): string =>
  words.match(/https?:\/\/\S+/g)?.find((address) => new URL(address).pathname.startsWith(path)) ?? '';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const ticket = (position: number, of: number) => nameOfTicket({ position, of });

async function openAt(browser: Browser, product: Product, path: string, options = {}): Promise<Page> {
  const page = await newWindow(browser, product, { ...NARROW, ...options });
  await page.goto(path);
  return page;
}

async function sell(product: Product, quantity: number) {
  const site = siteOf(product);
  const event = await eventOnSale(site);
  const email = newAddress();
  const order = await buyTickets(site, event.eventId, generalAdmission(quantity), email);
  return { ...event, site, email, codes: codesOf(order), path: `/order/${order.details?.token}` };
}

test('a ticket goes to another person and on to a third, by keyboard at 320 pixels [HOLDER-2 HOLDER-3 HOLDER-4]', async ({
  browser,
  product,
}) => {
  const { eventId, attendantCode, site, codes, path } = await sell(product, 2);
  const page = await openAt(browser, product, path);
  const give = transferPage.buttonLabel(ticket(1, 2));
  await press(page, button(page, give));
  const dialog = page.getByRole('dialog', { name: transferPage.title(ticket(1, 2)) });
  await expect(dialog.getByLabel(transferPage.email)).toBeFocused();
  for (const consequence of transferPage.consequences) await expect(dialog.getByText(consequence)).toBeVisible();
  await expectUsable(page);
  await press(page, dialog.getByRole('button', { name: transferPage.confirm }));
  await expectToasts(page, [formText({ field: 'email', reason: 'email.missing' })]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button(page, give)).toBeFocused();

  const holder = newAddress();
  await press(page, button(page, give));
  await type(page, dialog.getByLabel(transferPage.email), holder);
  await press(page, dialog.getByRole('button', { name: transferPage.confirm }));
  await expectToasts(page, [ticketTransferred]);
  const stub = page.getByRole('article').filter({ hasText: ticketPosition({ position: 1, of: 2 }) });
  await expect(stub).toContainText('Transferred');
  await expect(ticketCodes(page)).toHaveCount(1);
  await expectUsable(page);

  const link = linkBelow(await emailTo(product, holder, /You have a ticket/), '/ticket/');
  const theirs = await openAt(browser, product, link, { javaScriptEnabled: false });
  await expect(ticketCodes(theirs)).toHaveCount(1);
  const [code] = await readQr(await ticketCodes(theirs).first().screenshot());
  expect(codes).not.toContain(code?.text);
  await expect(theirs.getByText(text.receipt)).toHaveCount(0);

  const own = await openAt(browser, product, link);
  await expect(heading(own, text.admitted())).toBeVisible();
  await expect(own.getByText(text.sentTo(holder))).toBeVisible();
  await expect(button(own, text.resend)).toHaveCount(0);
  await expectUsable(own);

  const door = await attendantOf(site, eventId, attendantCode);
  const old = await door.call(checkGuest, { eventId, confirmationNumber: codes[0] ?? '' });
  expect(old.body.code).toBe('check-in.transferred');

  const third = newAddress();
  await press(own, button(own, transferPage.buttonLabel(ticket(1, 2))));
  await type(own, own.getByRole('dialog').getByLabel(transferPage.email), third);
  await own.keyboard.press('Enter');
  await expectToasts(own, [ticketTransferred]);
  await expect(heading(own, transferPage.given)).toBeVisible();
  await expect(ticketCodes(own)).toHaveCount(0);
  await expectUsable(own);
  await own.goto(link);
  await expect(own.getByText(errorText('checkout.unknown'))).toBeVisible();

  const last = await openAt(
    browser,
    product,
    linkBelow(await emailTo(product, third, /You have a ticket/), '/ticket/'),
  );
  const [newest] = await readQr(await ticketCodes(last).first().screenshot());
  expectOk(await door.call(checkGuest, { eventId, confirmationNumber: newest?.text ?? '' }));
});

test('its payer refunds it from the order’s page, and its holder’s page says so [HOLDER-4]', async ({
  browser,
  product,
}) => {
  const { path } = await sell(product, 1);
  const holder = newAddress();
  const page = await openAt(browser, product, path);
  await button(page, transferPage.buttonLabel(ticket(1, 1))).click();
  await page.getByRole('dialog').getByLabel(transferPage.email).fill(holder);
  await page.keyboard.press('Enter');
  await expect(heading(page, transferPage.allGiven)).toBeVisible();
  await expectUsable(page);
  const refund = refundTexts({ ticketName: 'General admission', position: 1, of: 1, priceCents: 24_00 });
  await press(page, button(page, refund.label));
  await press(page, page.getByRole('dialog').getByRole('button', { name: refund.confirm }));
  await expect(page.getByRole('article').getByText(/\$24\.00/)).toBeVisible();

  const link = linkBelow(await emailTo(product, holder, /You have a ticket/), '/ticket/');
  const theirs = await openAt(browser, product, link);
  await expect(heading(theirs, transferPage.ended)).toBeVisible();
  await expectUsable(theirs);
});

test('the page of a transferred ticket opens without a network [HOLDER-4]', async ({ browser, product }) => {
  const { path } = await sell(product, 1);
  const holder = newAddress();
  const page = await openAt(browser, product, path);
  await button(page, transferPage.buttonLabel(ticket(1, 1))).click();
  await page.getByRole('dialog').getByLabel(transferPage.email).fill(holder);
  await page.keyboard.press('Enter');
  await expect(heading(page, transferPage.allGiven)).toBeVisible();
  const own = await openAt(
    browser,
    product,
    linkBelow(await emailTo(product, holder, /You have a ticket/), '/ticket/'),
  );
  await expect(own.getByText('Saved on this device')).toBeVisible();
  await untilCached(own);
  await own.context().setOffline(true);
  await own.reload();
  await expect(ticketCodes(own)).toHaveCount(1);
});

test('a buyer corrects a typo by keyboard, in the browser that paid [ORDER-2]', async ({ browser, product }) => {
  const { eventUrl } = await putOnSale(product, await readyOrganizer(product));
  const page = await openAt(browser, product, eventUrl);
  await button(page, 'Add to Cart').first().click();
  await page.getByRole('button', { name: 'One more General admission' }).locator('visible=true').first().click();
  await button(page, 'Checkout').locator('visible=true').click();
  const [typo, right] = [newAddress(), newAddress()];
  await payWithCard(page, typo);
  const forwarded = linkBelow(await emailTo(product, typo, /your/), '/order/');

  const other = await openAt(browser, product, forwarded);
  await button(other, correctAddress.button).click();
  await other.getByRole('dialog').getByLabel(correctAddress.email).fill(newAddress());
  await other.keyboard.press('Enter');
  await expectToasts(other, [errorText('correction.other-browser')]);

  await press(page, button(page, correctAddress.button));
  const dialog = page.getByRole('dialog', { name: correctAddress.title });
  await expect(dialog.getByLabel(correctAddress.email)).toHaveValue(typo);
  await expectUsable(page);
  await tabTo(page, dialog.getByLabel(correctAddress.email));
  await dialog.getByLabel(correctAddress.email).clear();
  await page.keyboard.type(right);
  await page.keyboard.press('Enter');
  await expect(page.getByText(text.sentTo(right))).toBeVisible();
  expect(page.url()).not.toBe(forwarded);
  await expect(button(page, correctAddress.button)).toHaveCount(0);
  expect(linkBelow(await emailTo(product, right, /your/), '/order/')).not.toBe('');
  await emailTo(product, typo, /have another address now/);
  await other.goto(forwarded);
  await expect(other.getByText(errorText('checkout.unknown'))).toBeVisible();
});

test('an organizer corrects an address and turns transfers off, by keyboard at 320 pixels [HOLDER-1 HOLDER-2]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const [typo, right] = [newAddress(), newAddress()];
  const order = await buyTickets(siteOf(product), eventId, generalAdmission(2), typo);
  const page = await browserOf(organizer, browser, product, NARROW);
  await openProfile(page);
  await showDetails(page);
  await press(page, button(page, 'Show Guest List'));
  const correct = button(page, correctEmailDialog.buttonLabel(typo)).first();
  await press(page, correct);
  const dialog = page.getByRole('dialog', { name: correctEmailDialog.title });
  await expectUsable(page);
  await dialog.getByLabel(correctEmailDialog.email).clear();
  await type(page, dialog.getByLabel(correctEmailDialog.email), right);
  await press(page, dialog.getByRole('button', { name: correctEmailDialog.save }));
  await expectToasts(page, [emailCorrected]);
  await expect(button(page, correctEmailDialog.buttonLabel(right))).toHaveCount(2);
  expect(linkBelow(await emailTo(product, right, /your 2 tickets/), '/order/')).not.toBe('');
  await emailTo(product, typo, /have another address now/);

  await page.goto(`/events/${eventId}/tickets`);
  const allow = page.getByLabel(ticketSettings.transfers);
  await tabTo(page, allow);
  await page.keyboard.press('Space');
  await expect(allow).not.toBeChecked();
  await expectUsable(page);
  await press(page, button(page, ticketSettings.save));
  await expect(async () => {
    await page.reload();
    await expect(allow).not.toBeChecked({ timeout: 1000 });
  }).toPass();
  const buyers = await openAt(browser, product, linkBelow(await emailTo(product, right, /your 2 tickets/), '/order/'));
  await expect(ticketCodes(buyers)).toHaveCount(2);
  await expect(button(buyers, transferPage.buttonLabel(ticket(1, 2)))).toHaveCount(0);
  expect(codesOf(order)).toHaveLength(2);
});
