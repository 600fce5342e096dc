import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import * as contract from '#contract/app/security.ts';
import { characterCount, PASSWORD_MIN } from '#domain/limits.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import {
  emailsTo,
  expectOk,
  linkTo,
  newOrganizer,
  onboardedOrganizer,
  PASSWORD,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
/** As with a live Stripe key. */
let strict: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  strict = await startTestApp({ takesRealMoney: true, hasOrganizers: false });
});
afterAll(async () => {
  await strict.close();
  await app.close();
});

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const NEW_PASSWORD = 'a better one than before';

const isLoggedIn = async (visitor: Visitor) => (await visitor.call(accounts.profile, {})).status === 200;

async function logIn(site: TestApp, email: string, headers: Record<string, string> = {}) {
  const visitor = site.visitor({ isBrowser: true });
  expect((await visitor.send(accounts.login, { email, password: PASSWORD }, headers)).status).toBe(200);
  return visitor;
}

describe('the logged-in devices', () => {
  it('are listed with browser and times, newest first, and say which one this is [SESS-1]', async () => {
    const { visitor: older, email } = await newOrganizer(app);
    await app.advance({ minutes: 5 });
    const newer = await logIn(app, email, { 'user-agent': CHROME });

    const { sessions } = expectOk(await newer.call(contract.sessions, {}));

    expect(sessions).toMatchObject([
      { browser: 'Chrome on Windows', isThis: true },
      { browser: null, isThis: false },
    ]);
    const [mine, other] = sessions.map(({ createdAt }) => Date.parse(createdAt));
    expect((mine ?? 0) - (other ?? 0)).toBeGreaterThanOrEqual(5 * 60_000);
    const lastSeenOf = (list: typeof sessions) => Date.parse(list[1]?.lastSeenAt ?? '');
    const unused = lastSeenOf(sessions);
    await app.advance({ minutes: 5 });
    const seenByOlder = expectOk(await older.call(contract.sessions, {})).sessions;
    expect(seenByOlder.map(({ isThis }) => isThis)).toEqual([false, true]);
    expect(lastSeenOf(seenByOlder) - unused).toBeGreaterThanOrEqual(10 * 60_000);
  });

  it('are logged out one at a time, at once [SESS-1]', async () => {
    const { visitor, email } = await newOrganizer(app);
    const [lost, kept] = [await logIn(app, email, { 'user-agent': CHROME }), await logIn(app, email)];
    const { sessions } = expectOk(await visitor.call(contract.sessions, {}));
    const sessionId = sessions.find(({ browser }) => browser === 'Chrome on Windows')?.id ?? '';

    expectOk(await visitor.call(contract.endSession, { sessionId }));

    expect(await Promise.all([visitor, lost, kept].map(isLoggedIn))).toEqual([true, false, true]);
    expect(await visitor.call(contract.endSession, { sessionId })).toMatchObject({
      status: 404,
      body: errorBody('session.not-found'),
    });
  });

  it("don't include another person's [SESS-1]", async () => {
    const [one, other] = [await newOrganizer(app), await newOrganizer(app)];
    const [session] = expectOk(await one.visitor.call(contract.sessions, {})).sessions;

    const reply = await other.visitor.call(contract.endSession, { sessionId: session?.id ?? '' });

    expect(reply).toMatchObject({ status: 404, body: errorBody('session.not-found') });
    expect(await isLoggedIn(one.visitor)).toBe(true);
  });

  it('are all logged out but this one [SESS-1]', async () => {
    const { visitor, email } = await newOrganizer(app);
    const others = [await logIn(app, email), await logIn(app, email)];

    expectOk(await visitor.call(contract.endOtherSessions, {}));

    expect(await Promise.all([visitor, ...others].map(isLoggedIn))).toEqual([true, false, false]);
  });
});

