/** Tickets on a website of the organizer: on another origin, in a browser that blocks third-party cookies. */
import type { Browser, FrameLocator, Page } from '@playwright/test';
import { cancelEvent } from '#contract/app/events.ts';
import { editEmbed, eventEmbed } from '#contract/app/programs/embed.ts';
import {
  embedErrors,
  embeddedTickets as frameText,
  takenOverCart,
  embedSettings as text,
} from '#messages/programs/embed.ts';
import { eventChanged } from '#messages/records/page-changes.ts';
import { eventCancelled } from '#messages/sales/event-page.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { expectOk } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { payWithCard, ticketCodes } from './buyer-steps.ts';
import { launchBlockingThirdParties } from './chromium.ts';
import { expect, expectFits, expectReadable, openPage, test } from './journey.ts';
import { press, type } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  type Organizer,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';
import { openWebsite, type Website } from './website.ts';

let browser: Browser;
let website: Website;
let elsewhere: Website;
test.beforeAll(async () => {
  browser = await launchBlockingThirdParties();
  website = await openWebsite();
  elsewhere = await openWebsite();
});
test.afterAll(async () => {
  await browser?.close();
  await website?.close();
  await elsewhere?.close();
});
test.afterEach(async ({ browser: shell }) => {
  for (const one of [browser, shell]) await closeWindows({ browser: one });
});

interface Embedded {
  organizer: Organizer;
  eventId: string;
  snippet: string;
}

async function embedded(product: Product, change: Parameters<typeof putOnSale>[2] = {}): Promise<Embedded> {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer, change);
  expectOk(await organizer.visitor.call(editEmbed, { eventId, add: website.origin }));
  const { snippet } = expectOk(await organizer.visitor.call(eventEmbed, { eventId }));
  return { organizer, eventId, snippet };
}

const frameOf = (page: Page, index = 0): FrameLocator =>
  page.locator('handstamp-tickets iframe').nth(index).contentFrame();
const frameBox = (page: Page) => page.locator('handstamp-tickets iframe').first().boundingBox();
const heightOf = async (page: Page) => (await frameBox(page))?.height ?? 0;
const insideLink = (page: Page) => page.locator('handstamp-tickets a').first();

async function visit(product: Product, url: string, width = 1100): Promise<Page> {
  const page = await openPage(browser, product, { viewport: { width, height: 800 }, reducedMotion: 'reduce' });
  await page.goto(url);
  return page;
}

const calls = (page: Page) => {
  const made: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') made.push(new URL(request.url()).pathname);
  });
  return made;
};

/** Runs in the frame. */
function storageOf() {
  document.cookie = 'third=party; SameSite=None; Secure';
  try {
    return { cookie: document.cookie, storage: localStorage.length };
  } catch {
    return { cookie: document.cookie, storage: 'blocked' };
  }
}

for (const width of [360, 1100])
  test(`sells on a website ${width} pixels wide, by keyboard, without third-party cookies [EMBED-1 EMBED-2]`, async ({
    product,
  }) => {
    const { eventId, snippet } = await embedded(product);
    const page = await visit(product, website.show(snippet), width);
    const frame = frameOf(page);
    const add = frame.getByRole('button', { name: 'Add to Cart' }).first();
    await expect(add).toBeVisible();
    await expect(insideLink(page)).toBeHidden();
    await expect(page.locator('handstamp-tickets iframe')).toHaveAttribute('title', 'Basement Brass');
    expect(await frame.locator('body').evaluate(storageOf)).toEqual({ cookie: '', storage: 'blocked' });
    const before = await heightOf(page);
    // Nothing of it scrolls inside the frame.
    await expect
      .poll(() => frame.locator('html').evaluate((html) => html.scrollHeight <= html.clientHeight))
      .toBe(true);

    await press(page, add);
    await press(page, add);
    const checkout = frame.getByRole('link', { name: frameText.checkout });
    await expect(checkout).toBeVisible();
    if (width < 760) await expect.poll(() => heightOf(page)).toBeGreaterThan(before);
    await expect(frame.getByRole('status').filter({ hasText: '2 tickets in your cart' })).toBeAttached();
    await expectFits(page);

    await press(page, checkout);
    await payWithCard(page, 'sam@example.com');
    await expect(ticketCodes(page)).toHaveCount(2);

    // The frame's page on its own, which axe can look into.
    await page.goto(`/embed/${eventId}`);
    await page.getByRole('button', { name: 'Add to Cart' }).first().click();
    await expectFits(page);
    await expectReadable(page);
  });

