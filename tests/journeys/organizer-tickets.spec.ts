/** The *Tickets* screen of an event, and what buyers see of it. */
import { cancelEvent } from '#contract/app/events.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { errorText } from '#messages/errors.ts';
import { eventErrors } from '#messages/events.ts';
import { formText, incompleteTime } from '#messages/forms.ts';
import { leaving } from '#messages/records/long-forms.ts';
import { eventList } from '#messages/records/workspace.ts';
import { onSaleAfter, onSaleUntil, salesEnded } from '#messages/sales/event-page.ts';
import { orderLimits } from '#messages/sales/order-limits.ts';
import { promoCodeEnded, promoCodeSaved } from '#messages/sales/promo.ts';
import { promoSettings as promo, promoUses } from '#messages/sales/promo-codes.ts';
import { promoBenefit } from '#messages/sales/promo-field.ts';
import { ticketSettings as text, ticketsUpdated } from '#messages/sales/ticket-settings.ts';
import { onSaleFrom } from '#messages/waiting-room.ts';
import { moveClock } from '#tests/support/move-clock.ts';
import { expectOk } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectFits, expectReadable, withOwnProduct } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  expectToasts,
  newWindow,
  openProfile,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';

const test = withOwnProduct();
const ZONE = 'America/New_York';

test.afterEach(({ browser }) => closeWindows({ browser }));

test('limits orders by keyboard alone, in a window 320 pixels wide [STOCK-6]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventUrl } = await putOnSale(product, organizer);
  const narrow = { viewport: { width: 320, height: 640 } };
  const page = await browserOf(organizer, browser, product, narrow);
  await openProfile(page);
  await press(page, page.getByRole('link', { name: eventList.open, exact: true }));
  await press(page, page.getByRole('link', { name: /^Tickets/ }));
  const first = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: text.ticket(1) }) });
  await type(page, page.getByLabel(text.orderMax), '6');
  await type(page, first.getByLabel(text.minPerOrder), '2');
  await type(page, first.getByLabel(text.maxPerOrder), '4');
  await expectFits(page);
  await expectReadable(page);
  await press(page, page.getByRole('button', { name: text.save }));
  await expectToasts(page, [ticketsUpdated]);
  await expect(first.getByLabel(text.maxPerOrder)).toHaveValue('4');

  const buyer = await newWindow(browser, product, narrow);
  await buyer.goto(eventUrl);
  await expect(buyer.getByText(orderLimits({ minPerOrder: 2, maxPerOrder: 4 }))).toBeVisible();
  const general = buyer.getByRole('group', { name: 'Quantity of General admission' });
  await press(buyer, buyer.getByRole('button', { name: 'Add to Cart' }).first());
  await expect(general.getByRole('status')).toHaveText('2');
  const more = general.getByRole('button', { name: 'One more General admission' });
  for (const quantity of ['3', '4']) {
    await press(buyer, more);
    await expect(general.getByRole('status')).toHaveText(quantity);
  }
  await expect(more).toHaveAttribute('aria-disabled', 'true');
  await press(buyer, buyer.getByRole('button', { name: 'Add to Cart' }).first());
  await expectToasts(buyer, [errorText('checkout.too-many', { name: 'General admission', max: 4 })]);
  await expectFits(buyer);
  await expectReadable(buyer);
});

test('sets when a ticket type sells, which the open page of a buyer follows [STOCK-4]', async ({
  browser,
  product,
}) => {
  const site = siteOf(product);
  const organizer = await readyOrganizer(product);
  const { eventId, eventUrl } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product);
  await page.goto(`/events/${eventId}/tickets`);
  const untilAt = new Date(Math.ceil(site.now().getTime() / 60_000) * 60_000 + 10 * 60_000);
  await page.getByLabel(text.salesUntil).first().fill(localTimeOf(untilAt, ZONE));
  await page.getByRole('button', { name: text.save }).click();
  await expectToasts(page, [ticketsUpdated]);

  const buyer = await newWindow(browser, product);
  await buyer.clock.install({ time: site.now() });
  await buyer.goto(eventUrl);
  await expect(buyer.getByText(/^On sale until/)).toBeVisible();
  expect(onSaleUntil('x')).toMatch(/^On sale until/);
  await expect(buyer.getByText(salesEnded, { exact: true })).toHaveCount(0);
  const wait = Math.ceil((untilAt.getTime() - site.now().getTime()) / 1000) + 1;
  await moveClock(product.sandboxUrl, wait);
  await buyer.clock.fastForward(wait * 1000);
  await expect(buyer.getByText(salesEnded, { exact: true })).toBeVisible();
  await expect(buyer.getByRole('button', { name: 'Add to Cart' }).first()).toHaveAttribute('aria-disabled', 'true');
  await expect(buyer.getByRole('button', { name: 'Add to Cart' }).last()).not.toHaveAttribute('aria-disabled');
});

