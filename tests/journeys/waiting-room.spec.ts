/** A waiting room with two buyers before the start of sales and one after it. */
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { waitingRoom } from '#contract/app/waiting-room.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { queueTitle, releaseReservation } from '#messages/checkout.ts';
import { advancedFields } from '#messages/records/event-editor.ts';
import { tooManyAttempts } from '#messages/requests.ts';
import { cameUpWhileClosed, drawCheck, inWaitingRoom, keepsPlace, stillTrying } from '#messages/waiting-room.ts';
import { moveClock, setClock } from '#tests/support/move-clock.ts';
import { eventOnSale, expectOk, generalAdmission, type Site } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { join, joined } from '#tests/support/waiting-room.ts';
import { payWithCard } from './buyer-steps.ts';
import { expect, expectAccessible, expectFits, expectReadable, openPage, withOwnProduct } from './journey.ts';
import { press } from './keyboard.ts';
import { logIn } from './organizer-steps.ts';
import { withSlowQueue } from './slow-queue.ts';

/** Moves the server's clock. */
const test = withOwnProduct();

const PHONE = { viewport: { width: 320, height: 640 } };
const SECONDS_TO_START = 600;
/** Slow enough to inspect the second buyer's page in the meantime. */
const PER_MINUTE = 1;
const SECONDS_A_TURN = 60 / PER_MINUTE;

async function waitingRoomEventUrl(product: Product, startsInSeconds: number): Promise<string> {
  return (await waitingRoomEvent(siteOf(product), startsInSeconds)).eventUrl;
}

async function waitingRoomEvent(site: Site, startsInSeconds: number) {
  const start = new Date(site.now().getTime() + startsInSeconds * 1000);
  const salesStart = start.toISOString();
  const waitingRoom = { title: 'The Rush', salesStart, useWaitingRoom: true, buyersPerMinute: PER_MINUTE };
  return { start, ...(await eventOnSale(site, waitingRoom)) };
}

const denial = { status: 429, json: { msg: tooManyAttempts } };

const status = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text });
const turn = (page: Page) => page.getByRole('heading', { name: "You're up!" });
/** The page polls when its connection is back. */
const poll = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('online')));
const checkout = (page: Page) => page.getByRole('button', { name: 'Checkout' }).filter({ visible: true });
const addTicket = (page: Page) =>
  press(
    page,
    page
      .getByRole('listitem')
      .filter({ hasText: 'General admission' })
      .getByRole('button', { name: /Add to Cart/ }),
  );

