/** A waiting room, as buyers and the organizer see it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { queueTitle } from '#messages/checkout.ts';
import { eventOnSale, generalAdmission, type Site } from '#tests/support/people.ts';
import { eventWithWaitingRoom, joined } from '#tests/support/waiting-room.ts';
import { expect, openPage } from '../journeys/journey.ts';
import { withSlowQueue } from '../journeys/slow-queue.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

const test = withSlowQueue(10);

const SOON_MINUTES = 0.1;
const UNTIL_STARTED_MS = 8_000;

const SCENES: readonly { name: string; heading: string; eventId(site: Site): Promise<string> }[] = [
  {
    name: 'sale-early',
    heading: 'Not on sale yet',
    eventId: async (site) => (await eventWithWaitingRoom(site, 24 * 60)).eventId,
  },
  {
    name: 'sale-in-draw',
    heading: "You're in the waiting room",
    eventId: async (site) => (await eventWithWaitingRoom(site, 10)).eventId,
  },
  { name: 'sale-waiting', heading: "You're in the waiting room", eventId: (site) => startedSale(site, 12) },
  { name: 'sale-called', heading: "You're up!", eventId: (site) => startedSale(site, 0) },
];

async function startedSale(site: Site, peopleBefore: number): Promise<string> {
  const { eventId } = await eventWithWaitingRoom(site, SOON_MINUTES, 4);
  for (let person = 0; person < peopleBefore; person++) await joined(site, eventId);
  await sleep(UNTIL_STARTED_MS);
  return eventId;
}

async function reserveCart(page: Page, site: Site): Promise<void> {
  const { eventId } = await eventOnSale(site);
  for (let buyer = 0; buyer < 4; buyer++)
    await site.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });
  await page.goto(`/payment/${eventId}`);
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await page.getByRole('button', { name: 'Checkout' }).filter({ visible: true }).first().click();
  await expect(page.getByText(queueTitle, { exact: true })).toBeVisible();
}

for (const variant of VARIANTS) {
  test(`an on-sale, ${variant.name}`, async ({ browser, product, site }) => {
    for (const { name, heading, eventId } of SCENES) {
      const page = await openPage(browser, product, settingsOf(variant));
      await page.goto(`/payment/${await eventId(site)}`);
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      await take(page, `${variant.name}/${name}`);
      await page.context().close();
    }
    const buyer = await openPage(browser, product, settingsOf(variant));
    await reserveCart(buyer, site);
    await take(buyer, `${variant.name}/sale-held`);
    await buyer.context().close();
  });
}
