import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { profile } from '#contract/accounts.ts';
import { checkGuest, checkGuestManual, enterAttendantCode } from '#contract/admission.ts';
import { doorList, scanTakenBack } from '#contract/door.ts';
import { doorHeadlines } from '#contract/door-words.ts';
import { attendantOf } from '#tests/support/people.ts';
import { withPhone } from './door-steps.ts';
import { expect, letCallAnswer, msItStands, okay, type Stage, sentTo, test, toasts } from './public-stage.ts';
import { cameraShowing, filmOf } from './qr-camera.ts';

const LIGHT_GREEN = 'rgb(144, 238, 144)';
const WHITE = 'rgb(255, 255, 255)';
const FALLBACK = 'An error occurred. Please try again.';
const UNKNOWN = 'No ticket for this event has this code.';

const attendantCode = (page: Page) => page.getByLabel('Attendant Code');
const typedCode = (page: Page) => page.getByLabel('Confirmation Code');
const openScanner = (page: Page) => page.getByRole('button', { name: 'Open the scanner' }).click();
const answer = (page: Page) => page.getByRole('main').getByRole('status');
const picture = (page: Page) => page.getByLabel('Camera view');

async function toDoor(page: Page, { onSale }: Stage): Promise<void> {
  await page.goto(`/payment/${onSale.eventId}`);
  await page.getByRole('button', { name: 'I am an Attendant' }).click();
  await expect(attendantCode(page)).toBeVisible();
}

async function throughDoor(page: Page, stage: Stage): Promise<void> {
  await toDoor(page, stage);
  await attendantCode(page).fill(stage.onSale.attendantCode);
  await openScanner(page);
  await expect(typedCode(page)).toBeVisible();
}

async function check(page: Page, code: string): Promise<void> {
  await typedCode(page).fill(code);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
}

test.describe('The attendant code', () => {
  test('is a form of ten characters, sent with the event, that opens the scanner [DOOR-1 DOOR-2]', async ({
    page,
    stage,
  }) => {
    const { eventId, attendantCode: code, title } = stage.onSale;
    await toDoor(page, stage);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(attendantCode(page)).toHaveAttribute('maxlength', '10');
    await expect(page.locator('input[name="honeypot"]')).not.toBeInViewport();
    await attendantCode(page).pressSequentially(`${code}ZZ`);
    await expect(attendantCode(page)).toHaveValue(code);
    const body = await sentTo(page, enterAttendantCode.path, () => openScanner(page));

    expect(body).toEqual({ eventId, formData: { attendantCode: code, honeypot: '' } });
    await expect(toasts(page)).toHaveText(['Attendant code accepted.']);
    await expect(typedCode(page)).toBeVisible();
    await page.reload();
    await expect(typedCode(page)).toBeVisible();
  });

  test('keeps the door shut when it is wrong or missing, and says so [DOOR-2 DOOR-6]', async ({ page, stage }) => {
    await toDoor(page, stage);
    await openScanner(page);
    await expect(toasts(page)).toHaveText(['Attendant code is required']);
    await attendantCode(page).fill('0000000000');
    await openScanner(page);
    await expect(toasts(page)).toHaveText(["This attendant code isn't valid for this event."]);

    for (const failure of [{ status: 500 }, null]) {
      await letCallAnswer(page, enterAttendantCode.path, failure);
      await openScanner(page);
      await expect(toasts(page).filter({ hasText: FALLBACK })).toHaveCount(1);
      await page.unrouteAll();
    }
    await expect(typedCode(page)).toHaveCount(0);
  });

  test('needs an event to be the code of [DOOR-1]', async ({ page }) => {
    await page.goto('/scanner');
    await expect(page.getByRole('heading', { level: 1, name: 'Which event?' })).toBeVisible();
    await expect(attendantCode(page)).toHaveCount(0);
  });
});

test.describe('The page behind a check, in a dark browser as well', () => {
  test.use({ colorScheme: 'dark' });

  test('is light green for five seconds after a success, then white [DOOR-5]', async ({ page, stage }) => {
    const { numbers } = await stage.sell(1);
    await throughDoor(page, stage);
    const body = page.locator('body');
    await expect(body).toHaveCSS('background-color', WHITE);
    const stood = msItStands(page, (green) => getComputedStyle(document.body).backgroundColor === green, LIGHT_GREEN);
    await check(page, numbers[0] ?? '');
    await expect(body).toHaveCSS('background-color', LIGHT_GREEN);

    await expect(body).toHaveCSS('background-color', WHITE);
    expect(await stood).toBeGreaterThan(4300);
    expect(await stood).toBeLessThan(7000);
  });
});

