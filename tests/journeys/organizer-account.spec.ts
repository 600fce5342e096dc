/** The organizer's profile: account, forms, Stripe onboarding and the affiliate program. */
import type { Page } from '@playwright/test';
import { saveAccountInfo } from '#contract/app/accounts.ts';
import { taxIdText } from '#messages/records/top-bar.ts';
import { accountInfo } from '#tests/support/people.ts';
import { expect, expectReadable, test } from './journey.ts';
import {
  browserOf,
  callsOf,
  closeWindows,
  delayCall,
  dialogOf,
  expectFallback,
  expectToasts,
  failing,
  fillIn,
  newAccount,
  openProfile,
  press,
  putOnSale,
  readyOrganizer,
  verifiedAccount,
} from './organizer-page.ts';

const INCOMPLETE = 'You need to complete onboarding to access all features.';
const account = (page: Page) => page.getByRole('region', { name: 'Account' });

test.afterEach(({ browser }) => closeWindows({ browser }));

test.describe('The profile', () => {
  test('shows a placeholder while it loads [PROF-1]', async ({ browser, product }) => {
    const page = await browserOf(await newAccount(product), browser, product);
    const release = await delayCall(page, '/api/protected/profile');
    await page.goto('/profile');
    const picture = page.getByRole('img', { name: 'Loading' });
    await expect(picture).toBeVisible();
    release();
    await expect(account(page)).toBeVisible();
    await expect(picture).toHaveCount(0);
  });

  test('says why loading failed [PROF-5]', async ({ browser, product }) => {
    const page = await browserOf(await newAccount(product), browser, product);
    for (const [failure, reason] of [
      ['unanswered', 'Unknown error'],
      [{ msg: 'We are full.' }, 'We are full.'],
    ] as const)
      await failing(page, '/api/protected/profile', failure, async () => {
        await page.goto('/profile');
        await expectToasts(page, [`Error fetching profile: ${reason}`]);
      });
  });

  test('warns a new account, and its button flashes until the organization has a name [PROF-2 PROF-3 EVT-1]', async ({
    browser,
    product,
  }) => {
    const organizer = await verifiedAccount(product);
    const page = await browserOf(organizer, browser, product, { reducedMotion: 'no-preference' });
    await openProfile(page);
    await expect(page.getByText(INCOMPLETE, { exact: true })).toBeVisible();
    await expect(account(page).getByText(organizer.email)).toBeVisible();
    await expect(account(page).getByRole('link', { name: 'Change Email' })).toHaveAttribute('href', '/change-email');
    for (const name of ['Connect Stripe', 'Stripe Dashboard', 'Affiliate Program', 'Logout'])
      await expect(account(page).getByRole('button', { name, exact: true })).toBeVisible();
    await expect(page.getByText('No events found', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Create Event', exact: true })).toBeVisible();
    const flashes = () =>
      page
        .getByRole('button', { name: 'Update Info', exact: true })
        .evaluate((button) => button.parentElement !== null && getComputedStyle(button.parentElement).animationName);
    expect(await flashes()).not.toBe('none');

    await press(page, 'Update Info');
    await fillIn(dialogOf(page, 'Account Information'), details);
    await fillIn(dialogOf(page, 'Account Information'), { companyTIN: '12-3456789' });
    await press(page, 'Save');
    await press(page, 'Done');
    await expect(account(page).getByText('Cooperage Nights')).toBeVisible();
    await expect(account(page).getByText('Live music in a barrel factory.')).toBeVisible();
    await expect(page.getByText(INCOMPLETE, { exact: true })).toHaveCount(0);
    expect(await flashes()).toBe('none');
  });

  test('opens one form at a time, and closing it discards its state [PROF-4]', async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    await putOnSale(product, organizer);
    const page = await browserOf(organizer, browser, product);
    let loads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/protected/profile')) loads += 1;
    });
    await openProfile(page);
    const dialogs = page.getByRole('dialog');
    for (const [button, title] of [
      ['Create Event', 'Create Event'],
      ['Edit Event', 'Edit Event'],
      ['Update Info', 'Account Information'],
    ] as const) {
      await press(page, button);
      await expect(dialogs).toHaveCount(1);
      await expect(dialogOf(page, title)).toBeVisible();
      // The page behind the dialog is inert, so no second form can open.
      await expect(page.locator('#root')).toHaveAttribute('inert');
      await press(page, 'Close');
      await expect(dialogs).toHaveCount(0);
    }

    await press(page, 'Update Info');
    await press(page, taxIdText.change);
    const before = loads;
    await fillIn(dialogOf(page, 'Account Information'), { companyTIN: '12-3456789' });
    await press(page, 'Save');
    await expect(dialogOf(page, 'Info Updated')).toBeVisible();
    await expect(dialogs).toHaveCount(1);
    expect(loads).toBe(before + 1);
    await press(page, 'Close');
    await press(page, 'Update Info');
    await expect(dialogOf(page, 'Account Information')).toBeVisible();
  });

  test('sends the session and the CSRF token with its calls [PROF-8]', async ({ browser, product }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openProfile(page);
    const calls = callsOf(page);
    await press(page, 'Affiliate Program');
    await press(page, 'Generate Code');
    await expectToasts(page, ['Code Generated']);
    const cookies = await page.context().cookies();
    const valueOf = (wanted: string) => cookies.find(({ name }) => name === wanted)?.value;
    expect(valueOf('XSRF-TOKEN')).toBeTruthy();
    expect(calls[0]?.headers).toMatchObject({ 'x-xsrf-token': valueOf('XSRF-TOKEN') });
    await page.context().clearCookies({ name: 'session' });
    await page.context().clearCookies({ name: 'token' });
    await page.goto('/profile');
    await page.waitForURL('/login');
  });
});

