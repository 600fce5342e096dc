/** Events as their organizer creates, shares, edits and cancels them. */
import type { Browser, Locator, Page } from '@playwright/test';
import { localTimeOf } from '#domain/local-time.ts';
import { errorText } from '#messages/errors.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Product } from '#tests/support/product.ts';
import { expect, test } from './journey.ts';
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
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';

const HOUR = 60 * 60 * 1000;
const ZONE = 'America/New_York';
const inHours = (hours: number) => localTimeOf(new Date(Date.now() + hours * HOUR), ZONE);

const STATES =
  'AK AL AR AZ CA CO CT DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const cardOf = (page: Page, title: string) => page.getByRole('article', { name: title });
const form = (page: Page) => dialogOf(page, 'Create Event');
const create = (page: Page) => form(page).getByRole('button', { name: 'Create Event', exact: true }).click();
const fact = (container: Locator, name: string) =>
  container.locator('dl > div').filter({ hasText: name }).locator('dd');

const formValues = {
  title: 'Cellar Strings',
  description: 'Four fiddles, no microphones.',
  participants: '200',
  timezone: ZONE,
  street: '178 Bleecker St',
  city: 'New York',
  state: 'NY',
  postalCode: '10012',
  'tickets.0.ticketName': 'Floor',
  'tickets.0.ticketDescription': 'Standing',
  'tickets.0.ticketPrice': '40.50',
  'tickets.0.ticketQuantity': '30',
};

/**
 * The first Sunday from the day after tomorrow on which New York's clocks go back and 1:30 AM occurs twice, as
 * `YYYY-MM-DD`.
 */
function nextRepeatedHourDay(): string {
  const hourAt = (instant: number) => localTimeOf(new Date(instant), ZONE).slice(11, 13);
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const days = Array.from({ length: 366 }, (_, ahead) => midnight + (ahead + 2) * 24 * HOUR);
  const found = days.find((day) => hourAt(day + 5 * HOUR) === '01' && hourAt(day + 6 * HOUR) === '01');
  if (found === undefined) throw new Error('the clocks of New York do not go back within a year');
  return new Date(found).toISOString().slice(0, 10);
}

async function openForm(page: Page): Promise<void> {
  await openProfile(page);
  await press(page, 'Create Event');
  await expect(form(page)).toBeVisible();
}

async function write(page: Page, change: Record<string, string> = {}): Promise<void> {
  await fillIn(form(page), {
    ...formValues,
    startDate_startTime: inHours(48),
    endDate_endTime: inHours(51),
    ...change,
  });
  await expect(form(page).locator('[name="latitude"]')).toHaveValue(/^40\.7/);
}

