import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { profile } from '#contract/app/accounts.ts';
import { checkGuest, checkGuestManual, enterAttendantCode } from '#contract/app/check-in.ts';
import { offlineTicketList } from '#contract/app/check-in-devices.ts';
import { checkInHeadlines, checkInUndone } from '#messages/check-in.ts';
import { attendantOf } from '#tests/support/people.ts';
import { blockTicketList, withPhone } from './check-in-steps.ts';
import { expect, mockCall, msWhile, okay, type Stage, sentTo, test, toasts } from './public-setup.ts';
import { cameraShowing, filmOf } from './qr-camera.ts';

const LIGHT_GREEN = 'rgb(144, 238, 144)';
const WHITE = 'rgb(255, 255, 255)';
const FALLBACK = 'An error occurred. Please try again.';
const UNKNOWN = 'No ticket for this event has this code.';

const attendantCode = (page: Page) => page.getByLabel('Attendant Code');
const codeField = (page: Page) => page.getByLabel('Confirmation Code');
const openScanner = (page: Page) => page.getByRole('button', { name: 'Open the scanner' }).click();
const answer = (page: Page) => page.getByRole('main').getByRole('status');
const preview = (page: Page) => page.getByLabel('Camera view');

async function openCodeForm(page: Page, { onSale }: Stage): Promise<void> {
  await page.goto(`/payment/${onSale.eventId}`);
  await page.getByRole('button', { name: 'I am an Attendant' }).click();
  await expect(attendantCode(page)).toBeVisible();
}

async function enterAttendantCodeAt(page: Page, stage: Stage): Promise<void> {
  await openCodeForm(page, stage);
  await attendantCode(page).fill(stage.onSale.attendantCode);
  await openScanner(page);
  await expect(codeField(page)).toBeVisible();
}

async function check(page: Page, code: string): Promise<void> {
  await codeField(page).fill(code);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
}

test.describe('The attendant code', () => {
  test('is a form of ten characters, sent with the event, that opens the scanner [DOOR-1 DOOR-2]', async ({
    page,
    stage,
  }) => {
    const { eventId, attendantCode: code, title } = stage.onSale;
    await openCodeForm(page, stage);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(attendantCode(page)).toHaveAttribute('maxlength', '10');
    await expect(page.locator('input[name="honeypot"]')).not.toBeInViewport();
    await attendantCode(page).pressSequentially(`${code}ZZ`);
    await expect(attendantCode(page)).toHaveValue(code);
    const body = await sentTo(page, enterAttendantCode.path, () => openScanner(page));

    expect(body).toEqual({ eventId, formData: { attendantCode: code, honeypot: '' } });
    await expect(toasts(page)).toHaveText(['Attendant code accepted.']);
    await expect(codeField(page)).toBeVisible();
    await page.reload();
    await expect(codeField(page)).toBeVisible();
  });

  test('shows an error if it is wrong or missing [DOOR-2 DOOR-6]', async ({ page, stage }) => {
    await openCodeForm(page, stage);
    await openScanner(page);
    await expect(toasts(page)).toHaveText(['Attendant code is required']);
    await attendantCode(page).fill('0000000000');
    await openScanner(page);
    await expect(toasts(page)).toHaveText(["This attendant code isn't valid for this event."]);

    for (const failure of [{ status: 500 }, null]) {
      await mockCall(page, enterAttendantCode.path, failure);
      await openScanner(page);
      await expect(toasts(page).filter({ hasText: FALLBACK })).toHaveCount(1);
      await page.unrouteAll();
    }
    await expect(codeField(page)).toHaveCount(0);
  });

  test('requires an event [DOOR-1]', async ({ page }) => {
    await page.goto('/scanner');
    await expect(page.getByRole('heading', { level: 1, name: 'Which event?' })).toBeVisible();
    await expect(attendantCode(page)).toHaveCount(0);
  });
});

test.describe('The background of a check, in a dark browser as well', () => {
  test.use({ colorScheme: 'dark' });

  test('is light green for five seconds after a success, then white [DOOR-5]', async ({ page, stage }) => {
    const { numbers } = await stage.sell(1);
    await enterAttendantCodeAt(page, stage);
    const body = page.locator('body');
    await expect(body).toHaveCSS('background-color', WHITE);
    const shownMs = msWhile(page, (green) => getComputedStyle(document.body).backgroundColor === green, LIGHT_GREEN);
    await check(page, numbers[0] ?? '');
    await expect(body).toHaveCSS('background-color', LIGHT_GREEN);

    await expect(body).toHaveCSS('background-color', WHITE);
    expect(await shownMs).toBeGreaterThan(4300);
    expect(await shownMs).toBeLessThan(7000);
  });
});