test.describe('Stripe', () => {
  test('redirects to its onboarding, or says why not [PROF-6]', async ({ browser, product }) => {
    const organizer = await verifiedAccount(product);
    await organizer.visitor.call(saveAccountInfo, accountInfo);
    const page = await browserOf(organizer, browser, product);
    await openProfile(page);
    const path = '/api/protected/create-account-link';
    const setUp = () => press(page, 'Connect Stripe');
    await expectFallback(page, path, setUp, 'Error creating account link: Unknown error');
    await failing(page, path, { msg: 'Closed today.' }, async () => {
      await setUp();
      await expectToasts(page, ['Error creating account link: Closed today.']);
    });
    const calls = callsOf(page);
    await setUp();
    await page.waitForURL(/\/sandbox\/connect\//);
    expect(calls.map(({ address }) => address)).toEqual([`POST ${path}`]);
  });

  test('redirects to its dashboard, or says why not [PROF-7]', async ({ browser, product }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openProfile(page);
    const path = '/api/protected/create-login-link';
    const openDashboard = () => press(page, 'Stripe Dashboard');
    await expectFallback(page, path, openDashboard, 'Error creating login link: Unknown error');
    await failing(page, path, { msg: 'Closed today.' }, async () => {
      await openDashboard();
      await expectToasts(page, ['Error creating login link: Closed today.']);
    });
    await openDashboard();
    await page.waitForURL(/\/sandbox\/express\//);
    await expect(page.getByRole('heading', { name: 'Your payouts' })).toBeVisible();
  });
});

const details = {
  firstName: 'Ada',
  lastName: 'Cooper',
  dateOfBirth: '1990-04-12',
  phoneNumber: '+1 (718) 555-0134',
  organizationName: 'Cooperage Nights',
  organizationBio: 'Live music in a barrel factory.',
  organizationType: 'company',
};

test.describe('Account information', () => {
  test('shows a toast per broken rule and sends nothing [INFO-1 INFO-2 INFO-3 INFO-4 INFO-5 INFO-6]', async ({
    browser,
    product,
  }) => {
    const page = await browserOf(await newAccount(product), browser, product);
    await openProfile(page);
    const calls = callsOf(page);
    await press(page, 'Update Info');
    const form = dialogOf(page, 'Account Information');
    await press(page, 'Save');
    await expectToasts(page, [
      'First name is required',
      'Last name is required',
      'Date of birth is required',
      'Phone number is required',
      'Organization name is required',
      'Organization bio is required',
      'Please choose a tax ID type',
    ]);

    await fillIn(form, {
      firstName: 'x'.repeat(51),
      lastName: 'x'.repeat(51),
      dateOfBirth: `${new Date().getFullYear() - 17}-01-01`,
      phoneNumber: '555-CALL',
      organizationName: 'x'.repeat(51),
      organizationBio: 'x'.repeat(501),
      organizationType: 'individual',
    });
    await expect(form.locator('[name="individualTIN"]')).toBeVisible();
    await expect(form.locator('[name="companyTIN"]')).toHaveCount(0);
    await press(page, 'Save');
    await expectToasts(page, [
      'First name must be 50 characters or less',
      'Last name must be 50 characters or less',
      'You must be at least 18 years old',
      'Phone number can only contain numbers and valid symbols (+, -, (), space)',
      'Organization name must be 50 characters or less',
      'Organization bio must be 500 characters or less',
      'SSN/ITIN must be 9 digits',
    ]);

    await fillIn(form, details);
    await expect(form.locator('[name="companyTIN"]')).toBeVisible();
    await expect(form.locator('[name="individualTIN"]')).toHaveCount(0);
    await press(page, 'Save');
    await expectToasts(page, ['EIN must be 9 digits']);
    expect(calls).toEqual([]);
  });

  test('sends and stores valid input, and says why a request failed [INFO-1 INFO-7]', async ({ browser, product }) => {
    const page = await browserOf(await verifiedAccount(product), browser, product);
    await openProfile(page);
    await press(page, 'Update Info');
    const form = dialogOf(page, 'Account Information');
    await fillIn(form, details);
    await fillIn(form, { companyTIN: '12-3456789' });
    const path = '/api/protected/accountInfo';
    await expectFallback(page, path, () => press(page, 'Save'), 'Submission failed: Unknown error');
    await failing(page, path, { msg: 'Not today.' }, async () => {
      await press(page, 'Save');
      await expectToasts(page, ['Submission failed: Not today.']);
    });
    const calls = callsOf(page);
    await press(page, 'Save');
    await expect(dialogOf(page, 'Info Updated')).toBeVisible();
    expect(calls).toMatchObject([{ address: `POST ${path}`, body: { ...details, companyTIN: '12-3456789' } }]);
  });

  test('keeps birth date and tax ID on file, and asks for them only on request [INFO-6 WORK-8]', async ({
    browser,
    product,
  }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openProfile(page);
    const calls = callsOf(page);
    const open = () => press(page, 'Update Info');
    const save = async () => {
      await press(page, 'Save');
      await dialogOf(page, 'Info Updated').getByRole('button', { name: 'Done' }).click();
    };
    const form = dialogOf(page, 'Account Information');
    const taxId = form.getByLabel('EIN', { exact: true });

    await open();
    await expect(form.getByText(taxIdText.onFile('company', '6789'))).toBeVisible();
    await expect(form.getByLabel('Date of birth')).toHaveCount(0);
    await expect(taxId).toHaveCount(0);
    await fillIn(form, { organizationBio: 'Louder.' });
    await save();
    expect(calls.at(-1)?.body).toMatchObject({ organizationBio: 'Louder.', organizationType: 'company' });
    expect(calls.at(-1)?.body).not.toHaveProperty('companyTIN');

    await open();
    await press(page, taxIdText.change);
    await expect(form.getByLabel('Tax ID type')).toBeFocused();
    await expect(taxId).toHaveAccessibleDescription('On file: ••6789. Leave blank to keep it.');
    await taxId.fill('98-7654321');
    await save();
    await open();
    await expect(form.getByText(taxIdText.onFile('company', '4321'))).toBeVisible();
    await press(page, taxIdText.change);

    await fillIn(form, { organizationType: 'individual' });
    await press(page, 'Save');
    await expectToasts(page, ['SSN/ITIN must be 9 digits']);
    await expectReadable(page);
  });
});

test.describe('The affiliate program', () => {
  test('sells one unused code at a time for a token [AFF-1]', async ({ browser, product }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product);
    await openProfile(page);
    await press(page, 'Affiliate Program');
    const dialog = dialogOf(page, 'Affiliate Program');
    await expect(dialog.getByText(INCOMPLETE)).toHaveCount(0);
    const fact = (name: string) => dialog.locator('dl > div').filter({ hasText: name }).locator('dd');
    await expect(fact('Tokens')).toHaveText('3');
    await expect(fact('Your code')).toHaveText('No unused code');
    const generate = () => press(page, 'Generate Code');
    await expectFallback(page, '/api/protected/generate-code', generate, 'Generation failed: Unknown error');
    await generate();
    await expectToasts(page, ['Code Generated']);
    await expect(fact('Tokens')).toHaveText('2');
    await expect(fact('Your code')).toHaveText(/^\w{6,}$/);
    await generate();
    await expectToasts(page, ["Generation failed: Your last code hasn't been used yet."]);
  });

  test('needs a completed onboarding, in the dialog and on the server', async ({ browser, product }) => {
    const page = await browserOf(await newAccount(product), browser, product);
    await openProfile(page);
    await press(page, 'Affiliate Program');
    const dialog = dialogOf(page, 'Affiliate Program');
    await expect(dialog.getByText(INCOMPLETE)).toBeVisible();

    await press(page, 'Generate Code');
    await expectToasts(page, [`Generation failed: ${INCOMPLETE}`]);
    await expect(dialog.getByText('No unused code')).toBeVisible();
  });
});
