import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/accounts.ts';
import { alreadyVerified, emailVerified, verificationSent } from '#messages/accounts.ts';

import { linkToken } from '#server/platform/outbox/link-token.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { outboxOf, verificationToken, verifiedInBrowser } from '#tests/support/verification-emails.ts';

let app: TestApp;
const browser = () => app.visitor({ isBrowser: true });

beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1, runsJobs: false });
});
beforeEach(() => app.db.deleteFrom('rateLimits').execute());
afterAll(() => app.close());

const signUp = (email: string) => ({
  email,
  password: PASSWORD,
  confirmPassword: PASSWORD,
  acceptedTerms: true as const,
});

describe('registering', () => {
  it('stores the email and a password hash, and emails a verification link', async () => {
    const reply = await browser().send(contract.register, signUp('Ada@Example.com'));

    expect(reply).toMatchObject({ status: 200, body: { url: '/profile' } });
    const user = await storedAccount(app.db, 'Ada@Example.com');
    expect(user).toMatchObject({ emailVerifiedAt: null, isAdmin: false, tokenCount: 3 });
    expect(user.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await emailsTo('Ada@Example.com')).toHaveLength(1);
  });

  it('logs in the browser that registers, and no other client', async () => {
    const [person, program] = [browser(), app.visitor({ isBrowser: false })];
    await person.call(contract.register, signUp('here@example.com'));
    const { body } = await program.call(contract.register, signUp('there@example.com'));

    expect((await person.call(contract.profile, {})).body).toMatchObject({
      email: 'here@example.com',
      isEmailVerified: false,
    });
    expect(body).toEqual({ url: '/login?registered' });
    expect((await program.call(contract.profile, {})).status).toBe(401);
    expect(await emailsTo('here@example.com')).toHaveLength(1);
  });

  it('refuses an email that is already taken, ignoring case', async () => {
    await browser().send(contract.register, signUp('taken@example.com'));
    const reply = await browser().send(contract.register, signUp('TAKEN@example.com'));

    expect(reply).toMatchObject({ status: 409, body: { code: 'register.email-taken' } });
    expect(await emailsTo('TAKEN@example.com')).toEqual([]);
  });

  it('lets one of two concurrent registrations for the same email win', async () => {
    const email = 'race@example.com';
    const reply = await app.db.transaction().execute(async (first) => {
      await first
        .insertInto('users')
        .values({ id: crypto.randomUUID(), email, passwordHash: 'x', createdAt: new Date() })
        .execute();
      const second = browser().send(contract.register, signUp(email));
      await app.untilBlocked();
      return { second };
    });

    expect(await reply.second).toMatchObject({ status: 409 });
    expect(await emailsTo(email)).toEqual([]);
  });

  it('returns the usual response but stores nothing when the honeypot is filled', async () => {
    const reply = await browser().send(contract.register, { ...signUp('bot@example.com'), honeypot: 'x' });

    expect(reply).toMatchObject({ status: 200, body: { url: '/profile' } });
    expect(await app.db.selectFrom('users').where('email', '=', 'bot@example.com').select('id').execute()).toEqual([]);
    expect(await emailsTo('bot@example.com')).toEqual([]);
  });

  it.each([
    ['terms not accepted', { acceptedTerms: false }, 'Please accept the terms and conditions.'],
    ['terms as text', { acceptedTerms: 'true' }, 'Please accept the terms and conditions.'],
    ['passwords that differ', { confirmPassword: 'something else' }, 'Passwords do not match.'],
    ['no email', { email: ' ' }, 'Email is required.'],
    ['a look-alike letter', { email: '\u212Aim@example.com' }, 'Email must be a valid email address.'],
    ['a header in the email', { email: 'a@example.com\r\nBcc: b@example.com' }, 'Email must be a valid email address.'],
    ['two addresses', { email: '"a@example.com b"@example.com' }, 'Email must be a valid email address.'],
    ['a long email', { email: `${'a'.repeat(300)}@example.com` }, 'Email must be 300 characters or less.'],
    ['a short password', { password: 'short', confirmPassword: 'short' }, 'Password must be at least 8 characters.'],
  ])('refuses %s with its message', async (_what, change, msg) => {
    const reply = await browser().send(contract.register, { ...signUp('new@example.com'), ...change });

    expect(reply).toMatchObject({ status: 400, body: { msg } });
  });

  it('ignores admin rights, tokens and verification in the request', async () => {
    const extras = { isAdmin: true, tokenCount: 99, emailVerifiedAt: '2020-01-01', verified: true };
    await browser().send(contract.register, { ...signUp('extras@example.com'), ...extras });

    const user = await userOf('extras@example.com');
    expect(user).toMatchObject({ isAdmin: false, tokenCount: 3, emailVerifiedAt: null });
  });
});