test('A waiting room assigns a random order, which can be checked, calls buyers in turn, and they buy [ROOM-5]', async ({
  browser,
  product,
}) => {
  const { start, eventUrl: url } = await waitingRoomEvent(siteOf(product), SECONDS_TO_START);
  const phone = await openPage(browser, product, PHONE);
  const desk = await openPage(browser, product);

  await test.step('before the start both are in the waiting room, and can fill their carts', async () => {
    for (const page of [phone, desk]) {
      await page.goto(url);
      await expect(page.getByRole('heading', { name: "You're in the waiting room" })).toBeVisible();
      await expect(status(page, /Sales haven't started yet/)).toBeAttached();
      await addTicket(page);
    }
    await expect(phone.getByRole('timer')).toHaveText(/^\d:\d\d until sales start$/);
    await expect(checkout(phone)).toBeHidden();
    const closed = phone.getByRole('button', { name: 'Not on sale yet' }).filter({ visible: true });
    await expect(closed).toHaveAccessibleDescription("You're in the waiting room");
    await expectFits(phone);
    await expectReadable(phone);
    await press(phone, closed);
    await expect(phone.getByRole('heading', { name: "You're in the waiting room" })).toBeFocused();
  });

  const [first, second] = await test.step('the random draw calls one of them', async () => {
    await setClock(product.sandboxUrl, new Date(start.getTime() - 60_000));
    for (const page of [phone, desk]) await Promise.all([page.waitForResponse('**/waiting-room'), poll(page)]);
    // Sets the clock to the start: advancing it by seconds could call both.
    await setClock(product.sandboxUrl, start);
    const called = () => Promise.all([phone, desk].map((page) => poll(page).then(() => turn(page).isVisible())));
    await expect.poll(async () => (await called()).filter(Boolean).length).toBe(1);
    return (await turn(phone).isVisible()) ? [phone, desk] : [desk, phone];
  });

  await test.step('the other sees the wait, after a reload and in another tab as well', async () => {
    const tab = await second.context().newPage();
    await tab.goto(url);
    await second.reload();
    for (const page of [second, tab]) {
      await expect(page.getByText("You're next")).toBeVisible();
      await expect(status(page, /Less than a minute to go/)).toBeAttached();
    }
    await expect(second.getByRole('button', { name: 'Not your turn yet' }).filter({ visible: true })).toBeVisible();
    await expectAccessible(second);
    await tab.close();
  });

  const late = await openPage(browser, product, PHONE);
  await test.step('a buyer who comes after the start is behind them', async () => {
    await late.goto(url);
    await expect(late.getByText(/ahead of you|You're next/)).toBeVisible();
  });

  await test.step('the first one buys', async () => {
    await expect(status(first, /You're up!/)).toBeAttached();
    await expectFits(first);
    await expectReadable(first);
    await press(first, checkout(first));
    await payWithCard(first, 'first@example.com');
  });

  await test.step('the second one checks the draw once called', async () => {
    await moveClock(product.sandboxUrl, SECONDS_A_TURN);
    await expect.poll(() => poll(second).then(() => turn(second).isVisible())).toBe(true);
    expect(await second.title()).toMatch(/^Your turn: The Rush/);
    await expect.poll(() => poll(second).then(() => second.getByText('Check the draw').isVisible())).toBe(true);
    await second.getByRole('button', { name: 'Check the draw' }).press('Enter');
    await expect(status(second, /^Matches\.$/)).toBeVisible();
    await expectReadable(second);
  });

  await test.step('a draw with another key and its hash does not match', async () => {
    const key = Buffer.alloc(32);
    const draw = { key: key.toString('hex'), hash: createHash('sha256').update(key).digest('hex') };
    await second.route('**/waiting-room', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      await route.fulfill({ response, json: json.draw ? { ...json, draw: { ...json.draw, ...draw } } : json });
    });
    await Promise.all([second.waitForResponse('**/waiting-room'), poll(second)]);
    const differs = second.getByRole('status').filter({ hasText: drawCheck.differs });
    // The page may still show the draw of its last poll.
    await expect(async () => {
      await second.getByRole('button', { name: 'Check the draw' }).press('Enter');
      await expect(differs).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(second.getByText(draw.key)).toBeVisible();
    await second.unroute('**/waiting-room');
  });

  await test.step('the second one pays', async () => {
    await checkout(second).click();
    await payWithCard(second, 'second@example.com');
  });
});

test('A page that was closed when its pass came up is next when it opens again [ROOM-4]', async ({
  browser,
  product,
  db,
}) => {
  const site = siteOf(product);
  // Presence counts in whole minutes: all of them poll in the first one.
  await moveClock(product.sandboxUrl, 60 - (Math.floor(site.now().getTime() / 1000) % 60));
  const { eventId, eventUrl } = await waitingRoomEvent(site, 0);
  for (let before = 0; before < 4; before++) await joined(site, eventId);
  const page = await openPage(browser, product, PHONE);
  await page.goto(eventUrl);
  await expect(page.getByText(keepsPlace)).toBeVisible();
  await expect(page.getByText(/^At most 3 people ahead of you$/)).toBeVisible();

  await page.goto('about:blank');
  const here = site.visitor();
  expectOk(await join(here, eventId));
  await moveClock(product.sandboxUrl, 6 * 60);
  const skipped = () => db.selectFrom('waitingRoomSkips').where('eventId', '=', eventId).select('position').execute();
  await expect
    .poll(async () => {
      expectOk(await here.call(waitingRoom, { eventId }));
      return (await skipped()).map(({ position }) => Number(position));
    })
    .toContain(5);

  await page.goto(eventUrl);
  await expect(page.getByText(cameUpWhileClosed)).toBeVisible();
  await expect(page.getByRole('heading', { name: inWaitingRoom })).toBeVisible();
  await expectAccessible(page);
  await expectReadable(page);
  await moveClock(product.sandboxUrl, SECONDS_A_TURN);
  await poll(page);
  await expect(turn(page)).toBeVisible();
});

test('A sale without a waiting room starts on time', async ({ browser, product }) => {
  const site = siteOf(product);
  const { eventUrl } = await eventOnSale(site, {
    salesStart: new Date(site.now().getTime() + SECONDS_TO_START * 1000).toISOString(),
  });
  const page = await openPage(browser, product);
  await page.goto(eventUrl);
  const add = page.getByRole('button', { name: 'Add to Cart' }).first();
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('listitem').filter({ hasText: 'Balcony' })).toContainText('Not on sale yet');

  await moveClock(product.sandboxUrl, SECONDS_TO_START);
  await expect.poll(() => poll(page).then(() => add.getAttribute('aria-disabled'))).toBe(null);
  await addTicket(page);
  await expect(checkout(page)).toBeVisible();
});

test('A lost connection does not empty the page', async ({ browser, product }) => {
  const url = await waitingRoomEventUrl(product, 600);
  const page = await openPage(browser, product);
  await page.route('**/waiting-room', (route) => route.abort());
  await page.goto(url);

  await expect(page.getByText('We lost the connection')).toBeVisible();
  await expect(page.getByText(stillTrying)).toHaveText(stillTrying);
  await expect(page.getByRole('heading', { name: 'Waiting room' })).toBeVisible();
  await page.unroute('**/waiting-room');
  await poll(page);
  await expect(page.getByRole('heading', { name: "You're in the waiting room" })).toBeVisible();
  await expect(page.getByText('We lost the connection')).toBeHidden();
});

test('A buyer without a pass still sees that sales have started, and why', async ({ browser, product }) => {
  const url = await waitingRoomEventUrl(product, -60);
  const page = await openPage(browser, product);
  await page.route('**/waiting-room', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill(denial),
  );
  await page.goto(url);

  await expect(page.getByRole('heading', { name: 'Sales have started' })).toBeVisible();
  await expect(page.getByText('We lost the connection')).toBeVisible();
  await expect(page.getByText(tooManyAttempts)).toBeVisible();
});

test('An organizer sets the start of sales and a waiting room [EVT-20]', async ({ browser, product }) => {
  const { email, eventUrl } = await eventOnSale(siteOf(product));
  const office = await openPage(browser, product);
  await logIn(office, email);
  await office.getByRole('button', { name: 'Edit Event' }).click();
  const dialog = office.getByRole('dialog', { name: 'Edit Event' });

  await test.step('a room needs a start', async () => {
    await dialog.getByText(advancedFields.onSale, { exact: true }).click();
    await expect(dialog.getByLabel('Buyers per minute')).toBeHidden();
    await dialog.getByLabel('Use a waiting room').check();
    await expect(dialog.getByLabel('Buyers per minute')).toHaveValue('300');
    // What is wrong opens, and has the focus.
    await dialog.getByText(advancedFields.onSale, { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog.getByLabel('On sale from')).toBeFocused();
    await expect(dialog.getByLabel('On sale from')).toHaveAccessibleDescription(
      /Set a sales start to use a waiting room/,
    );
    await expectReadable(office);
  });

  await test.step('the event page shows both', async () => {
    const start = new Date(Date.now() + 3 * 60 * 60 * 1000);
    await dialog.getByLabel('On sale from').fill(localTimeOf(start, 'America/New_York'));
    await dialog.getByLabel('Buyers per minute').fill('120');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await office.getByRole('dialog', { name: 'Event Updated' }).getByRole('button', { name: 'Done' }).click();

    const phone = await openPage(browser, product, PHONE);
    await phone.goto(eventUrl);
    await expect(phone.getByRole('heading', { name: 'Not on sale yet' })).toBeVisible();
    await expect(phone.getByRole('timer')).toHaveText(/^[23] hr \d+ min until sales start$/);
    await expect(phone.getByText(/The waiting room opens at \d+:\d\d [AP]M/)).toBeVisible();
    await expect(phone.getByText('Available')).toHaveCount(0);
    const add = phone.getByRole('button', { name: 'Add to Cart' }).first();
    await expect(add).toHaveAttribute('aria-disabled', 'true');
    await expect(add).toHaveAccessibleDescription(/On sale from .+ at \d+:\d\d [AP]M E[DS]T/);
    await add.press('Enter');
    await expect(phone.getByText('Your cart is empty.')).toBeVisible();
    await expectReadable(phone);
  });

  await test.step('the form shows what was saved', async () => {
    await office.getByRole('button', { name: 'Edit Event' }).click();
    await expect(dialog.getByLabel('Use a waiting room')).toBeChecked();
    await expect(dialog.getByLabel('Buyers per minute')).toHaveValue('120');
  });
});

const slow = withSlowQueue(10);

slow('A buyer with reserved tickets is not called, and can release them', async ({ page, site }) => {
  const { eventUrl } = await waitingRoomEvent(site, 0);
  const { eventId: other } = await eventOnSale(site);
  for (let buyer = 0; buyer < 4; buyer++)
    await site.call(createCheckoutSession, { eventId: other, cartItems: generalAdmission(1) });
  await page.goto(eventUrl);
  await expect(turn(page)).toBeVisible();
  await addTicket(page);
  await checkout(page).click();

  const heading = page.getByText(queueTitle, { exact: true });
  for (const step of ['while they are reserved', 'after a reload']) {
    await slow.step(step, async () => {
      await expect(heading).toBeVisible();
      await expect(turn(page)).toHaveCount(0);
      await expect(status(page, /turn|You're up/)).toHaveCount(0);
      await expect(page).toHaveTitle(/^The Rush/);
      await expect(page.getByRole('button', { name: /secure checkout/ }).filter({ visible: true })).toBeVisible();
    });
    if (step === 'while they are reserved') await page.reload();
  }

  await page.getByRole('button', { name: releaseReservation }).press('Enter');
  await expect(heading).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(turn(page)).toBeVisible();
});

slow('A new pass can be requested by keyboard, with feedback', async ({ page, site, product }) => {
  const { eventUrl } = await waitingRoomEvent(site, 0);
  await page.goto(eventUrl);
  await expect(turn(page)).toBeVisible();
  await moveClock(product.sandboxUrl, 11 * 60);
  await poll(page);
  await expect(page.getByRole('heading', { name: 'You missed your turn' })).toBeVisible();

  let isDenied = true;
  let releasePass = () => {};
  const passReleased = new Promise<void>((resolve) => {
    releasePass = resolve;
  });
  await page.route('**/waiting-room', async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    if (isDenied) return route.fulfill(denial);
    await passReleased;
    return route.fallback();
  });
  const button = page.getByRole('button', { name: 'Rejoin the line' });
  await button.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: tooManyAttempts })).toBeVisible();
  await expect(button).toBeFocused();

  isDenied = false;
  await button.press('Enter');
  await expect(button).toHaveAttribute('aria-busy', 'true');
  releasePass();
  await expect(button).toHaveCount(0);
  await expect(page.locator('#on-sale')).toBeFocused();
  await expect(page.locator('#on-sale')).not.toHaveText('You missed your turn');
});
