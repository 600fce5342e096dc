/**
 * Setup for refunds, disputes and payouts: a server with a refund delay of half an hour, and a clock that tests move.
 */

import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { advance, runEverything } from '#tests/support/heal.ts';
import { simulateAtBank, stripeObjectsOf, stripeOf } from '#tests/support/money.ts';
import {
  buyTickets,
  cardWith,
  codesOf,
  eventForm,
  eventOnSale,
  goodCard,
  logInAgain,
  newOrganizer,
  type Site,
} from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, oncePerProduct, withOwnProduct } from './journey.ts';
import { browserOf, type Organizer } from './organizer-page.ts';
import { okay } from './public-setup.ts';

export interface MoneyStage {
  product: Product;
  site: Site;
  db: Db;
  sandboxUrl: string;
  deps: Pick<Deps, 'appSecret'>;
  /** Moves the clock and runs all due work. */
  pass(seconds: number): Promise<void>;
}

const APP_SECRET = 'a secret of the money journeys of more than 32 characters';
export const REFUND_DELAY_MINUTES = 30;
export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const stageOf = oncePerProduct(setStage);

export const test = withOwnProduct({
  REFUND_DELAY_MINUTES: String(REFUND_DELAY_MINUTES),
  APP_SECRET,
  RATE_LIMIT_SCALE: '0',
}).extend<{ money: MoneyStage }>({
  money: async ({ product, db }, use) => use(await stageOf(product, db)),
});

export { expect } from './journey.ts';

async function setStage(product: Product, db: Db): Promise<MoneyStage> {
  const { sandboxUrl } = product;
  const healing = { db, sandboxUrl };
  const stage: MoneyStage = {
    ...healing,
    product,
    site: siteOf(product),
    deps: { appSecret: [APP_SECRET] },
    async pass(seconds) {
      await advance(healing, seconds);
      await runEverything(healing);
      await stage.site.settle();
    },
  };
  await fillBalance(stage);
  return stage;
}

export type SellingEvent = Awaited<ReturnType<typeof seatsOnSale>>;

const SEAT = { ticketName: 'Seat', ticketDescription: 'Unreserved', ticketPrice: 40, ticketQuantity: 100 };

/** Puts seats at $40.00 on sale, for an event of a new organizer. */
export const seatsOnSale = ({ site }: MoneyStage, title: string) => eventOnSale(site, { title, tickets: [SEAT] });

export async function anotherEvent({ site }: MoneyStage, { visitor, email }: Organizer, title: string) {
  await logInAgain({ visitor, email });
  const event = okay(await visitor.call(createEvent, eventForm(site, { title, tickets: [SEAT] })));
  return { visitor, email, ...event };
}

let buyers = 0;

/** Sells seats, paid with a test card such as `4000 0000 0000 5126`. */
export async function sellSeats({ site }: MoneyStage, eventId: string, quantity: number, number = goodCard.number) {
  const email = `buyer-${++buyers}@example.com`;
  const order = await buyTickets(site, eventId, [{ ticketName: 'Seat', quantity }], email, cardWith(number));
  await site.settle();
  return { email, codes: codesOf(order), sessionId: order.sessionId };
}

/** Requests a refund, and returns the link from the buyer's email. */
export async function askForRefund(stage: MoneyStage, eventId: string, card?: string) {
  const { email, codes } = await sellSeats(stage, eventId, 1, card);
  const [code = ''] = codes;
  okay(await stage.site.call(requestRefund, { eventId, confirmationCode: code }));
  const message = await emailTo(stage.product, email, /^Refund requested for /);
  const link = message.text.match(/\/refund\/[\w-]{16}\/[\w-]{43}/)?.[0];
  if (!link) throw new Error(`no link in ${message.text}`);
  return { code, link };
}

/** Moves past the payout delay of an event that starts tomorrow: it lasts 3 hours, and payouts open a day later. */
export const untilPayoutOpens = (stage: MoneyStage) => stage.pass(2 * DAY + 4 * HOUR);

/** Opens a dispute for one of the event's payments. */
export async function dispute(stage: MoneyStage, eventId: string, which = 0): Promise<string> {
  const payments = await stripeObjectsOf(stage, 'payment_intent', eventId);
  const { id } = await simulateAtBank(stage, 'disputes', { payment_intent: payments[which]?.id, kind: 'chargeback' });
  await stage.site.settle();
  return id;
}

/** An organizer who owes $76.90, because a buyer disputed a payment after its payout. */
export async function indebtedOrganizer(stage: MoneyStage, title: string) {
  const earlier = await seatsOnSale(stage, title);
  await sellSeats(stage, earlier.eventId, 2);
  await untilPayoutOpens(stage);
  await logInAgain(earlier);
  okay(await earlier.visitor.call(requestPayout, { eventId: earlier.eventId }));
  await stage.pass(2 * DAY);
  await dispute(stage, earlier.eventId);
  await stage.pass(MINUTE);
  return earlier;
}

/** Adds balance from another event, so that refunds and payouts do not wait for disputes and fees. */
async function fillBalance(stage: MoneyStage): Promise<void> {
  const { eventId } = await eventOnSale(stage.site, {
    tickets: [{ ...SEAT, ticketPrice: 500 }],
  });
  await sellSeats(stage, eventId, 10, '4000 0000 0000 0077');
}

/** Refunds part of a payment in the Stripe dashboard; the tickets stay valid. */
export async function refundInDashboard(stage: MoneyStage, eventId: string, cents: number): Promise<void> {
  const [payment] = await stripeObjectsOf(stage, 'payment_intent', eventId);
  await stripeOf(stage).refunds.create({ payment_intent: payment?.id ?? '', amount: cents });
  await stage.site.settle();
}

/** The organizer's browser, at the server's time: sessions expire before events end. */
export async function profileOf(
  organizer: Organizer,
  { product, site }: MoneyStage,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  // The session of an API client is none in a browser.
  const person = { email: organizer.email, visitor: site.visitor({ isBrowser: true }) };
  await logInAgain(person);
  const page = await browserOf(person, browser, product, options);
  await page.clock.setFixedTime(site.now());
  await page.goto('/profile');
  return page;
}

export async function operatorsBrowser(
  { db, site, product }: MoneyStage,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const operator = await newOrganizer(site, { isBrowser: true });
  await appointAdmin({ db }, { email: operator.email, isAdmin: true });
  await logInAgain(operator);
  return browserOf(operator, browser, product, options);
}
