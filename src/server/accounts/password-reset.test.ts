import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/accounts.ts';
import { resetLinkSent } from '#messages/accounts.ts';

import { emailsTo, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sendResetLink } from './password-reset.ts';
import { sweepAccounts } from './sweep-accounts.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1 });
});
beforeEach(() => app.db.deleteFrom('rateLimits').execute());
afterAll(() => app.close());

const NEW_PASSWORD = 'a quite different one';
const forgot = (email: string, more: object = {}) => app.visitor().send(contract.forgotPassword, { email, ...more });
const reset = (token: string, change: object = {}) =>
  app
    .visitor()
    .send(contract.resetPassword, { token, newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD, ...change });
const logInWith = (email: string, password: string) => app.visitor().send(contract.login, { email, password });

async function resetEmailsTo(email: string) {
  return (await emailsTo(app, email)).filter(({ subject }) => subject === 'Reset your Handstamp password');
}

async function newestToken(email: string): Promise<string> {
  const [message] = await resetEmailsTo(email);
  const token = /\/reset-password\/([\w-]+)/.exec(message?.text ?? '')?.[1];
  if (!token) throw new Error(`no link was emailed to ${email}`);
  return token;
}

async function withResetLink() {
  const organizer = await newOrganizer(app);
  await forgot(organizer.email);
  return { ...organizer, token: await newestToken(organizer.email) };
}

describe('a forgotten password', () => {
  it('gives the same response for every email, but emails a link only if there is an account [PASS-1]', async () => {
    const { email } = await newOrganizer(app);

    const replies = [await forgot(email.toUpperCase()), await forgot('nobody@example.com')];

    for (const { status, body } of replies) expect([status, body]).toEqual([200, { msg: resetLinkSent }]);
    expect(await resetEmailsTo(email)).toHaveLength(1);
    expect(await emailsTo(app, 'nobody@example.com')).toEqual([]);
  });

  it('returns the usual response but emails nothing when the honeypot is filled [PASS-1]', async () => {
    const { email } = await newOrganizer(app);

    expect((await forgot(email, { honeypot: 'x' })).body).toEqual({ msg: resetLinkSent });
    expect(await resetEmailsTo(email)).toEqual([]);
  });

  it.each([
    ['no email', '', 'Email is required.'],
    ['a long email', `${'a'.repeat(300)}@example.com`, 'Email must be 300 characters or less.'],
  ])('refuses %s [PASS-2]', async (_what, email, msg) => {
    expect(await forgot(email)).toMatchObject({ status: 400, body: { msg } });
  });

  it('emails three links an hour, and gives the fourth request the same response', async () => {
    const { email } = await newOrganizer(app);
    for (let count = 0; count < 4; count++)
      expect(await forgot(email)).toMatchObject({ status: 200, body: { msg: resetLinkSent } });

    expect(await resetEmailsTo(email)).toHaveLength(3);
  });

  it('silently ignores more than twenty requests an hour from one IP address', async () => {
    const { email } = await newOrganizer(app);
    for (let count = 0; count < 20; count++) await forgot(`someone-${count}@example.com`);

    expect(await forgot(email)).toMatchObject({ status: 200, body: { msg: resetLinkSent } });
    expect(await resetEmailsTo(email)).toEqual([]);
  });

  it('stores only a hash of the link', async () => {
    const { token, email } = await withResetLink();

    const links = await app.db.selectFrom('emailLinks').where('email', '=', email).selectAll().execute();
    expect(links.some(({ purpose }) => purpose === 'reset-password')).toBe(true);
    expect(JSON.stringify(links)).not.toContain(token);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });
});

