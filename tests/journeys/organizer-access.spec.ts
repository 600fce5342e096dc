/** Account access: registration, login, password reset and email changes. */
import type { Page } from '@playwright/test';
import { emailTo, expect, linkIn, test } from './journey.ts';
import {
  browserOf,
  callsOf,
  closeWindows,
  delayCall,
  expectFallback,
  expectToasts,
  failing,
  fillIn,
  newAccount,
  newWindow,
  openProfile,
  PASSWORD,
  press,
  putOnSale,
  readyOrganizer,
  verifiedAccount,
} from './organizer-page.ts';

const LONG = 'x'.repeat(301);
const LONG_EMAIL = `${'x'.repeat(290)}@example.com`;
const REDIRECTING = 'Redirecting... If you are not redirected finish setting up your account on the profile page.';

const formOf = (page: Page) => page.locator('main form');

test.afterEach(({ browser }) => closeWindows({ browser }));

test.describe('Registering', () => {
  const account = (email: string) => ({ email, password: PASSWORD, confirmPassword: PASSWORD });

  test('shows a toast per broken rule and sends nothing [REG-1 REG-4 REG-5 REG-6 REG-7 NAV-7]', async ({
    browser,
    product,
  }) => {
    const page = await newWindow(browser, product);
    await page.goto('/register');
    const calls = callsOf(page);
    await fillIn(formOf(page), { email: LONG_EMAIL, password: LONG, confirmPassword: 'another' });
    await press(page, 'Register');
    await expectToasts(page, [
      'Email must be 300 characters or less.',
      'Password and Confirm Password must be 300 characters or less.',
      'Passwords do not match.',
      'Please accept the terms and conditions.',
    ]);

    await fillIn(formOf(page), { email: 'ada@example.com', password: PASSWORD, confirmPassword: LONG });
    await page.getByRole('checkbox').check();
    await press(page, 'Register');
    await expectToasts(page, [
      'Password and Confirm Password must be 300 characters or less.',
      'Passwords do not match.',
    ]);

    await fillIn(formOf(page), { confirmPassword: `${PASSWORD}!` });
    await press(page, 'Register');
    await expectToasts(page, ['Passwords do not match.']);
    expect(calls).toEqual([]);
  });

  test('announces the redirect to the address that the server returns in a dialog [REG-2 REG-3]', async ({
    browser,
    product,
  }) => {
    const page = await newWindow(browser, product);
    const email = `sign-up-${Date.now()}@example.com`;
    await page.goto('/register');
    const calls = callsOf(page);
    await fillIn(formOf(page), account(email));
    await page.getByRole('checkbox').check();
    await press(page, 'Register');
    await expect(page.getByRole('dialog').getByText(REDIRECTING, { exact: true })).toBeVisible();
    await page.waitForURL('/profile');
    await expect(page.getByRole('heading', { name: 'Your events' })).toBeVisible();
    expect(calls.slice(0, 1)).toMatchObject([
      {
        address: 'POST /api/public/register',
        body: { ...account(email), acceptedTerms: true, honeypot: '' },
      },
    ]);
  });

  test('shows the reason of an error, or a fallback [REG-8]', async ({ browser, product }) => {
    const { email } = await newAccount(product);
    const page = await newWindow(browser, product);
    await page.goto('/register');
    await fillIn(formOf(page), account(email));
    await page.getByRole('checkbox').check();
    await press(page, 'Register');
    await expectToasts(page, ['An account with this email already exists.']);
    await expectFallback(page, '/api/public/register', () => press(page, 'Register'), 'Registration failed.');
  });

  test('denies an account to a bot that fills the hidden field [REG-1 REG-7]', async ({ browser, product }) => {
    const page = await newWindow(browser, product);
    const email = `robot-${Date.now()}@example.com`;
    await page.goto('/register');
    await fillIn(formOf(page), account(email));
    await expect(page.getByRole('textbox', { name: 'Leave this empty' })).toHaveCount(0);
    await page.locator('[name="honeypot"]').evaluate((field: HTMLInputElement) => (field.value = 'buy pills'));
    await page.getByRole('checkbox').check();
    await press(page, 'Register');
    await page.waitForURL('/login');
    await fillIn(formOf(page), { email, password: PASSWORD });
    await press(page, 'Login');
    await expectToasts(page, ['Invalid email or password.']);
  });
});

