import { createHmac, type KeyObject } from 'node:crypto';
import { decodeJwt, type JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { login, logout, profile, register } from '#contract/app/accounts.ts';
import { loggedOut } from '#messages/accounts.ts';
import { errorText } from '#messages/errors.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

/** Headers of a non-browser client. */
const NON_BROWSER = {};
/** Headers a browser adds to a cross-site request. */
const CROSS_SITE = { 'sec-fetch-site': 'cross-site' };

let app: TestApp;
const browser = () => app.visitor({ isBrowser: true });

beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1, runsJobs: false });
});
beforeEach(() => app.db.deleteFrom('rateLimits').execute());
afterAll(() => app.close());

describe('logging in', () => {
  it('returns a token with the session claims, and sets it as a cookie that scripts can read', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const { token, response } = await rawLogin(organizer.email, { 'sec-fetch-site': 'same-origin' });

    expect(claimsOf(token)).toMatchObject({ isAdmin: false, iss: 'handstamp' });
    expect(claimsOf(token).sid).toBe((await newestSession(organizer.email)).id);
    expect(Number(claimsOf(token).exp) - Number(claimsOf(token).iat)).toBe(12 * 60 * 60);
    const cookies = Object.fromEntries(response.cookies.map((cookie) => [cookie.name, cookie]));
    expect(cookies.token).toMatchObject({ value: token, path: '/', sameSite: 'Lax' });
    expect(cookies.token?.httpOnly).toBeFalsy();
    expect(cookies.session).toMatchObject({ httpOnly: true, path: '/', sameSite: 'Lax' });
    expect(cookies['XSRF-TOKEN']?.httpOnly).toBeFalsy();
  });

  it('ignores the case of the email', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });

    expect(await browser().send(login, { email: email.toUpperCase(), password: PASSWORD })).toMatchObject({
      status: 200,
    });
  });

  it('gives the same response to a wrong password, an unknown email and a filled honeypot', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const attempts = [
      { email, password: 'wrong password' },
      { email: 'nobody@example.com', password: PASSWORD },
      { email, password: PASSWORD, honeypot: 'x' },
    ];

    for (const attempt of attempts) {
      const visitor = browser();
      expect(await visitor.send(login, attempt)).toMatchObject({ status: 401, body: { code: 'login.wrong' } });
      expect(visitor.cookies.size).toBe(0);
    }
  });

  it.each([
    ['a long email', { email: 'a'.repeat(301), password: 'x' }, 'Email must be 300 characters or less.'],
    ['a long password', { email: 'a', password: 'a'.repeat(301) }, 'Password must be 300 characters or less.'],
    ['a password that is not text', { email: 'a', password: { $ne: '' } }, 'password must be text.'],
    ['no password', { email: 'a' }, 'password is required.'],
    ['a NUL character', { email: 'a\u0000', password: 'a' }, errorText('request.unreadable')],
  ])('refuses %s with its message', async (_what, input, msg) => {
    expect(await browser().send(login, input)).toMatchObject({ status: 400, body: { msg } });
  });

  it('refuses a cross-site request', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const reply = await app.visitor().send(login, { email, password: PASSWORD }, CROSS_SITE);

    expect(reply).toMatchObject({ status: 403, body: { code: 'request.cross-site' } });
  });

  it("keeps the user's ten newest sessions", async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    for (let more = 0; more < 10; more++) await rawLogin(organizer.email, NON_BROWSER);

    expect(await organizer.visitor.send(profile, {})).toMatchObject({ status: 401 });
    expect(await sessionsOf(organizer.email)).toHaveLength(10);
  });

  it('always creates a new session, even when already logged in', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const before = organizer.visitor.cookies.get('token');
    await organizer.visitor.send(login, { email: organizer.email, password: PASSWORD });

    expect(organizer.visitor.cookies.get('token')).not.toBe(before);
    expect(await sessionsOf(organizer.email)).toHaveLength(2);
  });
});

