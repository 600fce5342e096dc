/** A new organizer, by keyboard alone or by touch: from the landing page to an event on sale with two ticket types and a photo. */
import type { Locator, Page } from '@playwright/test';
import { editorPhotos } from '#messages/records/event-editor.ts';
import { overview } from '#messages/records/overview.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { PASSWORD } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { emailTo, expect, expectFits, linkIn, openPage, test } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import { dialogOf, expectToasts } from './organizer-page.ts';

/** Keys other than those of what is typed, most of them Tab: a minute's worth. */
const PRESSES_MAX = 130;
/** Those on fields included: a minute's worth. */
const TAPS_MAX = 45;

test('a new organizer sells within few presses, and the focus is where the next step is [WORK-12 MAIL-1]', async ({
  browser,
  product,
}) => {
  const page = await openPage(browser, product, { viewport: { width: 1360, height: 900 }, reducedMotion: 'reduce' });
  const presses = countPresses(page);
  await signUp(page, product);
  await completeOnboarding(page);
  await createEvent(page);
  await addPhoto(page);
  await expect(page.getByText('On sale', { exact: true }).first()).toBeVisible();
  expect(presses()).toBeLessThanOrEqual(PRESSES_MAX);
});

function countPresses({ keyboard }: Page): () => number {
  let presses = 0;
  const send = keyboard.press.bind(keyboard);
  keyboard.press = (key, options) => {
    presses += 1;
    return send(key, options);
  };
  return () => presses;
}