for (const width of [390, 1360])
  test(`sets up an early bird and a regular price of the same seats, by keyboard alone at ${width} pixels [STOCK-1 STOCK-2 STOCK-4]`, async ({
    browser,
    product,
  }) => {
    const organizer = await readyOrganizer(product);
    const { eventId, eventUrl } = await putOnSale(product, organizer, {
      startDate_startTime: '2031-06-13T20:00',
      endDate_endTime: '2031-06-13T23:00',
    });
    const page = await browserOf(organizer, browser, product, { viewport: { width, height: 844 } });
    await page.goto(`/events/${eventId}/tickets`);
    const card = (row: number) => page.getByRole('group', { name: text.ticket(row), exact: true });
    const change = async (row: number, label: string, value: string) => {
      await tabTo(page, card(row).getByLabel(label, { exact: true }));
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(value);
    };
    const friday = async (row: number, label: string) => {
      await tabTo(page, card(row).getByLabel(label, { exact: true }));
      // Month, day, year, hour, minute and half of the day, as the field takes them.
      await page.keyboard.type('06062031');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.type('0900PM');
    };
    await change(1, text.name, 'Early bird');
    await change(1, text.quantity, '30');
    await friday(1, text.salesUntil);
    await change(1, text.maxPerOrder, '4');
    await change(2, text.name, 'Regular');
    await change(2, text.quantity, '200');
    await friday(2, text.salesFrom);
    await change(2, text.maxPerOrder, '4');
    await press(page, page.getByRole('button', { name: text.addCapacity }));
    const hall = page.getByRole('group', { name: text.capacity(1), exact: true });
    await expect(hall.getByLabel(text.capacityName)).toBeFocused();
    await page.keyboard.type('Hall');
    await type(page, hall.getByLabel(text.seats, { exact: true }), '200');
    await type(page, hall.getByLabel(text.seatsPer('Early bird')), '1');
    await type(page, hall.getByLabel(text.seatsPer('Regular')), '1');
    await expectFits(page);
    await expectReadable(page);
    await press(page, page.getByRole('button', { name: text.save }));
    await expectToasts(page, [ticketsUpdated]);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(hall.getByLabel(text.seatsPer('Regular'))).toHaveValue('1');

    const buyer = await newWindow(browser, product, { viewport: { width, height: 844 } });
    await buyer.goto(eventUrl);
    await expect(buyer.getByText(onSaleUntil('Friday, June 6, 2031 at 9:00 PM EDT'))).toBeVisible();
    await expect(buyer.getByText(onSaleFrom('Friday, June 6, 2031 at 9:00 PM EDT'))).toBeVisible();
    await expectFits(buyer);
    await expectReadable(buyer);
  });

