/** An event's card: its details, its link, edits, payout and cancellation. */
import type { Browser, Locator, Page } from '@playwright/test';
import { localTimeOf } from '#domain/local-time.ts';
import { errorText } from '#messages/errors.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Product } from '#tests/support/product.ts';
import { expect, expectFits, test } from './journey.ts';
import {
  browserOf,
  callsOf,
  closeWindows,
  dialogOf,
  expectFallback,
  expectToasts,
  failing,
  fillIn,
  type Organizer,
  openProfile,
  press,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';

const HOUR = 60 * 60 * 1000;
const ZONE = 'America/New_York';
const inHours = (hours: number) => localTimeOf(new Date(Date.now() + hours * HOUR), ZONE);

const cardOf = (page: Page, title: string) => page.getByRole('article', { name: title });
const fact = (container: Locator, name: string) =>
  container.locator('dl > div').filter({ hasText: name }).locator('dd');

test.describe("An event's card", () => {
  let organizer: Organizer;
  let page: Page;
  let event: Awaited<ReturnType<typeof putOnSale>>;
  const title = 'Basement Brass';
  test.beforeAll(async ({ browser, product }) => {
    organizer = await readyOrganizer(product);
    event = await putOnSale(product, organizer);
    page = await browserOf(organizer, browser, product, { permissions: ['clipboard-read', 'clipboard-write'] });
  });
  test.afterAll(({ browser }) => closeWindows({ browser }));
  test.beforeEach(() => openProfile(page));
  const card = () => cardOf(page, title);

  test('shows its details on demand [EVT-1 EVT-2 EVT-3]', async () => {
    for (const name of ['Request Payout', 'Edit Event', 'Add Photos', 'Delete Photos', 'Cancel Event'])
      await expect(card().getByRole('button', { name, exact: true })).toBeVisible();
    await expect(card().getByText('Six horns in a cellar.')).toHaveCount(0);

    await press(page, 'Show Details');
    await expect(card().getByText(event.attendantCode)).toBeVisible();
    await expect(card().getByRole('link', { name: /\/payment\// })).toHaveAttribute('href', event.eventUrl);
    await expect(card().getByText('0 tickets sold, $0.00 grossed', { exact: true })).toBeVisible();
    await expect(card().getByText('Six horns in a cellar.')).toBeVisible();
    await expect(fact(card(), 'Location')).toHaveText('38 Withers St, Brooklyn, NY 11211');
    await expect(fact(card(), 'Timezone')).toHaveText(ZONE);
    for (const name of ['Start', 'End']) await expect(fact(card(), name).last()).toHaveText(/\d{1,2}:\d\d/);
    await expect(fact(card(), 'Participants')).toHaveText('200');
    await expect(fact(card(), 'Processing fee waived')).toHaveText('No');
    const ticket = card().getByRole('listitem').filter({ hasText: 'Balcony' });
    for (const detail of ['Seated', '$38.50', 'Quantity: 10']) await expect(ticket).toContainText(detail);
    await press(page, 'Hide Details');
    await expect(card().getByText('Six horns in a cellar.')).toHaveCount(0);
  });

  test('keeps large amounts inside their tiles on a phone', async ({ browser, product }) => {
    const phone = await browserOf(organizer, browser, product, { viewport: { width: 390, height: 844 } });
    await phone.route('**/api/protected/profile', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const sales = { ...body.sales, ticketsSold: 1, gross: 56_832 };
      await route.fulfill({
        response,
        json: { ...body, events: [{ ...body.events[0], ticketsSold: 1, gross: 56_832 }], sales },
      });
    });
    await openProfile(phone);
    const sum = phone.locator('dl').filter({ hasText: 'before fees' }).getByText('$56,832.00');
    await expect(sum).toBeVisible();
    await press(phone, 'Show Details');
    await expect(phone.getByText('1 ticket sold, $56,832.00 grossed', { exact: true })).toBeVisible();
    expect(await sum.evaluate(spaceBehind)).toBeGreaterThanOrEqual(0);
    await expectFits(phone);
    await phone.unrouteAll({ behavior: 'ignoreErrors' });
    await phone.context().close();
  });

  test('copies the link to the clipboard, or says that it failed [EVT-4]', async () => {
    await press(page, 'Show Details');
    await card().getByRole('button', { name: 'Copy link' }).click();
    await expectToasts(page, ['Link copied to clipboard!']);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(event.eventUrl);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    });
    await card().getByRole('button', { name: 'Copy link' }).click();
    await expectToasts(page, ['Failed to copy the link :(']);
  });

  test('shows why a payout is denied, or a fallback [PAY-1 PAY-2]', async () => {
    const request = () => card().getByRole('button', { name: 'Request Payout' }).click();
    await request();
    await expectToasts(page, ['You can request your payout 24 hours after the event ends.']);
    await expectFallback(page, '/api/protected/requestPayout', request, 'Error requesting payout');
  });

  test('asks the server about an event that seems over without sales [EVT-17 PAY-1]', async () => {
    await page.route('**/api/protected/profile', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const over = { ...body.events[0], endDate_endTime: '2026-01-01T00:00:00.000Z' };
      await route.fulfill({ response, json: { ...body, events: [over] } });
    });
    await openProfile(page);
    await press(page, 'Show Details');
    await expect(card().getByText("No tickets were sold, so there's nothing to pay out.")).toBeVisible();
    await card().getByRole('button', { name: 'Request Payout' }).click();
    await expectToasts(page, ['You can request your payout 24 hours after the event ends.']);

    await card().getByRole('button', { name: 'Cancel Event' }).click();
    const dialog = dialogOf(page, 'Cancel Event');
    await fillIn(dialog, { phrase: title });
    await failing(page, '/api/protected/cancel-event', errorBody('cancel.nothing-sold'), async () => {
      await dialog.getByRole('button', { name: 'Cancel Event', exact: true }).click();
      await expectToasts(page, [errorText('cancel.nothing-sold')]);
    });
    await page.unroute('**/api/protected/profile');
  });

  test('opens an editor with the same rules, even after the start [EVT-6 EVT-7 EVT-9 EVT-11 EVT-12 PROF-4]', async () => {
    await press(page, 'Edit Event');
    const edit = dialogOf(page, 'Edit Event');
    const save = () => press(page, 'Save Changes');
    const calls = callsOf(page);
    await fillIn(edit, { title: '', postalCode: '11211!', 'tickets.1.ticketPrice': '50001' });
    await save();
    await expectToasts(page, [
      'Title is required',
      'Postal code cannot contain symbols',
      'Ticket 2 price cannot exceed $50,000',
    ]);
    await fillIn(edit, { title, postalCode: '11211', 'tickets.1.ticketPrice': '39' });
    await fillIn(edit, { startDate_startTime: inHours(2), endDate_endTime: inHours(1) });
    await save();
    await expectToasts(page, ['End date/time cannot be before start date/time']);
    expect(calls.filter(({ address }) => address.startsWith('PATCH'))).toEqual([]);

    await fillIn(edit, { startDate_startTime: inHours(-2), endDate_endTime: inHours(20) });
    const path = `/api/protected/event/${event.eventId}`;
    await expectFallback(page, path, save, 'Submission failed: Unknown error');
    await save();
    await expect(dialogOf(page, 'Event Updated')).toBeVisible();
    const patch = calls.findLast(({ address }) => address === `PATCH ${path}`);
    expect(patch?.body).toMatchObject({
      title,
      tickets: [{ ticketName: 'General admission' }, { ticketName: 'Balcony', ticketPrice: '39' }],
      userId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    await press(page, 'Done');
    await press(page, 'Show Details');
    await expect(card().getByRole('listitem').filter({ hasText: 'Balcony' })).toContainText('$39.00');
  });

  test('says whom a new location emails, and saves once that is confirmed [LIFE-9]', async () => {
    await press(page, 'Edit Event');
    const edit = dialogOf(page, 'Edit Event');
    const bodies: unknown[] = [];
    const denial = errorBody('edit.emails-buyers', { buyers: 142, about: 'venue' });
    await page.route(`**/api/protected/event/${event.eventId}`, async (route) => {
      const body: { emailsConfirmed: boolean } = route.request().postDataJSON();
      bodies.push(body.emailsConfirmed);
      await (body.emailsConfirmed ? route.continue() : route.fulfill({ status: 409, json: denial }));
    });
    await fillIn(edit, { street: '39 Withers St' });
    await press(page, 'Save Changes');
    await expect(edit.getByRole('alert')).toContainText('Saving emails 142 buyers about the new location.');
    await press(page, 'Keep editing');
    await expect(edit.getByRole('alert')).toHaveCount(0);

    await press(page, 'Save Changes');
    await press(page, 'Save and email them');
    await expect(dialogOf(page, 'Event Updated')).toBeVisible();
    expect(bodies).toEqual([false, false, true]);
    await press(page, 'Done');
    await page.unrouteAll({ behavior: 'wait' });
  });

  /** Returns the second window. */
  async function editInTwoWindows(browser: Browser, product: Product): Promise<Page> {
    const other = await browserOf(organizer, browser, product);
    for (const window of [page, other]) {
      await openProfile(window);
      await press(window, 'Edit Event');
    }
    return other;
  }

  test('denies the later save of two windows until the organizer chooses [EVT-6]', async ({ browser, product }) => {
    const other = await editInTwoWindows(browser, product);
    const [mine, theirs] = [dialogOf(page, 'Edit Event'), dialogOf(other, 'Edit Event')];
    await fillIn(theirs, { description: 'Seven horns in a cellar.', participants: '220' });
    await press(other, 'Save Changes');
    await expect(dialogOf(other, 'Event Updated')).toBeVisible();

    await fillIn(mine, { 'tickets.0.ticketQuantity': '120' });
    await press(page, 'Save Changes');
    const changed = mine.getByRole('alert');
    await expect(changed.getByText(errorText('event.changed'))).toBeVisible();
    await expect(changed.getByRole('listitem')).toHaveText([
      'Description: now Seven horns in a cellar.',
      'Participants: now 220',
    ]);
    await expect(mine.getByLabel('Quantity').first()).toHaveValue('120');

    await press(page, 'Load the latest');
    await expect(changed).toHaveCount(0);
    await expect(mine.getByLabel('Participants')).toHaveValue('220');
    await expect(mine.getByLabel('Quantity').first()).toHaveValue('100');
    await press(other, 'Done');
    await press(other, 'Edit Event');
    await fillIn(theirs, { participants: '230' });
    await press(other, 'Save Changes');
    await expect(dialogOf(other, 'Event Updated')).toBeVisible();
    await press(page, 'Save Changes');
    await press(page, 'Save mine anyway');
    await expect(dialogOf(page, 'Event Updated')).toBeVisible();
    await press(page, 'Done');
    await press(page, 'Show Details');
    await expect(fact(card(), 'Participants')).toHaveText('220');
  });

  test('reloads a profile that failed to load between two edits [EVT-6]', async ({ browser, product }) => {
    const other = await editInTwoWindows(browser, product);
    await fillIn(dialogOf(other, 'Edit Event'), { participants: '240' });
    await press(other, 'Save Changes');
    await expect(dialogOf(other, 'Event Updated')).toBeVisible();

    const mine = dialogOf(page, 'Edit Event');
    const changed = mine.getByRole('alert');
    await fillIn(mine, { 'tickets.0.ticketQuantity': '130' });
    await failing(page, '/api/protected/profile', 'unanswered', async () => {
      await press(page, 'Save Changes');
      await expect(changed.getByText("We couldn't load what changed.")).toBeVisible();
      await expect(page.getByRole('button', { name: 'Save mine anyway' })).toHaveCount(0);
      await changed.getByRole('button', { name: 'Try again' }).click();
      await expect(changed.getByRole('button', { name: 'Try again' })).toBeEnabled();
      await expect(changed.getByRole('listitem')).toHaveCount(0);
    });
    await changed.getByRole('button', { name: 'Try again' }).click();
    await expect(changed.getByRole('listitem')).toHaveText(['Participants: now 240']);
    await expect(mine.getByLabel('Quantity').first()).toHaveValue('130');
    await press(page, 'Save mine anyway');
    await expect(dialogOf(page, 'Event Updated')).toBeVisible();
  });

  test('cancels once the title is typed [EVT-17]', async () => {
    await card().getByRole('button', { name: 'Cancel Event' }).click();
    const dialog = dialogOf(page, 'Cancel Event');
    const calls = callsOf(page);
    const confirm = () => dialog.getByRole('button', { name: 'Cancel Event', exact: true }).click();
    await confirm();
    await expectToasts(page, [`Type it exactly as written: ${title}`]);
    expect(calls).toEqual([]);
    await fillIn(dialog, { phrase: title });
    await expectFallback(page, '/api/protected/cancel-event', confirm, 'Error cancelling event');
    await failing(page, '/api/protected/cancel-event', { msg: 'Not now.' }, async () => {
      await confirm();
      await expectToasts(page, ['Not now.']);
    });
    await confirm();
    await expectToasts(page, ['Event cancelled successfully']);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(card().getByText('Cancelled', { exact: true })).toBeVisible();
    expect(calls.at(-1)).toMatchObject({
      address: 'POST /api/protected/cancel-event',
      body: { eventId: event.eventId },
    });
    for (const [name, message] of [
      ['Edit Event', "A cancelled event can't be edited."],
      ['Request Payout', "Cancelled events don't pay out."],
      ['Cancel Event', 'This event has been cancelled.'],
    ] as const) {
      const button = card().getByRole('button', { name, exact: true });
      await expect(button).toHaveAttribute('aria-disabled', 'true');
      await button.press('Enter');
      await expectToasts(page, [message]);
    }
    expect(calls.filter(({ address }) => address.endsWith('/requestPayout'))).toEqual([]);
    await page.goto(event.eventUrl);
    await expect(page.getByText('This event has been cancelled.')).toBeVisible();
  });
});

/** Pixels between the end of a tile's amount and its padding; negative if it overflows. */
function spaceBehind(amount: Element): number {
  const tile = amount.parentElement;
  if (!tile) throw new Error('an amount without a tile');
  const text = document.createRange();
  text.selectNodeContents(amount);
  const padding = Number.parseFloat(getComputedStyle(tile).paddingRight);
  return Math.round(tile.getBoundingClientRect().right - padding - text.getBoundingClientRect().right);
}
