/** Security headers of every response, precomputed as constants. */
import type { FastifyInstance } from 'fastify';

/**
 * No inline code or styles, so that rendered pages can be cached, and Trusted Types. One policy allows one URL, the service
 * worker's (src/web/offline-page.ts), the other HTML for a frame that runs no scripts (src/web/profile/editor/show-in-frame.ts).
 */
const POLICY = {
  'default-src': "'none'",
  'object-src': "'none'",
  // The QR code reader is WebAssembly.
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self'",
  // data: for empty map tiles, blob: for previews of photos before the upload.
  'img-src': "'self' data: blob: https://tile.openstreetmap.org",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'manifest-src': "'self'",
  'font-src': "'self'",
  // The preview of embedded tickets.
  'frame-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'worker preview',
};

/** The sandbox and its inbox are plain forms and lists without scripts. An email is shown in a frame. */
const SANDBOX_POLICY = {
  ...POLICY,
  'script-src': "'none'",
  'connect-src': "'none'",
  'worker-src': "'none'",
  'trusted-types': "'none'",
};

/** An image is never a page, whatever its bytes. */
const IMAGE = { 'default-src': "'none'", 'object-src': "'none'", 'base-uri': "'none'", 'frame-ancestors': "'none'" };

const serialize = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

export const IMAGE_POLICY = `${serialize(IMAGE)}; sandbox`;

const HEADERS = {
  'content-security-policy': serialize(POLICY),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
};

/** `same-origin` keeps payment ids in URLs from other sites. `no-referrer` would make form posts send `Origin: null`. */
const SANDBOX_HEADERS = { 'content-security-policy': serialize(SANDBOX_POLICY), 'referrer-policy': 'same-origin' };

/** Pages with a secret in their URL send no referrer. */
const SECRET_IN_URL =
  /^\/(success|verify-email|invitation|confirm-email-change|undo-email-change|reset-password|(?:checkout|contact|order|ticket|privacy)\/[^/?]+|(?:refund|checked-in)\/[^/?]+\/[^/?]+)\b/i;

export function commonHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return publicUrl.startsWith('https:')
    ? { ...HEADERS, 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
    : HEADERS;
}

/** Of the one page that other websites may frame: those of its event, and our own, which previews it. */
export function embedHeaders(
  { 'x-frame-options': _denied, ...common }: Readonly<Record<string, string>>,
  origins: readonly string[],
): Readonly<Record<string, string>> {
  const policy = { ...POLICY, 'frame-ancestors': ["'self'", ...origins].join(' ') };
  return { ...common, 'content-security-policy': serialize(policy), ...FOR_OTHER_SITES };
}

/** Also on websites whose policy refuses what doesn't say so. */
export const FOR_OTHER_SITES = { 'cross-origin-resource-policy': 'cross-origin' };

export function securityHeaders(server: FastifyInstance, publicUrl: string): void {
  const headers = commonHeaders(publicUrl);
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    if (SECRET_IN_URL.test(request.url)) reply.header('referrer-policy', 'no-referrer');
    if (request.url.startsWith('/sandbox')) reply.headers(SANDBOX_HEADERS);
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
    done();
  });
}
