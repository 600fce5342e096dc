import type { Page } from '@playwright/test';
import { checkoutSession, createCheckoutSession, openCheckouts } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { expect, mockCall, PHOTOS, type Stage, sentTo, skipServerRendering, test, toasts } from './public-setup.ts';

const CHECKOUT = createCheckoutSession.path;

const stillOpen = { status: 'unpaid', confirmationData: [], order: null };

const openEvent = async (page: Page, { onSale }: Stage) => {
  await page.goto(`/payment/${onSale.eventId}`);
  await expect(page.getByRole('heading', { level: 1, name: onSale.title })).toBeVisible();
};

const ticket = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Tickets' }).getByRole('listitem').filter({ hasText: name });
const add = (page: Page, name: string) => ticket(page, name).getByRole('button', { name: 'Add to Cart' });
const cart = (page: Page) => page.getByRole('region', { name: 'Your cart' });
const quantity = (page: Page, name: string) =>
  cart(page)
    .getByRole('group', { name: `Quantity of ${name}` })
    .getByRole('status');
const checkout = (page: Page) => page.getByRole('button', { name: 'Checkout' }).first();

test.describe('The event page', () => {
  test("says what, where and when, in the event's time zone [BUY-1]", async ({ page, stage }) => {
    await openEvent(page, stage);
    const main = page.getByRole('main');
    const noon = new Date(`${stage.onSale.day}T18:00:00Z`);
    const part = (options: Intl.DateTimeFormatOptions) =>
      noon.toLocaleString('en-US', { timeZone: 'America/Chicago', ...options });
    const day = `${part({ weekday: 'long' })}, ${part({ month: 'long' })} ${part({ day: 'numeric' })}, ${part({ year: 'numeric' })}`;
    const zone = part({ timeZoneName: 'short' }).split(' ').at(-1);

    await expect(main.getByText('Nine drums and a tuba.')).toBeVisible();
    await expect(main.locator('address').first()).toHaveText('220 N Wells St');
    await expect(main.getByText('220 N Wells St, Chicago, IL 60606', { exact: true })).toBeVisible();
    expect(zone).toMatch(/^C[SD]T$/);
    await expect(main.locator('time').nth(0)).toHaveText(`${day} at 8:00 PM ${zone}`);
    await expect(main.locator('time').nth(1)).toHaveText(`${day} at 11:00 PM ${zone}`);
    await expect(main.getByText(/\w{3} 9:00 PM E[SD]T your time/)).toBeVisible();
  });

  test('shows the first five of six photos, one at a time [BUY-2 PHOTO-1]', async ({ page, stage }) => {
    await openEvent(page, stage);
    const photos = page.getByRole('region', { name: 'Photos' });

    expect(PHOTOS).toBeGreaterThan(5);
    await expect(photos.getByRole('img')).toHaveCount(5);
    await expect(photos.getByText('1 / 5')).toBeVisible();
    await photos.getByRole('button', { name: 'Next photo' }).click();
    await expect(photos.getByText('2 / 5')).toBeVisible();
    const image = photos.getByRole('img').nth(1);
    await expect(image).toBeInViewport();
    await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
  });

  test('has a map at zoom 13 with a labeled pin, even without tiles [BUY-2]', async ({ page, stage }) => {
    const tiles: string[] = [];
    const failed: string[] = [];
    page.on('request', (request) => request.url().includes('//tile.openstreetmap.org/') && tiles.push(request.url()));
    page.on('requestfailed', (request) => failed.push(request.url()));
    await openEvent(page, stage);
    const location = page.getByRole('region', { name: 'Location' });
    await location.scrollIntoViewIfNeeded();
    const pin = location.getByRole('button', { name: stage.onSale.title });
    await pin.click();

    await expect(location.locator('.leaflet-popup')).toHaveText(new RegExp(stage.onSale.title));
    await expect(location.getByText('220 N Wells St, Chicago, IL 60606')).toBeVisible();
    await expect.poll(() => tiles.length).toBeGreaterThan(0);
    // Tile that contains the pin, by the definition of the map's projection.
    const column = Math.floor(((-87.634 + 180) / 360) * 2 ** 13);
    expect(tiles.filter((url) => !url.includes('/13/'))).toEqual([]);
    expect(tiles.some((url) => url.includes(`/13/${column}/`))).toBe(true);
    await expect.poll(() => failed.some((url) => tiles.includes(url))).toBe(true);
  });

  test('adds to the cart by name, starts at one, and empties it [BUY-3]', async ({ page, stage }) => {
    await openEvent(page, stage);
    await expect(page.getByText('Your cart is empty.')).toBeVisible();
    await add(page, 'Floor').click();
    await expect(quantity(page, 'Floor')).toHaveText('1');
    await add(page, 'Floor').click();
    await add(page, 'Balcony').click();

    await expect(quantity(page, 'Floor')).toHaveText('2');
    await expect(quantity(page, 'Balcony')).toHaveText('1');
    await expect(cart(page).getByRole('listitem')).toHaveCount(2);
    await expect(cart(page)).toContainText('$86.50');
    await expect(checkout(page)).toBeVisible();
    await page.reload();
    await expect(quantity(page, 'Floor')).toHaveText('2');
    await cart(page).getByRole('button', { name: 'Clear Cart' }).click();
    await expect(page.getByText('Your cart is empty.')).toBeVisible();
    await expect(checkout(page)).toHaveCount(0);
  });

  test('says what is sold out or nearly so, and keeps each button [BUY-3]', async ({ page, stage }) => {
    await openEvent(page, stage);

    await expect(ticket(page, 'Floor')).toContainText('Available');
    await expect(ticket(page, 'Floor')).toContainText('$24.00');
    await expect(ticket(page, 'Balcony')).toContainText('4 left');
    await expect(ticket(page, 'Last row')).toContainText('Sold out');
    await expect(add(page, 'Last row')).toBeDisabled();
    await expect(add(page, 'Last row')).toHaveAccessibleDescription(/Sold out\./);
    await add(page, 'Last row').click({ force: true });
    await expect(page.getByText('Your cart is empty.')).toBeVisible();

    for (let taken = 0; taken < 5; taken++) await add(page, 'Balcony').click();
    await expect(quantity(page, 'Balcony')).toHaveText('4');
    await expect(toasts(page)).toHaveText(['Not enough Balcony left. Try fewer.']);
  });

  test('limits an order to 100 tickets, and says so while more are available [BUY-3]', async ({ page, stage }) => {
    await openEvent(page, stage);
    await add(page, 'Floor').evaluate(async (button: HTMLElement) => {
      for (let press = 0; press < 101; press++) {
        button.click();
        await new Promise(requestAnimationFrame);
      }
    });

    await expect(quantity(page, 'Floor')).toHaveText('100');
    await expect(toasts(page)).toHaveText(['An order can have at most 100 tickets.']);
  });

  test('links the refund form and the scanner, with the event selected [BUY-4 DOOR-1]', async ({ page, stage }) => {
    const { eventId, title } = stage.onSale;
    await openEvent(page, stage);
    await page.getByRole('link', { name: 'Request a Refund' }).click();
    await expect(page).toHaveURL(new RegExp(`/refund/${eventId}$`));
    await page.goBack();
    await page.getByRole('button', { name: 'I am an Attendant' }).click();

    await expect(page).toHaveURL(new RegExp(`/scanner\\?event=${eventId}$`));
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    const state: unknown = await page.evaluate(() => history.state);
    expect(state).toMatchObject({ usr: { eventId, event: { eventId, title } } });
  });

  test('describes its organizer, and links the terms [BUY-5]', async ({ page, stage }) => {
    await openEvent(page, stage);
    const about = page.getByRole('region', { name: 'About Cooperage Nights' });

    await expect(about).toContainText('Live music in a barrel factory.');
    const terms = page.getByRole('main').locator('a[href="/Legal"]');
    await expect(terms).toHaveText('Terms and Conditions');
    await terms.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms And Conditions' })).toBeVisible();
  });

  test('describes the event if the organizer has no name [BUY-5]', async ({ page, stage }) => {
    const { eventId } = stage.onSale;
    const { body } = await stage.site.call(publicEvent, { eventId });
    await skipServerRendering(page);
    await mockCall(page, `/api/public/event/${eventId}`, {
      status: 200,
      json: { ...body, organizationName: null, bio: null },
    });
    await openEvent(page, stage);

    await expect(page.getByRole('heading', { name: 'About this event.', exact: true })).toBeVisible();
  });
});