test.describe('Logging in and out', () => {
  test('does not send an empty or too long email or password [LOGIN-5]', async ({ browser, product }) => {
    const page = await newWindow(browser, product);
    await page.goto('/login');
    const calls = callsOf(page);
    await press(page, 'Login');
    await expectToasts(page, ['Email is required.', 'Password is required.']);
    await fillIn(formOf(page), { email: LONG_EMAIL, password: LONG });
    await press(page, 'Login');
    await expectToasts(page, ['Email must be 300 characters or less.', 'Password must be 300 characters or less.']);
    expect(calls).toEqual([]);
  });

  test('can show and hide the password, and has two links [LOGIN-1]', async ({ browser, product }) => {
    const page = await newWindow(browser, product);
    await page.goto('/login');
    await fillIn(formOf(page), { password: PASSWORD });
    const password = page.locator('[name="password"]');
    await expect(password).toHaveAttribute('type', 'password');
    await press(page, 'Show Password');
    await expect(password).toHaveAttribute('type', 'text');
    await expect(password).toHaveValue(PASSWORD);
    await press(page, 'Show Password');
    await expect(password).toHaveAttribute('type', 'password');
    await expect(page.getByRole('textbox', { name: 'Leave this empty' })).toHaveCount(0);
    for (const path of ['/register', '/forgot-password'])
      await expect(page.getByRole('main').locator(`a[href="${path}"]`)).toBeVisible();
  });

  test('shows the reason of an error, or a fallback, when logging in [LOGIN-6]', async ({ browser, product }) => {
    const page = await newWindow(browser, product);
    await page.goto('/login');
    await fillIn(formOf(page), { email: 'nobody@example.com', password: PASSWORD });
    await press(page, 'Login');
    await expectToasts(page, ['Invalid email or password.']);
    await expectFallback(page, '/api/protected/login', () => press(page, 'Login'), 'Login failed.');
  });

  test('stores a token and replaces the form in the history [LOGIN-2 LOGIN-3 LOGIN-4]', async ({
    browser,
    product,
  }) => {
    const { email } = await newAccount(product);
    const page = await newWindow(browser, product);
    await page.goto('/forgot-password');
    await page.getByRole('main').getByRole('link', { name: 'Back to login' }).click();
    await page.waitForURL('/login');
    const calls = callsOf(page);
    await fillIn(formOf(page), { email, password: PASSWORD });
    await press(page, 'Login');
    await page.waitForURL('/profile');
    expect(calls[0]).toMatchObject({
      address: 'POST /api/protected/login',
      body: { email, password: PASSWORD, honeypot: '' },
    });
    const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? '';
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    expect(JSON.parse(claims)).toMatchObject({ isAdmin: false });
    expect(await page.evaluate(() => document.cookie)).toContain(`token=${token}`);
    await page.goBack();
    await page.waitForURL('/forgot-password');
  });

  test('ends the session, or says why not [LOGIN-7]', async ({ browser, product }) => {
    const page = await browserOf(await newAccount(product), browser, product);
    await openProfile(page);
    const path = '/api/protected/logout';
    await failing(page, path, { msg: 'The server is tired.' }, async () => {
      await press(page, 'Logout');
      await expectToasts(page, ['Logout failed: The server is tired.']);
    });
    await expectFallback(page, path, () => press(page, 'Logout'), 'Logout failed: Unknown error');
    const token = await page.context().cookies();
    await press(page, 'Logout');
    await page.waitForURL('/login');
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('token');
    await page.context().addCookies(token);
    await page.goto('/profile');
    await page.waitForURL('/login');
  });

  test('leads back to the page that asked for it [LOGIN-8]', async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer);
    const page = await newWindow(browser, product);
    const address = `/events/${eventId}/guests?state=refunded`;
    await page.goto(address);
    await page.waitForURL('/login');
    await fillIn(formOf(page), { email: organizer.email, password: PASSWORD });
    await press(page, 'Login');
    await page.waitForURL(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goBack();
    expect(new URL(page.url()).pathname).not.toBe('/login');
  });
});

