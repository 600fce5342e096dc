/** A ticket that is checked in long before the start, as its buyer, the organizer and the operator see it. */
import type { Page } from '@playwright/test';
import { checkGuest } from '#contract/app/check-in.ts';
import type { EarlyCheckInState } from '#domain/early-check-in.ts';
import {
  decidedEmail,
  earlyCheckInEmail,
  earlyCheckInHeadline,
  earlyCheckInPage,
  objectionOffer,
} from '#messages/early-check-in.ts';
import { errorText } from '#messages/errors.ts';
import { actionItemMessages, operatorActionMessages } from '#messages/operator.ts';
import { attendantOf } from '#tests/support/people.ts';
import { emailTo, expectAccessible, expectFits } from './journey.ts';
import { press } from './keyboard.ts';
import {
  expect,
  type MoneyStage,
  operatorsBrowser,
  profileOf,
  type SellingEvent,
  seatsOnSale,
  sellSeats,
  test,
  untilPayoutOpens,
} from './money-setup.ts';
import { closeWindows } from './organizer-page.ts';
import { okay } from './public-setup.ts';

test.afterEach(closeWindows);

const headline = (page: Page, state: EarlyCheckInState) => {
  const { title } = earlyCheckInHeadline(state, { when: '', until: '' });
  return page.getByRole('heading', { level: 1, name: title, exact: true });
};

/** Sells a seat, checks it in a day before the start, and returns the link from the buyer's email. */
async function checkedInEarly(money: MoneyStage, { eventId, attendantCode }: SellingEvent) {
  const { email, codes } = await sellSeats(money, eventId, 1);
  const [code = ''] = codes;
  const door = await attendantOf(money.site, eventId, attendantCode);
  okay(await door.call(checkGuest, { eventId, confirmationNumber: code }));
  await money.site.settle();
  const { text } = await emailTo(money.product, email, new RegExp(earlyCheckInEmail.subject));
  const link = text.match(/\/checked-in\/[\w-]{16}\/[\w-]{43}/)?.[0];
  if (!link) throw new Error(`no link in ${text}`);
  return { email, code, link };
}

test('a buyer who was not there gets the ticket back, and the payout waits [WINDOW-0]', async ({
  page,
  browser,
  money,
}) => {
  const event = await seatsOnSale(money, 'Scanned Too Soon');
  const { email, code, link } = await checkedInEarly(money, event);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(link);
  await expect(headline(page, 'checked-in')).toBeVisible();
  for (const fact of ['Scanned Too Soon', 'Seat', code])
    await expect(page.getByRole('definition').filter({ hasText: fact })).toHaveCount(1);
  await expectAccessible(page);
  await expectFits(page);
  await page.reload();
  await press(page, page.getByRole('button', { name: objectionOffer.button, exact: true }));
  await expect(headline(page, 'objected')).toBeFocused();
  await expect(page.getByRole('button', { name: objectionOffer.button, exact: true })).toHaveCount(0);
  await expectAccessible(page);

  await untilPayoutOpens(money);
  const profile = await profileOf(event, money, browser);
  const panel = profile.getByRole('region', { name: 'Payout of Scanned Too Soon' });
  await expect(panel).toContainText(errorText('payout.objections-open'));
  await panel.getByRole('button', { name: 'Request Payout' }).click();
  await expect(profile.getByText(errorText('payout.objections-open'))).toHaveCount(2);
  await expectAccessible(profile);

  const operator = await operatorsBrowser(money, browser, { viewport: { width: 390, height: 844 } });
  await operator.goto('/dashboard');
  const item = operator
    .getByRole('region', { name: /^Needs attention/ })
    .getByRole('listitem')
    .filter({ hasText: actionItemMessages['check-in-objection'].what })
    .filter({ hasText: 'Scanned Too Soon' });
  await expect(item).toContainText('$40.00');
  await expect(item.getByRole('button', { name: operatorActionMessages['keep-check-in'].label })).toBeVisible();
  await expectAccessible(operator);
  await expectFits(operator);
  const undo = operatorActionMessages['undo-check-in'].label;
  await item.getByRole('button', { name: undo }).click();
  const dialog = operator.getByRole('dialog', { name: undo });
  await dialog.getByLabel('Note').fill('The hall was closed that day.');
  await expectAccessible(operator);
  await dialog.getByRole('button', { name: undo }).click();
  await expect(item).toHaveCount(0);

  const { text } = await emailTo(money.product, email, new RegExp(decidedEmail.undone.subject));
  expect(text).toContain(link);
  await page.goto(link);
  await expect(headline(page, 'undone')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: earlyCheckInPage.toRefund }).click();
  await page.getByRole('button', { name: 'Request a Refund' }).click();
  await expect(page.getByText('Your refund request has been accepted.')).toBeVisible();
});

test('a link without a check-in says so, and tries again on request [WINDOW-0]', async ({ page, money }) => {
  const { eventId } = await seatsOnSale(money, 'Never Scanned');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/checked-in/${eventId}/${'x'.repeat(43)}`);
  await expect(page.getByRole('heading', { level: 1, name: earlyCheckInPage.failed, exact: true })).toBeVisible();
  await expect(page.getByText(errorText('check-in-link.unknown'), { exact: true })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);

  const asked = page.waitForResponse((response) => response.url().includes('/api/public/early-check-in/'));
  await page.getByRole('button', { name: earlyCheckInPage.again }).click();
  expect((await asked).status()).toBe(404);
});
