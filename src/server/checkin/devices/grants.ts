/**
 * Attendant grants: a signed HttpOnly cookie proves that the device entered the code. A grant ends when the organizer
 * changes the code or removes the device, and when the attendant ends the shift.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { authorize } from '#server/accounts/policies.ts';
import { ownEvent } from '#server/events/authorize-event.ts';
import { TimedCache } from '#server/platform/cache.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type Actor, type Attendant, type Grant, type GrantReader } from '#server/platform/http/callers.ts';
import { type AppSecret, deriveKey, eachSecret } from '#server/platform/secrets.ts';
import { type GrantRules, grantRulesOf } from './attendant-code.sql.ts';

const grantList = z.array(
  z.object({ eventId: z.string(), grantId: z.string(), codeVersion: z.number(), expiresAt: z.number() }),
);

export function openGrantReader(deps: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'changes' | 'log'>): GrantReader {
  const cache = cacheGrantRules(deps);
  return async (cookie, eventId) => {
    const grant = verifyGrants(cookie, deps.appSecret).find((one) => one.eventId === eventId);
    if (!grant || grant.expiresAt <= deps.clock.now().getTime()) return null;

    const cached = cache.peek(eventId) ?? (await cache.get(eventId));
    // A device that has just entered a new code is ahead of the cache, so a mismatch is checked against the database.
    const current = cached?.codeVersion === grant.codeVersion ? cached : await grantRulesOf(deps.db, eventId);
    return current && isValid(grant, current) ? { eventId, deviceId: grant.grantId, isMember: false } : null;
  };
}

const isValid = ({ codeVersion, grantId }: Grant, rules: GrantRules) =>
  rules.codeVersion === codeVersion && !rules.removed.includes(grantId);

const RULES_BYTES = 200;
const ID_BYTES = 100;
const CACHE_BYTES_MAX = 4 * 1024 * 1024;
/** How long an ended grant may survive if its invalidation was lost. */
const CACHE_MS = 3_000;

/** Invalidated by changes of the event: a new code or a removed device takes effect within half a second. */
function cacheGrantRules({ db, changes, log }: Pick<Deps, 'db' | 'changes' | 'log'>): TimedCache<GrantRules> {
  const cache = new TimedCache<GrantRules>({
    async compute(eventId) {
      const rules = await grantRulesOf(db, eventId);
      const bytes = RULES_BYTES + ID_BYTES * (rules?.removed.length ?? 0);
      return rules && { value: rules, bytes, ttlMs: CACHE_MS };
    },
    isLive: () => changes.isLive(),
    onError: (err, eventId) => log.warn({ err, eventId }, 'could not read the grant rules of an event'),
    maxBytes: CACHE_BYTES_MAX,
  });
  changes.onChange((change) => {
    if (change.what === 'event') cache.invalidate(change.eventId);
    if (change.what === 'anything') cache.invalidateAll();
  });
  return cache;
}

/** Members scan at their published events without a code, each as a device of their own. */
export async function memberAtDoor(deps: Pick<Deps, 'db'>, actor: Actor, eventId: string): Promise<Attendant | null> {
  const event = await ownEvent(deps, actor, eventId);
  if (!event?.isPublished) return null;
  authorize(actor, 'check-in.scan');
  return { eventId, deviceId: actor.userId, isMember: true, sessionId: actor.sessionId };
}

export function signGrants(list: readonly Grant[], appSecret: AppSecret): string {
  const body = Buffer.from(JSON.stringify(list)).toString('base64url');
  return `${body}.${signatureOf(body, appSecret)}`;
}

export function verifyGrants(cookie: string | undefined, appSecret: AppSecret): Grant[] {
  const name = [...appSecret, cookie].join(' ');
  const verified = verifiedCookies.get(name);
  if (verified) return verified;

  const [body = '', signature = ''] = (cookie ?? '').split('.');
  const given = Buffer.from(signature);
  const isSigned = eachSecret(appSecret).some((secret) => {
    const expected = Buffer.from(signatureOf(body, secret));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) return [];
  const list = grantList.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  verifiedCookies.set(name, list);
  return list;
}

/** Caches cookies with a valid signature, because a device sends the same cookie with every scan. */
const verifiedCookies = new LRUCache<string, Grant[]>({ max: 1000 });

function signatureOf(body: string, appSecret: AppSecret): string {
  return createHmac('sha256', deriveKey(appSecret, 'attendant grant')).update(body).digest('base64url');
}
