/** A disputed payment, as the organizer and the payout statement show it. */
import type { Locator, Page } from '@playwright/test';
import { ownDisputes } from '#messages/disputes.ts';
import { guestStateMessages } from '#messages/guests.ts';
import { searchTexts } from '#messages/operations/brakes.ts';
import { evidenceTexts } from '#messages/operations/evidence.ts';
import { payoutProcessed } from '#messages/payouts.ts';
import { overview } from '#messages/records/overview.ts';
import type { Db } from '#server/platform/database.ts';
import { simulateAtBank } from '#tests/support/money.ts';
import { payAndReturn, ticketCodes } from './buyer-steps.ts';
import { expectAccessible, expectFits, expectReadable } from './journey.ts';
import { press, type } from './keyboard.ts';
import {
  anotherEvent,
  dispute,
  expect,
  indebtedOrganizer,
  operatorsBrowser,
  profileOf,
  refundInDashboard,
  seatsOnSale,
  sellSeats,
  test,
  untilPayoutOpens,
} from './money-setup.ts';
import { closeWindows, dialogOf, expectToasts, showDetails } from './organizer-page.ts';

const payoutOf = (page: Page, title: string) => page.getByRole('region', { name: `Payout of ${title}` });
const lines = (panel: Locator) => panel.locator('dl > div');

test.afterEach(closeWindows);

test('a payout lists amounts on hold, deducted and reversed, and pays the rest once the dispute is won [PAY-3]', async ({
  page: buyer,
  browser,
  money,
}) => {
  const organizer = await indebtedOrganizer(money, 'Last Winter');
  const event = await anotherEvent(money, organizer, 'This Spring');
  await sellSeats(money, event.eventId, 3);
  await refundInDashboard(money, event.eventId, 5_00);
  await buyOneSeat(buyer, event.eventId, '4000 0000 0000 0259');
  await untilPayoutOpens(money);

  const page = await profileOf(organizer, money, browser);
  const panel = payoutOf(page, 'This Spring');
  await expect(lines(panel)).toHaveText([
    '4 tickets sold$160.00',
    'On hold, 1 disputed ticket−$40.00',
    'Ticket fees, 3 paid tickets at 2.0% + $0.75−$4.65',
    'Processing fee−$15.00',
    'Partial refunds−$5.00',
    'Owed from earlier payouts−$76.90',
    'You get$18.45',
  ]);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page);
  await panel.getByRole('button', { name: 'Request Payout' }).click();
  await expectToasts(page, [payoutProcessed]);
  await expect(panel.getByText('Your payout: $18.45')).toBeVisible();

  const { disputeId } = await openDisputeOf(event.eventId, money.db);
  await simulateAtBank(money, `disputes/${disputeId}`, { become: 'won' });
  await money.site.settle();
  await page.reload();
  await expect(lines(panel.getByRole('region', { name: 'Additional payout' }))).toHaveText([
    'Returned, 1 paid ticket$40.00',
    'Ticket fees, 2.0% + $0.75 per paid ticket−$1.55',
    'You get$38.45',
  ]);
  await expectAccessible(page);
});

test('an operator finds the order of a dispute and sends its evidence once, without a mouse [EVID-1]', async ({
  browser,
  money,
}) => {
  const { eventId } = await seatsOnSale(money, 'Cellar Strings');
  await sellSeats(money, eventId, 2);
  await dispute(money, eventId);
  const { orderId, buyerEmail } = await orderOf(eventId, money.db);
  const page = await operatorsBrowser(money, browser, { viewport: { width: 320, height: 640 } });
  await page.clock.setFixedTime(money.site.now());
  await page.goto('/dashboard');

  await type(page, page.getByLabel(searchTexts.label), orderId);
  await page.keyboard.press('Enter');
  const found = page.getByRole('list', { name: searchTexts.orders }).getByRole('listitem');
  await expect(found).toHaveCount(1);
  await expect(found).toContainText(buyerEmail ?? '');

  const row = page
    .getByRole('region', { name: /open dispute/ })
    .getByRole('listitem')
    .filter({ hasText: buyerEmail ?? '' });
  await expect(row).toContainText(/Due .+ \((20|21) days\)/);
  await expectReadable(page);
  await expectFits(page);
  await press(page, row.getByRole('button', { name: evidenceTexts.send }));
  await expectToasts(page, [evidenceTexts.done]);
  await expect(row.getByRole('button')).toHaveCount(0);
  await expect(row).toContainText(evidenceTexts.sent(''));
  await expectReadable(page);
});

