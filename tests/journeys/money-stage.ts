/** For what happens to money later: a product whose refunds wait for half an hour, and whose clock the tests move. */
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { createEvent } from '#contract/events.ts';
import { requestPayout } from '#contract/payouts.ts';
import { requestRefund } from '#contract/refunds.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import type { Db } from '#server/platform/database.ts';
import { advance, runEverything } from '#tests/support/heal.ts';
import { bringAbout, knownToProcessor, stripeOf } from '#tests/support/money.ts';
import {
  buyTickets,
  cardWith,
  codesOf,
  eventForm,
  eventOnSale,
  goodCard,
  logInAgain,
  newOrganizer,
  type Place,
} from '#tests/support/people.ts';
import { placeOf } from '#tests/support/place-of.ts';
import type { Product } from '#tests/support/product.ts';
import { mailTo, oncePerProduct, withOwnProduct } from './journey.ts';
import { browserOf, type Organizer } from './organizer-page.ts';
import { okay } from './public-stage.ts';

export interface MoneyStage {
  product: Product;
  place: Place;
  db: Db;
  sandboxUrl: string;
  deps: { appSecret: string };
  /** Time goes by, and everything has its turn that was waiting for it. */
  pass(seconds: number): Promise<void>;
}

const APP_SECRET = 'a secret of the money journeys, longer than 32 characters';
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
    place: placeOf(product),
    deps: { appSecret: APP_SECRET },
    async pass(seconds) {
      await advance(healing, seconds);
      await runEverything(healing);
      await stage.place.settle();
    },
  };
  await fillBalance(stage);
  return stage;
}

export type SellingEvent = Awaited<ReturnType<typeof seatsOnSale>>;

const SEAT = { ticketName: 'Seat', ticketDescription: 'Unreserved', ticketPrice: 40, ticketQuantity: 100 };

/** Seats at $40.00, for an event of a new organizer. */
export const seatsOnSale = ({ place }: MoneyStage, title: string) => eventOnSale(place, { title, tickets: [SEAT] });

export async function anotherEvent({ place }: MoneyStage, { visitor, email }: Organizer, title: string) {
  await logInAgain({ visitor, email });
  const event = okay(await visitor.call(createEvent, eventForm(place, { title, tickets: [SEAT] })));
  return { visitor, email, ...event };
}

let buyers = 0;

/** Seats that somebody has paid for with a test card, such as `4000 0000 0000 5126`. */
export async function sellSeats({ place }: MoneyStage, eventId: string, quantity: number, number = goodCard.number) {
  const email = `buyer-${++buyers}@example.com`;
  const order = await buyTickets(place, eventId, [{ ticketName: 'Seat', quantity }], email, cardWith(number));
  await place.settle();
  return { email, codes: codesOf(order), sessionId: order.sessionId };
}

/** Somebody asks for the money of a seat; the link is the one in their mail. */
export async function askForRefund(stage: MoneyStage, eventId: string, card?: string) {
  const { email, codes } = await sellSeats(stage, eventId, 1, card);
  const [code = ''] = codes;
  okay(await stage.place.call(requestRefund, { eventId, confirmationCode: code }));
  const mail = await mailTo(stage.product, email, /^Refund requested for /);
  const link = mail.text.match(/\/refund\/[\w-]{16}\/[\w-]{43}/)?.[0];
  if (!link) throw new Error(`no link in ${mail.text}`);
  return { code, link };
}

/** Until the payout of an event that starts tomorrow is open: it ends 3 hours later, and then a day goes by. */
export const untilPayoutOpens = (stage: MoneyStage) => stage.pass(2 * DAY + 4 * HOUR);

/** The buyer of one of the event's payments goes to the bank. */
export async function dispute(stage: MoneyStage, eventId: string, which = 0): Promise<string> {
  const payments = await knownToProcessor(stage, 'payment_intent', eventId);
  const { id } = await bringAbout(stage, 'disputes', { payment_intent: payments[which]?.id, kind: 'chargeback' });
  await stage.place.settle();
  return id;
}

/** An organizer whose bank has fetched an earlier payout before its buyer went to theirs: owes $76.90. */
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

/** What was sold elsewhere, so that refunds and payouts need not wait for what disputes and fees have taken. */
async function fillBalance(stage: MoneyStage): Promise<void> {
  const { eventId } = await eventOnSale(stage.place, {
    tickets: [{ ...SEAT, ticketPrice: 500 }],
  });
  await sellSeats(stage, eventId, 10, '4000 0000 0000 0077');
}

/** Part of a payment goes back in the card company's dashboard; the tickets stay good. */
export async function giveBackInDashboard(stage: MoneyStage, eventId: string, cents: number): Promise<void> {
  const [payment] = await knownToProcessor(stage, 'payment_intent', eventId);
  await stripeOf(stage).refunds.create({ payment_intent: payment?.id ?? '', amount: cents });
  await stage.place.settle();
}

/** The organizer's browser, in the product's time; sessions end before events do. */
export async function profileOf(
  organizer: Organizer,
  { product, place }: MoneyStage,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  await logInAgain(organizer);
  const page = await browserOf(organizer, browser, product, options);
  await page.clock.setFixedTime(place.now());
  await page.goto('/profile');
  return page;
}

export async function operatorsBrowser(
  { db, place, product }: MoneyStage,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const operator = await newOrganizer(place, { isBrowser: true });
  await appointAdmin({ db }, { email: operator.email, isAdmin: true });
  await logInAgain(operator);
  return browserOf(operator, browser, product, options);
}

/** On a phone nothing may stick out at the side. */
export const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