for (const width of [390, 1360])
  test(`hides a ticket type and unlocks it with a promo code, by keyboard alone at ${width} pixels [PROMO-1]`, async ({
    browser,
    product,
  }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer, {
      tickets: [
        { ticketName: 'Regular', ticketDescription: 'Standing room', ticketPrice: 24, ticketQuantity: 100 },
        { ticketName: 'Student', ticketDescription: 'With an ID', ticketPrice: 12, ticketQuantity: 20 },
      ],
    });
    const page = await browserOf(organizer, browser, product, { viewport: { width, height: 844 } });
    await page.goto(`/events/${eventId}/tickets`);
    const type2 = page.getByRole('group', { name: text.ticket(2), exact: true });
    const save = page.getByRole('button', { name: text.save });
    await tabTo(page, page.getByLabel(text.name, { exact: true }).first());
    await tabTo(page, type2.getByLabel(text.hidden, { exact: true }));
    await page.keyboard.press('Space');
    await press(page, save);
    await expectToasts(page, [ticketsUpdated]);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(type2.getByLabel(text.hidden, { exact: true })).toBeChecked();

    const codes = page.getByRole('region', { name: promo.title });
    await expect(codes.getByText(promo.empty)).toBeVisible();
    const add = codes.getByRole('button', { name: promo.add });
    await tabTo(page, type2.getByLabel(text.name, { exact: true }));
    await tabTo(page, save);
    await press(page, add);
    const added = page.getByRole('dialog', { name: promo.addTitle });
    await expect(added.getByLabel(promo.code, { exact: true })).toBeFocused();
    await page.keyboard.type('student');
    await type(page, added.getByLabel(promo.kind, { exact: true }), promo.kinds.unlock);
    await expect(added.getByLabel(promo.value.percent)).toHaveCount(0);
    await expect(added.getByRole('checkbox')).toHaveCount(1);
    await tabTo(page, added.getByRole('checkbox', { name: 'Student' }));
    await page.keyboard.press('Space');
    await type(page, added.getByLabel(promo.maxUses), '20');
    await expectFits(page);
    await expectReadable(page);
    await press(page, added.getByRole('button', { name: promo.save }));
    await expectToasts(page, [promoCodeSaved]);
    await expect(add).toBeFocused();

    const heading = page.getByRole('heading', { name: 'STUDENT', exact: true });
    const card = codes.getByRole('listitem').filter({ has: heading });
    await expect(card).toContainText(promoBenefit({ kind: 'unlock', value: 0 }));
    await expect(card).toContainText(promoUses({ uses: 0, maxUses: 20 }));
    const link = `${new URL(page.url()).origin}/payment/${eventId}?code=STUDENT`;
    await expect(card.getByRole('link', { name: link })).toHaveAttribute('href', link);
    await expectFits(page);
    await expectReadable(page);

    const edit = card.getByRole('button', { name: promo.editLabel('STUDENT') });
    await press(page, edit);
    const edited = page.getByRole('dialog', { name: promo.editTitle('STUDENT') });
    await expect(edited.getByLabel(promo.code, { exact: true })).toBeFocused();
    await expect(edited.getByRole('checkbox', { name: 'Student' })).toBeChecked();
    await tabTo(page, edited.getByLabel(promo.maxUses));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('15');
    await press(page, edited.getByRole('button', { name: promo.save }));
    await expectToasts(page, [promoCodeSaved]);
    await expect(edit).toBeFocused();
    await expect(card).toContainText(promoUses({ uses: 0, maxUses: 15 }));

    await press(page, card.getByRole('button', { name: promo.endLabel('STUDENT') }));
    const asked = page.getByRole('dialog', { name: promo.endTitle('STUDENT') });
    await press(page, asked.getByRole('button', { name: promo.end }));
    await expectToasts(page, [promoCodeEnded]);
    await expect(codes.getByRole('heading', { name: promo.title })).toBeFocused();
    await expect(card.getByText(promo.ended, { exact: true })).toBeVisible();
    await expect(card.getByRole('button')).toHaveCount(0);
  });

test('opens a type after another one, which may be new or renamed [STOCK-5]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId, eventUrl } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product);
  await page.goto(`/events/${eventId}/tickets`);
  const card = (row: number) => page.getByRole('group', { name: text.ticket(row), exact: true });
  await card(1).getByLabel(text.opensAfter).selectOption('Balcony');
  await card(2).getByLabel(text.name, { exact: true }).fill('Early bird');
  await expect(card(1).getByLabel(text.opensAfter).locator('option:checked')).toHaveText('Early bird');
  await card(2).getByLabel(text.opensAfter).selectOption('General admission');
  await page.getByRole('button', { name: text.save }).click();
  const problem = (row: number) => formText({ field: `tickets.${row}.opensAfter`, reason: 'ticket-opens-after.cycle' });
  await expectToasts(page, [problem(0), problem(1)]);
  await card(2).getByLabel(text.opensAfter).selectOption(text.opensAtOnce);
  await page.getByRole('button', { name: text.save }).click();
  await expectToasts(page, [ticketsUpdated]);
  await expect(card(1).getByLabel(text.opensAfter).locator('option:checked')).toHaveText('Early bird');

  const buyer = await newWindow(browser, product);
  await buyer.goto(eventUrl);
  await expect(buyer.getByText(onSaleAfter('Early bird'))).toBeVisible();
  await expect(buyer.getByRole('button', { name: 'Add to Cart' }).first()).toHaveAttribute('aria-disabled', 'true');
});

