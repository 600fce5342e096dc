import { createHmac, type KeyObject } from 'node:crypto';
import { decodeJwt, type JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loggedOut, login, logout, profile, register, wrongLogin } from '#contract/accounts.ts';
import { crossSite, signedOut, tooManyAttempts, unreadableBody } from '#contract/sentences.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

/** Calls without what a browser adds. */
const PROGRAM = {};
/** What a browser adds when another site makes it call. */
const FOREIGN = { 'sec-fetch-site': 'cross-site' };

let app: TestApp;
const browser = () => app.visitor({ isBrowser: true });

beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1, runsJobs: false });
});
beforeEach(() => app.db.deleteFrom('tries').execute());
afterAll(() => app.close());

describe('logging in', () => {
  it('answers a token that names the person, and sets it as a cookie that the page can read', async () => {
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

  it('ignores the case of the address', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });

    expect(await browser().send(login, { email: email.toUpperCase(), password: PASSWORD })).toMatchObject({
      status: 200,
    });
  });

  it('gives a wrong password, an unknown address and a filled trap the same answer', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const tries = [
      { email, password: 'wrong password' },
      { email: 'nobody@example.com', password: PASSWORD },
      { email, password: PASSWORD, honeypot: 'x' },
    ];

    for (const attempt of tries) {
      const visitor = browser();
      expect(await visitor.send(login, attempt)).toMatchObject({ status: 401, body: { msg: wrongLogin } });
      expect(visitor.cookies.size).toBe(0);
    }
  });

  it.each([
    ['a long email', { email: 'a'.repeat(301), password: 'x' }, 'Email must be 300 characters or less.'],
    ['a long password', { email: 'a', password: 'a'.repeat(301) }, 'Password must be 300 characters or less.'],
    ['a password that is not text', { email: 'a', password: { $ne: '' } }, 'password must be text.'],
    ['no password', { email: 'a' }, 'password is required.'],
    ['a character that no database stores', { email: 'a\u0000', password: 'a' }, unreadableBody],
  ])('refuses %s with its sentence', async (_what, input, msg) => {
    expect(await browser().send(login, input)).toMatchObject({ status: 400, body: { msg } });
  });

  it('is refused when another site makes the browser do it', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const reply = await app.visitor().send(login, { email, password: PASSWORD }, FOREIGN);

    expect(reply).toMatchObject({ status: 403, body: { msg: crossSite } });
  });

  it('keeps the ten newest sessions of a person', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    for (let more = 0; more < 10; more++) await rawLogin(organizer.email, PROGRAM);

    expect(await organizer.visitor.send(profile, {})).toMatchObject({ status: 401 });
    expect(await sessionsOf(organizer.email)).toHaveLength(10);
  });

  it('always makes a new session, whatever cookies come with it', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const before = organizer.visitor.cookies.get('token');
    await organizer.visitor.send(login, { email: organizer.email, password: PASSWORD });

    expect(organizer.visitor.cookies.get('token')).not.toBe(before);
    expect(await sessionsOf(organizer.email)).toHaveLength(2);
  });
});

describe('guessing passwords', () => {
  it('costs a budget of failures, which a right password passes', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const guesser = browser();
    for (let guess = 0; guess < 10; guess++)
      expect(await guesser.send(login, { email, password: `guess ${guess}` })).toMatchObject({ status: 401 });

    const refused = await guesser.send(login, { email, password: 'guess 11' });
    expect(refused).toMatchObject({ status: 429, body: { msg: tooManyAttempts } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(await guesser.send(login, { email, password: PASSWORD })).toMatchObject({ status: 200 });
  });

  it('at one account leaves the others alone', async () => {
    const [one, other] = [await newOrganizer(app, { isBrowser: true }), await newOrganizer(app, { isBrowser: true })];
    for (let guess = 0; guess < 12; guess++) await browser().send(login, { email: one.email, password: 'no' });

    expect(await browser().send(login, { email: other.email, password: 'no' })).toMatchObject({ status: 401 });
  });
});

describe('a session', () => {
  it('is open with the token alone for a program, which got no second cookie', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const { token, response } = await rawLogin(email, PROGRAM);

    expect(response.cookies.find(({ name }) => name === 'session')?.value ?? '').toBe('');
    expect((await withToken(token)).statusCode).toBe(200);
  });

  it('of a browser is closed to a token that was taken from it', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const token = organizer.visitor.cookies.get('token') ?? '';

    expect((await withToken(token)).json()).toEqual({ msg: signedOut });
    expect((await withToken(token, { session: 'guess' })).statusCode).toBe(401);
    expect((await withToken(token, { session: organizer.visitor.cookies.get('session') ?? '' })).statusCode).toBe(200);
  });

  it("is not opened by another person's second cookie", async () => {
    const [one, other] = [await newOrganizer(app, { isBrowser: true }), await newOrganizer(app, { isBrowser: true })];
    const mixed = { session: other.visitor.cookies.get('session') ?? '' };

    expect((await withToken(one.visitor.cookies.get('token') ?? '', mixed)).statusCode).toBe(401);
  });

  it('keeps only a hash of the second cookie', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const [session] = await sessionsOf(organizer.email);

    expect(session?.bindingHash).toHaveLength(32);
    expect(session?.bindingHash?.toString('base64url')).not.toBe(organizer.visitor.cookies.get('session'));
  });

  it('takes no right from the token: the row decides', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    await app.db
      .deleteFrom('sessions')
      .where('userId', '=', (await userOf(organizer.email)).id)
      .execute();

    expect(await organizer.visitor.send(profile, {})).toMatchObject({ status: 401, body: { msg: signedOut } });
    expect(organizer.visitor.cookies.has('token')).toBe(false);
  });

  it('ends after an hour without a call', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const { token } = await rawLogin(email, PROGRAM);
    await sawLast(email, 59);
    expect((await withToken(token)).statusCode).toBe(200);

    await sawLast(email, 61);
    expect((await withToken(token)).statusCode).toBe(401);
  });

  it('writes down at most once a minute that it was used', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const { token } = await rawLogin(email, PROGRAM);
    const before = await newestSession(email);
    await withToken(token);
    expect((await newestSession(email)).lastSeenAt).toEqual(before.lastSeenAt);

    await sawLast(email, 2);
    await withToken(token);
    expect(Date.now() - (await newestSession(email)).lastSeenAt.getTime()).toBeLessThan(30_000);
  });

  it('ends with its row, though the token would live on', async () => {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const { token } = await rawLogin(email, PROGRAM);
    await app.db.updateTable('sessions').set({ expiresAt: new Date() }).execute();

    expect((await withToken(token)).statusCode).toBe(401);
  });
});

