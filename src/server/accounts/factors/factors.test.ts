import { Secret } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import * as contract from '#contract/app/factors.ts';
import { changePassword } from '#contract/app/security.ts';
import { TOTP_SECONDS } from '#domain/accounts/factors.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { addApp, codeOf } from '#tests/support/authenticator-app.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { advanceToNext } from '#tests/support/money.ts';
import { emailsTo, expectOk, newOrganizer, PASSWORD, verifiedOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
/** With rate limits. */
let limited: TestApp;
beforeAll(async () => {
  limited = await startTestApp({ rateLimitScale: 1, hasOrganizers: false });
  app = await startTestApp();
});
afterAll(async () => {
  await limited.close();
  await app.close();
});

const INVALID = { status: 401, body: errorBody('auth.factor-invalid') };
const EXPIRED = { status: 401, body: errorBody('auth.challenge-expired') };

async function organizerWithApp(site = app) {
  const organizer = await verifiedOrganizer(site);
  return { ...organizer, ...(await addApp(site, organizer.visitor)) };
}

async function firstStep(site: TestApp, email: string) {
  const visitor = site.visitor();
  const answer = expectOk(await visitor.call(accounts.login, { email, password: PASSWORD }));
  if (!('challengeId' in answer)) throw new Error('the password was enough');
  const enter = (code: string) => visitor.send(contract.loginFactor, { challengeId: answer.challengeId, code });
  return { visitor, answer, enter };
}

const isLoggedIn = async (visitor: Visitor) => (await visitor.call(accounts.profile, {})).status === 200;

describe('an act that asks who is there', () => {
  const stale = { status: 403, body: errorBody('auth.reauthentication-required') };
  const changeEmail = (visitor: Visitor) => visitor.call(accounts.changeEmail, { newEmail: 'new-home@example.com' });

  it('takes a code of the app, once, or a recovery code [AUTH-8 AUDIT-1]', async () => {
    const { visitor, email, key, recoveryCodes } = await organizerWithApp();
    const show = (code: string) => visitor.call(contract.reauthenticateWithFactor, { code });
    await app.advance({ minutes: 10 });
    expect(await changeEmail(visitor)).toMatchObject(stale);

    const code = codeOf(app, key);
    expect((await show('000000')).body).toMatchObject(errorBody('auth.factor-refused'));
    expect(await changeEmail(visitor)).toMatchObject(stale);
    expectOk(await show(code));
    expectOk(await changeEmail(visitor));

    await app.advance({ minutes: 10 });
    expect((await show(code)).status).toBe(400);
    expect(await changeEmail(visitor)).toMatchObject(stale);
    expectOk(await show(recoveryCodes[0] ?? ''));
    expectOk(await changeEmail(visitor));
    expect((await show(recoveryCodes[0] ?? '')).status).toBe(400);
    expect(await recorded(email, 'reauthenticate')).toEqual([{ proof: 'totp' }, { proof: 'recovery-code' }]);
  });

  it("takes no other person's code, and none without a factor [AUTH-8]", async () => {
    const other = await organizerWithApp();
    const { visitor } = await verifiedOrganizer(app);
    await app.advance({ minutes: 10 });

    const code = codeOf(app, other.key);
    expect((await visitor.call(contract.reauthenticateWithFactor, { code })).status).toBe(400);
    expect((await visitor.call(contract.reauthenticateWithFactor, {})).status).toBe(400);
    expect(await changeEmail(visitor)).toMatchObject(stale);
  });

  it('judges five codes in five minutes at most [AUTH-8]', async () => {
    const { visitor } = await organizerWithApp(limited);
    const guesses = Array.from({ length: 20 }, () =>
      visitor.call(contract.reauthenticateWithFactor, { code: '000000' }),
    );

    const statuses = (await Promise.all(guesses)).map(({ status }) => status);

    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(5);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
  });
});

async function recorded(email: string, action: 'log-in' | 'reauthenticate') {
  const { id } = await storedAccount(app.db, email);
  const events = await app.db
    .selectFrom('auditEvents')
    .where('action', '=', action)
    .where('actorId', '=', id)
    .orderBy('at')
    .orderBy('id')
    .select('params')
    .execute();
  return events.map(({ params }) => params);
}

describe('an authenticator app', () => {
  it('is asked for after the password, which gives no session [AUTH-6]', async () => {
    const { email, key, uri } = await organizerWithApp();
    expect(uri).toContain(`secret=${key}`);

    const { visitor, answer, enter } = await firstStep(app, email);
    expect(answer).toEqual({
      factorRequired: true,
      challengeId: expect.any(String),
      kinds: ['totp'],
      passkeyOptions: null,
    });
    expect(await isLoggedIn(visitor)).toBe(false);

    expect((await enter(codeOf(app, key))).status).toBe(200);
    expect(await isLoggedIn(visitor)).toBe(true);
  });

  it.each([
    ['of the step before', -1, 200],
    ['of the next step', 1, 200],
    ['two steps late', -2, 401],
    ['two steps early', 2, 401],
  ])('accepts a code %s: %s [AUTH-6]', async (_what, steps, status) => {
    const { email, key } = await organizerWithApp();
    await app.advance({ seconds: 3 * TOTP_SECONDS });
    await advanceToNext(app, { seconds: TOTP_SECONDS });
    const { enter } = await firstStep(app, email);

    expect((await enter(codeOf(app, key, steps))).status).toBe(status);
  });

  it('accepts a code once, also from two logins at once [AUTH-6]', async () => {
    const { email, key } = await organizerWithApp();
    const logins = [await firstStep(app, email), await firstStep(app, email)];
    const code = codeOf(app, key);

    const statuses = await Promise.all(logins.map(async ({ enter }) => (await enter(code)).status));

    expect(statuses.sort()).toEqual([200, 401]);
  });

  it('refuses a wrong code, and more than five in five minutes, right or wrong [AUTH-6]', async () => {
    const { email, key } = await organizerWithApp(limited);
    const { visitor, enter } = await firstStep(limited, email);
    // The code of the set-up was the first.
    for (let attempt = 0; attempt < 4; attempt += 1) expect(await enter('000000')).toMatchObject(INVALID);

    const reply = await enter(codeOf(limited, key));

    expect(reply).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
    expect(await isLoggedIn(visitor)).toBe(false);
  });

  it('is set up only with a code that it shows, and works only then', async () => {
    const { visitor, email } = await newOrganizer(app);
    expectOk(await visitor.call(contract.setUpApp, {}));

    const reply = await visitor.call(contract.confirmApp, { code: '000000' });
    expect(reply).toMatchObject({ status: 400, body: errorBody('auth.factor-refused') });
    expect(expectOk(await app.visitor().call(accounts.login, { email, password: PASSWORD }))).toHaveProperty('token');
  });

  it('is asked for after a password reset, too', async () => {
    const { email } = await organizerWithApp();
    await app.visitor().call(accounts.forgotPassword, { email });
    const message = (await emailsTo(app, email)).find(({ text }) => text.includes('/reset-password/'));
    const token = /\/reset-password\/([\w-]+)/.exec(message?.text ?? '')?.[1] ?? '';
    const newPassword = 'a better one than before';
    const reset = { token, newPassword, confirmNewPassword: newPassword };
    expect((await app.visitor().call(accounts.resetPassword, reset)).status).toBe(200);

    const answer = expectOk(await app.visitor().call(accounts.login, { email, password: newPassword }));

    expect(answer).toMatchObject({ factorRequired: true, kinds: ['totp'] });
  });

  it('is replaced by a new one, and works until then', async () => {
    const { visitor, email, key } = await organizerWithApp();
    const started = expectOk(await visitor.call(contract.setUpApp, {}));
    expect((await (await firstStep(app, email)).enter(codeOf(app, key))).status).toBe(200);
    await app.advance({ seconds: TOTP_SECONDS });
    const { recoveryCodes } = expectOk(await visitor.call(contract.confirmApp, { code: codeOf(app, started.key) }));
    expect(recoveryCodes).toBeNull();
    await app.advance({ seconds: TOTP_SECONDS });

    expect(await (await firstStep(app, email)).enter(codeOf(app, key))).toMatchObject(INVALID);
    expect((await (await firstStep(app, email)).enter(codeOf(app, started.key))).status).toBe(200);
  });

  it('is stored sealed', async () => {
    const { email, key } = await organizerWithApp();
    const { id } = await storedAccount(app.db, email);
    const stored = await app.db
      .selectFrom('userFactors')
      .where('userId', '=', id)
      .selectAll()
      .executeTakeFirstOrThrow();

    expect(stored.secretSealed?.includes(Buffer.from(Secret.fromBase32(key).bytes))).toBe(false);
  });
});

describe('a recovery code', () => {
  it('logs in once, in any spelling, and the owner learns of it [AUTH-6]', async () => {
    const { email, recoveryCodes } = await organizerWithApp();
    expect(new Set(recoveryCodes).size).toBe(10);
    const [code = ''] = recoveryCodes;

    expect((await (await firstStep(app, email)).enter(` ${code.toUpperCase()} `)).status).toBe(200);
    expect(await (await firstStep(app, email)).enter(code)).toMatchObject(INVALID);
    const subjects = (await emailsTo(app, email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'A Handstamp recovery code was used')).toHaveLength(1);
  });

  it('is one of ten, each of which logs in once [AUTH-6]', async () => {
    const { email, recoveryCodes } = await organizerWithApp();
    const statuses = [];
    for (const code of [...recoveryCodes, ...recoveryCodes])
      statuses.push((await (await firstStep(app, email)).enter(code)).status);

    expect(statuses).toEqual([...Array(10).fill(200), ...Array(10).fill(401)]);
  });

  it('is too random to be guessed from its plain hash: 112 bits or more', async () => {
    const { recoveryCodes } = await organizerWithApp();

    const letters = recoveryCodes.map((code) => code.replaceAll('-', ''));
    expect(letters.filter((code) => !/^[a-z2-7]+$/.test(code))).toEqual([]);
    for (const code of letters) expect(code.length * Math.log2(32)).toBeGreaterThanOrEqual(112);
  });

  it('logs in one of two that use it at once [AUTH-6]', async () => {
    const { email, recoveryCodes } = await organizerWithApp();
    const logins = [await firstStep(app, email), await firstStep(app, email)];

    const statuses = await Promise.all(logins.map(async ({ enter }) => (await enter(recoveryCodes[0] ?? '')).status));

    expect(statuses.sort()).toEqual([200, 401]);
  });

  it('stops working when new ones are made [AUTH-6]', async () => {
    const { visitor, email, recoveryCodes } = await organizerWithApp();
    const renewed = expectOk(await visitor.call(contract.renewRecoveryCodes, {})).recoveryCodes;

    expect(await (await firstStep(app, email)).enter(recoveryCodes[0] ?? '')).toMatchObject(INVALID);
    expect((await (await firstStep(app, email)).enter(renewed[0] ?? '')).status).toBe(200);
  });
});

describe('a login that waits for its second step', () => {
  it('ends after five minutes', async () => {
    const { email, key } = await organizerWithApp();
    const { enter } = await firstStep(app, email);
    await app.advance({ minutes: 5 });

    expect(await enter(codeOf(app, key))).toMatchObject(EXPIRED);
  });

  it('ends when the password changes', async () => {
    const { visitor, email, key } = await organizerWithApp();
    const { enter } = await firstStep(app, email);
    const newPassword = 'a better one than before';
    const change = { password: PASSWORD, newPassword, confirmNewPassword: newPassword };
    expectOk(await visitor.call(changePassword, change));

    expect(await enter(codeOf(app, key))).toMatchObject(EXPIRED);
  });

  it('opens one session for two right answers', async () => {
    const { email, key, recoveryCodes } = await organizerWithApp();
    const { enter } = await firstStep(app, email);

    const replies = await Promise.all([enter(codeOf(app, key)), enter(recoveryCodes[0] ?? '')]);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

describe('a login', () => {
  it('is recorded with what was shown [AUDIT-1]', async () => {
    const { email, key, recoveryCodes } = await organizerWithApp();
    await (await firstStep(app, email)).enter(codeOf(app, key));
    await (await firstStep(app, email)).enter(recoveryCodes[0] ?? '');

    expect(await recorded(email, 'log-in')).toEqual([
      { proof: 'password' },
      { proof: 'totp' },
      { proof: 'recovery-code' },
    ]);
  });
});

describe('a change of factors', () => {
  it('ends the other sessions, and is reported by email [SESS-1]', async () => {
    const { visitor, email } = await verifiedOrganizer(app);
    const other = app.visitor();
    expectOk(await other.call(accounts.login, { email, password: PASSWORD }));

    await addApp(app, visitor);

    expect(await Promise.all([visitor, other].map(isLoggedIn))).toEqual([true, false]);
    const subjects = (await emailsTo(app, email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'Your Handstamp second factors were changed')).toHaveLength(1);
  });

  it('removes the recovery codes with the last factor', async () => {
    const { visitor, email } = await organizerWithApp();
    const [factor] = expectOk(await visitor.call(contract.factors, {})).factors;

    expectOk(await visitor.call(contract.removeFactor, { factorId: factor?.id ?? '' }));

    expect(expectOk(await visitor.call(contract.factors, {}))).toMatchObject({ factors: [], recoveryCodesLeft: 0 });
    expect(expectOk(await app.visitor().call(accounts.login, { email, password: PASSWORD }))).toHaveProperty('token');
  });

  it("can't remove another person's", async () => {
    const [one, other] = [await organizerWithApp(), await organizerWithApp()];
    const [factor] = expectOk(await one.visitor.call(contract.factors, {})).factors;

    const reply = await other.visitor.call(contract.removeFactor, { factorId: factor?.id ?? '' });

    expect(reply).toMatchObject({ status: 404, body: errorBody('auth.factor-unknown') });
  });
});

describe('an organization that requires a second factor', () => {
  it('shows members without one nothing but its set-up [AUTH-7]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    expectOk(await visitor.call(contract.requireFactor, { isRequired: true }));
    const denied = { status: 403, body: errorBody('auth.factor-required') };

    expect(await visitor.call(accounts.profile, {})).toMatchObject(denied);
    await addApp(app, visitor);
    expect(await isLoggedIn(visitor)).toBe(true);

    const [factor] = expectOk(await visitor.call(contract.factors, {})).factors;
    const removal = await visitor.call(contract.removeFactor, { factorId: factor?.id ?? '' });
    expect(removal).toMatchObject({ status: 409, body: errorBody('auth.last-factor') });
  });
});
