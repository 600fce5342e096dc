/** Security headers of every answer, written by hand: they are constants, and cost nothing that way. */
import type { FastifyInstance } from 'fastify';

/**
 * Nothing is inline, so that finished pages can be kept, and no string ever becomes HTML or code in a page: Trusted Types.
 * Their one policy knows one address, that of the worker (src/web/offline-page.ts).
 */
const POLICY = {
  'default-src': "'none'",
  // Reading QR codes is done by WebAssembly.
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self'",
  // A map's empty tile is a data: address, a chosen photo that is not sent yet a blob: one.
  'img-src': "'self' data: blob: https://tile.openstreetmap.org",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'manifest-src': "'self'",
  'font-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'worker',
};

/** The sandbox and its inbox are forms and lists without any script; a mail is shown in a frame. */
const SANDBOX_POLICY = {
  ...POLICY,
  'script-src': "'none'",
  'connect-src': "'none'",
  'worker-src': "'none'",
  'frame-src': "'self'",
  'trusted-types': "'none'",
};

const written = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

const HEADERS = {
  'content-security-policy': written(POLICY),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
};

/** Its addresses hold the numbers of payments. A browser without any referrer would post the forms as from nowhere. */
const SANDBOX_HEADERS = { 'content-security-policy': written(SANDBOX_POLICY), 'referrer-policy': 'same-origin' };

/** Pages whose address holds a secret tell no other site where the visitor came from. */
const SECRET_IN_ADDRESS = /^\/(success|verify-email|reset-password|privacy\/[^/?]+|refund\/[^/?]+\/[^/?]+)\b/i;

export function headersOfAll(publicUrl: string): Readonly<Record<string, string>> {
  return publicUrl.startsWith('https:')
    ? { ...HEADERS, 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
    : HEADERS;
}

export function securityHeaders(server: FastifyInstance, publicUrl: string): void {
  const headers = headersOfAll(publicUrl);
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    if (SECRET_IN_ADDRESS.test(request.url)) reply.header('referrer-policy', 'no-referrer');
    if (request.url.startsWith('/sandbox')) reply.headers(SANDBOX_HEADERS);
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
}
