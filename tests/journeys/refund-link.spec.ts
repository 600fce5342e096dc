/** The page behind the link in a refund email. */
import type { Page } from '@playwright/test';
import { checkGuest } from '#contract/app/check-in.ts';
import { type RefundState } from '#contract/app/refunds.ts';
import { errorText } from '#messages/errors.ts';
import { keepTicketOffer, refundHeadline, refundPageMessages, refundSteps, ticketKept } from '#messages/refunds.ts';
import { attendantOf } from '#tests/support/people.ts';
import { expectAccessible, expectFits } from './journey.ts';
import {
  askForRefund,
  expect,
  HOUR,
  MINUTE,
  REFUND_DELAY_MINUTES,
  seatsOnSale,
  sellSeats,
  test,
} from './money-setup.ts';

const titleOf = (state: RefundState) => refundHeadline(state, { amount: '$40.00', when: '' }).title;
const headline = (page: Page, state: RefundState) =>
  page.getByRole('heading', { level: 1, name: titleOf(state), exact: true });
const steps = (page: Page) => page.getByRole('list', { name: refundSteps.label }).getByRole('listitem');
const next = (page: Page) => steps(page).and(page.locator('[aria-current="step"]'));
const keepIt = (page: Page) => page.getByRole('button', { name: keepTicketOffer.button, exact: true });

test.describe('The refund page', () => {
  test("lets the ticket's owner cancel an unrequested refund, by keyboard, on a phone [REF-1]", async ({
    page,
    money,
  }) => {
    const { eventId, attendantCode } = await seatsOnSale(money, 'Not My Idea');
    const { code, link } = await askForRefund(money, eventId);
    const door = await attendantOf(money.site, eventId, attendantCode);
    expect((await door.call(checkGuest, { eventId, confirmationNumber: code })).status).toBe(409);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(link);
    await expect(headline(page, 'scheduled')).toBeVisible();
    for (const fact of ['Not My Idea', 'Seat', code, '$40.00'])
      await expect(page.getByRole('definition').filter({ hasText: fact })).toHaveCount(1);
    await expect(next(page)).toContainText(refundSteps.sent);
    await expectAccessible(page);
    await expectFits(page);

    await tabTo(page, keepTicketOffer.button);
    await page.keyboard.press('Enter');
    await expect(headline(page, 'restored')).toBeFocused();
    await expect(page.getByRole('status').filter({ hasText: ticketKept })).toHaveCount(1);
    await expect(keepIt(page)).toHaveCount(0);
    await expect(steps(page).last()).toContainText(refundSteps.restored);
    await expectAccessible(page);
    expect((await door.call(checkGuest, { eventId, confirmationNumber: code })).status).toBe(200);
  });

  test('follows the money to the bank, and says when it comes back', async ({ page, money }) => {
    const { eventId } = await seatsOnSale(money, 'There and Back');
    const pending = await askForRefund(money, eventId, '4000 0000 0000 7726');
    const failing = await askForRefund(money, eventId, '4000 0000 0000 5126');
    await page.goto(pending.link);
    await expect(headline(page, 'scheduled')).toBeVisible();

    // The refund is sent in the meantime, so the open page comes too late.
    await money.pass(REFUND_DELAY_MINUTES * MINUTE + 1);
    await keepIt(page).click();
    await expect(page.getByText(errorText('refund-link.too-late'), { exact: true })).toBeVisible();
    await expect(headline(page, 'sent')).toBeVisible();
    await expect(next(page)).toContainText(refundSteps.settled);
    await page.goto(failing.link);
    await expect(headline(page, 'settled')).toBeVisible();

    await money.pass(HOUR + 1);
    await page.reload();
    await expect(headline(page, 'failed')).toBeVisible();
    await expect(steps(page).last()).toContainText(refundSteps.failed);
    await expectAccessible(page);
    await page.goto(pending.link);
    await expect(headline(page, 'settled')).toBeVisible();
    await expect(steps(page).last()).toContainText(refundSteps.settled);
    await expect(next(page)).toHaveCount(0);
  });

  test('says that a link has no refund, and tries again on request', async ({ page, money }) => {
    const { eventId } = await seatsOnSale(money, 'Somewhere Else');
    await sellSeats(money, eventId, 1);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/refund/${eventId}/${'x'.repeat(43)}`);
    await expect(page.getByRole('heading', { level: 1, name: refundPageMessages.failed, exact: true })).toBeVisible();
    await expect(page.getByText(errorText('refund-link.unknown'), { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);

    const asked = page.waitForResponse((response) => response.url().includes(`/api/public/refund/${eventId}/`));
    await page.getByRole('button', { name: refundPageMessages.again }).click();
    expect((await asked).status()).toBe(404);
  });
});

const MOST_TABS = 30;

/** By keyboard. */
async function tabTo(page: Page, name: string): Promise<void> {
  const target = page.getByRole('button', { name, exact: true });
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((button) => button === document.activeElement)) return;
  }
  throw new Error(`${MOST_TABS} tabs did not reach "${name}"`);
}
