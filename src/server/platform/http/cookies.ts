/** Reads and writes the product's cookies. On https, cookies that scripts need not read get the `__Host-` prefix. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Scripts read `token` and `XSRF-TOKEN`. The other cookies are HttpOnly and carry the authority. */
export type CookieName = 'token' | 'XSRF-TOKEN' | 'session' | 'attendant' | 'pass';

const SCRIPT_READABLE = new Set<CookieName>(['token', 'XSRF-TOKEN']);

export interface Cookies {
  read(name: CookieName): string | undefined;
  write(name: CookieName, value: string, maxAgeSeconds: number): void;
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

  return {
    read: (name) => request.cookies[wireName(name)],
    write: (name, value, maxAge) => void reply.setCookie(wireName(name), value, { ...options(name), maxAge }),
    clear,
    clearSession() {
      for (const name of SESSION_COOKIES) clear(name);
      reply.header('clear-site-data', '"storage"');
    },
  };
}
