/** What the journeys at the door share: a phone with a camera that films nothing, and a server that answers as it is told. */
import type { BrowserContextOptions, Page } from '@playwright/test';
import {
  admissionRefusals,
  admitted,
  alreadyScanned,
  checkGuestManual,
  type DoorResult,
  ticketOfOtherEvent,
} from '#contract/admission.ts';
import { doorList } from '#contract/door.ts';
import type { Product } from '#tests/support/product.ts';
import { launchPhone } from './chromium.ts';
import { expect, openPage } from './journey.ts';

/** Of every result, what the server says with it. */
export const sentences: Record<DoorResult, string> = {
  admitted: admitted('General admission'),
  'already-in': alreadyScanned('7:32 PM', 'Gate 2'),
  refunding: admissionRefusals.refunding,
  refunded: admissionRefusals.refunded,
  void: admissionRefusals.void,
  disputed: admissionRefusals.disputed,
  'event-cancelled': admissionRefusals['event-cancelled'],
  'other-event': ticketOfOtherEvent('Parade Under the Tracks'),
  unknown: admissionRefusals['unknown-ticket'],
};

export const phoneSize = { width: 390, height: 844 };

export async function withPhone(
  product: Product,
  camera: string[],
  work: (page: Page) => Promise<void>,
  { remembers = false, ...options }: BrowserContextOptions & { remembers?: boolean } = {},
): Promise<void> {
  const phone = await launchPhone(camera, { remembers });
  try {
    await work(await openPage(phone, product, { permissions: ['camera'], viewport: phoneSize, ...options }));
  } finally {
    await phone.close();
  }
}

export async function throughDoor(page: Page, door: { eventId: string; attendantCode: string }): Promise<void> {
  await page.goto(`/payment/${door.eventId}`);
  await page.getByRole('button', { name: 'I am an Attendant' }).first().click();
  await page.getByLabel('Attendant Code').fill(door.attendantCode);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(page.getByLabel('Confirmation Code')).toBeVisible();
}

/** The next checks by hand come to this; `null` is a line that breaks. */
export async function letChecksBe(page: Page, result: DoorResult | null, msg = result && sentences[result]) {
  await page.unroute(`**${checkGuestManual.path}`);
  await page.route(`**${checkGuestManual.path}`, (route) =>
    result === null
      ? route.abort()
      : route.fulfill({ status: result === 'admitted' ? 200 : 409, json: { msg, result } }),
  );
}

/** A device that has no list cannot decide alone: what no server answers is then shown as that. To be said before the door opens. */
export async function keepListAway(page: Page): Promise<void> {
  await page.route(`**${doorList.path}`, (route) => route.abort());
}

export async function checkByHand(page: Page, code: string): Promise<void> {
  await page.getByLabel('Confirmation Code').fill(code);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
}

/** The answer to the last check. */
export const answer = (page: Page) => page.getByRole('main').getByRole('status');