test('an organizer adds to the evidence of a dispute, without a mouse [EVID-1 WORK-11]', async ({ browser, money }) => {
  const event = await seatsOnSale(money, 'Attic Strings');
  await sellSeats(money, event.eventId, 1);
  await dispute(money, event.eventId);
  const page = await profileOf(event, money, browser, { viewport: { width: 320, height: 640 } });
  await expect(page.getByText(ownDisputes.title(1))).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: 'Attic Strings $40.00' });
  await expect(row).toContainText(/Due .+ \((20|21) days\)/);
  await expectReadable(page);
  await expectFits(page);

  await press(page, row.getByRole('button', { name: ownDisputes.add }));
  const dialog = dialogOf(page, ownDisputes.dialog);
  await type(page, dialog.getByLabel(ownDisputes.label), 'She wrote that she liked it.');
  await expectReadable(page);
  await expectFits(page);
  await press(page, dialog.getByRole('button', { name: ownDisputes.save }));
  await expectToasts(page, [ownDisputes.saved]);

  await press(page, row.getByRole('button', { name: ownDisputes.change }));
  await expect(dialog.getByLabel(ownDisputes.label)).toHaveValue('She wrote that she liked it.');

  await page.goto(`/events/${event.eventId}`);
  await press(page, page.getByRole('link', { name: overview.needs.dispute.action }));
  await expect(page.locator('#disputes')).toBeFocused();
  await expect(row.getByRole('button', { name: ownDisputes.change })).toBeInViewport();
});

test('the sandbox console opens a dispute and lets it be won, and the guest list follows', async ({
  page: console,
  browser,
  money,
}) => {
  const event = await seatsOnSale(money, 'Second Thoughts');
  const { email } = await sellSeats(money, event.eventId, 1);
  await console.goto('/sandbox/');
  await console.getByRole('button', { name: `Dispute now: $40.00 from ${email}` }).click();
  await expect(console.getByRole('status')).toContainText('The buyer disputes the payment.');
  await expectAccessible(console);
  await money.site.settle();

  const page = await profileOf(event, money, browser);
  const guest = page.getByRole('row').filter({ hasText: email });
  await showDetails(page);
  await page.getByRole('button', { name: 'Show Guest List' }).click();
  await expect(guest).toContainText(guestStateMessages.disputed);
  await expectAccessible(page);

  await console.setViewportSize({ width: 390, height: 844 });
  const row = console
    .getByRole('region', { name: 'Disputes', exact: true })
    .getByRole('row')
    .filter({ hasText: '$40.00' });
  await row
    .first()
    .getByRole('button', { name: /^Win: / })
    .click();
  await expect(console.getByRole('status')).toContainText('The dispute is won.');
  await expectAccessible(console);
  await expectFits(console);
  await money.site.settle();
  await page.reload();
  await showDetails(page);
  await page.getByRole('button', { name: 'Show Guest List' }).click();
  await expect(guest).toBeVisible();
  await expect(guest).not.toContainText(guestStateMessages.disputed);
});

/** Buys one ticket with the given test card. */
async function buyOneSeat(page: Page, eventId: string, card: string): Promise<void> {
  await page.goto(`/payment/${eventId}`);
  await page.getByRole('button', { name: /Add to Cart/ }).click();
  await page.getByRole('button', { name: 'Checkout' }).first().click();
  await payAndReturn(page, 'regrets@example.com', card);
  await expect(ticketCodes(page)).toHaveCount(1);
}

async function openDisputeOf(eventId: string, db: Db) {
  const { stripeDisputeId } = await db
    .selectFrom('disputes')
    .where('eventId', '=', eventId)
    .select('stripeDisputeId')
    .executeTakeFirstOrThrow();
  return { disputeId: stripeDisputeId };
}

async function orderOf(eventId: string, db: Db) {
  const order = db.selectFrom('orders').where('eventId', '=', eventId).select(['id as orderId', 'buyerEmail']);
  return order.executeTakeFirstOrThrow();
}