async function signUp(page: Page, product: Product): Promise<void> {
  await page.goto('/');
  await press(page, page.getByRole('link', { name: 'Get started' }).first());
  const email = `first-${Date.now()}@example.com`;
  await type(page, page.getByLabel('Email'), email);
  await type(page, page.getByLabel('Password', { exact: true }), PASSWORD);
  await type(page, page.getByLabel('Confirm Password', { exact: true }), PASSWORD);
  await tabTo(page, page.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await press(page, page.getByRole('button', { name: 'Register' }));
  await page.waitForURL(/\/profile/);
  await page.goto(linkIn(await emailTo(product, email, /verify/i), '/verify-email'));
  await expectToasts(page, ['Your email is verified.']);
  await expect(page.getByRole('heading', { name: 'Your events', level: 1 })).toBeFocused();
}

async function completeOnboarding(page: Page): Promise<void> {
  await press(page, page.getByRole('button', { name: 'Add your details' }));
  const form = dialogOf(page, 'Account Information');
  await type(page, form.getByLabel('First name'), 'Kim');
  await type(page, form.getByLabel('Last name'), 'Keys');
  await type(page, form.getByLabel('Date of birth'), '05171990');
  await type(page, form.getByLabel('Phone number'), '212 555 0142');
  await type(page, form.getByLabel('Organization name'), 'Keys Only');
  await type(page, form.getByLabel('Organization bio'), 'Loud music in small rooms.');
  await type(page, form.getByLabel('Tax ID type'), 'S');
  await type(page, form.getByLabel('SSN/ITIN', { exact: true }), '123456789');
  await press(page, form.getByRole('button', { name: 'Save' }));
  await press(page, dialogOf(page, 'Info Updated').getByRole('button', { name: 'Done' }));
  await press(page, page.getByRole('button', { name: 'Connect with Stripe' }));
  await page.waitForURL(/\/sandbox\/connect\//);
  await press(page, page.getByRole('button', { name: /^complete/i }).first());
  await page.waitForURL(/\/profile/);
}

async function createEvent(page: Page): Promise<void> {
  await press(page, page.getByRole('button', { name: 'Add your first event' }));
  const form = dialogOf(page, 'Create Event');
  await type(page, form.getByLabel('Title'), 'Night of Keys');
  await type(page, form.getByLabel('Description').first(), 'Nine horns, eighty-eight keys.');
  await type(page, form.getByLabel('Participants'), '88');
  await type(page, form.getByLabel('Start date and time'), `0615${new Date().getFullYear() + 1}`);
  // The year field takes six digits, so an arrow key leaves it. The end follows by itself.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('0800P');
  await type(page, form.getByLabel('Street'), '178 Bleecker St');
  await type(page, form.getByLabel('City'), 'New York');
  await type(page, form.getByLabel('State'), 'NY');
  await type(page, form.getByLabel('Postal code'), '10012');
  await expect(form.getByLabel('Latitude')).toHaveValue(/^40\.7/);
  for (const [row, name] of ['Floor', 'Balcony'].entries()) {
    const ticket = form.getByRole('listitem').nth(row);
    if (row > 0) {
      await press(page, form.getByRole('button', { name: 'Add ticket type' }));
      await expect(ticket.getByLabel('Name')).toBeFocused();
    }
    await type(page, ticket.getByLabel('Name'), name);
    await type(page, ticket.getByLabel('Price'), '25');
    await type(page, ticket.getByLabel('Quantity'), '30');
    await type(page, ticket.getByLabel('Description'), 'Standing');
  }
  await press(page, form.getByRole('button', { name: 'Create Event' }));
}

async function addPhoto(page: Page): Promise<void> {
  await press(page, dialogOf(page, 'Event Created').getByRole('button', { name: overview.needs.photos.action }));
  await expect(page.getByText(editorPhotos.title, { exact: true })).toBeFocused();
  await press(page, page.getByRole('button', { name: editorPhotos.add, exact: true }));
  const form = dialogOf(page, 'Upload Photos');
  const buffer = Buffer.from(await posterPhoto('any'));
  await form.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await press(page, form.getByRole('button', { name: /^Upload/ }));
  await expect(page.getByText('Photos Uploaded')).toBeVisible();
}

test('a new organizer sells within few taps, on a phone [WORK-12]', async ({ browser, product }) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await openPage(browser, product, { ...phone, reducedMotion: 'reduce' });
  let taps = 0;
  const tap = async (target: Locator) => {
    taps += 1;
    await target.tap();
  };
  const enter = async (field: Locator, value: string) => {
    await tap(field);
    await field.fill(value);
  };
  /** In the phone's own list. */
  const choose = async (field: Locator, option: string | { index: number }) => {
    taps += 2;
    await field.selectOption(option);
  };

  await page.goto('/');
  await expectFits(page);
  await tap(page.getByRole('link', { name: 'Get started' }).first());
  const email = `phone-${Date.now()}@example.com`;
  await enter(page.getByLabel('Email'), email);
  await enter(page.getByLabel('Password', { exact: true }), PASSWORD);
  await enter(page.getByLabel('Confirm Password', { exact: true }), PASSWORD);
  await tap(page.getByRole('checkbox'));
  await expectFits(page);
  await tap(page.getByRole('button', { name: 'Register' }));
  await page.waitForURL(/\/profile/);
  await page.goto(linkIn(await emailTo(product, email, /verify/i), '/verify-email'));
  await expectToasts(page, ['Your email is verified.']);

  await tap(page.getByRole('button', { name: 'Add your details' }));
  const details = dialogOf(page, 'Account Information');
  await enter(details.getByLabel('First name'), 'Kim');
  await enter(details.getByLabel('Last name'), 'Keys');
  await enter(details.getByLabel('Date of birth'), '1990-05-17');
  await enter(details.getByLabel('Phone number'), '212 555 0142');
  await enter(details.getByLabel('Organization name'), 'Taps Only');
  await enter(details.getByLabel('Organization bio'), 'Loud music in small rooms.');
  await choose(details.getByLabel('Tax ID type'), { index: 1 });
  await enter(details.getByLabel('SSN/ITIN', { exact: true }), '123456789');
  await expectFits(page);
  await tap(details.getByRole('button', { name: 'Save' }));
  await tap(dialogOf(page, 'Info Updated').getByRole('button', { name: 'Done' }));
  await tap(page.getByRole('button', { name: 'Connect with Stripe' }));
  await page.waitForURL(/\/sandbox\/connect\//);
  await tap(page.getByRole('button', { name: /^complete/i }).first());
  await page.waitForURL(/\/profile/);

  await tap(page.getByRole('button', { name: 'Add your first event' }));
  const event = dialogOf(page, 'Create Event');
  await enter(event.getByLabel('Title'), 'Night of Taps');
  await enter(event.getByLabel('Description').first(), 'Nine horns, one phone.');
  await enter(event.getByLabel('Participants'), '88');
  await enter(event.getByLabel('Start date and time'), `${new Date().getFullYear() + 1}-06-15T20:00`);
  await enter(event.getByLabel('Street'), '178 Bleecker St');
  await enter(event.getByLabel('City'), 'New York');
  await choose(event.getByLabel('State'), 'NY');
  await enter(event.getByLabel('Postal code'), '10012');
  for (const [row, name] of ['Floor', 'Balcony'].entries()) {
    if (row > 0) await tap(event.getByRole('button', { name: 'Add ticket type' }));
    const ticket = event.getByRole('listitem').nth(row);
    await enter(ticket.getByLabel('Name'), name);
    await enter(ticket.getByLabel('Price'), '25');
    await enter(ticket.getByLabel('Quantity'), '30');
    await enter(ticket.getByLabel('Description'), 'Standing');
  }
  await expect(event.getByLabel('Latitude')).toHaveValue(/^40\.7/);
  await expectFits(page);
  await tap(event.getByRole('button', { name: 'Create Event' }));

  await tap(dialogOf(page, 'Event Created').getByRole('button', { name: overview.needs.photos.action }));
  await tap(page.getByRole('button', { name: editorPhotos.add, exact: true }));
  const photos = dialogOf(page, 'Upload Photos');
  const buffer = Buffer.from(await posterPhoto('any'));
  await photos.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await expectFits(page);
  await tap(photos.getByRole('button', { name: /^Upload/ }));
  await expect(page.getByText('Photos Uploaded')).toBeVisible();
  await expect(page.getByText('On sale', { exact: true }).first()).toBeVisible();
  await expectFits(page);
  expect(taps).toBeLessThanOrEqual(TAPS_MAX);
});