describe('verifying the email', () => {
  it('accepts the same link repeatedly for 24 hours', async () => {
    const visitor = browser();
    await visitor.send(contract.register, signUp('verify@example.com'));
    const token = await emailedToken('verify@example.com');

    for (let time = 0; time < 2; time++)
      expect(await visitor.send(contract.verifyEmail, { token })).toMatchObject({
        status: 200,
        body: { msg: emailVerified },
      });
    const { emailVerifiedAt } = await userOf('verify@example.com');
    expect(emailVerifiedAt).not.toBeNull();

    await expireLinks('verify@example.com');
    expect(await visitor.send(contract.verifyEmail, { token })).toMatchObject({
      status: 400,
      body: { code: 'email-verification.unknown-token' },
    });
  });

  it('stores only a hash of the link', async () => {
    await browser().send(contract.register, signUp('hash@example.com'));
    const token = await emailedToken('hash@example.com');

    const links = await app.db.selectFrom('emailLinks').where('email', '=', 'hash@example.com').selectAll().execute();
    expect(JSON.stringify(links)).not.toContain(token);
    expect(links[0]?.tokenHash).toHaveLength(32);
  });

  it('does not log in', async () => {
    const visitor = browser();
    await browser().send(contract.register, signUp('nosession@example.com'));
    await visitor.send(contract.verifyEmail, { token: await emailedToken('nosession@example.com') });

    expect(visitor.cookies.size).toBe(0);
  });

  it.each([['unknown'], [''], ['a\u0000b'], ['x'.repeat(5000)]])('refuses the token %j', async (token) => {
    const reply = await browser().send(contract.verifyEmail, { token });

    expect(reply.status).toBe(400);
  });

  it('refuses two tokens in one request', async () => {
    const reply = await app.server.inject({ url: '/api/public/verify-email?token=a&token=b' });

    expect(reply.statusCode).toBe(400);
  });

  it('emails the same link on request, three times an hour, and answers further requests the same way [EMAIL-5]', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    for (let count = 0; count < 4; count++)
      expect(await organizer.visitor.send(contract.resendVerification, {})).toMatchObject({
        status: 200,
        body: { msg: verificationSent },
      });

    const messages = await emailsTo(organizer.email);
    expect(messages.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued', 'not-sent', 'not-sent']);
    expect(new Set(messages.map(tokenIn)).size).toBe(1);
    expect(
      await organizer.visitor.send(contract.verifyEmail, { token: await emailedToken(organizer.email) }),
    ).toMatchObject({ status: 200 });
  });

  it('reports that the email is already verified', async () => {
    const organizer = await verifiedOrganizer();

    expect(await organizer.visitor.send(contract.resendVerification, {})).toMatchObject({
      body: { msg: alreadyVerified },
    });
  });

  it('accepts at most ten requests for a link an hour', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    for (let sent = 0; sent < 10; sent++) await organizer.visitor.send(contract.resendVerification, {});
    const reply = await organizer.visitor.send(contract.resendVerification, {});

    expect(reply).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('the profile', () => {
  it('lists the open onboarding steps in order', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });

    expect(await organizer.visitor.send(contract.profile, {})).toMatchObject({
      status: 200,
      body: {
        email: organizer.email,
        isEmailVerified: false,
        organizationName: null,
        tokenCount: 3,
        affiliateCode: null,
        openSteps: ['verify-email', 'account-information', 'connect-payouts'],
        accountInfo: null,
        events: [],
      },
    });
  });
});

const verifiedOrganizer = () => verifiedInBrowser(app);
const userOf = (email: string) => storedAccount(app.db, email);
const emailsTo = (email: string) => outboxOf(app, email);
const emailedToken = (email: string) => verificationToken(app, email);

const tokenIn = ({ subjectId }: { subjectId: string }) => linkToken(app.deps.appSecret, subjectId);

async function expireLinks(email: string) {
  await app.db
    .updateTable('emailLinks')
    .set({ expiresAt: new Date(0) })
    .where('email', '=', email)
    .execute();
}
