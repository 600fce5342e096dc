import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { checkGuest, checkGuestManual } from '#contract/app/check-in.ts';
import { findTickets, undoCheckIn } from '#contract/app/check-in-devices.ts';
import { checkInUndone } from '#messages/check-in.ts';
import {
  answer,
  checkByHand,
  mockChecks,
  openScanner,
  phoneSize,
  serverMessages,
  withPhone,
} from './check-in-steps.ts';
import { expect, sentTo, test, toasts } from './public-setup.ts';
import { cameraShowing, filmOf } from './qr-camera.ts';

const LIGHT_GREEN = 'rgb(144, 238, 144)';
const WHITE = 'rgb(255, 255, 255)';
const ONE_CAMERA = cameraShowing('').slice(0, 2);
const TWO_CAMERAS = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream=device-count=2'];
const MINUTE = 60_000;

const preview = (page: Page) => page.getByLabel('Camera view');
const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true });

test.describe("The scanner's camera", () => {
  test('reads the first visible code, with a decoder that loads before the first frame [DOOR-3]', async ({
    product,
    stage,
  }) => {
    const { numbers } = await stage.sell(1);
    const [number = ''] = numbers;
    const film = join(product.dataDir, `${number}.y4m`);
    await filmOf(number, film);
    await withPhone(product, cameraShowing(film), async (page) => {
      await page.addInitScript(recordTimings);
      await openScanner(page, stage.onSale);
      await expect(answer(page)).toContainText('Let them in: Floor.');

      const { playing, asked } = await page.evaluate<{ playing: number; asked: number }>('globalThis.seen');
      test.info().annotations.push({ type: 'first decode', description: `${Math.round(asked - playing)} ms` });
      expect(asked).toBeGreaterThan(playing);
    });
  });

  test('pauses after three idle minutes, says so, and resumes at one tap', async ({ product, stage }) => {
    await withPhone(product, ONE_CAMERA, async (page) => {
      await page.clock.install();
      await openScanner(page, stage.onSale);
      await expect(page.getByText('No code detected.')).toBeVisible();
      await page.clock.fastForward(2 * MINUTE);
      await page.getByRole('heading', { level: 1 }).click();
      await page.clock.fastForward(2 * MINUTE);
      await expect(page.getByText('No code detected.')).toBeVisible();
      expect(await isFilming(page)).toBe(true);

      await page.clock.fastForward(1.5 * MINUTE);
      await expect(page.getByText(/Camera paused to save battery/)).toBeVisible();
      expect(await isFilming(page)).toBe(false);
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect(page.getByText('No code detected.')).toBeVisible();
    });
  });

  test('shows no flashlight or camera controls where there are none', async ({ product, stage }) => {
    await withPhone(product, ONE_CAMERA, async (page) => {
      await openScanner(page, stage.onSale);
      await expect(page.getByText('No code detected.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Flashlight' })).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Flip camera' })).toHaveCount(0);
      await expect(page.getByLabel('Camera', { exact: true })).toHaveCount(0);
    });
  });

  test('can be chosen, and the choice survives a reload', async ({ product, stage }) => {
    const choose = async (page: Page) => {
      await openScanner(page, stage.onSale);
      const choice = page.getByLabel('Camera', { exact: true });
      await expect(choice).toBeVisible();
      const [first, second] = await choice
        .locator('option')
        .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
      await expect(choice).toHaveValue(first ?? '');
      await choice.selectOption(second ?? '');
      await expect.poll(() => deviceOf(page)).toBe(second);
      await page.reload();
      await expect(choice).toHaveValue(second ?? '');
      expect(await deviceOf(page)).toBe(second);

      await page.getByRole('button', { name: 'Flip camera' }).click();
      await expect.poll(() => deviceOf(page)).toBe(first);
    };
    await withPhone(product, TWO_CAMERAS, choose, { remembersCamera: true });
  });

  test('turns on its flashlight', async ({ product, stage }) => {
    await withPhone(product, ONE_CAMERA, async (page) => {
      await page.addInitScript(addTorch);
      await openScanner(page, stage.onSale);
      const torch = page.getByRole('button', { name: 'Flashlight' });
      await torch.click();
      await expect(torch).toHaveAttribute('aria-pressed', 'true');
      expect(await page.evaluate('globalThis.torch')).toEqual([true]);
    });
  });
});

test.describe('A camera that is refused late', () => {
  test('leaves the focus where the attendant went meanwhile', async ({ page, stage }) => {
    await page.addInitScript(holdCamera);
    await openScanner(page, stage.onSale);
    const find = page.getByRole('button', { name: 'Find' });
    await find.focus();
    await page.evaluate('globalThis.refuseCamera()');
    await expect(page.getByText(/No camera available/)).toBeVisible();
    await expect(find).toBeFocused();
  });
});

