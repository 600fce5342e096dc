/** The product's cookies. On https they carry the `__Host-` prefix where the page need not read them. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `token` and `XSRF-TOKEN` are read by the page; the others are not, and hold the authority. */
export type CookieName = 'token' | 'XSRF-TOKEN' | 'session' | 'attendant' | 'place';

const READABLE = new Set<CookieName>(['token', 'XSRF-TOKEN']);

export interface Cookies {
  read(name: CookieName): string | undefined;
  write(name: CookieName, value: string, maxAgeSeconds: number): void;
  clear(name: CookieName): void;
  /** Ends what a session has left in this browser: its cookies, and what our pages remember there. */
  clearSession(): void;
}

const OF_A_SESSION = ['token', 'session', 'XSRF-TOKEN'] as const;

export function cookiesOf(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): Cookies {
  const wireName = (name: CookieName) => (isHttps && !READABLE.has(name) ? `__Host-${name}` : name);
  const options = (name: CookieName) => ({
    path: '/',
    secure: isHttps,
    httpOnly: !READABLE.has(name),
    sameSite: name === 'attendant' ? ('strict' as const) : ('lax' as const),
  });

  const clear = (name: CookieName) => void reply.clearCookie(wireName(name), options(name));

  return {
    read: (name) => request.cookies[wireName(name)],
    write: (name, value, maxAge) => void reply.setCookie(wireName(name), value, { ...options(name), maxAge }),
    clear,
    clearSession() {
      for (const name of OF_A_SESSION) clear(name);
      reply.header('clear-site-data', '"storage"');
    },
  };
}
