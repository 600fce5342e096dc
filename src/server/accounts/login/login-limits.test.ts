import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import * as factors from '#contract/app/factors.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { advanceToNext } from '#tests/support/money.ts';
import { emailsTo, expectOk, linkTo, PASSWORD, verifiedOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1, hasOrganizers: false, trustedProxies: 1 });
});
afterAll(() => app.close());

const logIn = (email: string, password: string, visitor = app.visitor()) =>
  visitor.send(accounts.login, { email, password });

/** As if so many attempts had failed today: of an account from everywhere, or of a network at every account. */
async function haveFailed(
  limit: 'login-account' | 'login-account-day' | 'login-account-cap' | 'login-address-cap',
  key: string,
  count: number,
) {
  await Promise.all(Array.from({ length: count }, () => app.deps.rateLimiter.consume(limit, key)));
}

/** A right password from a new browser, which is not enough. */
async function firstStep(email: string) {
  const stranger = app.visitor({ isBrowser: true });
  const answer = expectOk(await stranger.call(accounts.login, { email, password: PASSWORD }));
  if (!('challengeId' in answer)) throw new Error('the password was enough');
  const codeInInbox = async () => {
    const message = (await emailsTo(app, email)).find(({ subject }) => subject === 'Your Handstamp login code');
    return /\b\d{6}\b/.exec(message?.text ?? '')?.[0] ?? '';
  };
  return { stranger, ...answer, codeInInbox };
}

const newLogins = async (email: string) =>
  (await emailsTo(app, email)).filter(({ subject }) => subject === 'New login to your Handstamp account').length;

