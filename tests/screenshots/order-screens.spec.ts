/** The page of an order: bought, in part refunded and scanned, moved, offline, disputed, cancelled; and a dead link. */
import { checkGuest } from '#contract/app/check-in.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { editEventTax } from '#contract/app/records/event-tax.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { orderPage as text } from '#messages/sales/order-page.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { attendantOf, expectOk, logInAgain } from '#tests/support/people.ts';
import { expect } from '../journeys/journey.ts';
import { dispute, HOUR, seatsOnSale, sellSeats, test } from '../journeys/money-setup.ts';
import { closeWindows, newWindow } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`an order, ${variant.name}`, async ({ browser, money }) => {
    const event = await seatsOnSale(money, 'The Basement Brass Band and Friends');
    const { eventId } = event;
    expectOk(await event.visitor.call(editEventTax, { eventId, percent: '8.875', label: 'NYC sales tax' }));
    const { codes, sessionId } = await sellSeats(money, eventId, 3);
    const page = await newWindow(browser, money.product, settingsOf(variant));
    const open = async (name: string, sees: string) => {
      await page.goto(`/success?session_id=${sessionId}`);
      await expect(page.getByText(sees).first()).toBeVisible();
      await take(page, `${variant.name}/order-${name}`);
    };
    await open('bought', text.help);

    const [scanned = '', refunded = ''] = codes;
    const door = await attendantOf(money.site, eventId, event.attendantCode);
    expectOk(await door.call(checkGuest, { eventId, confirmationNumber: scanned }));
    expectOk(await money.site.call(requestRefund, { eventId, confirmationCode: refunded }));
    await money.pass(HOUR);
    await logInAgain(event);
    const later = (hours: number) => new Date(money.site.now().getTime() + hours * HOUR * 1000).toISOString();
    await editEventOf(money.site, event, { startDate_startTime: later(72), endDate_endTime: later(75) });
    await open('moved', text.newDate(''));

    await page.context().setOffline(true);
    await page.reload();
    await expect(page.getByRole('article').first()).toBeVisible();
    await take(page, `${variant.name}/order-offline`);
    await page.context().setOffline(false);

    await dispute(money, eventId);
    await open('disputed', text.help);
    expectOk(await event.visitor.call(cancelEvent, { eventId }));
    await money.pass(HOUR);
    await open('cancelled', text.cancelled);
    await page.goto('/order/no-such-link');
    await expect(page.getByRole('heading', { name: text.failed })).toBeVisible();
    await take(page, `${variant.name}/order-dead-link`);
  });
