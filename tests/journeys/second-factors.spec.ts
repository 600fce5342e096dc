/** Authenticator apps, passkeys and recovery codes, with Chromium's virtual authenticator. */
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { TOTP_SECONDS } from '#domain/accounts/factors.ts';
import { appSetUp, factorList, factorLogin, passkeySetUp, recoveryCodeList } from '#messages/accounts/factors.ts';
import { reauthentication } from '#messages/accounts.ts';
import { errorText } from '#messages/errors.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { expect, expectAccessible, withOwnProduct } from './journey.ts';
import {
  browserOf,
  dialogOf,
  expectToasts,
  fillIn,
  newWindow,
  PASSWORD,
  press,
  verifiedAccount,
} from './organizer-page.ts';
import { logIn, signUp } from './organizer-steps.ts';

/** One person enters more codes here than are allowed within five minutes. */
const test = withOwnProduct({ RATE_LIMIT_SCALE: '0' });

const codeOf = (key: string, at: number) => TOTP.generate({ secret: Secret.fromBase32(key), timestamp: at });

/** A phone with a fingerprint reader, in this browser. */
async function plugInAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { remove: () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }) };
}

async function enterPassword(page: Page, email: string) {
  await page.goto('/login');
  await fillIn(page.locator('form'), { email, password: PASSWORD });
  await press(page, 'Login');
  await expect(page.getByRole('heading', { name: factorLogin.title })).toBeVisible();
}

const codes = (page: Page) => dialogOf(page, recoveryCodeList.title).getByRole('listitem');

/** Scans the picture with another phone, as an authenticator app does. */
async function addApp(page: Page): Promise<string> {
  await press(page, factorList.addApp);
  const dialog = dialogOf(page, appSetUp.title);
  const picture = dialog.getByRole('img', { name: appSetUp.qr });
  await expect(picture).toBeVisible();
  await expectAccessible(page);
  const [{ text: uri } = { text: '' }] = await readQr(await picture.screenshot());
  const key = new URL(uri).searchParams.get('secret') ?? '';
  expect((await dialog.locator('code').textContent())?.replaceAll(' ', '')).toBe(key);

  await fillIn(dialog, { code: '000000' });
  await press(dialog, appSetUp.confirm);
  await expectToasts(page, [errorText('auth.factor-refused')]);
  await fillIn(dialog, { code: codeOf(key, Date.now()) });
  await press(dialog, appSetUp.confirm);
  await expectToasts(page, [appSetUp.done]);
  await expect(codes(page)).toHaveCount(10);
  return key;
}

test('an authenticator app: sign up, log in, lose the phone, recover [AUTH-6]', async ({ browser, product }) => {
  const email = 'authenticator@example.com';
  const page = await newWindow(browser, product);
  await signUp(page, product, email);
  await logIn(page, email);
  await page.goto('/organization/security');
  await expect(page.getByText(factorList.none)).toBeVisible();
  const key = await addApp(page);
  await expectAccessible(page);
  const [recoveryCode = ''] = await codes(page).allTextContents();
  await press(dialogOf(page, recoveryCodeList.title), recoveryCodeList.done);
  await expect(page.getByRole('table', { name: factorList.caption })).toContainText(factorList.kinds.totp);

  const elsewhere = await newWindow(browser, product);
  await enterPassword(elsewhere, email);
  await expectAccessible(elsewhere);
  await fillIn(elsewhere.locator('form'), { code: codeOf(key, Date.now() + TOTP_SECONDS * 1000) });
  await press(elsewhere, factorLogin.submit);
  await expect(elsewhere).toHaveURL(/\/profile$/);

  const withoutPhone = await newWindow(browser, product);
  await enterPassword(withoutPhone, email);
  await fillIn(withoutPhone.locator('form'), { code: recoveryCode });
  await press(withoutPhone, factorLogin.submit);
  await expect(withoutPhone).toHaveURL(/\/profile$/);
  await withoutPhone.goto('/organization/security');
  await press(withoutPhone, factorList.removeLabel(factorList.kinds.totp));
  await expectToasts(withoutPhone, [factorList.removed]);
  await expect(withoutPhone.getByText(factorList.none)).toBeVisible();

  const newKey = await addApp(withoutPhone);
  const withNewPhone = await newWindow(browser, product);
  await enterPassword(withNewPhone, email);
  for (const [code, isRight] of [
    [codeOf(key, Date.now()), false],
    [codeOf(newKey, Date.now() + TOTP_SECONDS * 1000), true],
  ] as const) {
    await fillIn(withNewPhone.locator('form'), { code });
    await press(withNewPhone, factorLogin.submit);
    await (isRight
      ? expect(withNewPhone).toHaveURL(/\/profile$/)
      : expectToasts(withNewPhone, [errorText('auth.factor-invalid')]));
  }
});