describe('logging out another device', () => {
  it('takes the password again, 10 minutes after it was entered [AUTH-8 SESS-1]', async () => {
    const { visitor, email } = await newOrganizer(app);
    const other = await logIn(app, email);
    const { sessions } = expectOk(await visitor.call(contract.sessions, {}));
    const sessionId = sessions.find(({ isThis }) => !isThis)?.id ?? '';
    await app.advance({ minutes: 10 });

    const stale = { status: 403, body: errorBody('auth.reauthentication-required') };
    expect(await visitor.call(contract.endSession, { sessionId })).toMatchObject(stale);
    expect(await visitor.call(contract.endOtherSessions, {})).toMatchObject(stale);
    expect(await isLoggedIn(other)).toBe(true);
    expectOk(await visitor.call(accounts.reauthenticate, { password: PASSWORD }));
    expectOk(await visitor.call(contract.endSession, { sessionId }));
    expect(await isLoggedIn(other)).toBe(false);
  });
});

describe('the password, entered again', () => {
  it('is recorded, and a wrong one is not [AUDIT-1]', async () => {
    const { visitor, email } = await newOrganizer(app);
    await visitor.send(accounts.reauthenticate, { password: 'a wrong one' });
    expectOk(await visitor.call(accounts.reauthenticate, { password: PASSWORD }));

    const { id, organizationId } = await storedAccount(app.db, email);
    const events = await app.db
      .selectFrom('auditEvents')
      .where('action', '=', 'reauthenticate')
      .where('actorId', '=', id)
      .select(['actorKind', 'organizationId'])
      .execute();
    expect(events).toEqual([{ actorKind: 'member', organizationId }]);
  });
});

describe('a new password', () => {
  const change = (visitor: Visitor, more: object = {}) =>
    visitor.send(contract.changePassword, {
      password: PASSWORD,
      newPassword: NEW_PASSWORD,
      confirmNewPassword: NEW_PASSWORD,
      ...more,
    });

  it('takes the present one, ends the other sessions, and is reported by email [AUTH-4 SESS-1]', async () => {
    const { visitor, email } = await verifiedOrganizer(app);
    const other = await logIn(app, email);

    expect((await change(visitor)).status).toBe(200);

    expect(await Promise.all([visitor, other].map(isLoggedIn))).toEqual([true, false]);
    expect((await app.visitor().send(accounts.login, { email, password: PASSWORD })).status).toBe(401);
    expect((await app.visitor().send(accounts.login, { email, password: NEW_PASSWORD })).status).toBe(200);
    const subjects = (await emailsTo(app, email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'Your Handstamp password was changed')).toHaveLength(1);
  });

  it('is not reported to an address that was never verified [EMAIL-4]', async () => {
    const { visitor, email } = await newOrganizer(app);
    const before = (await emailsTo(app, email)).length;

    expect((await change(visitor)).status).toBe(200);

    expect(await emailsTo(app, email)).toHaveLength(before);
  });

  it('is refused without the present one, or with two different ones [AUTH-4]', async () => {
    const { visitor, email } = await newOrganizer(app);

    expect(await change(visitor, { password: 'not this one' })).toMatchObject({
      status: 400,
      body: errorBody('password.wrong'),
    });
    expect((await change(visitor, { confirmNewPassword: 'something else' })).status).toBe(400);
    expect((await app.visitor().send(accounts.login, { email, password: PASSWORD })).status).toBe(200);
  });

  it('is not set by a change that a reset by email has overtaken', async () => {
    const { visitor, email } = await newOrganizer(app);
    const { id } = await storedAccount(app.db, email);
    const { changing } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').where('id', '=', id).select('id').forUpdate().execute();
      const pending = change(visitor);
      await app.untilBlocked();
      await tx.updateTable('users').set({ passwordHash: null }).where('id', '=', id).execute();
      return { changing: pending };
    });

    expect(await changing).toMatchObject({ status: 401, body: errorBody('session.missing') });
    expect((await storedAccount(app.db, email)).passwordHash).toBeNull();
  });
});

