/** Events in every state for the public screens, created once per server. */
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { login, profile } from '#contract/app/accounts.ts';
import { cancelEvent, createEvent } from '#contract/app/events.ts';
import { localTimeOf } from '#domain/local-time.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { buyTickets, eventForm, onboardedOrganizer, type Site } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { type PhotoFile, uploadPhotos } from '#tests/support/upload-photos.ts';
import { demoIn } from './demo.ts';
import { test as journey, oncePerProduct } from './journey.ts';

const ZONE = 'America/Chicago';
const DAYS_AHEAD = 90;
const DAY_MS = 24 * 60 * 60 * 1000;
export const PHOTOS = 6;

export interface Stage {
  site: Site;
  organizer: Visitor;
  organizerEmail: string;
  /** In Chicago, an hour behind this browser. `day` is the local date as `YYYY-MM-DD`. */
  onSale: { eventId: string; attendantCode: string; title: string; day: string };
  cancelled: { eventId: string; confirmationNumber: string };
  ended: { eventId: string; confirmationNumber: string };
  /** Buys `count` tickets of the event on sale and returns their numbers. */
  sell(count: number, email?: string): Promise<{ sessionId: string; numbers: string[] }>;
}

const stageOf = oncePerProduct(setStage);

export const test = journey.extend<{ stage: Stage }>({
  stage: async ({ product }, use) => use(await stageOf(product)),
});

export { expect } from './journey.ts';

async function setStage(product: Product): Promise<Stage> {
  const site = siteOf(product);
  const { visitor: organizer, email: organizerEmail } = await onboardedOrganizer(site);
  const day = localTimeOf(new Date(site.now().getTime() + DAYS_AHEAD * DAY_MS), ZONE).slice(0, 10);
  const form = eventForm(site, {
    title: 'Parade Under the Tracks',
    description: 'Nine drums and a tuba.',
    street: '220 N Wells St',
    city: 'Chicago',
    state: 'IL',
    postalCode: '60606',
    timezone: ZONE,
    startDate_startTime: `${day}T20:00`,
    endDate_endTime: `${day}T23:00`,
    latitude: 41.8859,
    longitude: -87.634,
    tickets: [
      { ticketName: 'Floor', ticketDescription: 'Standing', ticketPrice: 24, ticketQuantity: 400 },
      { ticketName: 'Balcony', ticketDescription: 'Seated', ticketPrice: 38.5, ticketQuantity: 4 },
      { ticketName: 'Last row', ticketDescription: 'By the door', ticketPrice: 10, ticketQuantity: 1 },
    ],
  });
  const onSale = okay(await organizer.call(createEvent, form));
  await sellOut(site, onSale.eventId);
  await addSixPhotos(organizer, onSale.eventId);
  return {
    site,
    organizer,
    organizerEmail,
    onSale: { ...onSale, title: form.title, day },
    cancelled: await cancelledEvent(site, organizer),
    ended: await endedEvent(site, product),
    async sell(count, email) {
      const items = [{ ticketName: 'Floor', quantity: count }];
      const { sessionId, confirmationData } = await buyTickets(site, onSale.eventId, items, email);
      return { sessionId, numbers: confirmationData.map((ticket) => ticket.confirmationNumber) };
    },
  };
}

const sellOut = (site: Site, eventId: string) => buyTickets(site, eventId, [{ ticketName: 'Last row', quantity: 1 }]);

async function addSixPhotos(organizer: Visitor, eventId: string): Promise<void> {
  const files: PhotoFile[] = [];
  for (let hue = 0; hue < PHOTOS; hue++) {
    const background = { r: hue * 40, g: 120, b: 200 - hue * 30 };
    const image = sharp({ create: { width: 320, height: 180, channels: 3, background } });
    files.push([`${hue}.png`, await image.png().toBuffer()]);
  }
  okay(await uploadPhotos(organizer, eventId, files));
}

async function cancelledEvent(site: Site, organizer: Visitor): Promise<Stage['cancelled']> {
  const { eventId } = okay(await organizer.call(createEvent, eventForm(site, { title: 'Rained Out' })));
  const { confirmationData } = await buyTickets(site, eventId, [{ ticketName: 'Balcony', quantity: 1 }]);
  okay(await organizer.call(cancelEvent, { eventId }));
  return { eventId, confirmationNumber: confirmationData[0]?.confirmationNumber ?? '' };
}

/** The ended event of the demo data. It ended days ago, so its refunds are closed. */
async function endedEvent(site: Site, product: Product): Promise<Stage['ended']> {
  const { email, password } = demoIn(product.output());
  const owner = site.visitor();
  okay(await owner.call(login, { email, password }));
  const { events } = okay(await owner.call(profile, {}));
  const ended = events.find((event) => !event.isCancelled && new Date(event.endDate_endTime) < site.now());
  const guest = ended?.guestList.find(({ ticketScanned }) => !ticketScanned);
  if (!ended || !guest) throw new Error('the demo has no ended event with a ticket that was not scanned');
  return { eventId: ended.eventId, confirmationNumber: guest.confirmationNumber };
}

export function okay<Body>(answer: { status: number; body: Body & { msg?: string } }): Body {
  if (answer.status !== 200) throw new Error(`refused with ${answer.status}: ${answer.body.msg}`);
  return answer.body;
}

/** Mocks a call that the real server cannot easily be made to answer; `null` is a network error. */
export async function mockCall(page: Page, path: string, answer: { status: number; json?: object } | null) {
  await page.route(`**${path}*`, (route) => {
    if (answer === null) return route.abort();
    const { status, json } = answer;
    return route.fulfill(json ? { status, json } : { status, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
  });
}

/** Serves pages without server rendering, so that the browser loads the event or order itself. */
export async function skipServerRendering(page: Page, pages = '**/payment/*'): Promise<void> {
  await page.route(pages, async (route) => route.fulfill({ response: await page.context().request.get('/login') }));
}

/** Body of the next call to a path. */
export async function sentTo(page: Page, path: string, action: () => Promise<void>): Promise<unknown> {
  const request = page.waitForRequest((candidate) => new URL(candidate.url()).pathname === path);
  await action();
  return (await request).postDataJSON();
}

export const toasts = (page: Page) => page.locator('#toasts .Toastify__toast');

/** How long a condition holds, measured in the page: from outside, changes show up late. */
export function msWhile<Arg>(page: Page, isSo: (arg: Arg) => boolean, arg?: Arg): Promise<number> {
  const look = `new Promise((resolve) => {
    let since = 0;
    (function look() {
      if ((${isSo.toString()})(${JSON.stringify(arg)})) since ||= performance.now();
      else if (since) return resolve(performance.now() - since);
      // Not per frame: a busy machine renders few of them.
      setTimeout(look, 20);
    })();
  })`;
  return page.evaluate<number>(look);
}
