/** The event form: validation, address, ticket types, times. */
import type { Locator, Page } from '@playwright/test';
import { localTimeOf } from '#domain/local-time.ts';
import { thingsToFix } from '#messages/records/long-forms.ts';
import { expect, expectReadable, test } from './journey.ts';
import {
  browserOf,
  callsOf,
  closeWindows,
  dialogOf,
  dismissToasts,
  expectFallback,
  expectToasts,
  fillIn,
  openProfile,
  press,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';
import { typedEvent } from './typed-event.ts';

const HOUR = 60 * 60 * 1000;
const ZONE = 'America/New_York';
const inHours = (hours: number) => localTimeOf(new Date(Date.now() + hours * HOUR), ZONE);

const STATES =
  'AK AL AR AZ CA CO CT DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY';

const cardOf = (page: Page, title: string) => page.getByRole('article', { name: title });
const form = (page: Page) => dialogOf(page, 'Create Event');
const create = (page: Page) => form(page).getByRole('button', { name: 'Create Event', exact: true }).click();
const fact = (container: Locator, name: string) =>
  container.locator('dl > div').filter({ hasText: name }).locator('dd');

const formValues = {
  title: 'Cellar Strings',
  ...typedEvent,
  timezone: ZONE,
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

test('after a failed try, a choice by keyboard stays, and what is left to fix is counted [WORK-12]', async ({
  browser,
  product,
}) => {
  const page = await browserOf(await readyOrganizer(product), browser, product, {
    viewport: { width: 390, height: 844 },
  });
  await openForm(page);
  await fillIn(form(page), { title: 'Cellar Strings' });
  const left = form(page).getByRole('button', { name: /to fix$/ });
  await expect(left).toHaveCount(0);
  await create(page);
  await expect(left).toHaveText(thingsToFix(14));
  const [field, message] = [
    form(page).getByLabel('Description').first(),
    page.locator('#toasts .Toastify__toast').first(),
  ];
  await expect(field).toBeFocused();
  const [below, above] = [await message.boundingBox(), await field.boundingBox()];
  expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0));
  await dismissToasts(page);

  const state = form(page).getByLabel('State');
  await state.focus();
  await page.keyboard.type('NY');
  await expect(state).toHaveValue('NY');
  await expect(left).toHaveText(thingsToFix(13));
  await left.click();
  await expect(field).toBeFocused();
  await form(page).getByRole('button', { name: 'Add ticket type' }).press('Enter');
  await expect(form(page).locator('[name="tickets.1.ticketName"]')).toBeFocused();
  await expectReadable(page);
});

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