test.describe('A check by hand', () => {
  test('sends the typed code and lets each guest in once [DOOR-3 DOOR-4 DOOR-8]', async ({ page, stage }) => {
    const { eventId } = stage.onSale;
    const { numbers } = await stage.sell(1);
    const [number = ''] = numbers;
    await throughDoor(page, stage);
    await expect(typedCode(page)).toHaveAttribute('maxlength', '10');
    expect(await isScanned(stage, number)).toBe(false);
    const body = await sentTo(page, checkGuestManual.path, () => check(page, number));

    expect(body).toEqual({
      eventId,
      manualFormData: { confirmationNumber: number, honeypot: '' },
      scanId: expect.any(String),
    });
    await expect(answer(page)).toContainText('Let them in: Floor.');
    await expect(typedCode(page)).toHaveValue('');
    expect(await isScanned(stage, number)).toBe(true);
  });

  test('that fails shows its sentence twice over, and no success any more [DOOR-6]', async ({ page, stage }) => {
    const { numbers } = await stage.sell(1);
    // With a list, the device would decide alone.
    await letCallAnswer(page, doorList.path, null);
    await throughDoor(page, stage);
    await check(page, numbers[0] ?? '');
    await expect(answer(page)).toContainText('Let them in: Floor.');
    await check(page, '1000000001');

    await expect(answer(page)).toContainText(UNKNOWN);
    await expect(answer(page)).not.toContainText('Let them in');
    await expect(toasts(page).and(page.getByRole('alert'))).toHaveText([UNKNOWN]);
    await expect(page.locator('body')).toHaveCSS('background-color', WHITE);
    for (const failure of [{ status: 500 }, null]) {
      await letCallAnswer(page, checkGuestManual.path, failure);
      await check(page, '1000000002');
      await expect(answer(page)).toContainText(FALLBACK);
      await expect(toasts(page).filter({ hasText: FALLBACK })).not.toHaveCount(0);
      await page.unroute(`**${checkGuestManual.path}*`);
    }
    await check(page, '');
    await expect(toasts(page).filter({ hasText: 'Confirmation code is required' })).toHaveCount(1);
  });

  test('that the server fails to answer shows what it said next to what the device decides [DOOR-6]', async ({
    page,
    stage,
  }) => {
    const list = page.waitForResponse((reply) => reply.url().endsWith(doorList.path) && reply.ok());
    await throughDoor(page, stage);
    await list;
    const busy = 'We are very busy right now.';
    for (const [failure, said] of [
      [{ status: 503, json: { msg: busy } }, busy],
      [{ status: 500 }, FALLBACK],
      [null, FALLBACK],
    ] as const) {
      await expect(page.getByText('online', { exact: true })).toBeVisible();
      await letCallAnswer(page, checkGuestManual.path, failure);
      await check(page, '1000000003');

      await expect(answer(page)).toContainText(doorHeadlines['not-on-list']);
      await expect(answer(page)).toContainText(said);
      await expect(toasts(page).filter({ hasText: said })).not.toHaveCount(0);
      await page.unroute(`**${checkGuestManual.path}*`);
    }
  });

  test('asks for the attendant code again once the device has lost its right [DOOR-2]', async ({ page, stage }) => {
    await throughDoor(page, stage);
    await page.context().clearCookies();
    await check(page, '1000000001');

    await expect(attendantCode(page)).toBeVisible();
    await expect(toasts(page).filter({ hasText: 'Enter the attendant code first.' })).toHaveCount(1);
  });
});

test.describe('A phone in another time zone', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test("shows every time on the event's clock", async ({ page, stage }) => {
    const { numbers } = await stage.sell(1);
    const [number = ''] = numbers;
    const { eventId, attendantCode: code } = stage.onSale;
    const other = await attendantOf(stage.place, eventId, code);
    okay(await other.call(checkGuest, { eventId, confirmationNumber: number }));
    await throughDoor(page, stage);
    await expect(page.getByText(/list from/)).toHaveText(about(stage.place.now(), 'list from '));
    await check(page, number);
    await expect(answer(page)).toContainText(about(stage.place.now(), 'Already scanned at '));

    await expect(page.getByRole('region', { name: 'Recent' }).getByRole('time').first()).toHaveText(about(new Date()));
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByLabel('Last 4 digits').fill(number.slice(-4));
    await page.keyboard.press('Enter');
    await expect(page.getByText(about(stage.place.now(), 'Checked in at '))).toBeVisible();
  });
});

/** The minute of a moment at the event, or one next to it. Products and browsers have clocks of their own. */
function about(moment: Date, words = ''): RegExp {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Chicago', hour: 'numeric', minute: '2-digit' });
  const minutes = [-1, 0, 1].map((ahead) => clock.format(moment.getTime() + ahead * 60_000).replace(/\s/, '\\s'));
  return new RegExp(`${words}(${minutes.join('|')})`);
}