describe('tokens that nobody should have made', () => {
  const hour = 60 * 60;
  const header = { alg: 'HS256', typ: 'session+jwt' };

  async function goodClaims() {
    const { email } = await newOrganizer(app, { isBrowser: true });
    const { token } = await rawLogin(email, PROGRAM);
    return { token, claims: claimsOf(token) };
  }

  it('would be let in, were they made with our key: the forgeries below fail for their own reason', async () => {
    const { claims } = await goodClaims();

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
    ['an end in the past', header, { exp: Math.floor(Date.now() / 1000) - hour }, undefined],
    ['no end', header, { exp: undefined }, undefined],
    ['an end that is text', header, { exp: '9999999999' }, undefined],
    ['a session that is no id', header, { sid: "' or 1=1" }, undefined],
    ['a session that nobody has', header, { sid: '00000000-0000-7000-8000-000000000000' }, undefined],
    ['no session', header, { sid: undefined }, undefined],
  ])('with %s are refused', async (_what, head, change, key) => {
    const { claims } = await goodClaims();

    const reply = await withToken(signed(head, { ...claims, ...change }, key));
    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toEqual({ msg: signedOut });
  });

  it('with a changed claim are refused', async () => {
    const { token, claims } = await goodClaims();
    const [head, , signature] = token.split('.');

    expect((await withToken(`${head}.${encoded({ ...claims, isAdmin: true })}.${signature}`)).statusCode).toBe(401);
    for (const junk of ['', 'x', 'a.b.c', `${token}x`, token.slice(0, -1)])
      expect((await withToken(junk)).statusCode).toBe(401);
  });
});

describe('logging out', () => {
  it('ends the session on the server and clears the cookies', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const kept = new Map(organizer.visitor.cookies);

    expect(await organizer.visitor.send(logout, {})).toMatchObject({ status: 200, body: { msg: loggedOut } });
    expect(organizer.visitor.cookies.size).toBe(0);
    expect(await sessionsOf(organizer.email)).toEqual([]);
    expect((await withToken(kept.get('token') ?? '', { session: kept.get('session') ?? '' })).statusCode).toBe(401);
  });

  it('is no error without a session', async () => {
    expect(await browser().send(logout, {})).toMatchObject({ status: 200, body: { msg: loggedOut } });
    expect(await app.visitor().send(logout, {})).toMatchObject({ status: 200 });
  });

  it('cannot be done by another site, nor with a stolen token alone', async () => {
    const organizer = await newOrganizer(app, { isBrowser: true });
    const { cookies } = organizer.visitor;
    const everything = { method: 'POST', url: logout.path, cookies: Object.fromEntries(cookies), payload: {} } as const;
    expect((await app.server.inject({ ...everything, headers: FOREIGN })).statusCode).toBe(403);
    await app.server.inject({ ...everything, cookies: { token: cookies.get('token') ?? '' } });

    expect(await organizer.visitor.send(profile, {})).toMatchObject({ status: 200 });
  });
});

it('signs up nobody while too many do from one address', async () => {
  await app.db.deleteFrom('tries').execute();
  const form = { password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true };
  await browser().send(register, { ...form, email: 'first@example.com' });
  await app.db.updateTable('tries').set({ points: 300 }).execute();

  const reply = await browser().send(register, { ...form, email: 'crowd@example.com' });
  expect(reply).toMatchObject({ status: 429, body: { msg: tooManyAttempts } });
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

async function sawLast(email: string, minutesAgo: number) {
  const { id } = await userOf(email);
  const lastSeenAt = new Date(Date.now() - minutesAgo * 60_000);
  await app.db.updateTable('sessions').set({ lastSeenAt }).where('userId', '=', id).execute();
}

const claimsOf = (token: string): JWTPayload => decodeJwt(token);

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs as the product does, unless told otherwise; `null` leaves the signature out. */
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
