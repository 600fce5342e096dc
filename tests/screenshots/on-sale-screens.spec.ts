/** A sale that many wait for, as its buyers and its organizer see it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { createCheckoutSession } from '#contract/checkout.ts';
import { heldTitle } from '#contract/checkout-words.ts';
import { eventOnSale, generalAdmission, type Place } from '#tests/support/people.ts';
import { eventWithRoom, joined } from '#tests/support/waiting-room.ts';
import { expect, openPage } from '../journeys/journey.ts';
import { withSlowPages } from '../journeys/slow-pages.ts';
import { LOOKS, settingsOf, take } from './picture.ts';

const test = withSlowPages(10);

const SOON_MINUTES = 0.1;
const UNTIL_STARTED_MS = 8_000;

const SCENES: readonly { name: string; heading: string; eventId(place: Place): Promise<string> }[] = [
  {
    name: 'sale-early',
    heading: 'Not on sale yet',
    eventId: async (place) => (await eventWithRoom(place, 24 * 60)).eventId,
  },
  {
    name: 'sale-in-draw',
    heading: "You're in the waiting room",
    eventId: async (place) => (await eventWithRoom(place, 10)).eventId,
  },
  { name: 'sale-waiting', heading: "You're in the waiting room", eventId: (place) => begunSale(place, 12) },
  { name: 'sale-called', heading: "You're up!", eventId: (place) => begunSale(place, 0) },
];

async function begunSale(place: Place, peopleBefore: number): Promise<string> {
  const { eventId } = await eventWithRoom(place, SOON_MINUTES, 4);
  for (let person = 0; person < peopleBefore; person++) await joined(place, eventId);
  await sleep(UNTIL_STARTED_MS);
  return eventId;
}

async function holdTickets(page: Page, place: Place): Promise<void> {
  const { eventId } = await eventOnSale(place);
  for (let buyer = 0; buyer < 4; buyer++)
    await place.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });
  await page.goto(`/payment/${eventId}`);
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await page.getByRole('button', { name: 'Checkout' }).filter({ visible: true }).first().click();
  await expect(page.getByText(heldTitle, { exact: true })).toBeVisible();
}

for (const look of LOOKS) {
  test(`a rush, ${look.name}`, async ({ browser, product, place }) => {
    for (const { name, heading, eventId } of SCENES) {
      const page = await openPage(browser, product, settingsOf(look));
      await page.goto(`/payment/${await eventId(place)}`);
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      await take(page, `${look.name}/${name}`);
      await page.context().close();
    }
    const buyer = await openPage(browser, product, settingsOf(look));
    await holdTickets(buyer, place);
    await take(buyer, `${look.name}/sale-held`);
    await buyer.context().close();
  });
}
