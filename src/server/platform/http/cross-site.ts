/**
 * Protection against cross-site request forgery. A browser states a request's origin (`Sec-Fetch-Site`, `Origin`), or our page
 * proves it by repeating a cookie in a header (`X-XSRF-TOKEN`).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { crossSite } from '#contract/messages/requests.ts';
import { forbidden } from '#server/platform/app-error.ts';
import { deriveKey } from '#server/platform/secrets.ts';

/** `silent`: the request states no origin, as requests from outside a browser do. Other origins are denied. */
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

/** The value of the XSRF-TOKEN cookie, a MAC of the session id. */
export function xsrfTokenFor(sessionId: string, appSecret: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'xsrf')).update(sessionId).digest('base64url');
}

/**
 * Also accepts the host of the Host header, because phones at a venue may reach the server by its local address. The protocol
 * must match: an attacker on the network can forge any http page.
 */
function isOwnOrigin(origin: string, host: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const ours = new URL(publicUrl);
  const { protocol, host: originHost } = new URL(origin);
  return origin === ours.origin || (protocol === ours.protocol && originHost === host);
}

/** Compares byte lengths, because timingSafeEqual throws if they differ. */
function isEqual(a: string, b: string): boolean {
  const [given, expected] = [Buffer.from(a), Buffer.from(b)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
