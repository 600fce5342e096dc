import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as contract from '#contract/accounts.ts';
import { signedOut } from '#contract/sentences.ts';
import { emailsTo, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sweepAccounts } from './sweep-accounts.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1 });
});
beforeEach(() => app.db.deleteFrom('tries').execute());
afterAll(() => app.close());

const NEW_PASSWORD = 'a quite different one';
const forgot = (email: string, more: object = {}) => app.visitor().send(contract.forgotPassword, { email, ...more });
const reset = (token: string, change: object = {}) =>
  app
    .visitor()
    .send(contract.resetPassword, { token, newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD, ...change });
const logInWith = (email: string, password: string) => app.visitor().send(contract.login, { email, password });

async function resetMailsTo(email: string) {
  return (await emailsTo(app, email)).filter((mail) => mail.subject === 'Reset your Handstamp password');
}

async function newestToken(email: string): Promise<string> {
  const [mail] = await resetMailsTo(email);
  const token = /\/reset-password\/([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (!token) throw new Error(`no link was mailed to ${email}`);
  return token;
}

async function forgetful() {
  const organizer = await newOrganizer(app);
  await forgot(organizer.email);
  return { ...organizer, token: await newestToken(organizer.email) };
}

describe('a forgotten password', () => {
  it('answers the same for every address, and mails a link only to the one with an account [PASS-1]', async () => {
    const { email } = await newOrganizer(app);

    const answers = [await forgot(email.toUpperCase()), await forgot('nobody@example.com')];

    for (const { status, body } of answers) expect([status, body]).toEqual([200, { msg: contract.resetLinkSent }]);
    expect(await resetMailsTo(email)).toHaveLength(1);
    expect(await emailsTo(app, 'nobody@example.com')).toEqual([]);
  });

  it('answers a program that fills the hidden field as usual, and mails nothing [PASS-1]', async () => {
    const { email } = await newOrganizer(app);

    expect((await forgot(email, { honeypot: 'x' })).body).toEqual({ msg: contract.resetLinkSent });
    expect(await resetMailsTo(email)).toEqual([]);
  });

  it.each([
    ['no email', '', 'Email is required.'],
    ['a long email', `${'a'.repeat(300)}@example.com`, 'Email must be 300 characters or less.'],
  ])('refuses %s [PASS-2]', async (_what, email, msg) => {
    expect(await forgot(email)).toMatchObject({ status: 400, body: { msg } });
  });

  it('mails three links an hour to an address, and answers the fourth request no differently', async () => {
    const { email } = await newOrganizer(app);
    for (let asked = 0; asked < 4; asked++)
      expect(await forgot(email)).toMatchObject({ status: 200, body: { msg: contract.resetLinkSent } });

    expect(await resetMailsTo(email)).toHaveLength(3);
  });

  it('stops at twenty requests an hour from one place, in silence', async () => {
    const { email } = await newOrganizer(app);
    for (let asked = 0; asked < 20; asked++) await forgot(`someone-${asked}@example.com`);

    expect(await forgot(email)).toMatchObject({ status: 200, body: { msg: contract.resetLinkSent } });
    expect(await resetMailsTo(email)).toEqual([]);
  });

  it('keeps only a hash of the link', async () => {
    const { token, email } = await forgetful();

    const links = await app.db.selectFrom('emailLinks').where('email', '=', email).selectAll().execute();
    expect(links.some(({ purpose }) => purpose === 'reset-password')).toBe(true);
    expect(JSON.stringify(links)).not.toContain(token);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });
});

describe('the work behind the answer', () => {
  let quiet: TestApp;
  beforeAll(async () => {
    quiet = await startTestApp({ runsJobs: false });
  });
  afterAll(() => quiet.close());

  it('is the same for an address with an account and for one without, until the answer is sent', async () => {
    const known = await newOrganizer(quiet);
    const before = await tracesIn(quiet);
    await quiet.call(contract.forgotPassword, { email: known.email });
    const afterKnown = await tracesIn(quiet);
    await quiet.call(contract.forgotPassword, { email: 'nobody@example.com' });
    const afterUnknown = await tracesIn(quiet);

    expect(afterKnown).toEqual({ ...before, jobs: before.jobs + 1 });
    expect(afterUnknown).toEqual({ ...before, jobs: before.jobs + 2 });
  });

  async function tracesIn({ db }: TestApp) {
    const count = async (table: 'emailLinks' | 'mailOutbox') =>
      (await db.selectFrom(table).selectAll().execute()).length;
    const jobs = await db.executeQuery<{ n: number }>({
      ...db.selectNoFrom((eb) => eb.lit(1).as('one')).compile(),
      sql: 'select count(*)::int as n from graphile_worker._private_jobs',
      parameters: [],
    });
    return { links: await count('emailLinks'), mails: await count('mailOutbox'), jobs: jobs.rows[0]?.n ?? 0 };
  }
});

describe('resetting the password', () => {
  it('answers its sentence as bare text, and the new password is the one that counts [PASS-4]', async () => {
    const { token, email } = await forgetful();

    const reply = await app.visitor().fetch(`/api/public/reset-password/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD }),
    });

    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await reply.text()).toBe('Password has been successfully reset.');
    expect((await logInWith(email, NEW_PASSWORD)).status).toBe(200);
    expect((await logInWith(email, PASSWORD)).status).toBe(401);
  });

  it('ends every session, opens none, and mails a notice [PASS-4]', async () => {
    const { token, email, visitor } = await forgetful();
    const opened = app.visitor();

    await opened.send(contract.resetPassword, {
      token,
      newPassword: NEW_PASSWORD,
      confirmNewPassword: NEW_PASSWORD,
    });

    expect(await visitor.call(contract.profile, {})).toMatchObject({ status: 401, body: { msg: signedOut } });
    expect(opened.cookies.size).toBe(0);
    const [notice] = await emailsTo(app, email);
    expect(notice?.subject).toBe('Your Handstamp password was changed');
    expect(notice?.text).toContain(`${app.publicUrl}/forgot-password`);
  });

  it('works once [PASS-4 PASS-6]', async () => {
    const { token } = await forgetful();

    expect((await reset(token)).status).toBe(200);
    expect(await reset(token)).toMatchObject({ status: 400, body: { msg: contract.resetErrors['unknown-token'] } });
  });

  it('lets one of two win who send the same link at once', async () => {
    const { token, email } = await forgetful();
    const { replies } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').where('email', '=', email).select('id').forUpdate().execute();
      const sent = ['first password', 'second password'].map((newPassword) =>
        reset(token, { newPassword, confirmNewPassword: newPassword }),
      );
      await app.untilBlocked(2);
      return { replies: sent };
    });

    expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([200, 400]);
    const notices = (await emailsTo(app, email)).filter(({ subject }) => subject.includes('password was changed'));
    expect(notices).toHaveLength(1);
  });

  it('lets no log-in with the old password through that began before it', async () => {
    const { email } = await newOrganizer(app);
    const { reply } = await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ passwordHash: 'changed' }).where('email', '=', email).execute();
      const pending = logInWith(email, PASSWORD);
      await app.untilBlocked();
      return { reply: pending };
    });

    expect(await reply).toMatchObject({ status: 401, body: { msg: contract.wrongLogin } });
  });

  it('works for 30 minutes', async () => {
    const { token } = await forgetful();
    const late = await forgetful();

    await app.advance({ minutes: 29 });
    expect((await reset(token)).status).toBe(200);
    await app.advance({ minutes: 2 });
    expect((await reset(late.token)).status).toBe(400);
  });

  it('works with the newest link only', async () => {
    const { email, token: older } = await forgetful();
    await forgot(email);
    const [newest, first] = await resetMailsTo(email);

    expect(first?.text).toContain(older);
    expect((await reset(older)).status).toBe(400);
    expect(newest?.text).not.toContain(older);
    expect((await reset(await newestToken(email))).status).toBe(200);
  });

  it.each([
    ['passwords that differ', { confirmNewPassword: 'something else' }, 'Passwords do not match.'],
    [
      'a long password',
      { newPassword: 'p'.repeat(301), confirmNewPassword: 'p'.repeat(301) },
      'Passwords must be 300 characters or less.',
    ],
    ['no password', { newPassword: undefined }, null],
  ])('refuses %s, and the link stays good [PASS-5 PASS-6]', async (_what, change, msg) => {
    const { token } = await forgetful();

    const refused = await reset(token, change);

    expect(refused.status).toBe(400);
    if (msg) expect(refused.body.msg).toBe(msg);
    expect((await reset(token)).status).toBe(200);
  });

  it.each([['unknown'], ['%00'], ['x'.repeat(250)]])('refuses the link %j [PASS-6]', async (token) => {
    expect((await reset(token)).status).toBe(400);
  });

  it('takes no link that was mailed for something else', async () => {
    const organizer = await newOrganizer(app);
    const [mail] = await emailsTo(app, organizer.email);
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';

    expect((await reset(token)).status).toBe(400);
    expect((await app.call(contract.verifyEmail, { token })).status).toBe(200);
  });
});

describe('the daily sweep', () => {
  it('removes sessions and links whose time is over, and no others', async () => {
    const organizer = await newOrganizer(app);
    const count = async () => ({
      sessions: (await app.db.selectFrom('sessions').select('id').execute()).length,
      links: (await app.db.selectFrom('emailLinks').select('userId').execute()).length,
    });

    await sweepAccounts(app.deps);
    expect((await organizer.visitor.call(contract.profile, {})).status).toBe(200);
    expect((await count()).sessions).toBeGreaterThan(0);
    await app.advance({ days: 5 });
    await sweepAccounts(app.deps);

    expect(await count()).toEqual({ sessions: 0, links: 0 });
  });
});
