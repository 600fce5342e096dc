/** Account information: the tax id is write-only, and identity changes are announced. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/accounts.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { accountInfo, connectPayouts, emailsTo, verifiedOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';

const recordFile = join(makeDataDirectory(), 'exchanges.jsonl');
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ recordFile });
});
afterAll(() => app.close());

const individual = { ...accountInfo, organizationType: 'individual' as const, individualTIN: '219-09-9871' };
const CHANGED = /^Your Handstamp account information was changed/;
const changeEmailsTo = async (email: string) =>
  (await emailsTo(app, email)).filter(({ subject }) => CHANGED.test(subject));
const userOf = (email: string) => storedAccount(app.db, email);

/** Tables with a row that contains these characters as text. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`.execute(app.db);
  const found = [];
  for (const { name } of tables) {
    const { rows } = await sql`select from ${sql.raw(name)} t where t::text like ${`%${text}%`} limit 1`.execute(
      app.db,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe('POST /api/protected/accountInfo', () => {
  it('keeps the tax id out of the database, all responses and all data sent to Stripe', async () => {
    const { visitor, email } = await verifiedOrganizer(app);

    const saved = await visitor.call(contract.saveAccountInfo, { ...individual, companyTIN: '98-7650001' });
    await connectPayouts(visitor);
    const profile = await visitor.call(contract.profile, {});
    const emails = await emailsTo(app, email);

    expect(saved.status).toBe(200);
    expect(await tablesWith('9871')).toContain('public.organizations');
    expect(await readFile(recordFile, 'utf8')).toContain(individual.organizationName);
    for (const typed of ['219-09-9871', '219099871', '98-7650001', '987650001']) {
      expect(await tablesWith(typed)).toEqual([]);
      for (const body of [saved.body, profile.body, emails]) expect(JSON.stringify(body)).not.toContain(typed);
      expect(await readFile(recordFile, 'utf8')).not.toContain(typed);
    }
    expect(profile.body.accountInfo?.taxIdLast4).toBe('9871');
  });

  it('says only that a tax id is wrong', async () => {
    const { visitor } = await verifiedOrganizer(app);

    for (const individualTIN of ['219-09-98712', '000-12-3456', '666-12-3456', '219-00-1234', '219-09-0000', 'x'])
      expect(await visitor.call(contract.saveAccountInfo, { ...individual, individualTIN })).toMatchObject({
        status: 400,
        body: { msg: 'SSN/ITIN must be 9 digits' },
      });
  });

  it.each([
    ['a day that does not exist', '1991-02-29'],
    ['the future', '2999-01-01'],
    ['another century', '1899-12-31'],
    ['a year with five digits', '11990-04-12'],
    ['a date with a second line', '1990-04-12\n'],
  ])('rejects a birthday on %s', async (_what, dateOfBirth) => {
    const { visitor } = await verifiedOrganizer(app);

    expect((await visitor.call(contract.saveAccountInfo, { ...individual, dateOfBirth })).status).toBe(400);
  });

  it('ignores rights, tokens, waivers and verification in the body, and changes no other account', async () => {
    const victim = await verifiedOrganizer(app);
    const before = await userOf(victim.email);
    const { visitor, email } = await verifiedOrganizer(app);
    const { emailVerifiedAt } = await userOf(email);
    const wishes = { isAdmin: true, tokenCount: 99, feeWaivers: 9, emailVerifiedAt: '2020-01-01', isActive: true };

    const asOther = { _id: before.id, id: before.id, userId: before.id, email: victim.email };
    await visitor.send(contract.saveAccountInfo, { ...individual, ...wishes, ...asOther });

    expect(await userOf(email)).toMatchObject({ isAdmin: false, tokenCount: 3, feeWaivers: 0, emailVerifiedAt });
    expect(await userOf(victim.email)).toEqual(before);
  });

  it.each([
    ['the tax id', { individualTIN: '219-09-9872' }],
    ['the name', { lastName: 'Impostor' }],
    ['the birthday', { dateOfBirth: '1980-01-01' }],
    ['the organization type', { organizationType: 'company' as const, companyTIN: '21-9099871' }],
  ])('emails the owner when %s changes, without the new value', async (_what, change) => {
    const { visitor, email } = await verifiedOrganizer(app);
    await visitor.call(contract.saveAccountInfo, individual);
    expect(await changeEmailsTo(email)).toEqual([]);

    await visitor.call(contract.saveAccountInfo, { ...individual, ...change });

    const changeEmails = await changeEmailsTo(email);
    expect(changeEmails).toHaveLength(1);
    expect(changeEmails[0]?.text).not.toMatch(/Impostor|1980|98-?7|9872|9871/);
  });

  it('sends no email for changes outside the identity, or for the same values again', async () => {
    const { visitor, email } = await verifiedOrganizer(app);
    await visitor.call(contract.saveAccountInfo, individual);

    await visitor.call(contract.saveAccountInfo, { ...individual, individualTIN: '219099871' });
    await visitor.call(contract.saveAccountInfo, { ...individual, phoneNumber: '555-0100', organizationBio: 'New.' });

    expect(await changeEmailsTo(email)).toEqual([]);
  });
});
