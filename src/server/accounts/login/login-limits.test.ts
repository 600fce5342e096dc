import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import * as factors from '#contract/app/factors.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { emailsTo, expectOk, PASSWORD, verifiedOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1, hasOrganizers: false, trustedProxies: 1 });
});
afterAll(() => app.close());

const logIn = (email: string, password: string, visitor = app.visitor()) =>
  visitor.send(accounts.login, { email, password });

/** As if so many attempts had failed today, from everywhere. */
async function haveFailed(limit: 'login-account-day' | 'login-account-cap', email: string, count: number) {
  for (let failed = 0; failed < count; failed += 1) await app.deps.rateLimiter.consume(limit, email);
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

  it('are forgiven by right ones, which never use up the limit [AUTH-5]', async () => {
    const { email } = await verifiedOrganizer(app);

    for (let login = 0; login < 12; login += 1) expect((await logIn(email, PASSWORD)).status).toBe(200);
  });

  it('make a right password from a new browser need an emailed code, after a hundred in a day [AUTH-5]', async () => {
    const { email } = await verifiedOrganizer(app);
    const known = app.visitor({ isBrowser: true });
    expectOk(await known.call(accounts.login, { email, password: PASSWORD }));
    await haveFailed('login-account-day', email, 100);

    const stranger = app.visitor({ isBrowser: true });
    const answer = expectOk(await stranger.call(accounts.login, { email, password: PASSWORD }));
    if (!('challengeId' in answer)) throw new Error('the password was enough');
    expect(answer.kinds).toEqual(['email']);
    const { challengeId } = answer;
    const wrong = await stranger.send(factors.loginFactor, { challengeId, code: '000000' });
    expect(wrong).toMatchObject({ status: 401, body: errorBody('auth.factor-invalid') });

    const message = (await emailsTo(app, email)).find(({ subject }) => subject === 'Your Handstamp login code');
    const [code = ''] = /\b\d{6}\b/.exec(message?.text ?? '') ?? [];
    expectOk(await stranger.call(factors.loginFactor, { challengeId, code }));
    expect(expectOk(await known.call(accounts.login, { email, password: PASSWORD }))).toHaveProperty('token');
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
    const [message] = await emailsTo(app, email);
    const token = /\/reset-password\/([\w-]+)/.exec(message?.text ?? '')?.[1] ?? '';
    const newPassword = 'a better one than before';
    const reset = { token, newPassword, confirmNewPassword: newPassword };
    expect((await stranger.send(accounts.resetPassword, reset)).status).toBe(200);
    expect((await logIn(email, newPassword, stranger)).status).toBe(200);
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
