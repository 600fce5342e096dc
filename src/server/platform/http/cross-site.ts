/**
 * Refuses what another site made a browser send. A browser says where a request comes from
 * (`Sec-Fetch-Site`, `Origin`), or our page proves it by repeating a cookie (`X-XSRF-TOKEN`).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { crossSite } from '#contract/sentences.ts';
import { forbidden } from '#server/platform/app-error.ts';
import { deriveKey } from '#server/platform/secrets.ts';

/** What the request says of its origin: ours, another's, or nothing, as programs without a browser do. */
export type Provenance = 'same-site' | 'silent';

export function denyCrossSite(request: FastifyRequest, publicUrl: string, xsrfCookie: string | undefined): Provenance {
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const xsrf = request.headers['x-xsrf-token'];

  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw forbidden(crossSite);
  if (origin !== undefined && !isOwnOrigin(origin, request.host, publicUrl)) throw forbidden(crossSite);
  if (xsrf !== undefined && (typeof xsrf !== 'string' || !isEqual(xsrf, xsrfCookie ?? ''))) throw forbidden(crossSite);

  return (site ?? origin ?? xsrf) ? 'same-site' : 'silent';
}

export function isFromBrowser(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined;
}

/** The value of the XSRF-TOKEN cookie: only we can make it, and only for this session. */
export function xsrfTokenFor(sessionId: string, appSecret: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'xsrf')).update(sessionId).digest('base64url');
}

/**
 * Also the address in the Host header: at a venue, phones may reach the server by its local address. Never over http
 * where we are on https: whoever sits on the line can write such a page.
 */
function isOwnOrigin(origin: string, host: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const ours = new URL(publicUrl);
  const { protocol, host: named } = new URL(origin);
  return origin === ours.origin || (protocol === ours.protocol && named === host);
}

/** In bytes: a letter beyond ASCII has the length of one and the bytes of several. */
function isEqual(a: string, b: string): boolean {
  const [given, right] = [Buffer.from(a), Buffer.from(b)];
  return given.length === right.length && timingSafeEqual(given, right);
}