describe('a password that is guessed first', () => {
  const common = { status: 400, body: errorBody('auth.password-common') };
  const registration = (email: string, password: string) => ({
    email,
    password,
    confirmPassword: password,
    acceptedTerms: true,
  });

  it.each([
    ['one of the most common', 'password1'],
    ['the same in capitals', 'Password1'],
    ['the email address', 'Careless@example.com'],
  ])('is refused where money is real: %s [AUTH-4]', async (_what, password) => {
    const email = 'careless@example.com';

    expect(await strict.visitor().send(accounts.register, registration(email, password))).toMatchObject(common);
  });

  it('is refused as a new one and by a reset, too; so is the name of the organization [AUTH-4]', async () => {
    const { visitor, email } = await newOrganizer(strict);
    const organizationName = 'Cooperage Nights';
    const { organizationId } = await storedAccount(strict.db, email);
    await strict.db
      .updateTable('organizations')
      .set({ name: organizationName })
      .where('id', '=', organizationId)
      .execute();

    for (const newPassword of ['password1', email, organizationName.toLowerCase()]) {
      const passwords = { newPassword, confirmNewPassword: newPassword };
      expect(await visitor.send(contract.changePassword, { password: PASSWORD, ...passwords })).toMatchObject(common);
      await strict.call(accounts.forgotPassword, { email });
      const token = await linkTo(strict, email, /\/reset-password\/([\w-]+)/);
      expect(await strict.visitor().send(accounts.resetPassword, { token, ...passwords })).toMatchObject(common);
    }
    expect((await strict.visitor().send(accounts.login, { email, password: PASSWORD })).status).toBe(200);
  });

  it('is accepted in the sandbox, whose screens know the list and warn [AUTH-4]', async () => {
    const { passwords } = expectOk(await app.visitor().call(contract.commonPasswords, {}));

    expect(passwords).toContain('password1');
    expect(passwords).not.toContain(PASSWORD);
    expect(Math.min(...passwords.map(characterCount))).toBe(PASSWORD_MIN);
    const reply = await app.visitor().send(accounts.register, registration('trying-it-out@example.com', 'password1'));
    expect(reply.status).toBe(200);
  });
});

describe('the token of an API client', () => {
  it.each([
    ['says where its request comes from', { 'sec-fetch-site': 'same-origin' }],
    ['has an origin', { origin: 'http://127.0.0.1' }],
  ])('is no session in a browser, which %s [SESS-2]', async (_what, headers) => {
    const { visitor } = await newOrganizer(app);
    expect(await isLoggedIn(visitor)).toBe(true);

    expect((await visitor.send(accounts.profile, {}, headers)).status).toBe(401);
  });

  it('shows nothing of its account in a browser with a session, wherever it is planted [SESS-2]', async () => {
    const attacker = await onboardedOrganizer(app);
    const victim = await newOrganizer(app, { isBrowser: true });
    const planted = `token=${attacker.visitor.cookies.get('token')}`;
    const own = [...victim.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const profileWith = async (cookie: string, headers: Record<string, string> = {}) => {
      const reply = await fetch(`${app.publicUrl}${accounts.profile.path}`, { headers: { cookie, ...headers } });
      return { status: reply.status, body: await reply.json() };
    };

    for (const cookie of [`${planted}; ${own}`, `${own}; ${planted}`])
      for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }])
        expect(await profileWith(cookie, headers)).toMatchObject({ status: 200, body: { email: victim.email } });

    const withoutOwnToken = own.replace(/token=[^;]+;?/, '');
    expect((await profileWith(`${planted}; ${withoutOwnToken}`)).status).toBe(401);
  });

  it('is read from the first few cookies only, because each costs a query', async () => {
    const { visitor } = await newOrganizer(app, { isBrowser: true });
    const own = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const profileAfter = async (count: number) => {
      const cookie = `${'token=x; '.repeat(count)}${own}`;
      return (await fetch(`${app.publicUrl}${accounts.profile.path}`, { headers: { cookie } })).status;
    };

    expect(await profileAfter(2)).toBe(200);
    expect(await profileAfter(3)).toBe(401);
  });
});
