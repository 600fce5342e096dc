/** Security headers of every answer, written by hand: they are constants, and cost nothing that way. */
import type { FastifyInstance } from 'fastify';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob: https://tile.openstreetmap.org",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "media-src 'self' blob:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
};

/** Pages whose address holds a secret tell no other site where the visitor came from. */
const SECRET_IN_ADDRESS = /^\/(success|verify-email|reset-password|refund\/[^/?]+\/[^/?]+)\b/i;

export function headersOfAll(publicUrl: string): Readonly<Record<string, string>> {
  return publicUrl.startsWith('https:')
    ? { ...HEADERS, 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
    : HEADERS;
}

export function securityHeaders(app: FastifyInstance, publicUrl: string): void {
  const headers = headersOfAll(publicUrl);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    if (SECRET_IN_ADDRESS.test(request.url)) reply.header('referrer-policy', 'no-referrer');
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
}