test('asks before a link drops what was typed', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product);
  await page.goto(`/events/${eventId}/tickets`);
  await page.getByLabel(text.orderMax).fill('8');
  const back = page.getByRole('main').getByRole('link', { name: text.back });
  await back.click();
  await page.getByRole('button', { name: leaving.stay }).click();
  await expect(page.getByLabel(text.orderMax)).toHaveValue('8');

  await back.click();
  await page.getByRole('button', { name: leaving.leave }).click();
  await expect(page).toHaveURL(/\/profile$/);
});

test('keeps what is stored when a time is left half typed [STOCK-4]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product);
  await page.goto(`/events/${eventId}/tickets`);
  const until = page.getByLabel(text.salesUntil).first();
  await until.focus();
  await page.keyboard.type('06062031');
  await page.getByRole('button', { name: text.save }).click();
  await expectToasts(page, [incompleteTime]);
  await expect(until).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await until.fill('2027-01-01T21:00');
  await page.getByRole('button', { name: text.save }).click();
  await expectToasts(page, [ticketsUpdated]);
});

test('names the field of a problem, and keeps what was typed [STOCK-4 STOCK-6]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product);
  await page.goto(`/events/${eventId}/tickets`);
  await page.getByRole('button', { name: text.add }).click();
  const third = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: text.ticket(3) }) });
  for (const [label, value] of Object.entries({
    [text.name]: 'Early bird',
    [text.price]: '12',
    [text.quantity]: '30',
    [text.description]: 'The first thirty',
    [text.minPerOrder]: '5',
    [text.maxPerOrder]: '4',
  }))
    await third.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: text.save }).click();
  const problem = formText({ field: 'tickets.2.minPerOrder', reason: 'ticket-min.above-max' });
  await expectToasts(page, [problem]);
  await expect(third.getByLabel(text.minPerOrder)).toBeFocused();
  await expect(third.getByText(problem)).toBeVisible();

  await third.getByLabel(text.minPerOrder).fill('');
  await page.getByRole('button', { name: text.removeTicket(2) }).click();
  await page.getByRole('button', { name: text.save }).click();
  await expectToasts(page, [ticketsUpdated]);
  await expect(page.getByLabel(text.name, { exact: true })).toHaveCount(2);
  await expect(page.getByLabel(text.name, { exact: true }).last()).toHaveValue('Early bird');
});

test('asks which version wins if another window saved first', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const open = async () => {
    const page = await browserOf(organizer, browser, product);
    await page.goto(`/events/${eventId}/tickets`);
    await page.getByLabel(text.orderMax).waitFor();
    return page;
  };
  const save = async (page: Awaited<ReturnType<typeof open>>, max: string) => {
    await page.getByLabel(text.orderMax).fill(max);
    await page.getByRole('button', { name: text.save }).click();
  };
  const [one, other] = [await open(), await open()];
  await save(one, '8');
  await expectToasts(one, [ticketsUpdated]);

  await save(other, '6');
  await expectToasts(other, [eventErrors['event.changed']]);
  await expectReadable(other);
  await other.getByRole('button', { name: text.discard }).click();
  await expect(other.getByLabel(text.orderMax)).toHaveValue('8');

  await save(one, '5');
  await expectToasts(one, [ticketsUpdated]);
  await save(other, '7');
  await expectToasts(other, [eventErrors['event.changed']]);
  await other.getByRole('button', { name: text.saveAnyway }).click();
  await expectToasts(other, [ticketsUpdated]);
  await one.reload();
  await expect(one.getByLabel(text.orderMax)).toHaveValue('7');
});

test('says why the tickets of a cancelled event stay as they are, and that an unknown event has none', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  expectOk(await organizer.visitor.call(cancelEvent, { eventId }));
  const page = await browserOf(organizer, browser, product);
  await page.goto(`/events/${eventId}/tickets`);
  await expect(page.getByText(eventErrors['edit.event-cancelled'])).toBeVisible();
  await expect(page.getByRole('button', { name: text.save })).toHaveCount(0);

  await page.goto('/events/AAAAAAAAAAAAAAAA/tickets');
  await expect(page.getByRole('heading', { name: errorText('event.not-found'), level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: text.back }).first());
});