test.describe('Creating an event', () => {
  test.afterEach(({ browser }) => closeWindows({ browser }));

  test('lists the missing fields of an empty form from top to bottom, and sends nothing [EVT-7 EVT-8 EVT-10 EVT-12 EVT-13 NAV-7]', async ({
    browser,
    product,
  }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    const calls = callsOf(page);
    await openForm(page);
    await create(page);
    await expectToasts(page, [
      'Title is required',
      'Description is required',
      'Number of participants is required',
      'Start date/time is required',
      'End date/time is required',
      'Street is required',
      'City is required',
      'State is required',
      'Postal code is required',
      'Latitude must be a number between -90 and 90',
      'Longitude must be a number between -180 and 180',
      'Ticket 1 name is required',
      'Ticket 1 price must be a valid number',
      'Ticket 1 quantity must be a whole number from 1 to 100,000',
      'Ticket 1 description is required',
    ]);
    expect(calls).toEqual([]);
  });

  test('validates limits, symbols, times and prices before sending [EVT-7 EVT-8 EVT-9 EVT-11 EVT-12]', async ({
    browser,
    product,
  }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openForm(page);
    await write(page);
    const calls = callsOf(page);
    const broken = async (fields: Record<string, string>, messages: string[]) => {
      await fillIn(form(page), fields);
      await create(page);
      await expectToasts(page, messages);
    };
    await fillIn(form(page), { title: '🎺'.repeat(26) });
    await expect(form(page).getByText('26 / 50', { exact: true })).toBeVisible();
    await press(page, 'Add ticket type');
    await broken(
      {
        title: 'x'.repeat(51),
        description: 'x'.repeat(2001),
        street: 'x'.repeat(101),
        city: 'x'.repeat(101),
        postalCode: '10012-1',
        participants: '2,000',
        'tickets.0.ticketPrice': 'ten',
        'tickets.1.ticketName': 'Balcony',
        'tickets.1.ticketDescription': 'Seated',
        'tickets.1.ticketPrice': '50000.01',
        'tickets.1.ticketQuantity': '10',
      },
      [
        'Title must be 50 characters or less',
        'Description must be 2000 characters or less',
        'Participants field cannot contain symbols',
        'Street must be 100 characters or less',
        'City must be 100 characters or less',
        'Postal code cannot contain symbols',
        'Ticket 1 price must be a valid number',
        'Ticket 2 price cannot exceed $50,000',
      ],
    );
    await broken(
      {
        ...formValues,
        'tickets.1.ticketPrice': '50000',
        startDate_startTime: inHours(-2),
        endDate_endTime: inHours(2),
      },
      ['Start date/time must be in the future'],
    );
    await broken({ startDate_startTime: inHours(48), endDate_endTime: inHours(47) }, [
      'End date/time cannot be before start date/time',
    ]);
    await broken({ startDate_startTime: inHours(-2), endDate_endTime: inHours(-3) }, [
      'Start date/time must be in the future',
      'End date/time cannot be before start date/time',
    ]);
    expect(calls.filter(({ address }) => !address.endsWith('/get-coords'))).toEqual([]);
  });

  test('clears an error once its field is valid, even if the form fills it in [EVT-7 EVT-11]', async ({
    browser,
    product,
  }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openForm(page);
    const error = (message: string) => form(page).getByText(message, { exact: true });
    await create(page);
    await expect(error('End date/time is required')).toBeVisible();
    await expect(error('Latitude must be a number between -90 and 90')).toBeVisible();

    const { street, city, state, postalCode } = formValues;
    await fillIn(form(page), { startDate_startTime: inHours(48), street, city, state, postalCode });
    await expect(form(page).locator('[name="endDate_endTime"]')).not.toHaveValue('');
    await expect(error('End date/time is required')).toHaveCount(0);
    await expect(form(page).locator('[name="latitude"]')).toHaveValue(/^40\.7/);
    for (const name of ['Latitude', 'Longitude'])
      await expect(form(page).getByText(`${name} must be a number`)).toHaveCount(0);
    await expect(error('Title is required')).toBeVisible();

    await fillIn(form(page), { endDate_endTime: inHours(47) });
    await create(page);
    await expect(form(page).locator('[name="endDate_endTime"]')).toHaveAttribute('aria-invalid', 'true');
    await fillIn(form(page), { startDate_startTime: inHours(46) });
    await expect(form(page).locator('[name="endDate_endTime"]')).not.toHaveAttribute('aria-invalid');
  });

  test('offers four time zones and fifty states, and states the fee [EVT-14 EVT-16]', async ({ browser, product }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openForm(page);
    const options = (name: string) =>
      form(page)
        .locator(`[name="${name}"] option`)
        .evaluateAll((all) => all.map((option) => option.textContent));
    expect(await options('timezone')).toEqual([
      'America/New_York',
      'America/Chicago',
      'America/Denver',
      'America/Los_Angeles',
    ]);
    expect((await options('state')).slice(1).sort()).toEqual(STATES.split(' '));
    for (const [participants, fee] of [
      ['499', '2.0% + $0.75'],
      ['500', '1.8% + $0.50'],
    ] as const) {
      await fillIn(form(page), { participants });
      await expect(form(page).getByText(/^Ticket fee: /)).toContainText(`${fee} per paid ticket`);
    }
    await expect(form(page).getByText(/depends on paid tickets actually sold/)).toBeVisible();
  });

  test('finds the address, and the pin can be dragged elsewhere [EVT-15]', async ({ browser, product }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openForm(page);
    const calls = callsOf(page);
    const { street, city, state, postalCode } = formValues;
    await fillIn(form(page), { street, city, state });
    await fillIn(form(page), { postalCode });
    const latitude = form(page).locator('[name="latitude"]');
    const longitude = form(page).locator('[name="longitude"]');
    await expect(latitude).toHaveValue(/^40\.7/);
    await expect(longitude).toHaveValue(/^-7\d\./);
    expect(calls).toMatchObject([
      { address: 'POST /api/protected/get-coords', body: { street, city, state, postalCode } },
    ]);

    const before = [Number(await latitude.inputValue()), Number(await longitude.inputValue())] as const;
    const pin = form(page).locator('.leaflet-marker-icon');
    await pin.scrollIntoViewIfNeeded();
    const box = await pin.boundingBox();
    if (!box) throw new Error('no pin');
    await page.mouse.move(box.x + box.width / 2, box.y + 12);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 40, box.y + 52, { steps: 5 });
    await page.mouse.up();
    await expect(async () => {
      expect(Number(await latitude.inputValue())).toBeLessThan(before[0]);
      expect(Number(await longitude.inputValue())).toBeGreaterThan(before[1]);
    }).toPass();
  });

  test('asks about a time zone that differs from the pin’s, in a state with two [EVT-15]', async ({
    browser,
    product,
  }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openForm(page);
    await fillIn(form(page), { street: '1 Civic Center Plaza', city: 'El Paso', state: 'TX' });
    await expect(form(page).locator('[name="timezone"]')).toHaveValue('America/Chicago');
    const doubt = form(page).getByText('The pin is on Mountain Time, but you picked Central. Is that right?');
    await expect(doubt).toHaveCount(0);

    await fillIn(form(page), { postalCode: '79901' });
    await expect(doubt).toBeVisible();
    await fillIn(form(page), { timezone: 'America/Denver' });
    await expect(doubt).toHaveCount(0);
    await fillIn(form(page), { latitude: '30.27', longitude: '-97.74' });
    await expect(
      form(page).getByText('The pin is on Central Time, but you picked Mountain. Is that right?'),
    ).toBeVisible();
  });

  test('sends everything, and shows the link, the code and the fee [EVT-5 EVT-13 PROF-4 AFF-2]', async ({
    browser,
    product,
  }) => {
    const referrer = await browserOf(await readyOrganizer(product), browser, product);
    await openProfile(referrer);
    await press(referrer, 'Affiliate Program');
    await press(referrer, 'Generate Code');
    const code = fact(dialogOf(referrer, 'Affiliate Program'), 'Your code');
    await expect(code).toHaveText(/^\w{6,}$/);
    const affiliateCode = await code.innerText();

    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openForm(page);
    await write(page);
    const path = '/api/protected/event';
    await expectFallback(page, path, () => create(page), 'Submission failed: Unknown error');
    await fillIn(form(page), { affiliateCode: 'NOTACODE' });
    await create(page);
    await expectToasts(page, ["Submission failed: This affiliate code isn't valid."]);
    await fillIn(form(page), { affiliateCode });
    const calls = callsOf(page);
    await create(page);
    const created = dialogOf(page, 'Event Created');
    await expect(created.getByRole('link')).toHaveAttribute('href', /\/payment\/[\w-]{16}$/);
    await expect(fact(created, 'Attendant code')).toHaveText(/[0-9A-HJKMNP-TV-Z]{10}/);
    await expect(fact(created, 'Fee waived')).toHaveText('Yes');
    const { title, description, participants, timezone, street, city, state, postalCode } = formValues;
    expect(calls).toMatchObject([
      {
        address: `POST ${path}`,
        body: {
          title,
          description,
          participants,
          timezone,
          street,
          city,
          state,
          postalCode,
          startDate_startTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/),
          endDate_endTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/),
          latitude: expect.any(Number),
          longitude: expect.any(Number),
          tickets: [{ ticketName: 'Floor', ticketDescription: 'Standing', ticketPrice: '40.50', ticketQuantity: '30' }],
          affiliateCode,
        },
      },
    ]);
    await press(page, 'Done');
    await expect(cardOf(page, title)).toBeVisible();

    await press(page, 'Create Event');
    await write(page, { title: 'Cellar Strings Again' });
    await create(page);
    await expect(fact(dialogOf(page, 'Event Created'), 'Fee waived')).toHaveText('No');
    await expect(dialogOf(page, 'Event Created').getByText("You're live!")).toBeVisible();
  });

  test('schedules later sales, and says when they start [EVT-5]', async ({ browser, product }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openForm(page);
    await write(page, { salesStart: inHours(24) });
    await create(page);
    const created = dialogOf(page, 'Event Created');
    await expect(created.getByText(/^Sales start \w{3}, \w{3} \d+, \d{4}, .* E[DS]T\. Share the link/)).toBeVisible();
    await expect(created.getByText("You're live!")).toHaveCount(0);
    await press(page, 'Done');
    const card = cardOf(page, formValues.title ?? '');
    await expect(card.getByText('Scheduled', { exact: true }).first()).toBeVisible();
    await expect(card.getByText(/^Sales start/).first()).toBeVisible();
    await expect(card.getByText('On sale', { exact: true })).toHaveCount(0);
  });

  test('is limited to two active events by the plan [EVT-18]', async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    await putOnSale(product, organizer);
    await putOnSale(product, organizer);
    const page = await browserOf(organizer, browser, product);
    await openForm(page);
    await write(page);
    await create(page);
    await expectToasts(page, [
      'Submission failed: Your plan includes 2 active events. You can add another when one ends.',
    ]);
  });
});

