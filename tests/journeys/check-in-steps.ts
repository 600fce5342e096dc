/** Shared by the check-in journeys: a phone with a fake camera, and mocked check-in results. */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { type CheckInStatus, checkGuestManual } from '#contract/app/check-in.ts';
import { offlineTicketList } from '#contract/app/check-in-devices.ts';
import { admitted, handOut } from '#messages/check-in.ts';
import { errorText } from '#messages/errors.ts';
import type { Product } from '#tests/support/product.ts';
import { launchPhone } from './chromium.ts';
import { expect, openPage } from './journey.ts';

/** The server's message for each result. */
export const serverMessages: Record<CheckInStatus, string> = {
  admitted: admitted('General admission'),
  'handed-out': handOut('T-shirt'),
  'already-handed-out': errorText('check-in.already-handed-out', { time: '7:32 PM', device: 'Gate 2' }),
  'already-in': errorText('check-in.already-in', { time: '7:32 PM', device: 'Gate 2' }),
  refunding: errorText('check-in.refunding'),
  refunded: errorText('check-in.refunded'),
  void: errorText('check-in.void'),
  disputed: errorText('check-in.disputed'),
  'event-cancelled': errorText('check-in.event-cancelled'),
  'not-open': errorText('check-in.not-open', { opens: 'Friday, June 12 at 8:00 AM EDT' }),
  closed: errorText('check-in.closed', { closed: 'Saturday, June 13 at 11:30 AM EDT' }),
  'other-event': errorText('check-in.other-event', { title: 'Parade Under the Tracks' }),
  transferred: errorText('check-in.transferred', { when: '6:02 PM', isToday: true }),
  unknown: errorText('check-in.unknown-ticket'),
};

export const phoneSize = { width: 390, height: 844 };

export async function withPhone(
  product: Product,
  camera: string[],
  work: (page: Page) => Promise<void>,
  { remembersCamera = false, ...options }: BrowserContextOptions & { remembersCamera?: boolean } = {},
): Promise<void> {
  const phone = await launchPhone(camera, { remembersCamera });
  try {
    await work(await openPage(phone, product, { permissions: ['camera'], viewport: phoneSize, ...options }));
  } finally {
    await phone.close();
  }
}

export async function openScanner(page: Page, event: { eventId: string; attendantCode: string }): Promise<void> {
  await page.goto(`/payment/${event.eventId}`);
  await page.getByRole('button', { name: 'I am an Attendant' }).first().click();
  await page.getByLabel('Attendant Code').fill(event.attendantCode);
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(page.getByLabel('Confirmation Code')).toBeVisible();
}

/** Mocks the result of the next typed checks; `null` is a network error. */
/** What the server answers: a result, or an error whose code names it. */
function checkReply(result: CheckInStatus, msg: string) {
  if (result === 'admitted' || result === 'handed-out') return { status: 200, json: { msg, result } };
  const code = result === 'unknown' ? 'check-in.unknown-ticket' : `check-in.${result}`;
  return { status: 409, json: { code, params: {}, msg } };
}

export async function mockChecks(page: Page, result: CheckInStatus | null, msg = result && serverMessages[result]) {
  await page.unroute(`**${checkGuestManual.path}`);
  await page.route(`**${checkGuestManual.path}`, (route) =>
    result === null ? route.abort() : route.fulfill(checkReply(result, msg ?? '')),
  );
}

/**
 * Without the offline ticket list a device cannot decide alone, so a failed request shows as one. Call it before
 * opening the scanner.
 */
export async function blockTicketList(page: Page): Promise<void> {
  await page.route(`**${offlineTicketList.path}`, (route) => route.abort());
}

export async function checkByHand(page: Page, code: string): Promise<void> {
  await page.getByLabel('Confirmation Code').fill(code);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
}

/** Result of the last check. */
export const answer = (page: Page) => page.getByRole('main').getByRole('status');
