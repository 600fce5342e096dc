import type { Locator, Page } from '@playwright/test';
import type { Product } from '#tests/support/product.ts';
import { ticketCodes } from './buyer-steps.ts';
import { emailTo, expect, linkIn, openPage, test } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';

const PASSWORD = 'nine horns no mouse';
const TITLE = 'Night Without a Mouse';

test.describe('By keyboard alone', () => {
  test('a person registers, sells a ticket, buys it and checks it in', async ({ browser, product }) => {
    const page = await openPage(browser, product);
    const email = `keys-${Date.now()}@example.com`;
    await test.step('registers and logs in', () => register(page, product, email));
    await test.step('completes the onboarding', () => completeOnboarding(page));
    const attendantCode = await test.step('puts an event on sale', () => createEvent(page));

    const home = await openPage(browser, product);
    const card = page.getByRole('article', { name: TITLE });
    await expect(card).toBeVisible();
    await press(page, card.getByRole('button', { name: 'Show Details' }));
    const eventUrl = await page
      .getByRole('link', { name: /\/payment\// })
      .first()
      .getAttribute('href');
    await home.goto(eventUrl ?? '');
    const number = await test.step('buys a ticket', () => buyTicket(home));

    await home.goto(eventUrl ?? '');
    await test.step('checks it in', async () => {
      await press(home, home.getByRole('button', { name: 'I am an Attendant' }));
      await type(home, home.getByLabel('Attendant Code'), attendantCode);
      await home.keyboard.press('Enter');
      await type(home, home.getByLabel('Confirmation Code'), number);
      await home.keyboard.press('Enter');
      await expect(home.getByRole('main').getByRole('status')).toContainText('Let them in: Floor.');
    });
  });

  test('the first Tab offers to skip to the content, with visible focus', async ({ browser, product }) => {
    const page = await openPage(browser, product);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

    await page.keyboard.press('Tab');
    const focused = page.locator(':focus-visible');
    await expect(focused).toHaveAccessibleName(/skip/i);
    await expect(focused).toBeInViewport();
  });
});

async function register(page: Page, product: Product, email: string): Promise<void> {
  await page.goto('/');
  await press(page, page.getByRole('button', { name: 'Open navigation' }));
  await press(page, page.getByRole('dialog').getByRole('link', { name: 'Register' }));
  await type(page, page.getByLabel('Email'), email);
  await type(page, page.getByLabel('Password', { exact: true }), PASSWORD);
  await type(page, page.getByLabel('Confirm Password', { exact: true }), PASSWORD);
  await tabTo(page, page.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await press(page, page.getByRole('button', { name: 'Register' }));
  await page.waitForURL(/\/profile/);

  await page.goto(linkIn(await emailTo(product, email, /verify/i), '/verify-email'));
  await page.waitForURL(/\/profile/);
}

async function completeOnboarding(page: Page): Promise<void> {
  await press(page, page.getByRole('button', { name: 'Update Info' }));
  const form = page.getByRole('dialog', { name: 'Account Information' });
  await type(page, form.getByLabel('First name'), 'Kim');
  await type(page, form.getByLabel('Last name'), 'Keys');
  await type(page, form.getByLabel('Date of birth'), '05171990');
  await type(page, form.getByLabel('Phone number'), '212 555 0142');
  await type(page, form.getByLabel('Organization name'), 'Keys Only');
  await type(page, form.getByLabel('Organization bio'), 'Nobody here owns a mouse.');
  await tabTo(page, form.getByLabel('Tax ID type'));
  await page.keyboard.press('ArrowDown');
  await type(page, form.getByLabel('SSN/ITIN', { exact: true }), '123456789');
  await press(page, form.getByRole('button', { name: 'Save' }));
  await press(page, page.getByRole('dialog', { name: 'Info Updated' }).getByRole('button', { name: 'Done' }));

  await press(page, page.getByRole('button', { name: 'Connect with Stripe' }));
  await page.waitForURL(/\/sandbox\/connect\//);
  await press(page, page.getByRole('button', { name: /^complete/i }).first());
  await page.waitForURL(/\/profile/);
}

/** Returns the attendant code. */
async function createEvent(page: Page): Promise<string> {
  await press(page, page.getByRole('button', { name: 'Create Event' }).first());
  const form = page.getByRole('dialog', { name: 'Create Event' });
  await type(page, form.getByLabel('Title'), TITLE);
  await type(page, form.getByLabel('Description').first(), 'Nine horns, eighty-eight keys.');
  await type(page, form.getByLabel('Participants'), '88');
  await typeTime(page, form.getByLabel('Start date and time'), 7);
  await typeTime(page, form.getByLabel('End date and time'), 9);
  await type(page, form.getByLabel('Street'), '178 Bleecker St');
  await type(page, form.getByLabel('City'), 'New York');
  await type(page, form.getByLabel('State'), 'NY');
  await type(page, form.getByLabel('Postal code'), '10012');
  await expect(form.getByLabel('Latitude')).toHaveValue(/^40\.7/);
  await type(page, form.getByLabel('Name', { exact: true }), 'Floor');
  await type(page, form.getByLabel('Price'), '25');
  await type(page, form.getByLabel('Quantity'), '20');
  await type(page, form.getByRole('listitem').getByLabel('Description'), 'Standing');
  await press(page, form.getByRole('button', { name: 'Create Event' }));

  const created = page.getByRole('dialog', { name: 'Event Created' });
  await expect(created).toContainText(/[0-9A-HJKMNP-TV-Z]{10}/);
  const code = /[0-9A-HJKMNP-TV-Z]{10}/.exec(await created.innerText())?.[0] ?? '';
  await press(page, created.getByRole('button', { name: 'Done' }));
  return code;
}

/** Types an evening next summer. The year field takes six digits, so an arrow key leaves it. */
async function typeTime(page: Page, field: Locator, hour: number): Promise<void> {
  await type(page, field, `0615${new Date().getFullYear() + 1}`);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type(`0${hour}00P`);
}

/** Returns the confirmation number. */
async function buyTicket(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Add to Cart' }).first());
  await press(page, page.getByRole('button', { name: 'Checkout' }).first());
  await page.waitForURL(/\/sandbox\/pay\//);

  await type(page, page.getByLabel('Email'), `keys-buyer-${Date.now()}@example.com`);
  await type(page, page.getByLabel('Card number'), '4242424242424242');
  await type(page, page.getByLabel('Expiration date'), '1234');
  await type(page, page.getByLabel('Security code'), '123');
  await type(page, page.getByLabel(/^Name/), 'Kim Keys');
  await page.keyboard.press('Enter');

  await page.waitForURL(/\/success\?session_id=/);
  await expect(ticketCodes(page)).toHaveCount(1);
  const name = await ticketCodes(page).getAttribute('aria-label');
  return /\d{10}/.exec(name ?? '')?.[0] ?? '';
}
