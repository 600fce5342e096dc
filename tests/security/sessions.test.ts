/** The session behind the cookie `token`, attacked by a thief, a forger and a former user of the machine. */
import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  changeEmail,
  confirmEmailChange,
  forgotPassword,
  login,
  logout,
  profile,
  resetPassword,
} from '#contract/app/accounts.ts';
import { adminOverview } from '#contract/app/admin.ts';
import { loggedOut } from '#messages/accounts.ts';

import { buildApp } from '#server/main/app.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { expectOk, linkTo, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const BROWSER = { 'sec-fetch-site': 'same-origin' };
const NEW_PASSWORD = 'another horse, another battery';

let app: TestApp;
/** A second server of the same installation, behind https. */
let https: FastifyInstance;

beforeAll(async () => {
  app = await startTestApp();
  const deps = { ...anotherServer(app.deps), publicUrl: 'https://tickets.example' };
  https = await buildApp({ deps, trustedProxies: 0, isReady: async () => true, webRoot: null, plugins: [] });
});
afterAll(async () => {
  await https?.close();
  await app?.close();
});

const person = () => newOrganizer(app, { isBrowser: true });

async function loginAt(
  server: FastifyInstance,
  email: string,
  headers: Record<string, string> = BROWSER,
  cookies = {},
) {
  const payload = { email, password: PASSWORD };
  const reply = await server.inject({ method: 'POST', url: login.path, headers, payload, cookies });
  expect(reply.statusCode).toBe(200);
  return {
    reply,
    set: reply.headers['set-cookie'],
    cookies: Object.fromEntries(
      reply.cookies.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]),
    ),
  };
}

const profileAt = (server: FastifyInstance, cookies: Record<string, string>) =>
  server.inject({ url: profile.path, cookies });

