/** An organizer's steps up to an event on sale. */
import type { Page } from '@playwright/test';
import { PASSWORD } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { emailTo, expect, expectAccessible, linkIn } from './journey.ts';

export interface CreatedEvent {
  url: string;
  attendantCode: string;
}

const seen = new Set<string>();

/** Checks each state once, because many tests pass through it. */
async function expectAccessibleOnce(page: Page, state: string): Promise<void> {
  if (seen.has(state)) return;
  await expectAccessible(page);
  seen.add(state);
}

export async function signUp(page: Page, product: Product, email: string): Promise<void> {
  await page.goto('/register');
  await expectAccessibleOnce(page, 'registering');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('Redirecting... If you are not redirected finish setting up')).toBeVisible();
  await page.waitForURL(/\/profile/);

  const message = await emailTo(product, email, /verify/i);
  await page.goto(linkIn(message, '/verify-email'));
  await page.waitForURL(/\/profile$/);
  await expect(page.getByText('Your email is verified.')).toBeVisible();
  await expectAccessibleOnce(page, 'verified');
}

export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await expectAccessibleOnce(page, 'logging in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL(/\/profile/);
  await expect(page.getByRole('heading', { name: 'Your events' })).toBeVisible();
}

export async function completeOnboarding(page: Page): Promise<void> {
  await expect(page.getByText('You need to complete onboarding to access all features.')).toBeVisible();
  await expectAccessibleOnce(page, 'onboarding');

  await page.getByRole('button', { name: 'Update Info' }).click();
  const dialog = page.getByRole('dialog', { name: 'Account Information' });
  await dialog.getByLabel('First name').fill('Ada');
  await dialog.getByLabel('Last name').fill('Brass');
  await dialog.getByLabel('Date of birth').fill('1990-05-17');
  await dialog.getByLabel('Phone number').fill('+1 (212) 555-0142');
  await dialog.getByLabel('Organization name').fill('Basement Brass');
  await dialog.getByLabel('Organization bio').fill('Loud music in small rooms since 2019.');
  await dialog.getByLabel('Tax ID type').selectOption('individual');
  await dialog.getByLabel('SSN/ITIN', { exact: true }).fill('123-45-6789');
  await expectAccessibleOnce(page, 'account information');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog', { name: 'Info Updated' }).getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Connect with Stripe' }).click();
  await page.waitForURL(/\/sandbox\/connect\//);
  await expectAccessibleOnce(page, 'connecting payouts');
  await page
    .getByRole('button', { name: /^complete/i })
    .first()
    .click();
  await page.waitForURL(/\/profile/);
  await expect(page.getByText('3 of 4 done')).toBeVisible();
}

/** An event three weeks ahead, with two ticket types. The form geocodes its address. */
export async function createEvent(page: Page, title: string): Promise<CreatedEvent> {
  const day = new Date(Date.now() + 21 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  await page.getByRole('button', { name: 'Create Event' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create Event' });
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Description').first().fill('Eleven horns, one low ceiling.\nDoors at seven.');
  await dialog.getByLabel('Participants').fill('200');
  await dialog.getByLabel('Start date and time').fill(`${day}T20:00`);
  await dialog.getByLabel('End date and time').fill(`${day}T23:30`);
  await dialog.getByLabel('Street').fill('178 Bleecker St');
  await dialog.getByLabel('City').fill('New York');
  await dialog.getByLabel('State').selectOption('NY');
  await dialog.getByLabel('Postal code').fill('10012');
  await expect(dialog.getByLabel('Latitude')).toHaveValue(/^40\.7/);

  await dialog.getByRole('button', { name: 'Add ticket type' }).click();
  for (const [row, name, price, quantity] of [
    [0, 'Floor', '25', '150'],
    [1, 'Balcony', '40.50', '30'],
  ] as const) {
    const ticket = dialog
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: `Ticket ${row + 1}` }) });
    await ticket.getByLabel('Name').fill(name);
    await ticket.getByLabel('Price').fill(price);
    await ticket.getByLabel('Quantity').fill(quantity);
    await ticket.getByLabel('Description').fill(`${name}, no seats kept`);
  }
  await expectAccessibleOnce(page, 'creating an event');
  await dialog.getByRole('button', { name: 'Create Event' }).click();

  const created = page.getByRole('dialog', { name: 'Event Created' });
  const url = await created.getByRole('link').first().getAttribute('href');
  const attendantCode = /[0-9A-HJKMNP-TV-Z]{10}/.exec(await created.innerText())?.[0];
  await expectAccessibleOnce(page, 'event created');
  await created.getByRole('button', { name: 'Done' }).click();
  if (!url || !attendantCode) throw new Error('the event was created without link or attendant code');
  return { url, attendantCode };
}
