/** What happens to money after the sale, as buyer, organizer and operator see it. */
import type { Browser } from '@playwright/test';
import { checkGuest } from '#contract/admission.ts';
import { createCheckoutSession } from '#contract/checkout.ts';
import { cancelEvent } from '#contract/events.ts';
import { guestStateWords, guestsGivenBack } from '#contract/guests.ts';
import { requestPayout } from '#contract/payouts.ts';
import { refundPageWords } from '#contract/refund-words.ts';
import { keepTicket, requestRefund } from '#contract/refunds.ts';
import { actWords, nothingStuck } from '#contract/stuck.ts';
import { bringAbout } from '#tests/support/money.ts';
import { attendantOf, logInAgain, pay } from '#tests/support/people.ts';
import { oncePerProduct, openPage } from '../journeys/journey.ts';
import {
  anotherEvent,
  askForRefund,
  dispute,
  expect,
  giveBackInDashboard,
  HOUR,
  indebtedOrganizer,
  MINUTE,
  type MoneyStage,
  operatorsBrowser,
  profileOf,
  seatsOnSale,
  sellSeats,
  test as staged,
  untilPayoutOpens,
} from '../journeys/money-stage.ts';
import { okay } from '../journeys/public-stage.ts';
import { LOOKS, type Look, settingsOf, type Take, take } from './picture.ts';

const sceneOf = oncePerProduct((_product, money: MoneyStage) => setScene(money));

const test = staged.extend<{ scene: Scene }>({
  scene: async ({ product, money }, use) => use(await sceneOf(product, money)),
});

type Scene = Awaited<ReturnType<typeof setScene>>;

async function setScene(money: MoneyStage) {
  const organizer = await indebtedOrganizer(money, 'Last Winter');
  const paying = await sellWithTrouble(money, await anotherEvent(money, organizer, 'This Spring'));
  const cancelled = await cancelWithFailure(money, await anotherEvent(money, organizer, 'Called Off'));
  await untilPayoutOpens(money);
  const guests = await eventWithGuests(money);
  const links = await refundLinks(money);
  okay(await money.place.call(requestRefund, { eventId: guests.eventId, confirmationCode: guests.goingBack }));
  return { organizer, paying, cancelled, links, guests, oddSession: await oddPayment(money) };
}

async function sellWithTrouble(money: MoneyStage, event: Awaited<ReturnType<typeof anotherEvent>>) {
  await sellSeats(money, event.eventId, 3);
  await giveBackInDashboard(money, event.eventId, 5_00);
  await sellSeats(money, event.eventId, 1);
  return { ...event, disputeId: await dispute(money, event.eventId, 1) };
}

