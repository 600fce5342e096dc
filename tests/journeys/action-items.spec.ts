/** Failed or unexpected payments, as buyer, organizer and operator see them. */
import type { Page } from '@playwright/test';
import { cancelEvent } from '#contract/app/events.ts';
import { actionItemMessages, noActionItems, operatorActionMessages } from '#messages/operator.ts';
import { cancellationMessages } from '#messages/records/cancellations.ts';
import { payAndReturn, ticketCodes } from './buyer-steps.ts';
import { expectAccessible, expectFits } from './journey.ts';
import { press, type } from './keyboard.ts';
import {
  askForRefund,
  dispute,
  expect,
  HOUR,
  type MoneyStage,
  operatorsBrowser,
  profileOf,
  refundInDashboard,
  type SellingEvent,
  seatsOnSale,
  sellSeats,
  test,
} from './money-setup.ts';
import { closeWindows } from './organizer-page.ts';
import { okay } from './public-setup.ts';

const actionItem = (page: Page, kind: keyof typeof actionItemMessages, title: string) =>
  page
    .getByRole('region', { name: /^Needs attention/ })
    .getByRole('listitem')
    .filter({ hasText: actionItemMessages[kind].what })
    .filter({ hasText: title });

test.afterEach(closeWindows);

test('a payment of the wrong amount is held for review, and the operator refunds it', async ({
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
  await expectFits(page);

  const operator = await operatorsBrowser(money, browser);
  await operator.goto('/dashboard');
  const item = actionItem(operator, 'order-needs-review', 'Odd Sum');
  await expect(item).toContainText('$40.00');
  await item.getByRole('button', { name: operatorActionMessages['refund-order'].label }).click();
  const dialog = operator.getByRole('dialog', { name: operatorActionMessages['refund-order'].label });
  await expectAccessible(operator);
  await dialog.getByRole('button', { name: operatorActionMessages['refund-order'].label }).click();
  await expect(item).toHaveCount(0);
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'This order has been refunded' })).toBeVisible();
});

test('the organizer and the operator see a failed refund and an open dispute', async ({ browser, money }) => {
  const cancelled = await cancelWithFailure(money, 'Called Off');
  const disputed = await seatsOnSale(money, 'Argued About');
  await sellSeats(money, disputed.eventId, 1);
  await dispute(money, disputed.eventId);

  const profile = await profileOf(cancelled, money, browser);
  await expect(profile.getByText(cancellationMessages({ refunds: 3, refunded: 2, failed: 1 }))).toBeVisible();
  await expect(profile.getByRole('progressbar', { name: 'Refunds done' })).toHaveJSProperty('value', 2);
  await expectAccessible(profile);

  const operator = await operatorsBrowser(money, browser, { viewport: { width: 390, height: 844 } });
  await operator.goto('/dashboard');
  const disputes = operator.getByRole('region', { name: /open dispute/ });
  await expect(disputes.getByRole('listitem').filter({ hasText: 'Argued About' })).toContainText('$40.00');
  await expect(actionItem(operator, 'dispute', 'Argued About')).toHaveCount(0);
  const failedRefund = actionItem(operator, 'refund-failed', 'Called Off');
  await expect(failedRefund).toContainText('$40.00');
  await expectAccessible(operator);
  await expectFits(operator);

  const action = operatorActionMessages['paid-another-way'];
  await failedRefund.getByRole('button', { name: action.label }).click();
  const dialog = operator.getByRole('dialog', { name: action.label });
  await dialog.getByLabel('Note').fill('By cheque, on Tuesday.');
  await dialog.getByRole('button', { name: action.label }).click();
  await expect(failedRefund).toHaveCount(0);
  await expect(operator.getByText(noActionItems)).toHaveCount(0);
});

test('the operator pays the rest of a failed refund, by keyboard alone', async ({ browser, money }) => {
  const { eventId } = await seatsOnSale(money, 'Half Refunded');
  await askForRefund(money, eventId, '4000 0000 0000 5126');
  await money.pass(2 * HOUR);
  await money.pass(HOUR);
  await refundInDashboard(money, eventId, 15_00);

  const operator = await operatorsBrowser(money, browser);
  await operator.goto('/dashboard');
  const failedRefund = actionItem(operator, 'refund-failed', 'Half Refunded');
  await expect(failedRefund).toContainText('$25.00');
  const action = operatorActionMessages['paid-another-way'];
  await press(operator, failedRefund.getByRole('button', { name: action.label }));
  const dialog = operator.getByRole('dialog', { name: action.label });
  await press(operator, dialog.getByRole('button', { name: action.label }));
  await expect(dialog.getByText('Please write a note of at least 5 characters.')).toBeVisible();
  await type(operator, dialog.getByLabel('Note'), 'By cheque, the rest of it.');
  await press(operator, dialog.getByRole('button', { name: action.label }));
  await expect(failedRefund).toHaveCount(0);
});

/** Cancels an event with three seats; the bank returns one of the refunds an hour later. */
async function cancelWithFailure(stage: MoneyStage, title: string): Promise<SellingEvent> {
  const event = await seatsOnSale(stage, title);
  await sellSeats(stage, event.eventId, 2);
  await sellSeats(stage, event.eventId, 1, '4000 0000 0000 5126');
  okay(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
  await stage.site.settle();
  await stage.pass(HOUR + 1);
  return event;
}
