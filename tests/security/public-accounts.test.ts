/** Sign-up, forgotten passwords and emailed links, attacked by people after another account. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import * as contract from '#contract/app/accounts.ts';
import { login } from '#contract/app/accounts.ts';
import { emailVerified, resetLinkSent } from '#messages/accounts.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { emailsTo, linkTo, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const form = (change: object = {}) => ({
  email: 'mallory@example.com',
  password: PASSWORD,
  confirmPassword: PASSWORD,
  acceptedTerms: true,
  ...change,
});
const register = (change: object = {}) => app.visitor().send(contract.register, form(change));
const usersNow = async () => (await app.db.selectFrom('users').select('id').execute()).length;
const emailCount = async () => (await app.db.selectFrom('emailOutbox').select('id').execute()).length;

/** With headers that a browser does not let a page set. */
const posted = (url: string, payload: object, headers: Record<string, string>) =>
  app.server.inject({ method: 'POST', url, payload, headers });
const poisoned = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };

describe('POST /api/public/register', () => {
  it('ignores rights, tokens and verification in the body', async () => {
    const email = 'greedy@example.com';
    const rights = {
      isAdmin: true,
      tokenCount: 99,
      emailVerifiedAt: '2020-01-01',
      verified: true,
      id: 'me',
      role: 'admin',
    };

    expect(await register({ email, ...rights })).toMatchObject({ status: 200, body: { url: '/login?registered' } });
    const user = await storedAccount(app.db, email);
    expect(user).toMatchObject({ isAdmin: false, tokenCount: 3, emailVerifiedAt: null });
  });

  it.each([
    ['an injected header', 'a@example.com\r\nBcc: b@example.com'],
    ['a quoted second address', '"a@evil.example x"@example.com'],
    ['two addresses', 'a@example.com,b@example.com'],
    ['an address in brackets', '<a@example.com>'],
    ['a look-alike of the letter k', '\u212Aate@example.com'],
    ['full-width letters', 'ａ@example.com'],
    ['a bidirectional control', 'a\u202E@example.com'],
    ['a look-alike host', 'a@еxample.com'],
    ['no host', 'a@localhost'],
    ['a space', 'a b@example.com'],
    ['301 characters', `${'a'.repeat(290)}@example.com`],
    ['several in a list', ['a@example.com']],
    ['an object', { toString: 'a@example.com' }],
    ['a number', 7],
  ])('rejects an email with %s, stores nothing and sends nothing', async (_what, email) => {
    const [users, emails] = [await usersNow(), await emailCount()];

    const reply = await register({ email });

    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body)).toEqual(['code', 'params', 'msg']);
    expect(JSON.stringify(reply.body)).not.toContain('evil');
    expect([await usersNow(), await emailCount()]).toEqual([users, emails]);
  });

  it.each(['false', 'true', 1, null, [true], false, undefined])(
    'does not count %j as accepting the terms',
    async (acceptedTerms) => {
      const users = await usersNow();
      expect((await register({ acceptedTerms })).status).toBe(400);
      expect(await usersNow()).toBe(users);
    },
  );

  it('answers a filled honeypot like a sign-up byte by byte, stores nothing and sends nothing', async () => {
    const [users, emails] = [await usersNow(), await emailCount()];
    const trapped = await posted(contract.register.path, form({ email: 'trap@example.com', honeypot: 'x' }), {});
    expect([await usersNow(), await emailCount()]).toEqual([users, emails]);

    const signedUp = await posted(contract.register.path, form({ email: 'trap@example.com' }), {});
    expect([trapped.statusCode, trapped.body]).toEqual([signedUp.statusCode, signedUp.body]);
    expect(trapped.cookies).toEqual([]);
  });

  it('sends no email to the owner of an address that is signed up repeatedly, in any case', async () => {
    const { email } = await newOrganizer(app);
    const emails = await emailCount();

    for (const again of [email, email.toUpperCase(), ` ${email} `])
      expect((await register({ email: again })).status).toBe(409);
    expect(await emailCount()).toBe(emails);
  });

  it('sends a link with our own host, whatever host the request names', async () => {
    const email = 'poisoned@example.com';

    const reply = await posted(contract.register.path, form({ email }), poisoned);

    expect(reply.json()).toEqual({ url: '/login?registered' });
    const [message] = await emailsTo(app, email);
    expect(message?.text).toContain(`${app.publicUrl}/verify-email?token=`);
    expect(JSON.stringify(message)).not.toContain('evil.example');
  });
});

describe('POST /api/public/forgot-password', () => {
  it('answers identically for an account, an unknown address and a filled honeypot', async () => {
    const { email } = await newOrganizer(app);

    const bodies = [{ email }, { email: 'nobody-at-all@example.com' }, { email, honeypot: 'x' }];
    const replies = await Promise.all(bodies.map((body) => posted(contract.forgotPassword.path, body, {})));

    for (const reply of replies) {
      expect([reply.statusCode, reply.body]).toEqual([200, JSON.stringify({ msg: resetLinkSent })]);
      expect(reply.cookies).toEqual([]);
    }
    expect(await emailsTo(app, 'nobody-at-all@example.com')).toEqual([]);
  });

  it("emails the account's address, with a link with our own host", async () => {
    const { email } = await newOrganizer(app);

    await posted(contract.forgotPassword.path, { email: email.toUpperCase() }, poisoned);

    const message = (await emailsTo(app, email)).find(({ text }) => text.includes('/reset-password/'));
    expect(message).toMatchObject({ to: email, text: expect.stringContaining(`${app.publicUrl}/reset-password/`) });
    expect(JSON.stringify(message)).not.toContain('evil.example');
  });

  it.each([[['a@example.com', 'b@example.com']], ['a@example.com\nb@example.com'], [{ $ne: null }]])(
    'rejects %j',
    async (email) => {
      const emails = await emailCount();
      expect((await app.visitor().send(contract.forgotPassword, { email })).status).toBe(400);
      expect(await emailCount()).toBe(emails);
    },
  );
});