test.describe('Forgotten passwords', () => {
  test('requires an email before sending [PASS-1 PASS-2]', async ({ browser, product }) => {
    const page = await newWindow(browser, product);
    await page.goto('/forgot-password');
    const calls = callsOf(page);
    await press(page, 'Reset');
    await expectToasts(page, ['Email is required.']);
    await expect(page.getByRole('textbox', { name: 'Leave this empty' })).toHaveCount(0);
    await fillIn(formOf(page), { email: LONG_EMAIL });
    await press(page, 'Reset');
    await expectToasts(page, ['Email must be 300 characters or less.']);
    expect(calls).toEqual([]);
    await fillIn(formOf(page), { email: 'nobody@example.com' });
    await press(page, 'Reset');
    await expectToasts(page, ["If there's an account for that email, a reset link is on its way."]);
    expect(calls).toMatchObject([
      { address: 'POST /api/public/forgot-password', body: { email: 'nobody@example.com' } },
    ]);
    await failing(page, '/api/public/forgot-password', { msg: 'Too many rateLimiter.' }, async () => {
      await press(page, 'Reset');
      await expectToasts(page, ['Too many rateLimiter.']);
    });
  });

  test('sets a new password through the emailed link [PASS-3 PASS-4 PASS-5 PASS-6]', async ({ browser, product }) => {
    const { email } = await newAccount(product);
    const page = await newWindow(browser, product);
    await page.goto('/forgot-password');
    await fillIn(formOf(page), { email });
    await press(page, 'Reset');
    const message = await emailTo(product, email, /^Reset your/);
    const link = /https?:\/\/\S+\/reset-password\/\S+/.exec(message.text)?.[0] ?? '';
    await page.goto(link);
    const calls = callsOf(page);

    await fillIn(formOf(page), { newPassword: LONG, confirmNewPassword: 'another' });
    await press(page, 'Reset Password');
    await expectToasts(page, ['Passwords must be 300 characters or less.', 'Passwords do not match.']);
    await fillIn(formOf(page), { newPassword: PASSWORD, confirmNewPassword: LONG });
    await press(page, 'Reset Password');
    await expectToasts(page, ['Passwords must be 300 characters or less.', 'Passwords do not match.']);
    expect(calls).toEqual([]);

    for (const label of ['New Password', 'Confirm New Password']) {
      const field = page.getByLabel(label, { exact: true });
      await press(page, `Show ${label}`);
      await expect(field).toHaveAttribute('type', 'text');
      await press(page, `Show ${label}`);
      await expect(field).toHaveAttribute('type', 'password');
    }

    const passwords = { newPassword: 'a brand new secret', confirmNewPassword: 'a brand new secret' };
    await fillIn(formOf(page), passwords);
    const failed = 'An error occurred. Please try again.';
    await expectFallback(page, '/api/public/reset-password/*', () => press(page, 'Reset Password'), failed);
    await failing(page, '/api/public/reset-password/*', { msg: 'This link is not valid.' }, async () => {
      await press(page, 'Reset Password');
      await expectToasts(page, [failed]);
    });

    const release = await delayCall(page, '/api/public/reset-password/*');
    await press(page, 'Reset Password');
    await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible();
    release();
    await expect(page.getByRole('main').getByText('Password has been successfully reset.')).toBeVisible();
    await expectToasts(page, ['Password has been successfully reset.']);
    expect(calls.at(-1)).toMatchObject({ address: `POST /api/public${new URL(link).pathname}`, body: passwords });
  });
});

