/** Log-in, attacked without the password. */
import type * as Argon from '@node-rs/argon2';
import { decodeJwt } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import * as contract from '#contract/app/accounts.ts';

import { PASSWORD_MAX } from '#domain/limits.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { newOrganizer, PASSWORD } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

/** The real implementation, with calls recorded. */
const verified = vi.hoisted(() => new Array<string>());
vi.mock('@node-rs/argon2', async (original) => {
  const argon = await original<typeof Argon>();
  const verify: typeof argon.verify = (hash, ...rest) => {
    verified.push(String(hash));
    return argon.verify(hash, ...rest);
  };
  return { ...argon, verify };
});

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const { path } = contract.login;
const post = (payload: object, headers: Record<string, string> = {}) =>
  app.server.inject({ method: 'POST', url: path, payload, headers });

describe('POST /api/protected/login', () => {
  it('compares a password even for an unknown address', async () => {
    const { email } = await newOrganizer(app);
    verified.length = 0;

    await post({ email, password: 'wrong password' });
    await post({ email: 'nobody@example.com', password: 'wrong password' });

    const parameters = verified.map((hash) => hash.split('$').slice(0, 4).join('$'));
    expect(parameters).toEqual(['$argon2id$v=19$m=19456,t=2,p=1', '$argon2id$v=19$m=19456,t=2,p=1']);
    expect(verified[0]).not.toBe(verified[1]);
  });

  it('names an empty field, and compares no password', async () => {
    const { email } = await newOrganizer(app);
    verified.length = 0;

    const replies = await Promise.all([post({ email: '', password: PASSWORD }), post({ email, password: '' })]);

    expect(replies.map((reply) => [reply.statusCode, reply.json()])).toEqual([
      [400, errorBody('form.invalid', { field: 'email', reason: 'email.missing' })],
      [400, errorBody('form.invalid', { field: 'password', reason: 'password.missing' })],
    ]);
    expect(verified).toEqual([]);
  });

  it('answers identically for a wrong password, an unknown address and a filled honeypot, and sets no cookie', async () => {
    const { email } = await newOrganizer(app);

    const replies = await Promise.all(
      [
        { email, password: 'wrong password' },
        { email: 'nobody@example.com', password: PASSWORD },
        { email: 'not an address', password: PASSWORD },
        { email, password: PASSWORD, honeypot: 'x' },
        { email: `${email}\u0000`.replace('\u0000', '%00'), password: PASSWORD },
        { email: "' or 1=1 --", password: "' or 1=1 --" },
      ].map((body) => post(body)),
    );

    for (const reply of replies) {
      expect([reply.statusCode, reply.body]).toEqual([401, JSON.stringify(errorBody('login.wrong'))]);
      expect(reply.cookies).toEqual([]);
    }
  });

  it.each([
    ['of an organizer’s address as a look-alike', { email: '\u212Aim@example.com' }],
    ['with a dotted capital i', { email: 'k\u0130m@example.com' }],
    ['in full width', { email: 'ｋim@example.com' }],
  ])('rejects %s', async (_what, { email }) => {
    await app.visitor().send(contract.register, {
      email: 'kim@example.com',
      password: PASSWORD,
      confirmPassword: PASSWORD,
      acceptedTerms: true,
    });

    expect((await post({ email, password: PASSWORD })).statusCode).toBe(401);
    expect((await post({ email: 'KIM@example.com', password: PASSWORD })).statusCode).toBe(200);
  });

  it('compares a long password in full, and rejects a longer one before it costs anything', async () => {
    const email = 'long@example.com';
    const long = 'a'.repeat(PASSWORD_MAX);
    const form = { email, password: long, confirmPassword: long, acceptedTerms: true };
    expect((await app.visitor().send(contract.register, form)).status).toBe(200);

    expect((await post({ email, password: long })).statusCode).toBe(200);
    expect((await post({ email, password: long.slice(0, 72) })).statusCode).toBe(401);
    expect((await post({ email, password: `${long.slice(1)}b` })).statusCode).toBe(401);
    verified.length = 0;
    expect((await post({ email, password: `${long}a` })).statusCode).toBe(400);
    expect(verified).toEqual([]);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['an origin that starts like ours', { origin: 'http://localhost.evil.example', host: 'localhost' }],
    ['a made-up token', { 'x-xsrf-token': 'made-up' }],
    ['a token with multi-byte characters', { 'x-xsrf-token': 'é'.repeat(43), cookie: `XSRF-TOKEN=${'e'.repeat(43)}` }],
  ])('rejects a log-in by %s', async (_who, headers) => {
    const { email } = await newOrganizer(app);

    const reply = await post({ email, password: PASSWORD }, headers);

    expect([reply.statusCode, reply.json()]).toEqual([403, expect.objectContaining({ code: 'request.cross-site' })]);
    expect(reply.cookies).toEqual([]);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
    "rejects another site's form, sent as %s",
    async (type) => {
      const { email } = await newOrganizer(app);
      const headers = { 'content-type': type };
      const payload = JSON.stringify({ email, password: PASSWORD });

      const reply = await app.server.inject({ method: 'POST', url: path, payload, headers });

      expect(reply.statusCode).toBe(415);
      expect(reply.cookies).toEqual([]);
    },
  );

  it('returns only the token, without any right that the body asks for', async () => {
    const { email } = await newOrganizer(app);

    const reply = await post({
      email,
      password: PASSWORD,
      isAdmin: true,
      sid: 'mine',
      sub: 'someone',
      userId: 'someone',
    });

    const body: { token: string } = reply.json();
    expect(Object.keys(body)).toEqual(['token']);
    const claims = decodeJwt(body.token);
    expect(claims).toMatchObject({ isAdmin: false });
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'isAdmin', 'iss', 'sid', 'sub']);
    expect([claims['sid'], claims.sub]).not.toContain('mine');
    expect(claims.sub).not.toBe('someone');
  });

  it('opens a new session, whatever cookies were planted', async () => {
    const { email } = await newOrganizer(app);
    const mallory = await newOrganizer(app);
    const planted = mallory.visitor.cookies.get('token') ?? '';

    const reply = await app
      .visitor()
      .send(contract.login, { email, password: PASSWORD }, { cookie: `token=${planted}; session=planted` });

    const token = 'token' in reply.body ? reply.body.token : '';
    expect(decodeJwt(token)['sid']).not.toBe(decodeJwt(planted)['sid']);
  });
});
