import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { launchPhone } from '#tests/journeys/chromium.ts';
import { cameraShowing, filmOf } from '#tests/journeys/qr-camera.ts';
import { benchmark } from './harness/benchmark.ts';
import { type Door, openDoor } from './harness/door.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { Latencies } from './harness/latencies.ts';
import { openShop } from './harness/shop.ts';

/** How much slower than this machine the phone is. */
const SLOWER = 4;
const ATTENDANT_CODE = '0123456789';
const GAP_MS = 10;

export const bench = benchmark<'online' | 'offline' | 'camera'>({
  name: 'scanner',
  what: `A phone whose processor is slowed ${SLOWER} times, from a number that was read to the answer on its screen.`,
  figures: [
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
      baseline: "milliseconds from the camera's first picture to the first code read",
      ratio: ({ camera }) => camera.p50 ?? Number.NaN,
      value: ({ camera }) => camera.max ?? Number.NaN,
      unit: 'ms at most',
    },
  ],
  async open({ smoke }) {
    const shop = await openShop({ processes: 1 });
    const [event] = await putOnSale(shop.ownerPool);
    if (!event) throw new Error('there is no event');
    const door = await openDoor(shop, event, 1);
    await door.sell(smoke ? 200 : 10_000);
    const place = { url: `${shop.origins[0]}/scanner?event=${event.eventId}`, slower: smoke ? 1 : SLOWER };
    const hand = await openPhone(place, []);
    const unplugged = await openPhone(place, []);
    await unplug(unplugged);
    const tally = { scans: 0, letIn: 0 };

    async function scanAll(phone: Phone, answer: string, seconds: number) {
      const latencies = new Latencies();
      const end = performance.now() + seconds * 1000;
      while (performance.now() < end) {
        const { ms, words } = await scan(phone, door.nextNumber());
        latencies.record(performance.now() - ms);
        tally.scans++;
        if (words.includes(answer)) tally.letIn++;
      }
      return latencies.sample(seconds);
    }

    return {
      contestants: {
        online: (seconds) => scanAll(hand, 'Let them in', seconds),
        offline: (seconds) => scanAll(unplugged, 'Let them in · saved offline', seconds),
        camera: (seconds) => firstDecodes(place, door, smoke ? 1 : Math.ceil(seconds)),
      },
      check: async () =>
        tally.scans === tally.letIn ? [] : [`${tally.scans - tally.letIn} of ${tally.scans} guests were not let in`],
      async close() {
        for (const { browser } of [hand, unplugged]) await browser.close();
        await shop.close();
      },
    };
  },
});

interface Place {
  /** Of the event's scanner. */
  url: string;
  /** The factor of a phone there. */
  slower: number;
}

interface Phone {
  browser: Browser;
  page: Page;
  session: CDPSession;
}

/** At the door, with the code accepted. */
async function openPhone({ url, slower }: Place, camera: string[]): Promise<Phone> {
  const browser = await launchPhone(camera);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, permissions: ['camera'] });
  const page = await context.newPage();
  await page.addInitScript(watch);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.goto(url);
  await page.getByLabel('Attendant Code').fill(ATTENDANT_CODE);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await page.getByLabel('Confirmation Code').waitFor();
  return { browser, page, session };
}

/** From here on it decides by the list that it has. */
async function unplug({ page }: Phone): Promise<void> {
  await page.getByText('list from').waitFor();
  await page.context().setOffline(true);
  await page.getByText('offline', { exact: true }).waitFor();
}

/** As a hand-held scanner reads it: what the camera does with a number that it has read is the same from there on. */
async function scan({ page, session }: Phone, number: string): Promise<{ ms: number; words: string }> {
  const before = await page.evaluate<number>('globalThis.seen.answers.length');
  await page.getByRole('heading', { level: 1 }).focus();
  let timestamp = Date.now() / 1000;
  for (const key of [...Array.from(number), 'Enter']) {
    timestamp += GAP_MS / 1000;
    const code = key === 'Enter' ? 13 : key.charCodeAt(0);
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', key, windowsVirtualKeyCode: code, timestamp });
  }
  const answer = await page.waitForFunction(
    (place) => (Reflect.get(globalThis, 'seen') as Seen).answers[place],
    before,
    { polling: 20 },
  );
  return (await answer.jsonValue()) ?? { ms: Number.NaN, words: '' };
}

async function firstDecodes(place: Place, door: Door, times: number) {
  const latencies = new Latencies();
  for (let count = 0; count < times; count++) {
    const number = door.nextNumber();
    const film = join(tmpdir(), `handstamp-bench-${number}.y4m`);
    await filmOf(number, film);
    const phone = await openPhone(place, cameraShowing(film));
    await phone.page.waitForFunction(() => (Reflect.get(globalThis, 'seen') as Seen).asked > 0);
    const ms = await phone.page.evaluate<number>('globalThis.seen.asked - globalThis.seen.playing');
    latencies.record(performance.now() - ms);
    await phone.browser.close();
  }
  return latencies.sample(1);
}

interface Seen {
  playing: number;
  asked: number;
  readAt: number;
  answers: { ms: number; words: string }[];
}

/** Runs in the page: when a number was read, when its answer stood on the screen, and when the camera began. */
function watch(): void {
  const seen: Seen = { playing: 0, asked: 0, readAt: 0, answers: [] };
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
    const words = document.querySelector('main [role="status"] strong')?.textContent;
    if (!words || seen.readAt === 0) return;
    const since = seen.readAt;
    seen.readAt = 0;
    // Two frames: the first is drawn after this, the second proves that it was.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => seen.answers.push({ ms: performance.now() - since, words })),
    );
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