test('a passkey: sign up, log in with it, lose the phone, recover [AUTH-6]', async ({ browser, product }) => {
  const email = 'passkey@example.com';
  const page = await newWindow(browser, product);
  await signUp(page, product, email);
  await logIn(page, email);
  const authenticator = await plugInAuthenticator(page);
  await page.goto('/organization/security');
  await press(page, factorList.addPasskey);
  const dialog = dialogOf(page, passkeySetUp.title);
  await expectAccessible(page);
  await fillIn(dialog, { name: 'My laptop' });
  await press(dialog, passkeySetUp.create);
  await expectToasts(page, [passkeySetUp.done]);
  await expect(codes(page)).toHaveCount(10);
  const [recoveryCode = ''] = await codes(page).allTextContents();
  await press(dialogOf(page, recoveryCodeList.title), recoveryCodeList.done);
  await expect(page.getByRole('table', { name: factorList.caption })).toContainText('My laptop');

  await press(page, factorList.addPasskey);
  await press(dialog, passkeySetUp.create);
  await expectToasts(page, [passkeySetUp.known]);
  await press(dialog, passkeySetUp.cancel);

  await page.context().clearCookies();
  await enterPassword(page, email);
  await expectAccessible(page);
  await press(page, factorLogin.usePasskey);
  await expect(page).toHaveURL(/\/profile$/);

  await page.context().clearCookies();
  await page.goto('/login');
  await press(page, factorLogin.withPasskey);
  await expect(page).toHaveURL(/\/profile$/);

  await authenticator.remove();
  await plugInAuthenticator(page);
  await page.context().clearCookies();
  await enterPassword(page, email);
  await press(page, factorLogin.usePasskey);
  await expect(page.getByRole('button', { name: factorLogin.usePasskey })).toBeEnabled();
  await expect(page).toHaveURL(/\/login$/);

  await fillIn(page.locator('form'), { code: recoveryCode });
  await press(page, factorLogin.submit);
  await expect(page).toHaveURL(/\/profile$/);
  await page.goto('/organization/security');
  await press(page, factorList.removeLabel('My laptop'));
  await expectToasts(page, [factorList.removed]);
  await press(page, factorList.addPasskey);
  await fillIn(dialog, { name: 'My new phone' });
  await press(dialog, passkeySetUp.create);
  await expectToasts(page, [passkeySetUp.done]);
  await expect(page.getByRole('table', { name: factorList.caption })).toContainText('My new phone');

  await page.context().clearCookies();
  await page.goto('/login');
  await press(page, factorLogin.withPasskey);
  await expect(page).toHaveURL(/\/profile$/);
});

test('a passkey confirms who is there instead of the password [AUTH-8]', async ({ browser, product, db }) => {
  const account = await verifiedAccount(product);
  const page = await browserOf(account, browser, product);
  await plugInAuthenticator(page);
  await page.goto('/organization/security');
  await press(page, factorList.addPasskey);
  await press(dialogOf(page, passkeySetUp.title), passkeySetUp.create);
  await press(dialogOf(page, recoveryCodeList.title), recoveryCodeList.done);
  await db
    .updateTable('sessions')
    .set({ reauthenticatedAt: new Date(0) })
    .execute();

  await press(page, factorList.renewCodes);
  const dialog = dialogOf(page, reauthentication.title);
  await expect(dialog.getByRole('button', { name: reauthentication.usePasskey })).toBeVisible();
  await expectAccessible(page);
  await press(dialog, reauthentication.usePasskey);

  await expect(codes(page)).toHaveCount(10);
});

test('an organization requires a second factor of its members [AUTH-7]', async ({ browser, product }) => {
  const account = await verifiedAccount(product);
  const page = await browserOf(account, browser, product);
  await page.goto('/organization/security');
  await press(page, factorList.requireOfAll);
  await expectToasts(page, [factorList.nowRequired]);
  await expect(page.getByText(factorList.required)).toBeVisible();

  await page.goto('/profile');

  await expect(page).toHaveURL(/\/organization\/security$/);
  await expect(page.getByText(factorList.required)).toBeVisible();
});
