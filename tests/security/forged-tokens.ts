/** Invalid session tokens, each with one difference from a valid one. */
import { createHmac, type KeyObject } from 'node:crypto';
import { decodeJwt, type JWTPayload, SignJWT } from 'jose';
import { logout } from '#contract/app/accounts.ts';
import { loggedOut } from '#messages/accounts.ts';
import { newId } from '#server/platform/ids.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { newOrganizer } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';

const ALGORITHM = 'HS256';
const TYPE = 'session+jwt';

/** `right` is the token of an open session. */
export async function forgedTokens(app: TestApp, right: string): Promise<[name: string, token: string][]> {
  const { appSecret } = app.deps;
  const claims = decodeJwt(right);
  const key = deriveKey(appSecret, 'session token');
  const seconds = Math.floor(app.now().getTime() / 1000);
  const signed = (
    change: JWTPayload,
    { header = {}, by = key }: { header?: object; by?: KeyObject | Uint8Array } = {},
  ) => new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: ALGORITHM, typ: TYPE, ...header }).sign(by);
  const { exp: _exp, ...endless } = claims;
  const [head = '', , signature = ''] = right.split('.');
  const unsigned = (alg: string) => `${encoded({ alg, typ: TYPE })}.${encoded(claims)}.`;

  return [
    ['no token at all', ''],
    ['a random string', 'token'],
    ['three dots', '...'],
    ['an unsigned token', unsigned('none')],
    ['an unsigned token with another spelling of `none`', unsigned('nOnE')],
    ['a token with its signature removed', unsigned(ALGORITHM)],
    ["another token's claims under a valid signature", `${head}.${encoded({ ...claims, sid: newId() })}.${signature}`],
    ["another app's key", await signed({}, { by: deriveKey(['another secret of 32 characters!!'], 'session token') })],
    ['a key derived for another purpose', await signed({}, { by: deriveKey(appSecret, 'xsrf') })],
    ['the secret itself as the key', await signed({}, { by: Buffer.from(appSecret[0]) })],
    ['another algorithm', await signed({}, { header: { alg: 'HS512' } })],
    ['another kind of token', await signed({}, { header: { typ: 'JWT' } })],
    ['a token without a type', await signed({}, { header: { typ: undefined } })],
    ['an unknown critical header', signedByHand({ crit: ['mayDoAll'], mayDoAll: true }, claims, key)],
    ['a token that has expired', await signed({ iat: seconds - 7200, exp: seconds - 1 })],
    ['a token that never expires', signedByHand({}, endless, key)],
    ['a token for another audience', await signed({ aud: 'elsewhere' })],
    ['a token by another issuer', await signed({ iss: 'elsewhere' })],
    ['an unknown session', await signed({ sid: newId() })],
    ['a session that is not an id', await signed({ sid: "' or true --" })],
    ['a list of sessions', await signed({ sid: [claims.sid] })],
    ['a session that was logged out', await loggedOutToken(app)],
  ];
}

function signedByHand(header: object, claims: JWTPayload, key: KeyObject): string {
  const body = `${encoded({ alg: ALGORITHM, typ: TYPE, ...header })}.${encoded(claims)}`;
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`;
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function loggedOutToken(app: TestApp): Promise<string> {
  const { visitor } = await newOrganizer(app);
  const token = visitor.cookies.get('token') ?? '';
  const { body } = await visitor.call(logout, {});
  if (body.msg !== loggedOut) throw new Error('the log-out failed');
  return token;
}