test.describe('A typed check', () => {
  test('sends the code and admits each guest once [DOOR-3 DOOR-4 DOOR-8]', async ({ page, stage }) => {
    const { eventId } = stage.onSale;
    const { numbers } = await stage.sell(1);
    const [number = ''] = numbers;
    await enterAttendantCodeAt(page, stage);
    await expect(codeField(page)).toHaveAttribute('maxlength', '10');
    await codeField(page).pressSequentially('264 566-9426 ');
    await expect(codeField(page)).toHaveValue('2645669426');
    expect(await isScanned(stage, number)).toBe(false);
    const body = await sentTo(page, checkGuestManual.path, () => check(page, number));

    expect(body).toEqual({
      eventId,
      manualFormData: { confirmationNumber: number, honeypot: '' },
      scanId: expect.any(String),
    });
    await expect(answer(page)).toContainText('Let them in: Floor.');
    await expect(codeField(page)).toHaveValue('');
    expect(await isScanned(stage, number)).toBe(true);
  });

  test('shows the error of a failed check twice, and no success any more [DOOR-6]', async ({ page, stage }) => {
    const { numbers } = await stage.sell(1);
    // With the offline ticket list, the device would decide alone.
    await mockCall(page, offlineTicketList.path, null);
    await enterAttendantCodeAt(page, stage);
    await check(page, numbers[0] ?? '');
    await expect(answer(page)).toContainText('Let them in: Floor.');
    await check(page, '1000000001');

    await expect(answer(page)).toContainText(UNKNOWN);
    await expect(answer(page)).not.toContainText('Let them in');
    await expect(toasts(page).and(page.getByRole('alert'))).toHaveText([UNKNOWN]);
    await expect(page.locator('body')).toHaveCSS('background-color', WHITE);
    for (const failure of [{ status: 500 }, null]) {
      await mockCall(page, checkGuestManual.path, failure);
      await check(page, '1000000002');
      await expect(answer(page)).toContainText(FALLBACK);
      await expect(toasts(page).filter({ hasText: FALLBACK })).not.toHaveCount(0);
      await page.unroute(`**${checkGuestManual.path}*`);
    }
    await check(page, '');
    await expect(toasts(page).filter({ hasText: 'Confirmation code is required' })).toHaveCount(1);
  });

  test("shows the server's error next to the device's own decision [DOOR-6]", async ({ page, stage }) => {
    await enterAttendantCodeAt(page, stage);
    await expect(page.getByText(/list from/)).toBeVisible();
    const busy = 'We are very busy right now.';
    for (const [failure, message] of [
      [{ status: 503, json: { msg: busy } }, busy],
      [{ status: 500 }, FALLBACK],
      [null, FALLBACK],
    ] as const) {
      await expect(page.getByText('online', { exact: true })).toBeVisible();
      await mockCall(page, checkGuestManual.path, failure);
      await check(page, '1000000003');

      await expect(answer(page)).toContainText(checkInHeadlines['not-on-list']);
      await expect(answer(page)).toContainText(message);
      await expect(toasts(page).filter({ hasText: message })).not.toHaveCount(0);
      await page.unroute(`**${checkGuestManual.path}*`);
    }
  });

  test('asks for the attendant code again once the device has lost access [DOOR-2]', async ({ page, stage }) => {
    await enterAttendantCodeAt(page, stage);
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
    const other = await attendantOf(stage.site, eventId, code);
    okay(await other.call(checkGuest, { eventId, confirmationNumber: number }));
    await enterAttendantCodeAt(page, stage);
    await expect(page.getByText(/list from/)).toHaveText(around(stage.site.now(), 'list from '));
    await check(page, number);
    await expect(answer(page)).toContainText(around(stage.site.now(), 'Already scanned at '));

    await expect(page.getByRole('region', { name: 'Recent' }).getByRole('time').first()).toHaveText(around(new Date()));
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByLabel('Last 4 digits').fill(number.slice(-4));
    await page.keyboard.press('Enter');
    await expect(page.getByText(around(stage.site.now(), 'Checked in at '))).toBeVisible();
  });
});

/** The minute of a time at the event, give or take one: server and browser clocks differ. */
function around(moment: Date, prefix = ''): RegExp {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Chicago', hour: 'numeric', minute: '2-digit' });
  const minutes = [-1, 0, 1].map((ahead) => clock.format(moment.getTime() + ahead * 60_000).replace(/\s/, '\\s'));
  return new RegExp(`${prefix}(${minutes.join('|')})`);
}