test.describe('An event that cannot be bought', () => {
  const states: [what: string, msg: string, eventId: (stage: Stage) => string][] = [
    ['was cancelled', 'This event has been cancelled.', (stage) => stage.cancelled.eventId],
    ['has ended', 'This event has ended.', (stage) => stage.ended.eventId],
    ['is unknown', 'Event not found', () => 'AAAAAAAAAAAAAAAA'],
  ];
  for (const [what, msg, idOf] of states) {
    test(`shows only a message and the two buttons when it ${what} [BUY-6]`, async ({ page, stage }) => {
      await page.goto(`/payment/${idOf(stage)}`);
      await expectOnlyMessage(page, msg);
      await page.getByRole('button', { name: 'I am an Attendant' }).click();
      await expect(page.getByLabel('Attendant Code')).toBeVisible();
    });
  }

  const failures: [what: string, answer: Parameters<typeof mockCall>[2], msg: string][] = [
    ['the connection fails', null, 'Event not found'],
    ['the server fails without a message', { status: 500 }, 'Event not found'],
    ['the server sends a message', { status: 503, json: { msg: 'Back in a minute.' } }, 'Back in a minute.'],
  ];
  for (const [what, answer, msg] of failures) {
    test(`says "${msg}" when ${what} [BUY-6]`, async ({ page, stage }) => {
      await skipServerRendering(page);
      await mockCall(page, '/api/public/event/', answer);
      await page.goto(`/payment/${stage.onSale.eventId}`);
      await expectOnlyMessage(page, msg);
    });
  }
});

