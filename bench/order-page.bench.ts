import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { orderUrl } from '#server/orders/order-link.ts';
import { newId } from '#server/platform/ids.ts';
import { launchPhone } from '#tests/journeys/chromium.ts';
import { benchmark } from './harness/benchmark.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { Latencies } from './harness/latencies.ts';
import { openShop, type Shop } from './harness/shop.ts';

const TICKETS = 20;
const TARGET_MS = 2500;
const SLOW_NETWORK = { offline: false, latency: 300, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const CPU_SLOWDOWN = 4;
/** Loads of the page in each round. */
const LOADS = 5;
const POLL_MS = 20;

export const bench = benchmark<'scripted' | 'plain'>({
  name: 'order-page',
  what: `A phone with a CPU slowed ${CPU_SLOWDOWN} times opens an order of ${TICKETS} tickets for the first time, at 400 kbit/s with a latency of 300 ms.`,
  metrics: [
    {
      target: { atMost: TARGET_MS },
      baseline: 'ms, median, to the first QR code',
      ratio: ({ scripted }) => scripted.p50 ?? Number.NaN,
      value: ({ scripted }) => scripted.max ?? Number.NaN,
      unit: 'ms at most',
    },
    {
      name: 'order-page/plain',
      target: { atMost: TARGET_MS },
      baseline: 'ms, median, to the first QR code, without a script',
      ratio: ({ plain }) => plain.p50 ?? Number.NaN,
      value: ({ plain }) => plain.max ?? Number.NaN,
      unit: 'ms at most',
    },
  ],
  async open({ smoke }) {
    const shop = await openShop({ processes: 1 });
    const { pathname } = new URL(await sellOrder(shop));
    const url = `${shop.origins[0]}${pathname}`;
    const browser = await launchPhone([]);

    const loadAll = (javaScriptEnabled: boolean) => async (seconds: number) => {
      const latencies = new Latencies();
      for (let count = 0; count < (smoke ? 1 : LOADS); count++) {
        const ms = await firstCode(browser, url, { javaScriptEnabled, isSlow: !smoke });
        latencies.record(performance.now() - ms);
      }
      return latencies.sample(seconds);
    };
    return {
      contestants: { scripted: loadAll(true), plain: loadAll(false) },
      // A page without a code would have failed to load.
      check: async () => [],
      async close() {
        await browser.close();
        await shop.close();
      },
    };
  },
});

/** Returns the address of its page. */
async function sellOrder({ ownerPool, deps }: Shop): Promise<string> {
  const [event] = await putOnSale(ownerPool);
  const [eventId, orderId, typeId] = [event?.eventId ?? '', newId(), event?.types[0]?.id];
  await ownerPool.query(
    `insert into orders (event_id, id, state, total_cents, reservation_expires_at, session_id, buyer_email, created_at, paid_at)
     values ($1, $2::uuid, 'paid', $3::int * 2400, now(), 'cs_' || $2::uuid, 'sam@example.com', now(), now())`,
    [eventId, orderId, TICKETS],
  );
  await ownerPool.query(
    `insert into order_lines (event_id, order_id, id, ticket_type_id, position, ticket_name, list_price_cents, unit_price_cents, quantity)
     values ($1, $2, $2, $3, 1, 'Ticket 1', 2400, 2400, $4)`,
    [eventId, orderId, typeId, TICKETS],
  );
  await ownerPool.query(
    `insert into tickets (event_id, id, order_id, order_line_id, ticket_type_id, confirmation_number, ticket_name, price_cents, buyer_email, issued_at)
     select $1, uuidv7(), $2, $2, $3, (1000000000 + i)::text, 'Ticket 1', 2400, 'sam@example.com', now()
       from generate_series(1, $4::int) i`,
    [eventId, orderId, typeId, TICKETS],
  );
  return orderUrl(deps, { eventId, orderId, linkVersion: 0 });
}

interface Phone {
  javaScriptEnabled: boolean;
  isSlow: boolean;
}

/** Milliseconds from the start of the navigation until a code is on the screen. */
async function firstCode(browser: Browser, url: string, { javaScriptEnabled, isSlow }: Phone): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled });
  const page = await context.newPage();
  if (isSlow) {
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  }
  await page.goto(url, { waitUntil: 'commit' });
  try {
    return await untilShown(page);
  } finally {
    await context.close();
  }
}

/** Polls from outside of the page, because pages without scripts run no observers. */
async function untilShown(page: Page): Promise<number> {
  for (;;) {
    const ms = await page.evaluate(() => {
      const isPainted = performance.getEntriesByName('first-contentful-paint').length > 0;
      const code = document.querySelector('article svg[role="img"]');
      return isPainted && code && code.getBoundingClientRect().width > 0 ? performance.now() : null;
    });
    if (ms !== null) return ms;
    await sleep(POLL_MS);
  }
}