describe('guessing passwords', () => {
  it('is rate-limited by failures, while the correct password still works', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const guesser = browser();
    for (let guess = 0; guess < 10; guess++)
      expect(await guesser.send(login, { email, password: `guess ${guess}` })).toMatchObject({ status: 401 });

    const refused = await guesser.send(login, { email, password: 'guess 11' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(await guesser.send(login, { email, password: PASSWORD })).toMatchObject({ status: 200 });
  });

  it('does not limit logins to other accounts', async () => {
    const [one, other] = [await newOrganizer(app, { isBrowser: true }), await newOrganizer(app, { isBrowser: true })];
    for (let guess = 0; guess < 12; guess++) await browser().send(login, { email: one.email, password: 'no' });

    expect(await browser().send(login, { email: other.email, password: 'no' })).toMatchObject({ status: 401 });
  });
});

describe('a session', () => {
  it('needs only the token outside a browser, where no binding cookie is set', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const { token, response } = await rawLogin(email, NON_BROWSER);

    expect(response.cookies.find(({ name }) => name === 'session')?.value ?? '').toBe('');
    expect((await withToken(token)).statusCode).toBe(200);
  });

  it("refuses a browser's token without its binding cookie", async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const token = organizer.visitor.cookies.get('token') ?? '';

    expect((await withToken(token)).json()).toEqual(expect.objectContaining({ code: 'session.missing' }));
    expect((await withToken(token, { session: 'guess' })).statusCode).toBe(401);
    expect((await withToken(token, { session: organizer.visitor.cookies.get('session') ?? '' })).statusCode).toBe(200);
  });

  it("refuses another user's binding cookie", async () => {
    const [one, other] = [await newOrganizer(app, { isBrowser: true }), await newOrganizer(app, { isBrowser: true })];
    const mixed = { session: other.visitor.cookies.get('session') ?? '' };

    expect((await withToken(one.visitor.cookies.get('token') ?? '', mixed)).statusCode).toBe(401);
  });

  it('stores only a hash of the binding cookie', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const [session] = await sessionsOf(organizer.email);

    expect(session?.bindingHash).toHaveLength(32);
    expect(session?.bindingHash?.toString('base64url')).not.toBe(organizer.visitor.cookies.get('session'));
  });

  it('is invalid once its row is deleted, even with a valid token', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    await app.db
      .deleteFrom('sessions')
      .where('userId', '=', (await userOf(organizer.email)).id)
      .execute();

    expect(await organizer.visitor.send(profile, {})).toMatchObject({ status: 401, body: { code: 'session.missing' } });
    expect(organizer.visitor.cookies.has('token')).toBe(false);
  });

  it('expires after an hour without a request', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const { token } = await rawLogin(email, NON_BROWSER);
    await setLastSeen(email, 59);
    expect((await withToken(token)).statusCode).toBe(200);

    await setLastSeen(email, 61);
    expect((await withToken(token)).statusCode).toBe(401);
  });

  it('records its last use at most once a minute', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const { token } = await rawLogin(email, NON_BROWSER);
    const before = await newestSession(email);
    await withToken(token);
    expect((await newestSession(email)).lastSeenAt).toEqual(before.lastSeenAt);

    await setLastSeen(email, 2);
    await withToken(token);
    expect(Date.now() - (await newestSession(email)).lastSeenAt.getTime()).toBeLessThan(30_000);
  });

  it('expires with its row, before the token does', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const { token } = await rawLogin(email, NON_BROWSER);
    await app.db.updateTable('sessions').set({ expiresAt: new Date() }).execute();

    expect((await withToken(token)).statusCode).toBe(401);
  });
});

describe('forged tokens', () => {
  const hour = 60 * 60;
  const header = { alg: 'HS256', typ: 'session+jwt' };

  async function validClaims() {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const { token } = await rawLogin(email, NON_BROWSER);
    return { token, claims: claimsOf(token) };
  }

  it('are accepted when signed with the real key, so each forgery below fails for its own reason', async () => {
    const { claims } = await validClaims();

    expect((await withToken(signed(header, claims))).statusCode).toBe(200);
  });

  it.each([
    ['another key', header, {}, Buffer.alloc(32)],
    ['the algorithm none', { ...header, alg: 'none' }, {}, null],
    ['another algorithm', { ...header, alg: 'HS512' }, {}, undefined],
    ['another type', { ...header, typ: 'JWT' }, {}, undefined],
    ['no type', { alg: 'HS256' }, {}, undefined],
    ['another audience', header, { aud: 'elsewhere' }, undefined],
    ['another issuer', header, { iss: 'elsewhere' }, undefined],
    ['an expiry in the past', header, { exp: Math.floor(Date.now() / 1000) - hour }, undefined],
    ['no expiry', header, { exp: undefined }, undefined],
    ['an expiry that is text', header, { exp: '9999999999' }, undefined],
    ['a malformed session ID', header, { sid: "' or 1=1" }, undefined],
    ['an unknown session', header, { sid: '00000000-0000-7000-8000-000000000000' }, undefined],
    ['no session', header, { sid: undefined }, undefined],
  ])('are refused with %s', async (_what, head, change, key) => {
    const { claims } = await validClaims();

    const reply = await withToken(signed(head, { ...claims, ...change }, key));
    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toEqual(expect.objectContaining({ code: 'session.missing' }));
  });

  it('are refused with a changed claim', async () => {
    const { token, claims } = await validClaims();
    const [head, , signature] = token.split('.');

    expect((await withToken(`${head}.${encoded({ ...claims, isAdmin: true })}.${signature}`)).statusCode).toBe(401);
    for (const junk of ['', 'x', 'a.b.c', `${token}x`, token.slice(0, -1)])
      expect((await withToken(junk)).statusCode).toBe(401);
  });
});

