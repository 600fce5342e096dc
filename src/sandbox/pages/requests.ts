/** Request helpers for hosted pages: form fields, cookies, origin. */

import type { FastifyRequest } from 'fastify';

export type Fields = Record<string, string>;

export function fieldsOf({ body }: FastifyRequest): Fields {
  return typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : {};
}

export function pathParam(request: FastifyRequest, name: string): string {
  const params: unknown = request.params;
  if (typeof params !== 'object' || params === null) return '';
  return String(Object.entries(params).find(([key]) => key === name)?.[1] ?? '');
}

export function cookieOf({ headers }: FastifyRequest, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name && value !== undefined) return value.trim();
  }
  return null;
}

/** What proxies add to a request they forward. */
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];

/**
 * A direct connection from this machine, by a name that only this machine has. The public host name is none: a proxy on this
 * machine that adds no header forwards it for everyone, and a rebound DNS name is one, too.
 */
export function isDirectLoopback(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? '';
  const isFromLoopback = address === '::1' || /^(::ffff:)?127\./.test(address);
  const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined);
  const host = `http://${request.headers.host ?? ''}`;
  const name = URL.canParse(host) ? new URL(host).hostname : '';
  return isFromLoopback && !isForwarded && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(name);
}