test.describe('A page over plain http', () => {
  test('asks the server for every ticket, and takes back what it let in', async ({ page, stage }) => {
    await page.addInitScript(asOverPlainHttp);
    const { numbers } = await stage.sell(1);
    const [number = ''] = numbers;
    await throughDoor(page, stage);
    await check(page, number);
    await expect(answer(page)).toContainText('Let them in: Floor.');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(toasts(page).filter({ hasText: scanTakenBack })).toHaveCount(1);
    expect(await isScanned(stage, number)).toBe(false);

    await letCallAnswer(page, checkGuestManual.path, null);
    for (let time = 0; time < 3; time++) {
      await check(page, number);
      await expect(answer(page)).toContainText(FALLBACK);
      await expect(typedCode(page)).toBeEnabled();
    }
    expect(await isScanned(stage, number)).toBe(false);
  });
});

test.describe('The camera', () => {
  test('has a box of 250 pixels, ten looks a second, and says when it sees nothing [DOOR-3 DOOR-6 DOOR-7]', async ({
    product,
    stage,
  }) => {
    await withPhone(product, cameraShowing('').slice(0, 2), async (page) => {
      await page.addInitScript(countLooks);
      await throughDoor(page, stage);
      await expect(page.getByText('No code detected.', { exact: true })).toBeVisible();
      await expect(
        page.getByText("Stop the scanner when you're not using it. The camera drains the battery."),
      ).toBeVisible();
      const box = page.locator('video + [aria-hidden]');
      expect(await box.boundingBox()).toMatchObject({ width: 250, height: 250 });
      const from = await looks(page);
      await expect.poll(async () => (await looks(page)).count - from.count).toBeGreaterThanOrEqual(8);
      const to = await looks(page);
      // Never more than ten a second; a slow machine looks less often.
      expect(to.count - from.count).toBeLessThanOrEqual((to.atMs - from.atMs) / 100 + 2);

      await page.getByRole('button', { name: 'Stop scanner' }).click();
      await expect(page.getByText('The scanner is stopped.')).toBeVisible();
      await page.getByRole('button', { name: 'Start scanner' }).click();
      await expect(page.getByText('No code detected.', { exact: true })).toBeVisible();
    });
  });

  test('pauses for each check, shows the answer, and goes on [DOOR-4 DOOR-8]', async ({ product, stage }) => {
    const { eventId } = stage.onSale;
    const { numbers } = await stage.sell(1);
    const [number = ''] = numbers;
    const film = join(product.dataDir, `${number}.y4m`);
    await filmOf(number, film);
    await withPhone(product, cameraShowing(film), async (page) => {
      const release = await holdBack(page, checkGuest.path);
      const body = await sentTo(page, checkGuest.path, () => throughDoor(page, stage));
      expect(body).toEqual({ eventId, confirmationNumber: number, scanId: expect.any(String) });
      await expect.poll(() => isPaused(page)).toBe(true);
      await expect(answer(page)).toContainText('Checking…');
      release();

      await expect(answer(page)).toContainText('Let them in: Floor.');
      await expect(page.locator('body')).toHaveCSS('background-color', LIGHT_GREEN);
      await expect.poll(() => isPaused(page)).toBe(false);
      expect(await isScanned(stage, number)).toBe(true);
    });
  });

  test('says how to go on without it [DOOR-3]', async ({ page, stage }) => {
    await throughDoor(page, stage);
    await expect(page.getByText(/type the codes below\.$/)).toBeVisible();
    await expect(typedCode(page)).toBeFocused();
  });
});

async function isScanned({ organizer, onSale }: Stage, number: string): Promise<boolean | undefined> {
  const { events } = okay(await organizer.call(profile, {}));
  const event = events.find(({ eventId }) => eventId === onSale.eventId);
  return event?.guestList.find((guest) => guest.confirmationNumber === number)?.ticketScanned;
}

/** Runs in the page: takes away what browsers have over https only. The tests' own address counts as safe. */
function asOverPlainHttp(): void {
  Object.defineProperty(globalThis, 'isSecureContext', { value: false });
  for (const name of ['randomUUID', 'subtle']) Reflect.deleteProperty(Crypto.prototype, name);
  for (const name of ['locks', 'serviceWorker', 'mediaDevices']) Reflect.deleteProperty(Navigator.prototype, name);
}

const isPaused = (page: Page) => picture(page).evaluate((video: HTMLVideoElement) => video.paused);

/** Keeps a call on its way until the returned function lets it go. */
async function holdBack(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${path}`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Runs in the page: counts how often a frame of the video is taken for the decoder. */
function countLooks(): void {
  const counter = { looks: 0 };
  Object.assign(globalThis, { counter });
  for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
    prototype.drawImage = new Proxy(prototype.drawImage, {
      apply(draw, context, [source, ...rest]) {
        if (source instanceof HTMLVideoElement) counter.looks += 1;
        return Reflect.apply(draw, context, [source, ...rest]);
      },
    });
  }
}

/** By the page's own clock. */
const looks = (page: Page) =>
  page.evaluate<{ count: number; atMs: number }>('({ count: globalThis.counter.looks, atMs: performance.now() })');