async function cancelWithFailure(money: MoneyStage, event: Awaited<ReturnType<typeof anotherEvent>>) {
  await sellSeats(money, event.eventId, 2);
  await sellSeats(money, event.eventId, 1, '4000 0000 0000 5126');
  okay(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
  await money.place.settle();
  return event;
}

/** A refund in each of its states, by name. */
async function refundLinks(money: MoneyStage): Promise<Record<string, string>> {
  const { eventId } = await seatsOnSale(money, 'Parade Under the Tracks');
  const ask = async (card?: string) => (await askForRefund(money, eventId, card)).link;
  const failed = await ask('4000 0000 0000 5126');
  await money.pass(31 * MINUTE);
  const [sent, settled] = [await ask('4000 0000 0000 7726'), await ask()];
  await money.pass(31 * MINUTE);
  await money.pass(30 * MINUTE);
  const [held, restored] = [await ask(), await ask()];
  const [token = ''] = restored.split('/').slice(-1);
  okay(await money.place.call(keepTicket, { eventId, token }));
  return { failed, sent, settled, held, restored, unknown: `/refund/${eventId}/${'x'.repeat(43)}` };
}

async function eventWithGuests(money: MoneyStage) {
  const event = await seatsOnSale(money, 'Cellar Strings');
  const { eventId } = event;
  const { codes } = await sellSeats(money, eventId, 4);
  const [scanned = '', refunded = '', goingBack = ''] = codes;
  const door = await attendantOf(money.place, eventId, event.attendantCode);
  okay(await door.call(checkGuest, { eventId, confirmationNumber: scanned }));
  okay(await money.place.call(requestRefund, { eventId, confirmationCode: refunded }));
  await sellSeats(money, eventId, 1);
  await dispute(money, eventId, 1);
  return { ...event, goingBack };
}

/** $40.00 for an order that says $1.00. */
async function oddPayment(money: MoneyStage): Promise<string> {
  const { eventId } = await seatsOnSale(money, 'Odd Sum');
  const buyer = money.place.visitor();
  const cartItems = [{ ticketName: 'Seat', quantity: 1 }];
  const { id, url } = okay(await buyer.call(createCheckoutSession, { eventId, cartItems }));
  await money.db.updateTable('orders').set({ totalCents: 1_00 }).where('eventId', '=', eventId).execute();
  await pay(buyer, url, 'odd@example.com');
  return id;
}

test.describe.configure({ mode: 'serial' });

test('the operator with nothing to do', async ({ browser, money }) => {
  for (const look of LOOKS) {
    const page = await operatorsBrowser(money, browser, settingsOf(look));
    await page.goto('/dashboard');
    await expect(page.getByText(nothingStuck)).toBeVisible();
    await take(page, `${look.name}/dashboard-empty`);
    await page.context().close();
  }
});

for (const look of LOOKS) {
  test(`money after the sale, ${look.name}`, async ({ browser, money, scene }) => {
    const buyer = await openPage(browser, money.product, settingsOf(look));
    await buyer.clock.setFixedTime(money.place.now());
    const picture = (screen: string) => take(buyer, `${look.name}/${screen}`);
    for (const [state, link] of Object.entries(scene.links)) {
      await buyer.goto(link);
      await expect(buyer.getByRole('link', { name: refundPageWords.toEvent })).toBeVisible();
      await picture(`refund-${state}`);
    }
    await buyer.goto(`/success?session_id=${scene.oddSession}`);
    await expect(buyer.getByRole('heading', { level: 1, name: "We're reviewing your payment" })).toBeVisible();
    await picture('in-review');
    await buyer.goto('/sandbox/');
    await picture('console');
    await visitGuests(browser, money, scene, look);
    await visitPayouts(browser, money, scene, look, 'payout-open');
    await visitDashboard(browser, money, look);
    await buyer.context().close();
  });
}

test('a payout that is paid, and the rest of it', async ({ browser, money, scene }) => {
  const { visitor, eventId, disputeId } = scene.paying;
  await logInAgain(scene.organizer);
  okay(await visitor.call(requestPayout, { eventId }));
  await bringAbout(money, `disputes/${disputeId}`, { become: 'won' });
  await money.pass(HOUR);
  for (const look of LOOKS) await visitPayouts(browser, money, scene, look, 'payout-paid');
});

async function visitGuests(browser: Browser, money: MoneyStage, { guests }: Scene, look: Look): Promise<void> {
  const page = await profileOf(guests, money, browser, settingsOf(look));
  await page.getByRole('button', { name: 'Show Guest List' }).click();
  await page.getByLabel(guestsGivenBack).check();
  await expect(page.getByText(guestStateWords.refunded, { exact: true }).first()).toBeVisible();
  await take(page, `${look.name}/guest-states`);
  await page.context().close();
}

async function visitPayouts(
  browser: Browser,
  money: MoneyStage,
  { organizer }: Scene,
  look: Look,
  screen: string,
): Promise<void> {
  const page = await profileOf(organizer, money, browser, settingsOf(look));
  await expect(page.getByRole('region', { name: 'Payout of This Spring' })).toBeVisible();
  await take(page, `${look.name}/${screen}`);
  await page.context().close();
}

async function visitDashboard(browser: Browser, money: MoneyStage, look: Look): Promise<void> {
  const page = await operatorsBrowser(money, browser, settingsOf(look));
  await page.clock.setFixedTime(money.place.now());
  const picture: Take = (screen) => take(page, `${look.name}/${screen}`);
  await page.goto('/dashboard');
  const act = page.getByRole('button', { name: actWords['paid-another-way'].label }).first();
  await expect(act).toBeVisible();
  await picture('dashboard');
  await act.click();
  await page.getByRole('dialog').getByRole('button', { name: actWords['paid-another-way'].label }).click();
  await picture('act-refused');
  await page.context().close();
}