const NEW_PASSWORD = 'a quite different one';

async function resetLinkOf(email: string): Promise<string> {
  await app.visitor().send(contract.forgotPassword, { email });
  return linkTo(app, email, /\/reset-password\/([\w-]+)/);
}

const reset = (token: string, more: object = {}) =>
  posted(
    contract.resetPassword.path.replace(':token', encodeURIComponent(token)),
    { newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD, ...more },
    {},
  );

describe('POST /api/public/reset-password/:token', () => {
  it('sets one password when a link is used twice at once, ends all sessions and opens none', async () => {
    const { email, visitor } = await newOrganizer(app);
    const token = await resetLinkOf(email);

    const { sent } = await app.db.transaction().execute(async (tx) => {
      await sql`select from users where email = ${email} for update`.execute(tx);
      const sent = [1, 2].map((n) =>
        reset(token, { newPassword: `${NEW_PASSWORD} ${n}`, confirmNewPassword: `${NEW_PASSWORD} ${n}` }),
      );
      await app.untilBlocked(2);
      return { sent };
    });
    const replies = await Promise.all(sent);

    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    for (const reply of replies) expect(reply.cookies).toEqual([]);
    expect((await visitor.send(contract.profile, {})).status).toBe(401);
    const logIns = await Promise.all(
      [1, 2].map((n) => app.visitor().send(login, { email, password: `${NEW_PASSWORD} ${n}` })),
    );
    expect(logIns.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await emailsTo(app, email))[0]?.subject).toBe('Your Handstamp password was changed');
  });

  it('answers identically for every invalid link: invented, used, expired, or for another purpose', async () => {
    const { email } = await newOrganizer(app);
    const [verification] = await emailsTo(app, email);
    const verify = /token=([\w-]+)/.exec(verification?.text ?? '')?.[1] ?? '';
    const used = await resetLinkOf(email);
    await reset(used);
    const old = await resetLinkOf(email);
    await app.advance({ minutes: 61 });

    const replies = await Promise.all(
      [verify, used, old, 'made-up', '%00', '__proto__', 'x'.repeat(500)].map((one) => reset(one)),
    );

    for (const reply of replies) {
      expect([reply.statusCode, reply.body]).toEqual([400, replies[0]?.body]);
      expect(reply.body).toBe(JSON.stringify(errorBody('password-reset.unknown-token')));
    }
  });

  it('takes the token from the URL, not from the body', async () => {
    const { email } = await newOrganizer(app);
    const token = await resetLinkOf(email);

    expect((await reset('made-up', { token })).statusCode).toBe(400);
    expect((await reset(token, { token: ['made-up'] })).statusCode).toBe(200);
  });
});

const open = (query: string) => app.visitor().request(`${contract.verifyEmail.path}?${query}`);

async function verificationOf(email: string): Promise<string> {
  const [message] = await emailsTo(app, email);
  return /token=([\w-]+)/.exec(message?.text ?? '')?.[1] ?? '';
}

describe('GET /api/public/verify-email', () => {
  it('opens no session, however often a mail scanner follows the link', async () => {
    const { email } = await newOrganizer(app);
    const token = await verificationOf(email);
    const sessions = await app.db.selectFrom('sessions').select('id').execute();

    for (let times = 0; times < 3; times++) {
      const reply = await open(`token=${token}`);
      expect(reply).toMatchObject({ status: 200, body: { msg: emailVerified } });
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
    expect(await app.db.selectFrom('sessions').select('id').execute()).toEqual(sessions);
  });

  it('rejects two tokens at once, even if one is valid', async () => {
    const { email } = await newOrganizer(app);
    const token = await verificationOf(email);

    for (const query of [
      `token=${token}&token=x`,
      `token=x&token=${token}`,
      `token[]=${token}`,
      `token[0]=${token}`,
      '',
    ])
      expect((await open(query)).status).toBe(400);
    const user = await app.db.selectFrom('users').where('email', '=', email).selectAll().executeTakeFirst();
    expect(user?.emailVerifiedAt).toBeNull();
  });

  it('verifies only the address it was sent to, and answers identically for every invalid link', async () => {
    const { email } = await newOrganizer(app);
    const token = await verificationOf(email);
    const passwordLink = await resetLinkOf(email);
    await app.db.updateTable('users').set({ email: 'moved@example.com' }).where('email', '=', email).execute();

    const unknown = { status: 400, body: errorBody('email-verification.unknown-token') };
    for (const one of [token, passwordLink, 'made-up', 'x'.repeat(500)])
      expect(await open(`token=${one}`)).toMatchObject(unknown);
    const user = await app.db
      .selectFrom('users')
      .where('email', '=', 'moved@example.com')
      .selectAll()
      .executeTakeFirst();
    expect(user?.emailVerifiedAt).toBeNull();
  });
});
