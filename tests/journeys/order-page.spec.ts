/** An order's page: its states, and what a buyer does there. */
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from '@playwright/test';
import { checkGuest } from '#contract/app/check-in.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { formatCents, ticketPosition } from '#messages/format.ts';
import { orderResent, refundTexts, orderPage as text } from '#messages/sales/order-page.ts';
import { smallPhoto } from '#tests/support/call-samples.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, expectOk } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { ticketCodes } from './buyer-steps.ts';
import { phoneSize } from './check-in-steps.ts';
import { emailTo, expect, expectReadable, expectUsable, linkIn, test } from './journey.ts';
import { press } from './keyboard.ts';
import { closeWindows, expectToasts, newWindow } from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

let buyers = 0;

async function sell(product: Product) {
  const site = siteOf(product);
  const event = await eventOnSale(site);
  const email = `holder-${++buyers}@example.com`;
  const cart = [
    { ticketName: 'Balcony', quantity: 1 },
    { ticketName: 'General admission', quantity: 2 },
  ];
  const order = await buyTickets(site, event.eventId, cart, email);
  return { site, event, email, order, codes: codesOf(order), path: `/order/${order.details?.token}` };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function openAt(browser: Browser, product: Product, path: string, options = {}): Promise<Page> {
  const page = await newWindow(browser, product, { viewport: phoneSize, ...options });
  await page.goto(path);
  return page;
}

test('the tickets show and scan without a script [ORDER-1]', async ({ browser, product }) => {
  const { codes, path, order } = await sell(product);
  for (const address of [path, `/success?session_id=${order.sessionId}`]) {
    const page = await openAt(browser, product, address, { javaScriptEnabled: false });
    await expect(heading(page, text.admitted('Sam'))).toBeVisible();
    await expect(ticketCodes(page)).toHaveCount(3);
    for (const [index, code] of codes.entries()) {
      const picture = ticketCodes(page).nth(index);
      expect(await readQr(await picture.screenshot())).toMatchObject([{ text: code }]);
    }
    await expect(page.getByText(formatCents(38_50 + 2 * 24_00))).toBeVisible();
    await expect(page.getByRole('link', { name: 'Wallet' })).toHaveCount(0);
  }
});

test("a ticket has the poster of its event's page, then its photo [ORDER-1]", async ({ browser, product }) => {
  const { event, path } = await sell(product);
  const page = await openAt(browser, product, `/payment/${event.eventId}`);
  const poster = await page.locator('img[src^="data:image/svg+xml"]').evaluate((image: HTMLImageElement) => image.src);
  const pictures = page.getByRole('article').locator('img');
  const shown = () => pictures.evaluateAll((images: HTMLImageElement[]) => images.map(({ src }) => src));
  await page.goto(path);
  expect(await shown()).toEqual([poster, poster, poster]);

  const { eventPhotos } = expectOk(
    await uploadPhotos(event.visitor, event.eventId, [['hall.png', await smallPhoto()]]),
  );
  await page.reload();
  expect(await shown()).toEqual([0, 1, 2].map(() => new URL(eventPhotos[0] ?? '', product.url).href));
  await expect
    .poll(() => pictures.first().evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
});

test('a long title and address have two whole lines on a ticket [ORDER-1]', async ({ browser, product }) => {
  const site = siteOf(product);
  const title = 'The Basement Brass Band and Friends';
  const { eventId } = await eventOnSale(site, { title, street: 'The Cooperage, 38 Withers St' });
  const order = await buyTickets(site, eventId, [{ ticketName: 'Balcony', quantity: 1 }], 'long@example.com');
  const page = await openAt(browser, product, `/order/${order.details?.token}`);
  for (const text of [title, 'The Cooperage, 38 Withers St, Brooklyn'])
    expect(await linesOf(page.getByRole('article').getByText(text))).toBeCloseTo(2, 1);
});

/** That its box has room for. */
const linesOf = (text: Locator) =>
  text.evaluate(
    (element) => element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight),
  );

test('the address after paying becomes the one in the email, which opens the same [ORDER-1]', async ({
  browser,
  product,
}) => {
  const { email, order, path } = await sell(product);
  const page = await openAt(browser, product, `/success?session_id=${order.sessionId}`);
  await page.waitForURL(`**${path}`);
  await page.reload();
  await expect(ticketCodes(page)).toHaveCount(3);
  await expectUsable(page);
  expect(linkIn(await emailTo(product, email, /your 3 tickets/), path)).toBe(`${product.url}${path}`);
});

test('a ticket is refunded by keyboard once it is said which and how much, and the others keep their numbers [ORDER-2 ORDER-3]', async ({
  browser,
  product,
}) => {
  const { site, event, codes, path } = await sell(product);
  const attendant = await attendantOf(site, event.eventId, event.attendantCode);
  expectOk(await attendant.call(checkGuest, { eventId: event.eventId, confirmationNumber: codes[0] ?? '' }));
  const page = await openAt(browser, product, path);
  const stub = page.getByRole('listitem').filter({ hasText: ticketPosition({ position: 1, of: 3 }) });
  await expect(stub.getByText(text.checkedInAt(''))).toBeVisible();
  await expect(
    page.getByRole('button', {
      name: refundTexts({ ticketName: 'Balcony', position: 1, of: 3, priceCents: 38_50 }).label,
    }),
  ).toHaveCount(0);

  const second = refundTexts({ ticketName: 'General admission', position: 2, of: 3, priceCents: 24_00 });
  const ask = () => press(page, page.getByRole('button', { name: second.label }));
  const dialog = page.getByRole('dialog', { name: second.title });
  await ask();
  await expect(dialog.getByText(second.why)).toBeVisible();
  await expectReadable(page);
  await dialog.getByRole('button', { name: text.keep }).click();
  await expect(dialog).toHaveCount(0);
  await ask();
  await press(page, dialog.getByRole('button', { name: second.confirm }));

  const ended = page
    .getByRole('article', { name: 'General admission, ' })
    .filter({ hasText: ticketPosition({ position: 2, of: 3 }) });
  await expect(ended.getByText(/\$24\.00/)).toBeVisible();
  await expect(ticketCodes(page)).toHaveCount(2);
  await expect(page.getByText(ticketPosition({ position: 3, of: 3 }))).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('row', { name: text.returned })).toContainText(formatCents(-24_00), { timeout: 1000 });
  }).toPass();
  await expectUsable(page);
});

