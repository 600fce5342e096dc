/** Payments after the sale, as buyer, organizer and operator see them. */
import type { Browser } from '@playwright/test';
import { checkGuest } from '#contract/app/check-in.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { keepTicket, requestRefund } from '#contract/app/refunds.ts';
import { guestStateMessages, refundedGuests } from '#messages/guests.ts';
import { noActionItems, operatorActionMessages } from '#messages/operator.ts';
import { refundPageMessages } from '#messages/refunds.ts';
import { simulateAtBank } from '#tests/support/money.ts';
import { attendantOf, logInAgain, pay } from '#tests/support/people.ts';
import { oncePerProduct, openPage } from '../journeys/journey.ts';
import {
  anotherEvent,
  askForRefund,
  dispute,
  expect,
  HOUR,
  indebtedOrganizer,
  MINUTE,
  type MoneyStage,
  operatorsBrowser,
  profileOf,
  refundInDashboard,
  seatsOnSale,
  sellSeats,
  test as staged,
  untilPayoutOpens,
} from '../journeys/money-setup.ts';
import { okay } from '../journeys/public-setup.ts';
import { settingsOf, type Take, take, VARIANTS, type Variant } from './screenshot.ts';

const sceneOf = oncePerProduct((_product, money: MoneyStage) => setScene(money));

const test = staged.extend<{ scene: Scene }>({
  scene: async ({ product, money }, use) => use(await sceneOf(product, money)),
});

type Scene = Awaited<ReturnType<typeof setScene>>;

async function setScene(money: MoneyStage) {
  const organizer = await indebtedOrganizer(money, 'Last Winter');
  const paying = await sellWithDisputes(money, await anotherEvent(money, organizer, 'This Spring'));
  const cancelled = await cancelWithFailure(money, await anotherEvent(money, organizer, 'Called Off'));
  await untilPayoutOpens(money);
  const guests = await eventWithGuests(money);
  const links = await refundLinks(money);
  okay(await money.site.call(requestRefund, { eventId: guests.eventId, confirmationCode: guests.goingBack }));
  return { organizer, paying, cancelled, links, guests, oddSession: await oddPayment(money) };
}

async function sellWithDisputes(money: MoneyStage, event: Awaited<ReturnType<typeof anotherEvent>>) {
  await sellSeats(money, event.eventId, 3);
  await refundInDashboard(money, event.eventId, 5_00);
  await sellSeats(money, event.eventId, 1);
  return { ...event, disputeId: await dispute(money, event.eventId, 1) };
}