/** A token signed with our key, with changed claims. */
function forged(token: string, change: object) {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${encoded({ alg: 'HS256', typ: 'session+jwt' })}.${encoded({ ...decodeJwt(token), ...change })}`;
  const key = deriveKey(app.deps.appSecret, 'session token');
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}

describe('the cookies of a log-in', () => {
  it('are limited to this site; over https they are never sent in the clear, and a subdomain cannot set the HttpOnly one', async () => {
    const { email } = await person();
    const { set } = await loginAt(https, email);

    expect(set).toEqual([
      expect.stringMatching(/^token=[\w.-]+; Max-Age=43200; Path=\/; Secure; SameSite=Lax$/),
      expect.stringMatching(/^XSRF-TOKEN=[\w-]{43}; Max-Age=43200; Path=\/; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-browser=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  it('over http, as on a local machine, are the same without what requires https', async () => {
    const { email } = await person();
    const { set } = await loginAt(app.server, email);

    expect(set).toEqual([
      expect.stringMatching(/^token=[\w.-]+; Max-Age=43200; Path=\/; SameSite=Lax$/),
      expect.stringMatching(/^XSRF-TOKEN=[\w-]{43}; Max-Age=43200; Path=\/; SameSite=Lax$/),
      expect.stringMatching(/^session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^browser=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('over https reject a second cookie under a name that a subdomain could set', async () => {
    const { email } = await person();
    const { cookies } = await loginAt(https, email);
    const { token = '', '__Host-session': binding = '' } = cookies;

    expect((await profileAt(https, { token, '__Host-session': binding })).statusCode).toBe(200);
    expect((await profileAt(https, { token, session: binding })).statusCode).toBe(401);
  });
});

describe('the token alone', () => {
  it("of a browser is rejected with no second cookie, a guessed one, or another user's", async () => {
    const { email } = await person();
    const { cookies } = await loginAt(app.server, email);
    const other = await loginAt(app.server, (await person()).email);
    const token = cookies['token'] ?? '';

    for (const stolen of [{ token }, { token, session: 'x'.repeat(43) }, { ...other.cookies, token }]) {
      const reply = await profileAt(app.server, stolen);
      expect(reply.statusCode).toBe(401);
      expect(reply.json()).toEqual(expect.objectContaining({ code: 'session.missing' }));
      expect(reply.cookies).toMatchObject([{ name: 'token', value: '' }]);
    }
    expect((await profileAt(app.server, cookies)).statusCode).toBe(200);
  });

  it('of an API client is enough, because it was never in a browser', async () => {
    const { email } = await person();
    const { cookies } = await loginAt(app.server, email, {});

    expect(cookies).not.toHaveProperty('session');
    expect((await profileAt(app.server, { token: cookies['token'] ?? '' })).statusCode).toBe(200);
  });

  it("counts as a browser's with either header that browsers add", async () => {
    const { email } = await person();
    for (const headers of [BROWSER, { origin: app.publicUrl }])
      expect((await loginAt(app.server, email, headers)).cookies).toHaveProperty('session');
  });

  it("that claims to be an admin's calls no admin endpoint, even signed with our key", async () => {
    const { email } = await person();
    const { cookies } = await loginAt(app.server, email, {});
    const token = forged(cookies['token'] ?? '', { isAdmin: true });
    const asAdmin = await app.server.inject({ url: adminOverview.path, cookies: { token } });

    expect(asAdmin.statusCode).toBe(404);
    expect(Object.keys(asAdmin.json())).toEqual(['code', 'params', 'msg']);
  });

  it('identifies its own session, whatever user it claims', async () => {
    const { email } = await person();
    const victim = await person();
    const { cookies } = await loginAt(app.server, email, {});
    const sub = decodeJwt(victim.visitor.cookies.get('token') ?? '').sub;
    const reply = await profileAt(app.server, { token: forged(cookies['token'] ?? '', { sub }) });

    expect(reply.json()).toMatchObject({ email });
  });
});

describe('POST /api/protected/login', () => {
  it("replaces an attacker's cookies in a victim's browser instead of adopting their session", async () => {
    const attacker = await loginAt(app.server, (await person()).email);
    const victim = await person();
    const { cookies } = await loginAt(app.server, victim.email, BROWSER, attacker.cookies);

    for (const name of ['token', 'session', 'XSRF-TOKEN']) expect(cookies[name]).not.toBe(attacker.cookies[name]);
    expect((await profileAt(app.server, cookies)).json()).toMatchObject({ email: victim.email });
    expect((await profileAt(app.server, { ...cookies, token: attacker.cookies['token'] ?? '' })).statusCode).toBe(401);
  });

  it('keeps at most ten sessions per user: the eleventh ends the oldest', async () => {
    const { email, visitor } = await person();
    for (let more = 0; more < 9; more++) await loginAt(app.server, email, {});
    expect((await visitor.send(profile, {})).status).toBe(200);

    await loginAt(app.server, email, {});
    expect((await visitor.send(profile, {})).status).toBe(401);
  });
});

describe('an abandoned session', () => {
  it('expires after an hour without a call, and after twelve hours in any case', async () => {
    const idle = await person();
    const busy = await person();
    for (let halfHours = 0; halfHours < 23; halfHours++) {
      await app.advance({ minutes: 30 });
      expect((await busy.visitor.send(profile, {})).status).toBe(200);
      if (halfHours === 1) expect((await idle.visitor.send(profile, {})).status).toBe(401);
    }
    await app.advance({ minutes: 30 });
    expect((await busy.visitor.send(profile, {})).status).toBe(401);
  });
});

describe('POST /api/protected/logout', () => {
  it("ends the session on every server, and clears the browser's cookies", async () => {
    const { email } = await person();
    const { cookies } = await loginAt(app.server, email);
    const reply = await app.server.inject({ method: 'POST', url: logout.path, headers: BROWSER, cookies, payload: {} });

    expect(reply.json()).toEqual({ msg: loggedOut });
    expect(reply.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['token', ''],
      ['session', ''],
      ['XSRF-TOKEN', ''],
    ]);
    expect(reply.headers['clear-site-data']).toBe('"storage"');
    const kept = { ...cookies, '__Host-session': cookies['session'] ?? '' };
    expect((await profileAt(app.server, kept)).statusCode).toBe(401);
    expect((await profileAt(https, kept)).statusCode).toBe(401);
  });

  it('answers the same without a session, and with a forged one', async () => {
    const { visitor } = await person();
    for (let times = 0; times < 2; times++)
      expect(await visitor.send(logout, {})).toMatchObject({ status: 200, body: { msg: loggedOut } });

    const cookies = { token: 'a.b.c' };
    const reply = await app.server.inject({ method: 'POST', url: logout.path, headers: BROWSER, cookies, payload: {} });
    expect(reply.statusCode).toBe(200);
    expect(reply.cookies.find(({ name }) => name === 'token')?.value).toBe('');
  });

  it('does not work as a link', async () => {
    const { visitor } = await person();
    expect((await visitor.fetch(logout.path)).status).toBe(404);
    expect((await visitor.send(profile, {})).status).toBe(200);
  });
});

describe('account recovery', () => {
  /** One session in this browser, one in another, and an API client on another server. */
  async function sessionsOf(email: string) {
    return [
      { server: app.server, ...(await loginAt(app.server, email)) },
      { server: https, ...(await loginAt(https, email)) },
      { server: https, ...(await loginAt(https, email, {})) },
    ];
  }

  async function areOpen(sessions: Awaited<ReturnType<typeof sessionsOf>>) {
    return Promise.all(
      sessions.map(async ({ server, cookies }) => (await profileAt(server, cookies)).statusCode === 200),
    );
  }

  it('by a new password ends all sessions on every server, at once', async () => {
    const { email } = await person();
    const sessions = await sessionsOf(email);
    expect(await areOpen(sessions)).toEqual([true, true, true]);

    await app.call(forgotPassword, { email });
    const token = await linkTo(app, email, /reset-password\/([\w-]+)/);
    const passwords = { newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD };
    expect((await app.visitor().send(resetPassword, { token, ...passwords })).status).toBe(200);

    expect(await areOpen(sessions)).toEqual([false, false, false]);
    expect((await app.visitor().send(login, { email, password: PASSWORD })).status).toBe(401);
  });

  it('by a new address ends all sessions on every server, at once', async () => {
    const { email, visitor } = await person();
    const sessions = await sessionsOf(email);
    const newEmail = `new-${email}`;
    expectOk(await visitor.call(changeEmail, { newEmail }));
    const token = await linkTo(app, newEmail, /confirm-email-change\?token=([\w-]+)/);
    expect(await areOpen(sessions)).toEqual([true, true, true]);

    expectOk(await app.call(confirmEmailChange, { token }));
    expect(await areOpen(sessions)).toEqual([false, false, false]);
    expect((await visitor.send(profile, {})).status).toBe(401);
  });

  it('by removing the account ends all sessions as well', async () => {
    const { email } = await person();
    const sessions = await sessionsOf(email);
    await app.db.deleteFrom('sessions').execute();
    await app.db.deleteFrom('users').where('email', '=', email).execute();

    expect(await areOpen(sessions)).toEqual([false, false, false]);
  });
});
