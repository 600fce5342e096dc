import type { Page } from '@playwright/test';
import { checkoutSession, createCheckoutSession } from '#contract/checkout.ts';
import { publicEvent } from '#contract/events.ts';
import { expect, letCallAnswer, letPageComeBare, PHOTOS, type Stage, sentTo, test, toasts } from './public-stage.ts';

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

test.describe('The page of an event', () => {
  test('says what, where, and when in the words of its own place [BUY-1]', async ({ page, stage }) => {
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

  test('shows the first five photos of more, one after the other [BUY-2 PHOTO-1]', async ({ page, stage }) => {
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

  test('has a map at zoom 13 with a pin that says what is there, also when no tile comes [BUY-2]', async ({
    page,
    stage,
  }) => {
    const tiles: string[] = [];
    const failed: string[] = [];
    page.on('request', (request) => request.url().includes('//tile.openstreetmap.org/') && tiles.push(request.url()));
    page.on('requestfailed', (request) => failed.push(request.url()));
    await openEvent(page, stage);
    const place = page.getByRole('region', { name: 'Location' });
    await place.scrollIntoViewIfNeeded();
    const pin = place.getByRole('button', { name: stage.onSale.title });
    await pin.click();

    await expect(place.locator('.leaflet-popup')).toHaveText(new RegExp(stage.onSale.title));
    await expect(place.getByText('220 N Wells St, Chicago, IL 60606')).toBeVisible();
    await expect.poll(() => tiles.length).toBeGreaterThan(0);
    // Column and row of the tile that holds the pin, by the definition of the map's projection.
    const column = Math.floor(((-87.634 + 180) / 360) * 2 ** 13);
    expect(tiles.filter((url) => !url.includes('/13/'))).toEqual([]);
    expect(tiles.some((url) => url.includes(`/13/${column}/`))).toBe(true);
    await expect.poll(() => failed.some((url) => tiles.includes(url))).toBe(true);
  });

  test('a cart grows by name, starts at one, and empties [BUY-3]', async ({ page, stage }) => {
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

  test('tells what is sold out and where few are left, and keeps each button [BUY-3]', async ({ page, stage }) => {
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

  test('an order ends at 100 tickets, and says so while there are more [BUY-3]', async ({ page, stage }) => {
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

  test('leads to the refund form and, with the event in hand, to the door [BUY-4 DOOR-1]', async ({ page, stage }) => {
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

  test('is about its organizer, and links the terms [BUY-5]', async ({ page, stage }) => {
    await openEvent(page, stage);
    const about = page.getByRole('region', { name: 'About Cooperage Nights' });

    await expect(about).toContainText('Live music in a barrel factory.');
    const terms = page.getByRole('main').locator('a[href="/Legal"]');
    await expect(terms).toHaveText('Terms and Conditions');
    await terms.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms And Conditions' })).toBeVisible();
  });

  test('is about this event where the organizer has no name [BUY-5]', async ({ page, stage }) => {
    const { eventId } = stage.onSale;
    const { body } = await stage.place.call(publicEvent, { eventId });
    await letPageComeBare(page);
    await letCallAnswer(page, `/api/public/event/${eventId}`, {
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
    ['is known to nobody', 'Event not found', () => 'AAAAAAAAAAAAAAAA'],
  ];
  for (const [what, msg, idOf] of states) {
    test(`shows only its sentence and the two buttons when it ${what} [BUY-6]`, async ({ page, stage }) => {
      await page.goto(`/payment/${idOf(stage)}`);
      await expectOnlySentence(page, msg);
      await page.getByRole('button', { name: 'I am an Attendant' }).click();
      await expect(page.getByLabel('Attendant Code')).toBeVisible();
    });
  }

  const failures: [what: string, answer: Parameters<typeof letCallAnswer>[2], msg: string][] = [
    ['the line breaks', null, 'Event not found'],
    ['the server breaks without a word', { status: 500 }, 'Event not found'],
    ['the server has a sentence', { status: 503, json: { msg: 'Back in a minute.' } }, 'Back in a minute.'],
  ];
  for (const [what, answer, msg] of failures) {
    test(`says "${msg}" when ${what} [BUY-6]`, async ({ page, stage }) => {
      await letPageComeBare(page);
      await letCallAnswer(page, '/api/public/event/', answer);
      await page.goto(`/payment/${stage.onSale.eventId}`);
      await expectOnlySentence(page, msg);
    });
  }
});

test.describe('The checkout', () => {
  test('sends what is in the cart and goes to the hosted page [BUY-7 BUY-8]', async ({ page, stage }) => {
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
  });

  test('is still offered after a reload, however soon [BUY-7]', async ({ page, stage }) => {
    await page.clock.install();
    await openEvent(page, stage);
    await add(page, 'Floor').click();
    await checkout(page).click();
    await page.waitForURL(/\/sandbox\/pay\//);
    await page.goBack();
    const isOpen = page.getByText('Your checkout is still open');
    await expect(isOpen).toBeVisible();

    // What the server says to whoever asks twice within ten seconds.
    await letCallAnswer(page, checkoutSession.path, { status: 200, json: { ...stillOpen, status: 'processing' } });
    const asked = page.waitForResponse((reply) => reply.url().includes(checkoutSession.path));
    await page.reload();
    await (await asked).finished();
    await expect(checkout(page)).toBeVisible();
    await page.unroute(`**${checkoutSession.path}*`);
    await letCallAnswer(page, checkoutSession.path, { status: 200, json: stillOpen });
    await expect(isOpen).toBeHidden();
    await page.clock.fastForward(11_000);
    await expect(isOpen).toBeVisible();
  });

  test("shows the provider's sentence when the way there fails, and keeps the cart [BUY-7]", async ({
    page,
    stage,
  }) => {
    const refusal = 'Your account cannot currently make live charges.';
    await letCallAnswer(page, CHECKOUT, { status: 502, json: { msg: refusal } });
    await openEvent(page, stage);
    await add(page, 'Floor').click();
    await checkout(page).click();

    await expect(toasts(page)).toHaveText([refusal]);
    await expect(checkout(page)).toBeEnabled();
    await expect(quantity(page, 'Floor')).toHaveText('1');
    await page.unrouteAll();
    await letCallAnswer(page, CHECKOUT, { status: 500 });
    await checkout(page).click();
    await expect(toasts(page)).toContainText([refusal, 'Something went wrong on our side. Please try again.']);
  });
});

async function expectOnlySentence(page: Page, msg: string): Promise<void> {
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: msg, exact: true })).toBeVisible();
  await expect(main).toHaveText(`${msg}Request a RefundI am an Attendant`);
}