async function cancelWithFailure(money: MoneyStage, event: Awaited<ReturnType<typeof anotherEvent>>) {
  await sellSeats(money, event.eventId, 2);
  await sellSeats(money, event.eventId, 1, '4000 0000 0000 5126');
  okay(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
  await money.site.settle();
  return event;
}

/** A refund in each state, by name. */
async function refundLinks(money: MoneyStage): Promise<Record<string, string>> {
  const { eventId } = await seatsOnSale(money, 'Parade Under the Tracks');
  const ask = async (card?: string) => (await askForRefund(money, eventId, card)).link;
  const failed = await ask('4000 0000 0000 5126');
  await money.pass(31 * MINUTE);
  const [sent, settled] = [await ask('4000 0000 0000 7726'), await ask()];
  await money.pass(31 * MINUTE);
  await money.pass(30 * MINUTE);
  const [scheduled, restored] = [await ask(), await ask()];
  const [token = ''] = restored.split('/').slice(-1);
  okay(await money.site.call(keepTicket, { eventId, token }));
  return { failed, sent, settled, scheduled, restored, unknown: `/refund/${eventId}/${'x'.repeat(43)}` };
}

async function eventWithGuests(money: MoneyStage) {
  const event = await seatsOnSale(money, 'Cellar Strings');
  const { eventId } = event;
  const { codes } = await sellSeats(money, eventId, 4);
  const [scanned = '', refunded = '', goingBack = ''] = codes;
  const door = await attendantOf(money.site, eventId, event.attendantCode);
  okay(await door.call(checkGuest, { eventId, confirmationNumber: scanned }));
  okay(await money.site.call(requestRefund, { eventId, confirmationCode: refunded }));
  await sellSeats(money, eventId, 1);
  await dispute(money, eventId, 1);
  return { ...event, goingBack };
}

/** Pays $40.00 for an order of $1.00. */
async function oddPayment(money: MoneyStage): Promise<string> {
  const { eventId } = await seatsOnSale(money, 'Odd Sum');
  const buyer = money.site.visitor();
  const cartItems = [{ ticketName: 'Seat', quantity: 1 }];
  const { id, url } = okay(await buyer.call(createCheckoutSession, { eventId, cartItems }));
  await money.db.updateTable('orders').set({ totalCents: 1_00 }).where('eventId', '=', eventId).execute();
  await pay(buyer, url, 'odd@example.com');
  return id;
}

test.describe.configure({ mode: 'serial' });

test('the operator without action items', async ({ browser, money }) => {
  for (const variant of VARIANTS) {
    const page = await operatorsBrowser(money, browser, settingsOf(variant));
    await page.goto('/dashboard');
    await expect(page.getByText(noActionItems)).toBeVisible();
    await take(page, `${variant.name}/dashboard-empty`);
    await page.context().close();
  }
});

for (const variant of VARIANTS) {
  test(`money after the sale, ${variant.name}`, async ({ browser, money, scene }) => {
    const buyer = await openPage(browser, money.product, settingsOf(variant));
    await buyer.clock.setFixedTime(money.site.now());
    const capture = (screen: string) => take(buyer, `${variant.name}/${screen}`);
    for (const [state, link] of Object.entries(scene.links)) {
      await buyer.goto(link);
      await expect(buyer.getByRole('link', { name: refundPageMessages.toEvent })).toBeVisible();
      await capture(`refund-${state}`);
    }
    await buyer.goto(`/success?session_id=${scene.oddSession}`);
    await expect(buyer.getByRole('heading', { level: 1, name: "We're reviewing your payment" })).toBeVisible();
    await capture('in-review');
    await buyer.goto('/sandbox/');
    await capture('console');
    await visitGuests(browser, money, scene, variant);
    await visitPayouts(browser, money, scene, variant, 'payout-open');
    await visitDashboard(browser, money, variant);
    await buyer.context().close();
  });
}

test('a sent payout, and the additional one', async ({ browser, money, scene }) => {
  const { visitor, eventId, disputeId } = scene.paying;
  await logInAgain(scene.organizer);
  okay(await visitor.call(requestPayout, { eventId }));
  await simulateAtBank(money, `disputes/${disputeId}`, { become: 'won' });
  await money.pass(HOUR);
  for (const variant of VARIANTS) await visitPayouts(browser, money, scene, variant, 'payout-paid');
});

async function visitGuests(browser: Browser, money: MoneyStage, { guests }: Scene, variant: Variant): Promise<void> {
  const page = await profileOf(guests, money, browser, settingsOf(variant));
  await page.getByRole('button', { name: 'Show Details' }).first().click();
  await page.getByRole('button', { name: 'Show Guest List' }).click();
  await page.getByLabel(refundedGuests).check();
  await expect(page.getByText(guestStateMessages.refunded, { exact: true }).first()).toBeVisible();
  await take(page, `${variant.name}/guest-states`);
  await page.context().close();
}

async function visitPayouts(
  browser: Browser,
  money: MoneyStage,
  { organizer }: Scene,
  variant: Variant,
  screen: string,
): Promise<void> {
  const page = await profileOf(organizer, money, browser, settingsOf(variant));
  await expect(page.getByRole('region', { name: 'Payout of This Spring' })).toBeVisible();
  await take(page, `${variant.name}/${screen}`);
  await page.context().close();
}

async function visitDashboard(browser: Browser, money: MoneyStage, variant: Variant): Promise<void> {
  const page = await operatorsBrowser(money, browser, settingsOf(variant));
  await page.clock.setFixedTime(money.site.now());
  const capture: Take = (screen) => take(page, `${variant.name}/${screen}`);
  await page.goto('/dashboard');
  const action = page.getByRole('button', { name: operatorActionMessages['paid-another-way'].label }).first();
  await expect(action).toBeVisible();
  await capture('dashboard');
  await action.click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: operatorActionMessages['paid-another-way'].label })
    .click();
  await capture('act-refused');
  await page.context().close();
}
