/** Money that did not arrive, or not as ordered: what buyer, organizer and operator see of it. */
import type { Page } from '@playwright/test';
import { cancelEvent } from '#contract/events.ts';
import { cancellationWords } from '#contract/refunds.ts';
import { actWords, nothingStuck, stuckWords } from '#contract/stuck.ts';
import { payAndReturn, ticketCodes } from './buyer-steps.ts';
import { expectAccessible } from './journey.ts';
import {
  askForRefund,
  dispute,
  expect,
  giveBackInDashboard,
  HOUR,
  type MoneyStage,
  operatorsBrowser,
  profileOf,
  type SellingEvent,
  seatsOnSale,
  sellSeats,
  test,
  widthOf,
} from './money-stage.ts';
import { closeWindows } from './organizer-page.ts';
import { okay } from './public-stage.ts';
import { press, type } from './without-mouse.ts';

const stuck = (page: Page, kind: keyof typeof stuckWords, title: string) =>
  page
    .getByRole('region', { name: 'Needs you' })
    .getByRole('listitem')
    .filter({ hasText: stuckWords[kind].what })
    .filter({ hasText: title });

test.afterEach(closeWindows);

test('a payment that is not what was ordered is being checked, and the operator gives it back', async ({
  page,
  browser,
  money,
}) => {
  const event = await seatsOnSale(money, 'Odd Sum');
  await page.goto(`/payment/${event.eventId}`);
  await page.getByRole('button', { name: /Add to Cart/ }).click();
  await page.getByRole('button', { name: 'Checkout' }).first().click();
  await page.waitForURL(/\/sandbox\/pay\//);
  await money.db.updateTable('orders').set({ totalCents: 1_00 }).where('eventId', '=', event.eventId).execute();
  await payAndReturn(page, 'odd@example.com', '4242 4242 4242 4242');
  await expect(page.getByRole('heading', { level: 1, name: "We're reviewing your payment" })).toBeVisible();
  await expect(ticketCodes(page)).toHaveCount(0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await widthOf(page)).toBeLessThanOrEqual(390);

  const operator = await operatorsBrowser(money, browser);
  await operator.goto('/dashboard');
  const item = stuck(operator, 'order-quarantined', 'Odd Sum');
  await expect(item).toContainText('$40.00');
  await item.getByRole('button', { name: actWords['refund-order'].label }).click();
  const dialog = operator.getByRole('dialog', { name: actWords['refund-order'].label });
  await expectAccessible(operator);
  await dialog.getByRole('button', { name: actWords['refund-order'].label }).click();
  await expect(item).toHaveCount(0);
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'This order has been refunded' })).toBeVisible();
});

test('a refund that comes back and an open dispute are told to organizer and operator', async ({ browser, money }) => {
  const cancelled = await cancelWithFailure(money, 'Called Off');
  const disputed = await seatsOnSale(money, 'Argued About');
  await sellSeats(money, disputed.eventId, 1);
  await dispute(money, disputed.eventId);

  const profile = await profileOf(cancelled, money, browser);
  await expect(profile.getByText(cancellationWords({ refunds: 3, refunded: 2, failed: 1 }))).toBeVisible();
  await expect(profile.getByRole('progressbar', { name: 'Refunds done' })).toHaveJSProperty('value', 2);
  await expectAccessible(profile);

  const operator = await operatorsBrowser(money, browser, { viewport: { width: 390, height: 844 } });
  await operator.goto('/dashboard');
  await expect(stuck(operator, 'dispute', 'Argued About')).toContainText('$40.00');
  const cameBack = stuck(operator, 'refund-failed', 'Called Off');
  await expect(cameBack).toContainText('$40.00');
  await expectAccessible(operator);
  expect(await widthOf(operator)).toBeLessThanOrEqual(390);

  const act = actWords['paid-another-way'];
  await cameBack.getByRole('button', { name: act.label }).click();
  const dialog = operator.getByRole('dialog', { name: act.label });
  await dialog.getByLabel('Note').fill('By cheque, on Tuesday.');
  await dialog.getByRole('button', { name: act.label }).click();
  await expect(cameBack).toHaveCount(0);
  await expect(operator.getByText(nothingStuck)).toHaveCount(0);
});

test('of a refund that came back the operator pays what is left, by the keyboard alone', async ({ browser, money }) => {
  const { eventId } = await seatsOnSale(money, 'Half Given Back');
  await askForRefund(money, eventId, '4000 0000 0000 5126');
  await money.pass(2 * HOUR);
  await money.pass(HOUR);
  await giveBackInDashboard(money, eventId, 15_00);

  const operator = await operatorsBrowser(money, browser);
  await operator.goto('/dashboard');
  const cameBack = stuck(operator, 'refund-failed', 'Half Given Back');
  await expect(cameBack).toContainText('$25.00');
  const act = actWords['paid-another-way'];
  await press(operator, cameBack.getByRole('button', { name: act.label }));
  const dialog = operator.getByRole('dialog', { name: act.label });
  await press(operator, dialog.getByRole('button', { name: act.label }));
  await expect(dialog.getByText('Please write a note of at least 5 characters.')).toBeVisible();
  await type(operator, dialog.getByLabel('Note'), 'By cheque, the rest of it.');
  await press(operator, dialog.getByRole('button', { name: act.label }));
  await expect(cameBack).toHaveCount(0);
});

/** Three seats go back, and the money of one of them returns from the buyer's bank an hour later. */
async function cancelWithFailure(stage: MoneyStage, title: string): Promise<SellingEvent> {
  const event = await seatsOnSale(stage, title);
  await sellSeats(stage, event.eventId, 2);
  await sellSeats(stage, event.eventId, 1, '4000 0000 0000 5126');
  okay(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
  await stage.place.settle();
  await stage.pass(HOUR + 1);
  return event;
}