describe('a reset link that is requested again', () => {
  const hour = { minutes: 61 };

  it('is the same while it lives, and works for 60 minutes from the last email [EMAIL-5]', async () => {
    const { email, token } = await withResetLink();
    await app.advance({ minutes: 40 });
    await forgot(email);
    const [again, ...earlier] = await resetEmailsTo(email);

    expect(again?.text).toContain(token);
    expect(earlier).toHaveLength(1);
    await app.advance({ minutes: 59 });
    expect((await reset(token)).status).toBe(200);
  });

  it('is in the inbox of an owner whose address a stranger used up, and works in the 59th minute [EMAIL-5]', async () => {
    const { email } = await newOrganizer(app);
    for (let count = 0; count < 3; count++) await forgot(email);
    await resetEmailsTo(email);
    expect(await forgot(email)).toMatchObject({ status: 200, body: { msg: resetLinkSent } });

    expect(await resetEmailsTo(email)).toHaveLength(3);
    const token = await newestToken(email);
    await app.advance({ minutes: 59 });
    expect((await reset(token)).status).toBe(200);
  });

  it('is a new one after it expired, after it was used, and a day after it was made [EMAIL-5]', async () => {
    const { email, token: expired } = await withResetLink();
    await app.advance(hour);
    await forgot(email);
    const used = await newestToken(email);
    expect((await reset(used)).status).toBe(200);
    await app.advance(hour);
    await forgot(email);
    const kept = await newestToken(email);
    const dayOld = sql<Date>`created_at - interval '24 hours'`;
    await app.db.updateTable('emailLinks').set({ createdAt: dayOld }).where('email', '=', email).execute();
    await forgot(email);
    const dayLater = await newestToken(email);

    expect(new Set([expired, used, kept, dayLater]).size).toBe(4);
    expect((await reset(kept)).status).toBe(200);
  });

  it('is a new one when the app secret has changed [EMAIL-5]', async () => {
    const { email, token } = await withResetLink();
    const mailed = (await resetEmailsTo(email)).length;
    await sendResetLink({ ...app.deps, appSecret: ['another secret that is long enough for anyone'] }, { email });

    expect(await resetEmailsTo(email)).toHaveLength(mailed + 1);
    const links = await app.db.selectFrom('emailLinks').where('email', '=', email).select('purpose').execute();
    expect(links.filter(({ purpose }) => purpose === 'reset-password')).toHaveLength(2);
    expect((await reset(token)).status).toBe(200);
  });

  it('is one link when two requests race [EMAIL-5]', async () => {
    const { email } = await newOrganizer(app);
    const { requests } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').where('email', '=', email).select('id').forUpdate().execute();
      const requests = [1, 2].map(() => sendResetLink(app.deps, { email }));
      await app.untilBlocked(2);
      return { requests };
    });
    await Promise.all(requests);

    const links = await app.db.selectFrom('emailLinks').where('email', '=', email).select('purpose').execute();
    expect(links.filter(({ purpose }) => purpose === 'reset-password')).toHaveLength(1);
    expect(await resetEmailsTo(email)).toHaveLength(2);
  });
});

describe('the work before the response', () => {
  let appWithoutJobs: TestApp;
  beforeAll(async () => {
    appWithoutJobs = await startTestApp({ runsJobs: false });
  });
  afterAll(() => appWithoutJobs.close());

  it('is the same with and without an account', async () => {
    const known = await newOrganizer(appWithoutJobs);
    const before = await countSideEffects(appWithoutJobs);
    await appWithoutJobs.call(contract.forgotPassword, { email: known.email });
    const afterKnown = await countSideEffects(appWithoutJobs);
    await appWithoutJobs.call(contract.forgotPassword, { email: 'nobody@example.com' });
    const afterUnknown = await countSideEffects(appWithoutJobs);

    expect(afterKnown).toEqual({ ...before, jobs: before.jobs + 1 });
    expect(afterUnknown).toEqual({ ...before, jobs: before.jobs + 2 });
  });

  async function countSideEffects({ db }: TestApp) {
    const count = async (table: 'emailLinks' | 'emailOutbox') =>
      (await db.selectFrom(table).selectAll().execute()).length;
    const jobs = await db.executeQuery<{ n: number }>({
      ...db.selectNoFrom((eb) => eb.lit(1).as('one')).compile(),
      sql: 'select count(*)::int as n from graphile_worker._private_jobs',
      parameters: [],
    });
    return { links: await count('emailLinks'), emails: await count('emailOutbox'), jobs: jobs.rows[0]?.n ?? 0 };
  }
});