test('going back to the page reads it again [ORDER-3]', async ({ browser, product }) => {
  const { site, event, codes, path } = await sell(product);
  const page = await openAt(browser, product, path);
  await expect(ticketCodes(page)).toHaveCount(3);
  await press(page, page.getByRole('link', { name: text.eventPage }));
  await expect(heading(page, 'Basement Brass')).toBeVisible();
  expectOk(await site.visitor().call(requestRefund, { eventId: event.eventId, confirmationCode: codes[2] ?? '' }));
  await page.goBack();
  await expect(ticketCodes(page)).toHaveCount(2);
});

test('a phone that wakes up at the door shows that its ticket was scanned [ORDER-3]', async ({ browser, product }) => {
  const { site, event, codes, path } = await sell(product);
  const page = await openAt(browser, product, path);
  await expect(page.getByText(text.checkedInAt(''))).toHaveCount(0);
  const attendant = await attendantOf(site, event.eventId, event.attendantCode);
  expectOk(await attendant.call(checkGuest, { eventId: event.eventId, confirmationNumber: codes[1] ?? '' }));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText(text.checkedInAt(''))).toHaveCount(1);
});

test('a moved and a cancelled event say so [ORDER-3 CAL-1]', async ({ browser, product }) => {
  const { site, event, path } = await sell(product);
  const later = (hours: number) => new Date(site.now().getTime() + hours * 60 * 60 * 1000).toISOString();
  await editEventOf(site, event, { startDate_startTime: later(72), endDate_endTime: later(75) });
  const page = await openAt(browser, product, path);
  await expect(page.getByText(text.newDate(''))).toBeVisible();
  await expectUsable(page);
  const download = page.waitForEvent('download');
  await press(page, page.getByRole('link', { name: text.calendar }));
  expect((await download).suggestedFilename()).toBe('event.ics');

  const plain = await openAt(browser, product, path, { javaScriptEnabled: false });
  expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
  await plain.getByRole('link', { name: text.downloadPdf }).click();
  await expect(heading(plain, text.cancelled)).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(heading(page, text.cancelled)).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(ticketCodes(page)).toHaveCount(0);
  await expect(page.getByText(text.newDate(''))).toHaveCount(0);
  await expectUsable(page);
});

test('an order of which nothing is left still has its receipt [ORDER-3]', async ({ browser, product }) => {
  const { site, event, codes, path } = await sell(product);
  for (const confirmationCode of codes)
    expectOk(await site.visitor().call(requestRefund, { eventId: event.eventId, confirmationCode }));
  const page = await openAt(browser, product, path);
  await expect(heading(page, text.refunded)).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(3);
  await expect(page.getByRole('heading', { name: text.receipt })).toBeVisible();
  await expect(page.getByRole('button', { name: text.resend })).toHaveCount(0);
  await expectUsable(page);
});

for (const javaScriptEnabled of [true, false]) {
  test(`the tickets are downloaded as a PDF, ${javaScriptEnabled ? 'with' : 'without'} a script [DOC-1]`, async ({
    browser,
    product,
  }) => {
    const { codes, path } = await sell(product);
    const page = await openAt(browser, product, path, { javaScriptEnabled });
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: text.downloadPdf }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Basement Brass, tickets.pdf');
    const pages = await readPdf(await readFile(await file.path()));
    expect(pages).toHaveLength(3);
    for (const [index, { text: words, image }] of pages.entries()) {
      expect(words).toContain(codes[index]);
      expect(await readQr(image)).toMatchObject([{ text: codes[index] }]);
    }
  });
}

test('the tickets are emailed again [ORDER-2]', async ({ browser, product }) => {
  const { email, path } = await sell(product);
  await emailTo(product, email, /your 3 tickets/);
  const page = await openAt(browser, product, path);
  await press(page, page.getByRole('button', { name: text.resend }));
  await expectToasts(page, [orderResent]);
});
