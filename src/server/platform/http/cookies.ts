/** Reads and writes the product's cookies. On https, cookies that scripts need not read get the `__Host-` prefix. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { KNOWN_BROWSER_DAYS } from '#domain/retention.ts';

/** Scripts read `token` and `XSRF-TOKEN`. The other cookies are HttpOnly and carry the authority. */
export type CookieName =
  | 'token'
  | 'XSRF-TOKEN'
  | 'session'
  | 'attendant'
  | 'pass'
  | 'browser'
  | 'checkouts'
  | 'proved-email';

const SCRIPT_READABLE = new Set<CookieName>(['token', 'XSRF-TOKEN']);

/** What a request shows to prove whose session it is. */
export interface Credentials {
  /** Of every `token` cookie: there are several if another site planted one. */
  tokens: readonly string[];
  /** The secret in the HttpOnly cookie of a browser's session. */
  binding: string | undefined;
  isFromBrowser: boolean;
}

export interface Cookies {
  credentials(): Credentials;
  read(name: CookieName): string | undefined;
  write(name: CookieName, value: string, maxAgeSeconds: number): void;
  /** By which the browser is known at its next login. */
  writeBrowser(secret: string): void;
  clear(name: CookieName): void;
  /** Clears the session's cookies and the site's storage in this browser. */
  clearSession(): void;
}

const SESSION_COOKIES = ['token', 'session', 'XSRF-TOKEN'] as const;

export function cookiesOf(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): Cookies {
  const wireName = (name: CookieName) => (isHttps && !SCRIPT_READABLE.has(name) ? `__Host-${name}` : name);
  const options = (name: CookieName) => ({
    path: '/',
    secure: isHttps,
    httpOnly: !SCRIPT_READABLE.has(name),
    sameSite: name === 'attendant' ? ('strict' as const) : ('lax' as const),
  });

  const clear = (name: CookieName) => void reply.clearCookie(wireName(name), options(name));

  const write = (name: CookieName, value: string, maxAge: number) =>
    void reply.setCookie(wireName(name), value, { ...options(name), maxAge });

  const read = (name: CookieName) => request.cookies[wireName(name)];

  return {
    credentials: () => ({
      tokens: valuesOf(request.headers.cookie ?? '', wireName('token')),
      binding: read('session'),
      isFromBrowser: isFromBrowser(request),
    }),
    read,
    write,
    writeBrowser: (secret) => write('browser', secret, KNOWN_BROWSER_DAYS * 24 * 60 * 60),
    clear,
    clearSession() {
      for (const name of SESSION_COOKIES) clear(name);
      reply.header('clear-site-data', '"storage"');
    },
  };
}

/** Values of all cookies with a name. Cookie parsers keep one. */
function valuesOf(header: string, name: string): string[] {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

/** Browsers say where a request comes from; other clients don't. */
export function isFromBrowser({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;
}
