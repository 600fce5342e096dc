import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { launchPhone } from '#tests/journeys/chromium.ts';
import { cameraShowing, filmOf } from '#tests/journeys/qr-camera.ts';
import { benchmark } from './harness/benchmark.ts';
import { type CheckIn, openCheckIn } from './harness/check-in.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { Latencies } from './harness/latencies.ts';
import { openShop } from './harness/shop.ts';

/** CPU throttling factor of the emulated phone. */
const CPU_SLOWDOWN = 4;
const ATTENDANT_CODE = '0123456789';
const GAP_MS = 10;

export const bench = benchmark<'online' | 'offline' | 'camera'>({
  name: 'scanner',
  what: `A phone with a CPU slowed ${CPU_SLOWDOWN} times, from a decoded number to the result on its screen.`,
  metrics: [
    {
      target: { atMost: 300 },
      baseline: 'milliseconds, online',
      ratio: ({ online }) => online.p50 ?? Number.NaN,
      value: ({ online }) => online.p99 ?? Number.NaN,
      unit: 'ms p99',
    },
    {
      name: 'scanner/offline',
      target: { atMost: 150 },
      baseline: 'milliseconds, offline',
      ratio: ({ offline }) => offline.p50 ?? Number.NaN,
      value: ({ offline }) => offline.p99 ?? Number.NaN,
      unit: 'ms p99',
    },
    {
      name: 'scanner/first-decode',
      target: { atMost: 1000 },
      baseline: "milliseconds from the camera's first frame to the first decoded code",
      ratio: ({ camera }) => camera.p50 ?? Number.NaN,
      value: ({ camera }) => camera.max ?? Number.NaN,
      unit: 'ms at most',
    },
  ],
  async open({ smoke }) {
    const shop = await openShop({ processes: 1 });
    const [event] = await putOnSale(shop.ownerPool);
    if (!event) throw new Error('there is no event');
    const checkIn = await openCheckIn(shop, event, 1);
    await checkIn.sell(smoke ? 200 : 10_000);
    const target = { url: `${shop.origins[0]}/scanner?event=${event.eventId}`, cpuSlowdown: smoke ? 1 : CPU_SLOWDOWN };
    const onlinePhone = await openPhone(target, []);
    const offlinePhone = await openPhone(target, []);
    await goOffline(offlinePhone);
    const tally = { scans: 0, admitted: 0 };

    async function scanAll(phone: Phone, answer: string, seconds: number) {
      const latencies = new Latencies();
      const end = performance.now() + seconds * 1000;
      while (performance.now() < end) {
        const { ms, text } = await scan(phone, checkIn.nextNumber());
        latencies.record(performance.now() - ms);
        tally.scans++;
        if (text.includes(answer)) tally.admitted++;
      }
      return latencies.sample(seconds);
    }

    return {
      contestants: {
        online: (seconds) => scanAll(onlinePhone, 'Let them in', seconds),
        offline: (seconds) => scanAll(offlinePhone, 'Let them in · saved offline', seconds),
        camera: (seconds) => firstDecodes(target, checkIn, smoke ? 1 : Math.ceil(seconds)),
      },
      check: async () =>
        tally.scans === tally.admitted
          ? []
          : [`${tally.scans - tally.admitted} of ${tally.scans} guests were not checked in`],
      async close() {
        for (const { browser } of [onlinePhone, offlinePhone]) await browser.close();
        await shop.close();
      },
    };
  },
});

interface Target {
  /** Address of the event's scanner. */
  url: string;
  /** CPU throttling factor. */
  cpuSlowdown: number;
}

interface Phone {
  browser: Browser;
  page: Page;
  session: CDPSession;
}

/** Opens the scanner and enters the attendant code. */
async function openPhone({ url, cpuSlowdown }: Target, camera: string[]): Promise<Phone> {
  const browser = await launchPhone(camera);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, permissions: ['camera'] });
  const page = await context.newPage();
  await page.addInitScript(recordTimings);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  await page.goto(url);
  await page.getByLabel('Attendant Code').fill(ATTENDANT_CODE);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await page.getByLabel('Confirmation Code').waitFor();
  return { browser, page, session };
}

/** From here on the scanner decides by its offline ticket list. */
async function goOffline({ page }: Phone): Promise<void> {
  await page.getByText('list from').waitFor();
  await page.context().setOffline(true);
  await page.getByText('offline', { exact: true }).waitFor();
}

/** Types like a onlinePhone-held scanner; from the number on, this is the camera's path. */
async function scan({ page, session }: Phone, number: string): Promise<{ ms: number; text: string }> {
  const before = await page.evaluate<number>('globalThis.seen.answers.length');
  await page.getByRole('heading', { level: 1 }).focus();
  let timestamp = Date.now() / 1000;
  for (const key of [...Array.from(number), 'Enter']) {
    timestamp += GAP_MS / 1000;
    const code = key === 'Enter' ? 13 : key.charCodeAt(0);
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', key, windowsVirtualKeyCode: code, timestamp });
  }
  const answer = await page.waitForFunction(
    (target) => (Reflect.get(globalThis, 'seen') as Recorded).answers[target],
    before,
    { polling: 20 },
  );
  return (await answer.jsonValue()) ?? { ms: Number.NaN, text: '' };
}

async function firstDecodes(target: Target, checkIn: CheckIn, times: number) {
  const latencies = new Latencies();
  for (let count = 0; count < times; count++) {
    const number = checkIn.nextNumber();
    const film = join(tmpdir(), `handstamp-bench-${number}.y4m`);
    await filmOf(number, film);
    const phone = await openPhone(target, cameraShowing(film));
    await phone.page.waitForFunction(() => (Reflect.get(globalThis, 'seen') as Recorded).asked > 0);
    const ms = await phone.page.evaluate<number>('globalThis.seen.asked - globalThis.seen.playing');
    latencies.record(performance.now() - ms);
    await phone.browser.close();
  }
  return latencies.sample(1);
}

interface Recorded {
  playing: number;
  asked: number;
  readAt: number;
  answers: { ms: number; text: string }[];
}

/** Runs in the page. Records when a number was read, when its result was rendered, and when the camera started. */
function recordTimings(): void {
  const seen: Recorded = { playing: 0, asked: 0, readAt: 0, answers: [] };
  Object.assign(globalThis, { seen });
  document.addEventListener('playing', () => (seen.playing ||= performance.now()), { capture: true });
  document.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Enter') seen.readAt = performance.now();
    },
    { capture: true },
  );
  const ask = globalThis.fetch;
  globalThis.fetch = (...args) => {
    if (String(args[0]).endsWith('/checkGuest')) seen.asked ||= performance.now();
    return ask(...args);
  };
  new MutationObserver(() => {
    const text = document.querySelector('main [role="status"] strong')?.textContent;
    if (!text || seen.readAt === 0) return;
    const since = seen.readAt;
    seen.readAt = 0;
    // Two frames: the first renders after this, the second proves that it did.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => seen.answers.push({ ms: performance.now() - since, text })),
    );
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
