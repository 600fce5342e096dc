import type { Page } from '@playwright/test';
import { checkInStatuses } from '#contract/app/check-in.ts';
import { findTickets } from '#contract/app/check-in-devices.ts';
import { checkInHeadlines } from '#messages/check-in.ts';
import {
  answer,
  blockTicketList,
  checkByHand,
  mockChecks,
  openScanner,
  serverMessages,
  withPhone,
} from '../journeys/check-in-steps.ts';
import { demoIn } from '../journeys/demo.ts';
import { expect, test } from '../journeys/journey.ts';
import { cameraShowing } from '../journeys/qr-camera.ts';
import { settingsOf, type Take, take, VARIANTS } from './screenshot.ts';

const NARROW = [
  { name: 'small-phone', viewport: { width: 360, height: 640 } },
  { name: 'lying-phone', viewport: { width: 844, height: 390 } },
  { name: 'tablet', viewport: { width: 768, height: 1024 } },
] as const;

for (const variant of VARIANTS) {
  test(`every check-in result, ${variant.name}`, async ({ product }) => {
    await withPhone(
      product,
      cameraShowing('').slice(0, 2),
      async (page) => {
        const capture: Take = (screen) => take(page, `${variant.name}/door-${screen}`, true);
        await openScanner(page, eventToCheckIn(product.output()));
        await expect(page.getByText('No code detected.')).toBeVisible();
        await capture('ready');
        await captureResults(page, capture);
        await find(page, capture);
      },
      settingsOf(variant),
    );
  });
}

for (const variant of VARIANTS) {
  test(`a scanner without network and ticket list, ${variant.name}`, async ({ product }) => {
    await withPhone(
      product,
      cameraShowing('').slice(0, 2),
      async (page) => {
        await blockTicketList(page);
        await openScanner(page, eventToCheckIn(product.output()));
        await captureUnreachable(page, (screen) => take(page, `${variant.name}/door-${screen}`, true));
      },
      settingsOf(variant),
    );
  });
}

for (const { name, viewport } of NARROW) {
  test(`the scanner on a ${name}`, async ({ product }) => {
    await withPhone(
      product,
      ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream=device-count=2'],
      async (page) => {
        await openScanner(page, eventToCheckIn(product.output()));
        for (const result of ['admitted', 'already-in', 'disputed'] as const) {
          await mockChecks(page, result);
          await checkByHand(page, '4102938475');
          await expect(answer(page)).toContainText(serverMessages[result]);
          await dismissToasts(page);
          await take(page, `door/${name}-${result}`, true);
        }
      },
      { viewport },
    );
  });
}

function eventToCheckIn(output: string) {
  const { eventUrl, attendantCode } = demoIn(output);
  return { eventId: eventUrl.split('/').at(-1) ?? '', attendantCode };
}

async function captureResults(page: Page, capture: Take): Promise<void> {
  for (const [index, result] of checkInStatuses.entries()) {
    await mockChecks(page, result);
    await checkByHand(page, `41029384${70 + index}`);
    await expect(answer(page)).toContainText(serverMessages[result]);
    await dismissToasts(page);
    await capture(result);
  }
  await mockChecks(page, null);
  await checkByHand(page, '4102938499');
  await expect(answer(page)).toContainText(checkInHeadlines['not-on-list']);
  await capture('not-on-list');
}

async function captureUnreachable(page: Page, capture: Take): Promise<void> {
  await mockChecks(page, null);
  await checkByHand(page, '4102938499');
  await expect(answer(page)).toContainText(checkInHeadlines.unreachable);
  await dismissToasts(page);
  await capture('unreachable');
}

async function find(page: Page, capture: Take): Promise<void> {
  await page.route(`**${findTickets.path}`, (route) =>
    route.fulfill({
      json: {
        tickets: [
          { ticketName: 'General admission', state: 'valid', scannedAt: null, scannedBy: null },
          { ticketName: 'Balcony', state: 'scanned', scannedAt: Date.now(), scannedBy: 'Gate 2' },
          { ticketName: 'Balcony', state: 'refunded', scannedAt: null, scannedBy: null },
        ],
        isMore: true,
      },
    }),
  );
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByLabel('Last 4 digits').fill('8475');
  await page.getByRole('button', { name: 'Look it up' }).click();
  await expect(page.getByText('Balcony').first()).toBeVisible();
  await capture('find');
}

async function dismissToasts(page: Page): Promise<void> {
  const dismiss = page.getByRole('button', { name: 'Dismiss message' });
  while ((await dismiss.count()) > 0)
    await dismiss
      .first()
      .click({ timeout: 2000 })
      .catch(() => {});
}
