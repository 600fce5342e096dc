import { createDecipheriv } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/accounts.ts';
import { accountInfoSaved } from '#messages/accounts.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { outboxOf, verifiedInBrowser } from '#tests/support/verification-emails.ts';

let app: TestApp;
const browser = () => app.visitor({ isBrowser: true });

beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1, runsJobs: false });
});
beforeEach(() => app.db.deleteFrom('rateLimits').execute());
afterAll(() => app.close());

describe('account information', () => {
  const form = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    dateOfBirth: '1990-12-10',
    phoneNumber: '+1 (555) 010-0000',
    organizationName: 'Analytical Events',
    organizationBio: 'We count.',
    organizationType: 'individual',
    individualTIN: '123-45-6789',
  };

  it('is saved, exposing only the last four digits of the tax ID', async () => {
    const organizer = await verifiedOrganizer();

    expect(await organizer.visitor.send(contract.saveAccountInfo, form)).toMatchObject({
      status: 200,
      body: { msg: accountInfoSaved },
    });
    const profile = await organizer.visitor.send(contract.profile, {});
    expect(profile.body).toMatchObject({
      organizationName: 'Analytical Events',
      organizationBio: 'We count.',
      openSteps: ['connect-payouts'],
      accountInfo: { firstName: 'Ada', dateOfBirth: '1990-12-10', organizationType: 'individual', taxIdLast4: '6789' },
    });
    expect(JSON.stringify(profile.body)).not.toMatch(/123-?45-?6|\d-?6789/);
  });

  it('encrypts the tax ID for its owner only', async () => {
    const organizer = await verifiedOrganizer();
    await organizer.visitor.send(contract.saveAccountInfo, form);
    const { organizationId: id, taxIdSealed } = await userOf(organizer.email);

    expect(taxIdSealed?.includes('123456789')).toBe(false);
    expect(decryptTaxId(taxIdSealed, id)).toBe('123456789');
    expect(() => decryptTaxId(taxIdSealed, crypto.randomUUID())).toThrow();
  });

  it('stores the tax ID of the chosen type when both are sent', async () => {
    const organizer = await verifiedOrganizer();
    await organizer.visitor.send(contract.saveAccountInfo, {
      ...form,
      organizationType: 'company',
      companyTIN: '98-7654321',
    });
    const { organizationId: id, taxIdSealed, taxIdLast4 } = await userOf(organizer.email);

    expect(decryptTaxId(taxIdSealed, id)).toBe('987654321');
    expect(taxIdLast4).toBe('4321');
  });

  it.each([
    ['an age under 18', { dateOfBirth: isoDate(18, +2) }, 'You must be at least 18 years old'],
    ['an impossible date', { dateOfBirth: '1990-02-30' }, "Date of birth isn't a valid date"],
    ['a future date', { dateOfBirth: '2999-01-01' }, 'You must be at least 18 years old'],
    ['a date before 1900', { dateOfBirth: '1899-12-31' }, 'You must be at least 18 years old'],
    [
      'letters in the phone number',
      { phoneNumber: '555-CALL' },
      'Phone number can only contain numbers and valid symbols (+, -, (), space)',
    ],
    ['a missing birth date', { dateOfBirth: undefined }, 'Date of birth is required'],
    ['a missing tax ID', { individualTIN: undefined }, 'SSN/ITIN must be 9 digits'],
    ['a missing tax ID type', { organizationType: undefined }, 'Please choose a tax ID type'],
    ['a long name', { firstName: 'a'.repeat(51) }, 'First name must be 50 characters or less'],
  ])('refuses %s', async (_what, change, msg) => {
    const organizer = await verifiedOrganizer();
    const reply = await organizer.visitor.send(contract.saveAccountInfo, { ...form, ...change });

    expect(reply).toMatchObject({ status: 400, body: { msg } });
    expect(await userOf(organizer.email)).toMatchObject({ organizationName: null, taxIdSealed: null });
  });

  it.each([
    ['omitted', {}],
    ['empty', { dateOfBirth: '', individualTIN: '', companyTIN: '' }],
  ])('keeps the saved birth date and tax ID when they are %s', async (_what, empty) => {
    const organizer = await verifiedOrganizer();
    await organizer.visitor.send(contract.saveAccountInfo, form);
    const before = await userOf(organizer.email);
    const { dateOfBirth: _birth, individualTIN: _taxId, ...rest } = form;

    const reply = await organizer.visitor.send(contract.saveAccountInfo, {
      ...rest,
      ...empty,
      organizationBio: 'We count again.',
    });

    expect(reply).toMatchObject({ status: 200 });
    expect(await userOf(organizer.email)).toEqual({ ...before, organizationBio: 'We count again.' });
    expect(await emailsTo(organizer.email)).not.toContainEqual(
      expect.objectContaining({ kind: 'account-info-changed' }),
    );
  });

  it('requires the tax ID again when its type changes, and accepts both types', async () => {
    const organizer = await verifiedOrganizer();
    await organizer.visitor.send(contract.saveAccountInfo, form);
    const before = await userOf(organizer.email);
    const company = { ...form, organizationType: 'company', individualTIN: undefined };

    expect(await organizer.visitor.send(contract.saveAccountInfo, company)).toMatchObject({
      status: 400,
      body: { msg: 'EIN must be 9 digits' },
    });
    expect(await userOf(organizer.email)).toEqual(before);
    expect(
      await organizer.visitor.send(contract.saveAccountInfo, { ...company, companyTIN: '98-7654321' }),
    ).toMatchObject({ status: 200 });
    expect(await userOf(organizer.email)).toMatchObject({ organizationType: 'company', taxIdLast4: '4321' });
  });

  it('refuses to replace the saved tax ID with an invalid one', async () => {
    const organizer = await verifiedOrganizer();
    await organizer.visitor.send(contract.saveAccountInfo, form);

    expect(await organizer.visitor.send(contract.saveAccountInfo, { ...form, individualTIN: '12' })).toMatchObject({
      status: 400,
      body: { msg: 'SSN/ITIN must be 9 digits' },
    });
  });

  it('accepts an organizer who turns 18 today', async () => {
    const organizer = await verifiedOrganizer();

    expect(
      await organizer.visitor.send(contract.saveAccountInfo, { ...form, dateOfBirth: isoDate(18, 0) }),
    ).toMatchObject({
      status: 200,
    });
  });

  it('requires a session and a same-site request', async () => {
    expect(await browser().send(contract.saveAccountInfo, form)).toMatchObject({
      status: 401,
      body: { code: 'session.missing' },
    });
    const organizer = await verifiedOrganizer();
    const reply = await app.server.inject({
      method: 'POST',
      url: contract.saveAccountInfo.path,
      headers: { 'sec-fetch-site': 'cross-site' },
      cookies: Object.fromEntries(organizer.visitor.cookies),
      payload: form,
    });

    expect(reply.statusCode).toBe(403);
    expect(reply.json()).toEqual(expect.objectContaining({ code: 'request.cross-site' }));
  });
});

const verifiedOrganizer = () => verifiedInBrowser(app);
const userOf = (email: string) => storedAccount(app.db, email);
const emailsTo = (email: string) => outboxOf(app, email);

/** Decrypts with the application's key, like an operator. */
function decryptTaxId(ciphertext: Buffer | null, userId: string): string {
  if (!ciphertext) throw new Error('No tax ID is stored.');
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(app.deps.appSecret, 'tax id'), ciphertext.subarray(1, 13));
  decipher.setAAD(Buffer.from(userId));
  decipher.setAuthTag(ciphertext.subarray(13, 29));
  return decipher.update(ciphertext.subarray(29), undefined, 'ascii') + decipher.final('ascii');
}

function isoDate(yearsAgo: number, plusDays: number): string {
  const today = new Date();
  const date = new Date(
    Date.UTC(today.getUTCFullYear() - yearsAgo, today.getUTCMonth(), today.getUTCDate() + plusDays),
  );
  return date.toISOString().slice(0, 10);
}