test('stays empty on a website that is not listed, and the event page refuses every frame [EMBED-2]', async ({
  product,
}) => {
  const { eventId, snippet } = await embedded(product);
  for (const body of [snippet, `<iframe src="${product.url}/embed/${eventId}"></iframe>`]) {
    const page = await visit(product, elsewhere.show(body));
    const [, frame] = await framesOf(page);
    expect(frame?.url()).toMatch(/^chrome-error:/);
    if (body !== snippet) continue;
    expect(await heightOf(page)).toBe(0);
    await expect(insideLink(page)).toBeVisible();
  }
  for (const path of [`/payment/${eventId}`, `/embed/${eventId}/checkout`, '/profile']) {
    const page = await visit(product, website.show(`<iframe src="${product.url}${path}"></iframe>`));
    const [, frame] = await framesOf(page);
    expect([path, frame?.url()]).toEqual([path, expect.stringMatching(/^chrome-error:/)]);
  }
});

async function framesOf(page: Page) {
  await expect.poll(() => page.frames().at(1)?.url()).toMatch(/^(?:http|chrome-error)/);
  await page.waitForLoadState('load');
  return page.frames();
}

test('works several times on a page, for elements that come later, and not for unknown events [EMBED-1]', async ({
  product,
}) => {
  const [one, other] = [await embedded(product), await embedded(product, { title: 'Attic Strings' })];
  const page = await visit(
    product,
    website.show(`${one.snippet}${one.snippet}<handstamp-tickets></handstamp-tickets>`),
  );
  for (const index of [0, 1]) await expect(frameOf(page, index).getByText('Basement Brass')).toBeVisible();
  await expect(page.locator('handstamp-tickets iframe')).toHaveCount(2);

  await page.evaluate((event) => {
    const late = Object.assign(document.createElement('handstamp-tickets'), { id: 'late' });
    late.setAttribute('event', event);
    late.setAttribute('from', 'blog & "co"');
    document.body.append(late);
  }, other.eventId);
  const late = page.locator('#late');
  await late.scrollIntoViewIfNeeded();
  const lateFrame = page.frameLocator('#late iframe');
  await expect(lateFrame.getByRole('heading', { name: 'Attic Strings' })).toBeVisible();
  await expect(lateFrame.getByRole('link', { name: frameText.details })).toHaveAttribute(
    'href',
    `/payment/${other.eventId}?${new URLSearchParams({ from: 'blog & "co"' }).toString()}`,
  );

  // A message of another window says nothing about a frame.
  const heightOfLate = () => late.locator('iframe').evaluate((frame) => frame.getBoundingClientRect().height);
  await expect.poll(heightOfLate).toBeGreaterThan(0);
  await page.evaluate((origin) => {
    window.postMessage({ handstamp: 'x', height: 5000 }, '*');
    window.dispatchEvent(new MessageEvent('message', { origin, data: { handstamp: 'x', height: 5000 } }));
  }, product.url);
  expect(await heightOfLate()).toBeLessThan(5000);

  await late.evaluate((element) => element.setAttribute('event', 'AAAAAAAAAAAAAAAA'));
  await expect.poll(heightOfLate).toBe(0);
  await late.evaluate((element) => element.remove());
  await expect(page.locator('handstamp-tickets iframe')).toHaveCount(2);
});

test('a sale that is closed shows why, and leads to the event page [EMBED-1]', async ({ product }) => {
  const inAnHour = new Date(siteOf(product).now().getTime() + 3_600_000).toISOString();
  const { eventId, snippet, organizer } = await embedded(product, {
    salesStart: inAnHour,
    useWaitingRoom: true,
    buyersPerMinute: 60,
  });
  const page = await visit(product, website.show(snippet));
  const frame = frameOf(page);
  await expect(frame.getByText(frameText.waitingRoom)).toBeVisible();
  await expect(frame.getByRole('button')).toHaveCount(0);
  await frame.getByRole('link', { name: frameText.toEvent }).click();
  await expect(page).toHaveURL(`${product.url}/payment/${eventId}`);

  expectOk(await organizer.visitor.call(cancelEvent, { eventId }));
  await page.goto(website.show(snippet));
  await expect(frame.getByText(eventCancelled)).toBeVisible();
  await expect(frame.getByRole('link', { name: frameText.toEvent })).toBeVisible();
});