test.describe('Editing an event', () => {
  test.afterEach(({ browser }) => closeWindows({ browser }));

  test('says which occurrence of a repeated hour it starts in, until the start is changed [EVT-6]', async ({
    browser,
    product,
  }) => {
    const organizer = await readyOrganizer(product);
    const day = nextRepeatedHourDay();
    const sunday = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day));
    // The second 1:30 AM.
    await putOnSale(product, organizer, {
      startDate_startTime: `${day}T06:30:00Z`,
      endDate_endTime: `${day}T08:30:00Z`,
    });
    const page = await browserOf(organizer, browser, product, { timezoneId: ZONE });
    await openProfile(page);
    await press(page, 'Edit Event');
    const echo = dialogOf(page, 'Edit Event').getByRole('status').filter({ hasText: 'Starts' });
    await expect(echo).toContainText(`Starts ${sunday} at 1:30 AM EST`);
    await expect(echo).toContainText('Lasts 2 hr');

    await fillIn(dialogOf(page, 'Edit Event'), { startDate_startTime: `${day}T01:15` });
    await expect(echo).toContainText(`Starts ${sunday} at 1:15 AM EDT`);
  });
});

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
    await expect(card().getByText(event.attendantCode)).toBeVisible();
    await expect(card().getByRole('link', { name: /\/payment\// })).toHaveAttribute('href', event.eventUrl);
    await expect(card().getByText('0 tickets sold, $0.00 grossed', { exact: true })).toBeVisible();
    await expect(card().getByText('Six horns in a cellar.')).toHaveCount(0);

    await press(page, 'Show Details');
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
      await route.fulfill({
        response,
        json: { ...body, events: [{ ...body.events[0], ticketsSold: 1, gross: 56_832 }] },
      });
    });
    await openProfile(phone);
    const sum = phone.locator('dl').filter({ hasText: 'before fees' }).getByText('$56,832.00');
    await expect(sum).toBeVisible();
    await expect(phone.getByText('1 ticket sold, $56,832.00 grossed', { exact: true })).toBeVisible();
    expect(await sum.evaluate(spaceBehind)).toBeGreaterThanOrEqual(0);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await phone.context().close();
  });

  test('copies the link to the clipboard, or says that it failed [EVT-4]', async () => {
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