describe('failed logins', () => {
  it('are counted before they are judged: of 60 at once, ten are judged at once [AUTH-5]', async () => {
    const { email } = await verifiedOrganizer(app);

    const replies = await Promise.all(Array.from({ length: 60 }, () => logIn(email, 'wrong password')));

    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(401), count(429)]).toEqual([10, 50]);
  });

  it('are counted together with right ones: of 60 at once, 40 and more are refused unjudged [AUTH-5]', async () => {
    const { email } = await verifiedOrganizer(app);

    const passwords = Array.from({ length: 60 }, (_, n) => (n % 2 ? PASSWORD : 'wrong password'));
    const replies = await Promise.all(passwords.map((password) => logIn(email, password)));

    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(40);
  });

  it.each([
    ['an address', '203.0.113.7', '203.0.113.7', '203.0.114.7'],
    ['an IPv6 network', '2001:db8:5:2::1', '2001:db8:5:2::9', '2001:db8:5:3::1'],
  ])('are judged 2,000 times a day for %s, at whichever accounts [AUTH-5]', async (_what, from, same, other) => {
    const statusAt = async (address: string) => {
      const { email } = await verifiedOrganizer(app);
      return (await logIn(email, PASSWORD, app.visitor({ address }))).status;
    };
    await haveFailed('login-address-cap', from, 1999);
    expect(await statusAt(same)).toBe(200);

    await haveFailed('login-address-cap', from, 1);
    expect(await statusAt(same)).toBe(429);
    expect(await statusAt(other)).toBe(200);
  });

  it('are forgiven by right ones, which never use up the limit [AUTH-5]', async () => {
    const { email } = await verifiedOrganizer(app);

    for (let login = 0; login < 12; login += 1) expect((await logIn(email, PASSWORD)).status).toBe(200);
  });

  it('make a right password from a new browser need an emailed code, after a hundred in a day [AUTH-5]', async () => {
    const { email } = await verifiedOrganizer(app);
    const known = app.visitor({ isBrowser: true });
    expectOk(await known.call(accounts.login, { email, password: PASSWORD }));
    await haveFailed('login-account-day', email, 100);

    const { stranger, challengeId, kinds, codeInInbox } = await firstStep(email);
    expect(kinds).toEqual(['email']);
    const wrong = await stranger.send(factors.loginFactor, { challengeId, code: '000000' });
    expect(wrong).toMatchObject({ status: 401, body: errorBody('auth.factor-invalid') });

    expectOk(await stranger.call(factors.loginFactor, { challengeId, code: await codeInInbox() }));
    expect(expectOk(await known.call(accounts.login, { email, password: PASSWORD }))).toHaveProperty('token');
  });

  it.each([
    ['within 10 minutes', { minutes: 9, seconds: 50 }, 200],
    ['after 10 minutes', { minutes: 10 }, 401],
  ])('need a code that is entered %s: %j [AUTH-5]', async (_when, later, status) => {
    const { email } = await verifiedOrganizer(app);
    await haveFailed('login-account-day', email, 100);
    const { stranger, challengeId, codeInInbox } = await firstStep(email);
    const code = await codeInInbox();
    await app.advance(later);

    expect((await stranger.send(factors.loginFactor, { challengeId, code })).status).toBe(status);
  });

  it('keep a new browser out after 300 in a day, but not one that logged in or reset before [AUTH-5]', async () => {
    const { email } = await verifiedOrganizer(app);
    const known = app.visitor({ isBrowser: true });
    expectOk(await known.call(accounts.login, { email, password: PASSWORD }));
    await haveFailed('login-account-cap', email, 300);

    const stranger = app.visitor({ isBrowser: true });
    expect((await logIn(email, PASSWORD, stranger)).status).toBe(429);
    expect((await logIn(email, PASSWORD, known)).status).toBe(200);

    // A flood of guesses from elsewhere must not fill a queue that the owner waits in.
    const guessers = Array.from({ length: 20 }, (_, n) => app.visitor({ address: `198.51.100.${n}` }));
    const flood = guessers.map((guesser) => logIn(email, 'wrong password', guesser));
    expect((await logIn(email, PASSWORD, known)).status).toBe(200);
    await Promise.all(flood);

    expectOk(await app.call(accounts.forgotPassword, { email }));
    const token = await linkTo(app, email, /\/reset-password\/([\w-]+)/);
    const newPassword = 'a better one than before';
    const reset = { token, newPassword, confirmNewPassword: newPassword };
    expect((await stranger.send(accounts.resetPassword, reset)).status).toBe(200);
    expect((await logIn(email, newPassword, stranger)).status).toBe(200);
  });
});

describe('a burst of failed logins', () => {
  it('is emailed to the owner and recorded once an hour, at its time [AUTH-5 AUDIT-1]', async () => {
    await advanceToNext(app, { seconds: 3600 });
    const { email } = await verifiedOrganizer(app);
    await haveFailed('login-account', email, 100);
    const before = app.now();

    const addresses = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];
    await Promise.all(addresses.map((address) => logIn(email, 'wrong password', app.visitor({ address }))));

    const { id } = await storedAccount(app.db, email);
    const recorded = app.db.selectFrom('auditEvents').where('action', '=', 'failed-logins').where('subject', '=', id);
    const events = await recorded.select(['actorKind', 'at']).execute();
    expect(events).toEqual([{ actorKind: 'job', at: expect.any(Date) }]);
    expect(events[0]?.at.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(events[0]?.at.getTime()).toBeLessThanOrEqual(app.now().getTime());
    const warnings = (await emailsTo(app, email)).filter(({ subject }) => subject.includes('guess'));
    expect(warnings).toHaveLength(1);
  });
});

describe('a login from a new browser', () => {
  it('is reported by email, but not the first one, nor a second from the same browser [AUTH-5]', async () => {
    const { email } = await verifiedOrganizer(app);
    const browsers = [app.visitor({ isBrowser: true }), app.visitor({ isBrowser: true })];

    for (const visitor of [...browsers, ...browsers]) await visitor.call(accounts.login, { email, password: PASSWORD });

    // The client that registered was the first.
    expect(await newLogins(email)).toBe(2);
  });
});