test('a cart reserves nothing by being opened, and says what has changed since it was chosen [EMBED-1]', async ({
  product,
}) => {
  const FRIDAY = { startDate_startTime: '2031-06-13T20:00', endDate_endTime: '2031-06-13T23:00' };
  const SATURDAY = { startDate_startTime: '2031-06-14T20:00', endDate_endTime: '2031-06-14T23:00' };
  const { eventId, snippet, organizer } = await embedded(product, FRIDAY);
  const page = await visit(product, website.show(snippet));
  const frame = frameOf(page);
  await frame.getByRole('button', { name: 'Add to Cart' }).first().click();
  const address = await frame.getByRole('link', { name: frameText.checkout }).getAttribute('href');

  // Sent to a friend.
  const friend = await openPage(browser, product);
  const made = calls(friend);
  await friend.goto(address ?? '');
  const checkout = friend.getByRole('button', { name: takenOverCart.checkout });
  await expect(checkout).toBeVisible();
  await expect(friend.getByText('Basement Brass')).toBeVisible();
  expect(friend.url()).toBe(`${product.url}/embed/${eventId}/checkout`);
  await expectFits(friend);
  await expectReadable(friend);
  await friend.reload();
  await expect(checkout).toBeVisible();
  expect(made).toEqual([]);

  // A cart that couldn't be stored is there after a reload.
  const unlucky = await openPage(browser, product);
  await unlucky.route('**/api/public/event/**', (route) => route.abort());
  await unlucky.goto(address ?? '');
  await expect(unlucky.getByRole('alert')).toBeVisible();
  await unlucky.unroute('**/api/public/event/**');
  await unlucky.reload();
  await expect(unlucky.getByText('Basement Brass')).toBeVisible();
  await expect(unlucky.getByRole('button', { name: takenOverCart.checkout })).toBeVisible();

  await editEventOf(siteOf(product), { visitor: organizer.visitor, eventId }, SATURDAY);
  await frame.getByRole('link', { name: frameText.checkout }).click();
  await expect(page.getByRole('alert').filter({ hasText: eventChanged.title })).toContainText('Saturday, June 14');
  await expectReadable(page);
  await press(page, page.getByRole('button', { name: eventChanged.goOn }));
  await payWithCard(page, 'sam@example.com');
  await expect(ticketCodes(page)).toHaveCount(1);

  const other = String(address).replace(/total=\d+/, 'total=1');
  await friend.goto(other);
  await expect(friend.getByRole('alert').filter({ hasText: takenOverCart.differs })).toBeVisible();
  await checkout.click();
  await friend.getByRole('button', { name: eventChanged.goOn }).click();
  await friend.waitForURL(/\/sandbox\/pay\//);
});

for (const width of [320, 1360])
  test(`an organizer lists a website and copies its code by keyboard, ${width} pixels wide [EMBED-1]`, async ({
    browser: shell,
    product,
  }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer);
    const size = { viewport: { width, height: 900 } };
    const page = await browserOf(organizer, shell, product, size);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/events/${eventId}`);
    await press(page, page.getByRole('button', { name: text.open }));
    const dialog = dialogOf(page, text.dialog);
    await expect(dialog.getByText(text.noSites)).toBeVisible();
    const preview = page.frameLocator('dialog iframe');
    await expect(preview.getByRole('heading', { name: 'Basement Brass' })).toBeVisible();
    await expect.poll(async () => (await dialog.locator('iframe').boundingBox())?.height).toBeGreaterThan(200);

    const field = dialog.getByRole('textbox', { name: text.site });
    await type(page, field, 'example.com/tickets');
    await page.keyboard.press('Enter');
    await expectToasts(page, [embedErrors['embed.origin-invalid']]);
    await field.fill(`${website.origin}/`);
    await page.keyboard.press('Enter');
    await expectToasts(page, [text.added(website.origin)]);
    await expect(dialog.getByRole('listitem')).toHaveText(new RegExp(website.origin));
    await expect(field).toHaveValue('');
    await expectFits(page);
    await expectReadable(page);

    await press(page, dialog.getByRole('button', { name: text.copy }));
    await expectToasts(page, [text.copied]);
    const snippet = await page.evaluate(() => navigator.clipboard.readText());
    const visitor = await visit(product, website.show(snippet));
    await expect(frameOf(visitor).getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();

    await press(page, dialog.getByRole('button', { name: text.removeLabel(website.origin) }));
    await expectToasts(page, [text.removed(website.origin)]);
    await expect(dialog.getByRole('heading', { name: text.sites })).toBeFocused();
    await visitor.reload();
    await expect(insideLink(visitor)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
