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

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** A direct connection from this machine to a hostname of this machine. */
export function isDirectLoopback(request: FastifyRequest, publicUrl: string): boolean {
  const address = request.socket.remoteAddress ?? '';
  const isFromLoopback = address === '::1' || /^(::ffff:)?127\./.test(address);
  const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined);
  // Guards against DNS rebinding.
  const host = `http://${request.headers.host ?? ''}`;
  const name = URL.canParse(host) ? new URL(host).hostname : '';
  const isToLoopback = ['localhost', '127.0.0.1', '[::1]', new URL(publicUrl).hostname].includes(name);
  return isFromLoopback && !isForwarded && isToLoopback;
}
