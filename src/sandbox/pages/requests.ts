/** What hosted pages need of a request: the fields of its form, one cookie, where it comes from. */

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

/** Straight from this machine, to an address that names this machine. */
export function isDirectLoopback(request: FastifyRequest, publicUrl: string): boolean {
  const address = request.socket.remoteAddress ?? '';
  const fromHere = address === '::1' || /^(::ffff:)?127\./.test(address);
  const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined);
  // A page of another name that resolves to this machine must not read the console.
  const host = `http://${request.headers.host ?? ''}`;
  const name = URL.canParse(host) ? new URL(host).hostname : '';
  const toHere = ['localhost', '127.0.0.1', '[::1]', new URL(publicUrl).hostname].includes(name);
  return fromHere && !isForwarded && toHere;
}