test.describe('The checkout', () => {
  test('sends the cart and redirects to the payment page [BUY-7 BUY-8]', async ({ page, stage }) => {
    const { eventId } = stage.onSale;
    await openEvent(page, stage);
    await add(page, 'Floor').click();
    await add(page, 'Floor').click();
    const body = await sentTo(page, CHECKOUT, () => checkout(page).click());

    expect(body).toMatchObject({ eventId, cartItems: [{ ticketName: 'Floor', ticketPrice: 24, quantity: 2 }] });
    await page.waitForURL(/\/sandbox\/pay\//);
    await expect(page.getByRole('button', { name: 'Pay $48.00' })).toBeVisible();
    await page.goBack();
    await expect(quantity(page, 'Floor')).toHaveText('2');
    await expect(page.getByText('Your checkout is still open')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Continue checkout' })).toHaveAttribute('href', /\/sandbox\/pay\//);
    await expect(page.getByText(/We're holding your tickets until \d+:\d\d [AP]M [A-Z]{3}\./)).toBeVisible();
  });

  test('can still be resumed after an immediate reload [BUY-7]', async ({ page, stage }) => {
    await page.clock.install();
    await openEvent(page, stage);
    await add(page, 'Floor').click();
    await checkout(page).click();
    await page.waitForURL(/\/sandbox\/pay\//);
    await page.goBack();
    const isOpen = page.getByText('Your checkout is still open');
    await expect(isOpen).toBeVisible();

    // The server's answer to a second request within ten seconds.
    await mockCall(page, checkoutSession.path, { status: 200, json: { ...stillOpen, status: 'processing' } });
    const asked = page.waitForResponse((reply) => reply.url().includes(checkoutSession.path));
    await page.reload();
    await (await asked).finished();
    await expect(checkout(page)).toBeVisible();
    await page.unroute(`**${checkoutSession.path}*`);
    await mockCall(page, checkoutSession.path, { status: 200, json: stillOpen });
    await expect(isOpen).toBeHidden();
    await page.clock.fastForward(11_000);
    await expect(isOpen).toBeVisible();
  });

  test('is found and released in a new tab, once the first is closed [RES-4]', async ({ page, stage, context }) => {
    await openEvent(page, stage);
    await add(page, 'Floor').click();
    await add(page, 'Floor').click();
    await checkout(page).click();
    await page.waitForURL(/\/sandbox\/pay\//);

    const paymentPage = page.url();
    await page.close();
    const tab = await context.newPage();
    await openEvent(tab, stage);
    await expect(
      tab.getByText(/^2 tickets\. You haven't been charged\. We're holding your tickets until /),
    ).toBeVisible();
    await expect(tab.getByRole('link', { name: 'Continue checkout' })).toHaveAttribute('href', paymentPage);
    await tab.getByRole('button', { name: 'Release my tickets' }).click();
    await expect(toasts(tab)).toHaveText(['Tickets released.']);
    await expect(tab.getByText('Your checkout is still open')).toBeHidden();
    await expect(tab.getByRole('heading', { level: 1 })).toBeFocused();

    await tab.goto(paymentPage);
    await expect(tab.getByRole('heading', { name: 'This payment page has expired' })).toBeVisible();
  });

  test('lists the open ones when there are too many [RES-2]', async ({ page, stage }) => {
    const open = (handle: string, title: string, eventId: string) => ({
      handle,
      eventId,
      title,
      timezone: 'America/Chicago',
      tickets: [{ ticketId: 'x', ticketName: 'Floor', quantity: 1 }],
      reservedUntil: '2026-05-01T20:00:00.000Z',
      sessionId: null,
      url: `/payment/${eventId}#queue=${handle}`,
    });
    const checkouts = [open('a', 'Here', stage.onSale.eventId), open('b', 'Basement Brass', 'bbbbbbbbbbbbbbbb')];
    await mockCall(page, openCheckouts.path, { status: 200, json: { checkouts } });
    await openEvent(page, stage);
    await add(page, 'Floor').click();
    const denial = errorBody('checkout.too-many-open', { count: 10 });
    await mockCall(page, CHECKOUT, { status: 409, json: denial });
    await checkout(page).click();

    await expect(toasts(page)).toHaveText([denial.msg]);
    await expect(page.getByText('Your checkouts are still open')).toBeVisible();
    await expect(page.getByText(/^Basement Brass: 1 ticket\./)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Continue checkout' })).toHaveCount(2);
    await expect(page.getByRole('button', { name: 'Release my tickets' })).toHaveCount(2);
  });

  test("shows the payment processor's error, and keeps the cart [BUY-7]", async ({ page, stage }) => {
    const error = 'Your account cannot currently make live charges.';
    await mockCall(page, CHECKOUT, { status: 502, json: { msg: error } });
    await openEvent(page, stage);
    await add(page, 'Floor').click();
    await checkout(page).click();

    await expect(toasts(page)).toHaveText([error]);
    await expect(checkout(page)).toBeEnabled();
    await expect(quantity(page, 'Floor')).toHaveText('1');
    await page.unrouteAll();
    await mockCall(page, CHECKOUT, { status: 500 });
    await checkout(page).click();
    await expect(toasts(page)).toContainText([error, 'Something went wrong on our side. Please try again.']);
  });
});

async function expectOnlyMessage(page: Page, msg: string): Promise<void> {
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: msg, exact: true })).toBeVisible();
  await expect(main).toHaveText(`${msg}Request a RefundI am an Attendant`);
}