test.describe('A scan that admitted a guest', () => {
  test('can be undone for ten seconds, with a countdown that is not announced', async ({ page, stage }) => {
    await page.clock.install();
    await openScanner(page, stage.onSale);
    // The page's clock stands still, so undo itself must clear the five green seconds.
    await page.clock.pauseAt(Date.now() + MINUTE);
    await page.route(`**${undoCheckIn.path}`, (route) => route.fulfill({ json: { msg: checkInUndone } }));
    await mockChecks(page, 'admitted');
    await checkByHand(page, '4102938475');
    await expect(undo(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Undo …8475' })).toBeVisible();
    await expect(answer(page)).not.toContainText(/Undo|\d s/);
    await expect(undo(page)).toHaveText('Undo 10');
    await page.clock.fastForward(4000);
    await expect(undo(page)).toHaveText('Undo 6');
    await expect(page.locator('body')).toHaveCSS('background-color', LIGHT_GREEN);

    const body = await sentTo(page, undoCheckIn.path, () => undo(page).click());
    expect(body).toMatchObject({ eventId: stage.onSale.eventId, scanId: expect.stringMatching(/^[\da-f-]{36}$/) });
    await expect(answer(page)).toContainText(checkInUndone);
    await expect(page.locator('body')).toHaveCSS('background-color', WHITE);
    await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(0);
    await expect(page.getByRole('listitem').filter({ hasText: '…8475' })).toContainText('Undone');
  });

  test('cannot be undone later, and a denied scan never can', async ({ page, stage }) => {
    await page.clock.install();
    await openScanner(page, stage.onSale);
    await mockChecks(page, 'already-in');
    await checkByHand(page, '4102938471');
    await expect(answer(page)).toContainText(serverMessages['already-in']);
    await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(0);
    await mockChecks(page, 'admitted');
    await checkByHand(page, '4102938472');
    await undo(page).focus();
    await page.clock.fastForward(10_500);
    await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });
});

test.describe('A hand-held scanner', () => {
  test('scans with the focus anywhere, and presses nothing', async ({ page, stage }) => {
    await openScannerWithoutCamera(page, stage.onSale);
    await mockScans(page);
    const mute = page.getByRole('button', { name: 'Sound off' });
    await mute.focus();
    const body = await sentTo(page, checkGuest.path, () => typeKeys(page, '4102938475', 12));
    expect(body).toMatchObject({ confirmationNumber: '4102938475' });
    await expect(answer(page)).toContainText('Let them in: Floor.');
    await expect(mute).toHaveAttribute('aria-pressed', 'false');
  });

  test('works in the code field too, and replaces its text', async ({ page, stage }) => {
    await openScanner(page, stage.onSale);
    await mockChecks(page, 'admitted');
    await page.getByLabel('Confirmation Code').fill('77');
    const body = await sentTo(page, checkGuestManual.path, () => typeKeys(page, '4102938475', 12));
    expect(body).toMatchObject({ manualFormData: { confirmationNumber: '4102938475' } });
    await expect(answer(page)).toContainText(serverMessages.admitted);
  });

  test('ignores typing by hand, and digits for another field', async ({ page, stage }) => {
    await openScannerWithoutCamera(page, stage.onSale);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('heading', { level: 1 }).focus();
    await typeKeys(page, '4102938475', 140);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.route(`**${findTickets.path}`, (route) => route.fulfill({ json: { tickets: [], isMore: false } }));
    await typeKeys(page, '4102938475', 12);
    await expect(page.getByText(/No ticket ends in 4102\./)).toBeVisible();
    expect(asked.filter((path) => path.includes('checkGuest'))).toEqual([]);
  });
});

test.describe('A ticket with an unreadable code', () => {
  test('is found by its last digits, which admits no one', async ({ page, stage }) => {
    await openScanner(page, stage.onSale);
    await page.getByRole('button', { name: 'Find' }).click();
    const panel = page.getByRole('dialog', { name: 'Find a ticket' });
    await expect(panel).toContainText('To let someone in, scan it or type all 10 digits.');
    await expect(panel.getByLabel('Last 4 digits')).toBeFocused();
    // Of the attendant code.
    await expect(toasts(page)).toHaveCount(0);
    await panel.getByLabel('Last 4 digits').fill('84');
    await panel.getByRole('button', { name: 'Look it up' }).click();
    await expect(toasts(page)).toHaveText(['Enter the last 4 digits']);

    const tickets = [
      { ticketName: 'Floor', isAddOn: false, state: 'valid', scannedAt: null, scannedBy: null },
      {
        ticketName: 'Balcony',
        isAddOn: false,
        state: 'scanned',
        scannedAt: Date.UTC(2026, 5, 12, 23, 32),
        scannedBy: 'Gate 2',
      },
      { ticketName: 'T-shirt', isAddOn: true, state: 'valid', scannedAt: null, scannedBy: null },
      {
        ticketName: 'Poster',
        isAddOn: true,
        state: 'scanned',
        scannedAt: Date.UTC(2026, 5, 12, 23, 32),
        scannedBy: null,
      },
    ];
    await page.route(`**${findTickets.path}`, (route) => route.fulfill({ json: { tickets, isMore: true } }));
    await panel.getByLabel('Last 4 digits').fill('8475');
    const body = await sentTo(page, findTickets.path, () => panel.getByRole('button', { name: 'Look it up' }).click());
    expect(body).toEqual({ eventId: stage.onSale.eventId, lastDigits: '8475' });
    await expect(panel.getByRole('listitem')).toHaveText([
      /Floor Valid\. Not checked in yet\./,
      /Balcony Checked in at 6:32 PM, Gate 2\./,
      /T-shirt Valid\. Not handed out yet\./,
      /Poster Handed out at 6:32 PM\./,
    ]);
    await expect(panel).toContainText('Several tickets end in those digits.');

    await page.unroute(`**${findTickets.path}`);
    await page.route(`**${findTickets.path}`, (route) => route.abort());
    await panel.getByRole('button', { name: 'Look it up' }).click();
    await expect(panel).toContainText('Lookup needs internet.');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Find' })).toBeFocused();
  });
});

test.describe('On one screen of any size,', () => {
  for (const viewport of [phoneSize, { width: 360, height: 640 }, { width: 844, height: 390 }]) {
    test(`the camera, the result and the controls are visible: ${viewport.width} by ${viewport.height}`, async ({
      product,
      stage,
    }) => {
      await withPhone(
        product,
        TWO_CAMERAS,
        async (page) => {
          await openScanner(page, stage.onSale);
          for (const result of ['admitted', 'disputed'] as const) {
            await mockChecks(page, result);
            await checkByHand(page, '4102938475');
            await expect(answer(page)).toContainText(serverMessages[result]);
            await expect(page.locator('video + [aria-hidden]')).toBeInViewport({ ratio: 1 });
            await expect(answer(page)).toBeInViewport({ ratio: 1 });
            for (const button of await page
              .getByRole('group', { name: 'Scanner controls' })
              .getByRole('button')
              .all()) {
              await expect(button).toBeInViewport({ ratio: 1 });
              const box = await button.boundingBox();
              expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(60);
              if (viewport.height > viewport.width) expect(box?.y).toBeGreaterThan(viewport.height * 0.6);
            }
          }
          const { wide, scrolled } = await page.evaluate(() => ({
            wide: document.documentElement.scrollWidth,
            scrolled: window.scrollY,
          }));
          expect(wide).toBeLessThanOrEqual(viewport.width);
          if (viewport === phoneSize) expect(scrolled).toBe(0);
        },
        { viewport },
      );
    });
  }
});

const isFilming = (page: Page) => preview(page).evaluate((video: HTMLVideoElement) => video.srcObject !== null);

const deviceOf = (page: Page) =>
  preview(page).evaluate((video: HTMLVideoElement) =>
    video.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks()[0]?.getSettings().deviceId : undefined,
  );

async function mockScans(page: Page): Promise<void> {
  await page.route(`**${checkGuest.path}`, (route) =>
    route.fulfill({ json: { msg: 'Let them in: Floor.', result: 'admitted' } }),
  );
}

/** The code field takes the focus once the camera is known to be missing. */
async function openScannerWithoutCamera(page: Page, event: Parameters<typeof openScanner>[1]): Promise<void> {
  await openScanner(page, event);
  await expect(page.getByLabel('Confirmation Code')).toBeFocused();
}

/** Types at a fixed interval by the browser's own timestamps, so that a busy machine makes no difference. */
async function typeKeys(page: Page, digits: string, gapMs: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  let timestamp = Date.now() / 1000;
  for (const key of [...Array.from(digits), 'Enter']) {
    timestamp += gapMs / 1000;
    const isEnter = key === 'Enter';
    const code = isEnter ? 13 : key.charCodeAt(0);
    const stroke = { key, code: isEnter ? 'Enter' : `Digit${key}`, windowsVirtualKeyCode: code, timestamp };
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: isEnter ? '\r' : key, ...stroke });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke });
  }
  await session.detach();
}

/** Runs in the page: records when the camera started, and when its first code was checked. */
function recordTimings(): void {
  const seen = { playing: 0, asked: 0 };
  Object.assign(globalThis, { seen });
  document.addEventListener('playing', () => (seen.playing ||= performance.now()), { capture: true });
  const ask = globalThis.fetch;
  globalThis.fetch = (...args) => {
    if (String(args[0]).endsWith('/checkGuest')) seen.asked ||= performance.now();
    return ask(...args);
  };
}

/** Runs in the page: the camera stays unanswered until `refuseCamera()`. */
function holdCamera(): void {
  navigator.mediaDevices.getUserMedia = () =>
    new Promise((_, refuse) =>
      Object.assign(globalThis, { refuseCamera: () => refuse(new DOMException('none', 'NotFoundError')) }),
    );
}

/** Runs in the page: adds a flashlight to the camera. */
function addTorch(): void {
  const torch: unknown[] = [];
  Object.assign(globalThis, { torch });
  MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities;
  MediaStreamTrack.prototype.applyConstraints = async (wish) => {
    for (const set of wish?.advanced ?? []) torch.push(Reflect.get(set, 'torch'));
  };
}
