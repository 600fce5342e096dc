/** A program follows the feed of changes while 10,000 tickets are sold and scanned, over restarts and lost connections. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { newApiKey } from '#tests/support/api-keys.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, generalAdmission, type Site } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { query } from '#tests/support/query.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { createHandstamp } from '../../clients/typescript/src/client.ts';

const TICKETS = 10_000;
/** Some are sold without the buyer getting the answer. */
const STOCK = 15_000;
const PER_ORDER = 100;
const BUYERS = 3;
/** Once that share is sold. */
const FIRST_RESTART = 0.35;
const SECOND_RESTART = 0.7;
/** Of the answers that the program asked for and did not get. */
const LOST = 0.05;
const PAUSE_MS = 50;

let product: Product;
let site: Site;
let event: Awaited<ReturnType<typeof eventOnSale>>;
let key: string;
let device: Visitor;
beforeAll(async () => {
  product = await startProduct({ RATE_LIMIT_SCALE: '0' });
  site = siteOf(product);
  const tickets = [
    { ticketName: 'General admission', ticketDescription: 'Standing', ticketPrice: 24, ticketQuantity: STOCK },
  ];
  event = await eventOnSale(site, { tickets, participants: String(STOCK) });
  key = await newApiKey(event.visitor);
  device = await attendantOf(site, event.eventId, event.attendantCode);
});
afterAll(() => product?.remove());

const sold: string[] = [];
let isSelling = true;
let isWriting = true;

async function sell(): Promise<void> {
  while (sold.length < TICKETS) {
    const order = await buyTickets(site, event.eventId, generalAdmission(PER_ORDER)).catch(() => null);
    if (order) sold.push(...codesOf(order));
    else await setTimeout(PAUSE_MS);
  }
}

async function scan(): Promise<void> {
  for (let next = 0; isSelling || next < sold.length; ) {
    const code = sold[next];
    if (code === undefined) {
      await setTimeout(PAUSE_MS);
      continue;
    }
    const form = { eventId: event.eventId, confirmationNumber: code, scanId: randomUUID() };
    const answer = await device.call(checkGuest, form).catch(() => null);
    if (answer) next += 2;
    else await setTimeout(PAUSE_MS);
  }
}

async function restartTwice(): Promise<void> {
  await untilSold(FIRST_RESTART);
  await product.restart();
  await untilSold(SECOND_RESTART);
  await product.kill();
  await product.start();
}

async function untilSold(share: number): Promise<void> {
  while (sold.length < share * TICKETS) await setTimeout(PAUSE_MS);
}

/** The last state of each ticket and order that came. */
const known = new Map<string, string>();
let answersLost = 0;
let failures = 0;

/** Ends with a reading that began after everything was written. */
async function follow(): Promise<void> {
  const handstamp = createHandstamp({ url: product.url, key, retries: 0 });
  let after: string | undefined;
  let roundsAfterwards = 0;
  while (roundsAfterwards < 2) {
    const beganAfterwards = !isWriting;
    const answer = await handstamp
      .get('/changes', { limit: 100, ...(after !== undefined && { after }) })
      .catch(() => null);
    if (!answer) {
      failures += 1;
      await setTimeout(PAUSE_MS);
      continue;
    }
    if (Math.random() < LOST) {
      answersLost += 1;
      continue;
    }
    for (const { ticket, order } of answer.data) {
      if (ticket) known.set(ticket.id, ticket.state);
      if (order) known.set(order.id, order.state);
    }
    after = answer.next_cursor;
    if (beganAfterwards && !answer.has_more) roundsAfterwards += 1;
  }
}

const STATES = `
  select id::text, case when scanned_at is not null then 'scanned' else state end as state from tickets
   union all
  select id::text, state from orders where state <> 'reserved'`;

it('knows the last state of every ticket and order [FEED-1]', async () => {
  const selling = Promise.all([...Array.from({ length: BUYERS }, sell), restartTwice()]).finally(() => {
    isSelling = false;
  });
  const scanning = scan().finally(() => {
    isWriting = false;
  });
  const following = follow();
  await selling;
  await scanning;
  await following;

  const stored = await query(await product.databaseAddress(), STATES);
  const wrong = stored.filter(({ id, state }) => known.get(String(id)) !== state);
  expect(stored.length).toBeGreaterThan(TICKETS);
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(failures).toBeGreaterThan(0);
  expect(answersLost).toBeGreaterThan(0);
}, 600_000);