test.describe('Verifying and changing the email', () => {
  test('verifies with the emailed link, and says so without one or with a wrong one [MAIL-1 MAIL-2]', async ({
    browser,
    product,
  }) => {
    const { email } = await newAccount(product);
    const message = await emailTo(product, email, /^Verify your email/);
    const page = await newWindow(browser, product);
    const failed = page.getByText('Email verification failed. Please try again.');
    await page.goto('/verify-email');
    await expect(page.getByText('No token found in the URL.')).toBeVisible();
    await page.goto('/verify-email?token=wrong');
    await expect(failed).toBeVisible();
    for (const failure of ['speechless', 'unanswered'] as const)
      await failing(page, '/api/public/verify-email?*', failure, async () => {
        await page.goto(`/verify-email?token=${failure}`);
        await expect(failed).toBeVisible();
      });
    await page.goto(linkIn(message, '/verify-email'));
    await expect(page.getByText('Your email is verified.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to login' })).toBeVisible();
  });

  test('continues to the profile for a logged-in organizer [MAIL-1]', async ({ browser, product }) => {
    const account = await newAccount(product);
    const message = await emailTo(product, account.email, /^Verify your email/);
    const page = await browserOf(account, browser, product);
    await page.goto(linkIn(message, '/verify-email'));
    await expect(page).toHaveURL(/\/profile$/);
    await expectToasts(page, ['Your email is verified.']);
    await expect(page.getByRole('heading', { name: 'Your events' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send the link again' })).toHaveCount(0);
  });

  test('validates a new address, and uses it once its button is pressed [MAIL-3 MAIL-4 AUTH-10]', async ({
    browser,
    product,
  }) => {
    const page = await browserOf(await newAccount(product), browser, product);
    const newEmail = `moved-${Date.now()}@example.com`;
    await page.goto('/change-email');
    const calls = callsOf(page);
    const field = page.getByLabel('New Email');
    await expect(field).toHaveAttribute('type', 'email');
    await expect(page.locator('[name="honeypot"]')).toHaveCount(1);
    await field.fill(LONG_EMAIL);
    await press(page, 'Change Email');
    await expectToasts(page, ['Email must be 300 characters or less.']);
    await field.fill('not an address');
    await press(page, 'Change Email');
    await expectToasts(page, ['Email must be a valid email address.']);
    expect(calls).toEqual([]);

    await field.fill(newEmail);
    await failing(page, '/api/protected/change-email', { msg: 'This email is taken.' }, async () => {
      await press(page, 'Change Email');
      await expectToasts(page, ['This email is taken.']);
    });
    await press(page, 'Change Email');
    await expectToasts(page, ['Click the link we sent to your new address. Nothing changes until you do.']);
    expect(calls.at(-1)).toMatchObject({ address: 'POST /api/protected/change-email', body: { newEmail } });
    const message = await emailTo(product, newEmail, /^Confirm your new email/);
    await page.goto(linkIn(message, '/confirm-email-change'));
    await expect(page.getByText('Your email has been changed. Please log in with the new one.')).toHaveCount(0);
    await press(page, 'Use this address');
    await expect(page.getByText('Your email has been changed. Please log in with the new one.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to login' })).toBeVisible();
  });

  test('keeps the old address by its button, and sends a link to a new password [AUTH-9 AUTH-10]', async ({
    browser,
    product,
  }) => {
    const account = await verifiedAccount(product);
    const page = await browserOf(account, browser, product);
    await page.goto('/undo-email-change');
    await expect(page.getByText('No token found in the URL.')).toBeVisible();
    await page.goto('/change-email');
    await page.getByLabel('New Email').fill(`intruder-${Date.now()}@example.com`);
    await press(page, 'Change Email');
    const alert = await emailTo(product, account.email, /^Your Handstamp email is about to change/);

    await page.goto(linkIn(alert, '/undo-email-change'));
    for (const failure of ['speechless', 'unanswered'] as const)
      await failing(page, '/api/public/undo-email-change', failure, async () => {
        await press(page, 'Keep my email');
        await expect(page.getByText("That didn't work. Please try again.")).toBeVisible();
      });
    await press(page, 'Keep my email');
    await expect(page.getByText(/^We've kept your email, logged out every device/)).toBeVisible();

    const reset = await emailTo(product, account.email, /^Reset your Handstamp password/);
    await page.goto(/https?:\/\/\S+\/reset-password\/\S+/.exec(reset.text)?.[0] ?? '');
    const passwords = { newPassword: 'a brand new secret', confirmNewPassword: 'a brand new secret' };
    await fillIn(formOf(page), passwords);
    await press(page, 'Reset Password');
    await expect(page.getByRole('main').getByText('Password has been successfully reset.')).toBeVisible();
  });
});