describe('logging out', () => {
  it('ends the session on the server and clears the cookies', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const saved = new Map(organizer.visitor.cookies);

    expect(await organizer.visitor.send(logout, {})).toMatchObject({ status: 200, body: { msg: loggedOut } });
    // The browser stays known.
    expect([...organizer.visitor.cookies.keys()]).toEqual(['browser']);
    expect(await sessionsOf(organizer.email)).toEqual([]);
    expect((await withToken(saved.get('token') ?? '', { session: saved.get('session') ?? '' })).statusCode).toBe(401);
  });

  it('succeeds without a session', async () => {
    expect(await browser().send(logout, {})).toMatchObject({ status: 200, body: { msg: loggedOut } });
    expect(await app.visitor().send(logout, {})).toMatchObject({ status: 200 });
  });

  it('refuses a cross-site request, and ignores a stolen token without the binding cookie', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const { cookies } = organizer.visitor;
    const everything = { method: 'POST', url: logout.path, cookies: Object.fromEntries(cookies), payload: {} } as const;
    expect((await app.server.inject({ ...everything, headers: CROSS_SITE })).statusCode).toBe(403);
    await app.server.inject({ ...everything, cookies: { token: cookies.get('token') ?? '' } });

    expect(await organizer.visitor.send(profile, {})).toMatchObject({ status: 200 });
  });
});

it('rate-limits registrations by IP address', async () => {
  await app.db.deleteFrom('rateLimits').execute();
  const form = { password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true };
  await browser().send(register, { ...form, email: 'first@example.com' });
  await app.db.updateTable('rateLimits').set({ points: 300 }).execute();

  const reply = await browser().send(register, { ...form, email: 'crowd@example.com' });
  expect(reply).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
});

async function rawLogin(email: string, headers: Record<string, string>) {
  const response = await app.server.inject({
    method: 'POST',
    url: login.path,
    headers,
    payload: { email, password: PASSWORD },
  });
  const { token } = response.json<{ token: string }>();
  return { token, response };
}

const withToken = (token: string, others: Record<string, string> = {}) =>
  app.server.inject({ url: profile.path, cookies: { token, ...others } });

const userOf = (email: string) =>
  app.db.selectFrom('users').where('email', '=', email).select('id').executeTakeFirstOrThrow();

async function sessionsOf(email: string) {
  const { id } = await userOf(email);
  return app.db.selectFrom('sessions').where('userId', '=', id).selectAll().orderBy('createdAt').execute();
}

async function newestSession(email: string) {
  const newest = (await sessionsOf(email)).at(-1);
  if (!newest) throw new Error(`${email} has no session.`);
  return newest;
}

async function setLastSeen(email: string, minutesAgo: number) {
  const { id } = await userOf(email);
  const lastSeenAt = new Date(Date.now() - minutesAgo * 60_000);
  await app.db.updateTable('sessions').set({ lastSeenAt }).where('userId', '=', id).execute();
}

const claimsOf = (token: string): JWTPayload => decodeJwt(token);

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs like the server by default; a `null` key omits the signature. */
function signed(
  header: { alg: string },
  claims: object,
  key: Buffer | KeyObject | null = deriveKey(app.deps.appSecret, 'session token'),
) {
  const content = `${encoded(header)}.${encoded(claims)}`;
  if (key === null) return `${content}.`;
  const hash = header.alg === 'HS512' ? 'sha512' : 'sha256';
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`;
}