describe('resetting the password', () => {
  it('replies in plain text, and only the new password works [PASS-4]', async () => {
    const { token, email } = await withResetLink();

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

  it('ends every session, does not log in, and emails a notification [PASS-4]', async () => {
    const { token, email, visitor } = await withResetLink();
    const opened = app.visitor();

    await opened.send(contract.resetPassword, {
      token,
      newPassword: NEW_PASSWORD,
      confirmNewPassword: NEW_PASSWORD,
    });

    expect(await visitor.call(contract.profile, {})).toMatchObject({ status: 401, body: { code: 'session.missing' } });
    expect(opened.cookies.size).toBe(0);
    const [alert] = await emailsTo(app, email);
    expect(alert?.subject).toBe('Your Handstamp password was changed');
    expect(alert?.text).toContain(`${app.publicUrl}/forgot-password`);
  });

  it('works once [PASS-4 PASS-6]', async () => {
    const { token } = await withResetLink();

    expect((await reset(token)).status).toBe(200);
    expect(await reset(token)).toMatchObject({ status: 400, body: { code: 'password-reset.unknown-token' } });
  });

  it('lets one of two concurrent requests with the same link win', async () => {
    const { token, email } = await withResetLink();
    const { replies } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').where('email', '=', email).select('id').forUpdate().execute();
      const sent = ['first password', 'second password'].map((newPassword) =>
        reset(token, { newPassword, confirmNewPassword: newPassword }),
      );
      await app.untilBlocked(2);
      return { replies: sent };
    });

    expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([200, 400]);
    const alerts = (await emailsTo(app, email)).filter(({ subject }) => subject.includes('password was changed'));
    expect(alerts).toHaveLength(1);
  });

  it('fails a concurrent login with the old password', async () => {
    const { email } = await newOrganizer(app);
    const { reply } = await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ passwordHash: 'changed' }).where('email', '=', email).execute();
      const pending = logInWith(email, PASSWORD);
      await app.untilBlocked();
      return { reply: pending };
    });

    expect(await reply).toMatchObject({ status: 401, body: { code: 'login.wrong' } });
  });

  it('works for 60 minutes [EMAIL-5]', async () => {
    const { token } = await withResetLink();
    const late = await withResetLink();

    await app.advance({ minutes: 59 });
    expect((await reset(token)).status).toBe(200);
    await app.advance({ minutes: 2 });
    expect((await reset(late.token)).status).toBe(400);
  });

  it.each([
    ['passwords that differ', { confirmNewPassword: 'something else' }, 'Passwords do not match.'],
    [
      'a long password',
      { newPassword: 'p'.repeat(301), confirmNewPassword: 'p'.repeat(301) },
      'Passwords must be 300 characters or less.',
    ],
    ['no password', { newPassword: undefined }, null],
  ])('refuses %s, and the link keeps working [PASS-5 PASS-6]', async (_what, change, msg) => {
    const { token } = await withResetLink();

    const refused = await reset(token, change);

    expect(refused.status).toBe(400);
    if (msg) expect(refused.body.msg).toBe(msg);
    expect((await reset(token)).status).toBe(200);
  });

  it.each([['unknown'], ['%00'], ['x'.repeat(250)]])('refuses the link %j [PASS-6]', async (token) => {
    expect((await reset(token)).status).toBe(400);
  });

  it('refuses a link that was sent for another purpose', async () => {
    const organizer = await newOrganizer(app);
    const [message] = await emailsTo(app, organizer.email);
    const token = /token=([\w-]+)/.exec(message?.text ?? '')?.[1] ?? '';

    expect((await reset(token)).status).toBe(400);
    expect((await app.call(contract.verifyEmail, { token })).status).toBe(200);
  });
});

describe('the daily sweep', () => {
  it('deletes only expired sessions and links', async () => {
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
