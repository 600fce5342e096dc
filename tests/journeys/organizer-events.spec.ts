/** Events from the organizer's side: writing them, showing them, changing them, calling them off. */
import type { Locator, Page } from '@playwright/test';
import { localTimeOf } from '#domain/local-time.ts';
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
const fact = (place: Locator, name: string) => place.locator('dl > div').filter({ hasText: name }).locator('dd');

const written = {
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

async function openForm(page: Page): Promise<void> {
  await openProfile(page);
  await press(page, 'Create Event');
  await expect(form(page)).toBeVisible();
}

async function write(page: Page, change: Record<string, string> = {}): Promise<void> {
  await fillIn(form(page), {
    ...written,
    startDate_startTime: inHours(48),
    endDate_endTime: inHours(51),
    ...change,
  });
  await expect(form(page).locator('[name="latitude"]')).toHaveValue(/^40\.7/);
}

test.describe('Writing an event', () => {
  test.afterEach(({ browser }) => closeWindows({ browser }));

  test('an empty form names each missing field, and nothing is sent [EVT-7 EVT-8 EVT-10 EVT-12 EVT-13 NAV-7]', async ({
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
      'Street is required',
      'City is required',
      'State is required',
      'Postal code is required',
      'Start date/time is required',
      'End date/time is required',
      'Participants is required',
      'Ticket 1 name is required',
      'Ticket 1 description is required',
      'Ticket 1 price must be a valid number',
      'Ticket 1 quantity must be a whole number from 1 to 100000',
      'Latitude must be a number between -90 and 90',
      'Longitude must be a number between -180 and 180',
    ]);
    expect(calls).toEqual([]);
  });

  test('limits, symbols, times and prices are judged before sending [EVT-7 EVT-8 EVT-9 EVT-11 EVT-12]', async ({
    browser,
    product,
  }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openForm(page);
    await write(page);
    const calls = callsOf(page);
    const broken = async (fields: Record<string, string>, sentences: string[]) => {
      await fillIn(form(page), fields);
      await create(page);
      await expectToasts(page, sentences);
    };
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
        'Street must be 100 characters or less',
        'City must be 100 characters or less',
        'Postal code cannot contain symbols',
        'Participants field cannot contain symbols',
        'Ticket 1 price must be a valid number',
        'Ticket 2 price cannot exceed $50,000',
      ],
    );
    await broken(
      {
        ...written,
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
      await expect(form(page).getByText(/^Ticket fee for/)).toContainText(fee);
    }
    await expect(form(page).getByText(/depends on the tickets actually sold/)).toBeVisible();
  });

  test('finds the address by itself, and the pin can be dragged elsewhere [EVT-15]', async ({ browser, product }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openForm(page);
    const calls = callsOf(page);
    const { street, city, state, postalCode } = written;
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

  test('is sent whole, and answered with a link, a code and the fee [EVT-5 EVT-13 PROF-4 AFF-2]', async ({
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
    await expectToasts(page, ['Submission failed: This affiliate code is not valid.']);
    await fillIn(form(page), { affiliateCode });
    const calls = callsOf(page);
    await create(page);
    const created = dialogOf(page, 'Event Created');
    await expect(created.getByRole('link')).toHaveAttribute('href', /\/payment\/[\w-]{16}$/);
    await expect(fact(created, 'Attendant code')).toHaveText(/[0-9A-HJKMNP-TV-Z]{10}/);
    await expect(fact(created, 'Fee waived')).toHaveText('Yes');
    const { title, description, participants, timezone, street, city, state, postalCode } = written;
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
  });

  test('the plan has two active events [EVT-18]', async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    await putOnSale(product, organizer);
    await putOnSale(product, organizer);
    const page = await browserOf(organizer, browser, product);
    await openForm(page);
    await write(page);
    await create(page);
    await expectToasts(page, [
      'Submission failed: The Standard plan has 2 active events. Wait until one has ended, or cancel one, to create another.',
    ]);
  });
});

test.describe('An event on its card', () => {
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
    for (const words of ['Seated', '$38.50', 'Quantity: 10']) await expect(ticket).toContainText(words);
    await press(page, 'Hide Details');
    await expect(card().getByText('Six horns in a cellar.')).toHaveCount(0);
  });

  test('its link goes to the clipboard, or a sentence says that it did not [EVT-4]', async () => {
    await card().getByRole('button', { name: 'Copy link' }).click();
    await expectToasts(page, ['Link copied to clipboard!']);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(event.eventUrl);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    });
    await card().getByRole('button', { name: 'Copy link' }).click();
    await expectToasts(page, ['Failed to copy the link :(']);
  });

  test('a payout is refused with its reason, or with a fallback [PAY-1 PAY-2]', async () => {
    const request = () => card().getByRole('button', { name: 'Request Payout' }).click();
    await request();
    await expectToasts(page, ['A payout can be requested from 24 hours after the event ends.']);
    await expectFallback(page, '/api/protected/requestPayout', request, 'Error requesting payout');
  });

  test('is edited with the same rules, and may have begun [EVT-6 EVT-7 EVT-9 EVT-11 EVT-12 PROF-4]', async () => {
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

  test('is called off once its title is typed [EVT-17]', async () => {
    await card().getByRole('button', { name: 'Cancel Event' }).click();
    const dialog = dialogOf(page, 'Cancel Event');
    const calls = callsOf(page);
    const confirm = () => dialog.getByRole('button', { name: 'Cancel Event', exact: true }).click();
    await confirm();
    await expectToasts(page, [`Type the title exactly as it is written: ${title}`]);
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
    await page.goto(event.eventUrl);
    await expect(page.getByText('This event has been cancelled.')).toBeVisible();
  });
});