test.describe('A page over plain http', () => {
  test('asks the server for every ticket, and undoes a check-in', async ({ page, stage }) => {
    await page.addInitScript(emulatePlainHttp);
    const { numbers } = await stage.sell(1);
    const [number = ''] = numbers;
    await enterAttendantCodeAt(page, stage);
    await check(page, number);
    await expect(answer(page)).toContainText('Let them in: Floor.');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(toasts(page).filter({ hasText: checkInUndone })).toHaveCount(1);
    expect(await isScanned(stage, number)).toBe(false);

    await mockCall(page, checkGuestManual.path, null);
    for (let time = 0; time < 3; time++) {
      await check(page, number);
      await expect(answer(page)).toContainText(FALLBACK);
      await expect(codeField(page)).toBeEnabled();
    }
    expect(await isScanned(stage, number)).toBe(false);
  });
});

test.describe('The camera', () => {
  test('has a box of 250 pixels, decodes ten frames a second, and says when it sees nothing [DOOR-3 DOOR-6 DOOR-7]', async ({
    product,
    stage,
  }) => {
    await withPhone(product, cameraShowing('').slice(0, 2), async (page) => {
      await page.addInitScript(countDecodedFrames);
      await enterAttendantCodeAt(page, stage);
      await expect(page.getByText('No code detected.', { exact: true })).toBeVisible();
      await expect(
        page.getByText("Stop the scanner when you're not using it. The camera drains the battery."),
      ).toBeVisible();
      const box = page.locator('video + [aria-hidden]');
      expect(await box.boundingBox()).toMatchObject({ width: 250, height: 250 });
      const from = await decodedFrames(page);
      await expect.poll(async () => (await decodedFrames(page)).count - from.count).toBeGreaterThanOrEqual(8);
      const to = await decodedFrames(page);
      // Never more than ten per second; a slow machine decodes fewer.
      expect(to.count - from.count).toBeLessThanOrEqual((to.atMs - from.atMs) / 100 + 2);

      await page.getByRole('button', { name: 'Stop scanner' }).click();
      await expect(page.getByText('The scanner is stopped.')).toBeVisible();
      await page.getByRole('button', { name: 'Start scanner' }).click();
      await expect(page.getByText('No code detected.', { exact: true })).toBeVisible();
    });
  });

  test('pauses for each check, shows the result, and resumes [DOOR-4 DOOR-8]', async ({ product, stage }) => {
    const { eventId } = stage.onSale;
    const { numbers } = await stage.sell(1);
    const [number = ''] = numbers;
    const film = join(product.dataDir, `${number}.y4m`);
    await filmOf(number, film);
    await withPhone(product, cameraShowing(film), async (page) => {
      // With a list, the device would decide by itself after two seconds.
      await blockTicketList(page);
      const release = await delayCall(page, checkGuest.path);
      const body = await sentTo(page, checkGuest.path, () => enterAttendantCodeAt(page, stage));
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

  test('says how to continue without it [DOOR-3]', async ({ page, stage }) => {
    await enterAttendantCodeAt(page, stage);
    await expect(page.getByText(/type the codes below\.$/)).toBeVisible();
    await expect(codeField(page)).toBeFocused();
  });
});

async function isScanned({ organizer, onSale }: Stage, number: string): Promise<boolean | undefined> {
  const { events } = okay(await organizer.call(profile, {}));
  const event = events.find(({ eventId }) => eventId === onSale.eventId);
  return event?.guestList.find((guest) => guest.confirmationNumber === number)?.ticketScanned;
}

/** Runs in the page: removes what browsers only offer over https. The tests' own address counts as secure. */
function emulatePlainHttp(): void {
  Object.defineProperty(globalThis, 'isSecureContext', { value: false });
  for (const name of ['randomUUID', 'subtle']) Reflect.deleteProperty(Crypto.prototype, name);
  for (const name of ['locks', 'serviceWorker', 'mediaDevices']) Reflect.deleteProperty(Navigator.prototype, name);
}

const isPaused = (page: Page) => preview(page).evaluate((video: HTMLVideoElement) => video.paused);

/** Holds back a call until the returned function is called. */
async function delayCall(page: Page, path: string): Promise<() => void> {
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

/** Runs in the page: counts the video frames that go to the decoder. */
function countDecodedFrames(): void {
  const counter = { decodedFrames: 0 };
  Object.assign(globalThis, { counter });
  for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
    prototype.drawImage = new Proxy(prototype.drawImage, {
      apply(draw, context, [source, ...rest]) {
        if (source instanceof HTMLVideoElement) counter.decodedFrames += 1;
        return Reflect.apply(draw, context, [source, ...rest]);
      },
    });
  }
}

/** By the page's own clock. */
const decodedFrames = (page: Page) =>
  page.evaluate<{ count: number; atMs: number }>(
    '({ count: globalThis.counter.decodedFrames, atMs: performance.now() })',
  );
