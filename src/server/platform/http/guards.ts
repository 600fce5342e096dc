/**
 * Who may call: the page that a request comes from, then the caller, by one guard per kind of access. An endpoint whose access has
 * no guard cannot be mounted.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '#contract/endpoint.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { RateStanding } from '#server/platform/ports/rate-limiter.ts';
import { type AppSecret, deriveKey } from '#server/platform/secrets.ts';
import type { Attendant, GrantReader, KeyHolder, Organizer } from './callers.ts';
import type { Cookies, Credentials } from './cookies.ts';

/** The caller that each guard passes to the handler. */
export interface Callers {
  public: Record<never, never>;
  organizer: { organizer: Organizer };
  attendant: { attendant: Attendant };
  admin: { admin: Organizer };
  key: { key: KeyHolder };
}

export interface Authenticated<A extends Access> {
  caller: Callers[A];
  /** The caller is authenticated by a cookie that browsers send automatically, so the request needs CSRF protection. */
  isBound: boolean;
  /** The caller may only read. */
  isViewing: boolean;
}

/** What a request says about its caller. */
export interface Claims {
  cookies: Cookies;
  /** Of the `Authorization` header. */
  bearer: string | undefined;
  ip: string;
  /** In the body. */
  eventId: string | null;
  /** Learns who calls before the guard decides, so that a denial can be logged with the account. */
  identify: (callerId: string) => void;
  /** Says in the answer's headers how much of its limit the caller has left. */
  showLimit: (standing: RateStanding) => void;
}

export const claimsOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  { cookies, eventId }: Pick<Claims, 'cookies' | 'eventId'>,
): Claims => ({
  cookies,
  bearer: /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1],
  ip: request.ip,
  eventId,
  identify(callerId) {
    request.callerId = callerId;
  },
  showLimit(standing) {
    reply.headers(limitHeaders(standing));
  },
});

/** As draft-ietf-httpapi-ratelimit-headers-10 names them. */
const limitHeaders = ({ points, seconds, left, resetSeconds }: RateStanding) => ({
  'ratelimit-policy': `"key";q=${points};w=${seconds}`,
  ratelimit: `"key";r=${left};t=${resetSeconds}`,
});

export type Guard<A extends Access> = (claims: Claims) => Promise<Authenticated<A>>;
export type Guards = { [A in Access]: Guard<A> };

/** The use cases that the guards call. */
export interface Authorities {
  authenticate(credentials: Credentials): Promise<Organizer | null>;
  readGrant: GrantReader;
  memberAtDoor(organizer: Organizer, eventId: string): Promise<Attendant | null>;
  admitKey(claims: Pick<Claims, 'bearer' | 'ip' | 'showLimit'>): Promise<KeyHolder>;
  /** Operators need a second factor. */
  protectsOperators: boolean;
}

export function guardsOf(authorities: Authorities): Guards {
  const readOrganizer = (cookies: Cookies) => authorities.authenticate(cookies.credentials());

  async function requireOrganizer(cookies: Cookies, identify: (callerId: string) => void): Promise<Organizer> {
    const organizer = await readOrganizer(cookies);
    if (organizer) {
      identify(organizer.userId);
      return organizer;
    }
    // Pages take `token` as the sign of being logged in, so it must not outlive the session.
    if (cookies.read('token') !== undefined) cookies.clear('token');
    throw new AppError('session.missing');
  }

  return {
    public: async () => ({ caller: {}, isBound: false, isViewing: false }),

    async organizer({ cookies, identify }) {
      const organizer = await requireOrganizer(cookies, identify);
      return { caller: { organizer }, ...limitsOf(organizer) };
    },

    async admin({ cookies, identify }) {
      const admin = await requireOrganizer(cookies, identify);
      // Read from the account's row, not from the token, so that a revoked right ends at once. 404 hides the endpoint.
      if (!admin.isAdmin) throw new AppError('page.not-found');
      if (authorities.protectsOperators && !admin.hasFactor) throw new AppError('auth.factor-required');
      return { caller: { admin }, ...limitsOf(admin) };
    },

    async attendant({ cookies, eventId, identify }) {
      if (eventId === null) throw new AppError('attendant-code.missing');
      const attendant = await authorities.readGrant(cookies.read('attendant'), eventId);
      if (attendant) {
        identify(attendant.deviceId);
        return { caller: { attendant }, isBound: false, isViewing: false };
      }

      const organizer = await readOrganizer(cookies);
      if (organizer) identify(organizer.userId);
      const member = organizer && (await authorities.memberAtDoor(organizer, eventId));
      if (!member) throw new AppError('attendant-code.missing');
      return { caller: { attendant: member }, ...limitsOf(organizer) };
    },

    async key(claims) {
      const key = await authorities.admitKey(claims);
      claims.identify(key.keyId);
      return { caller: { key }, isBound: false, isViewing: false };
    },
  };
}

const limitsOf = ({ isBound, viewingUntil }: Organizer) => ({ isBound, isViewing: viewingUntil !== null });

/** `silent`: the request states no origin, as requests from outside a browser do. Other origins are denied. */
export type Provenance = 'same-site' | 'silent';

/**
 * Protection against cross-site request forgery. A browser states a request's origin (`Sec-Fetch-Site`, `Origin`), or our page
 * proves it by repeating a cookie in a header (`X-XSRF-TOKEN`).
 */
export function denyCrossSite(request: FastifyRequest, publicUrl: string, xsrfCookie: string | undefined): Provenance {
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const xsrf = request.headers['x-xsrf-token'];

  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new AppError('request.cross-site');
  if (origin !== undefined && !isOwnOrigin(origin, request.host, publicUrl)) throw new AppError('request.cross-site');
  if (xsrf !== undefined && (typeof xsrf !== 'string' || !isEqual(xsrf, xsrfCookie ?? '')))
    throw new AppError('request.cross-site');

  return (site ?? origin ?? xsrf) ? 'same-site' : 'silent';
}

/** The value of the XSRF-TOKEN cookie, a MAC of the session id. */
export function xsrfTokenFor(sessionId: string, appSecret: AppSecret): string {
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
