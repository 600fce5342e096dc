/**
 * The attendant's grant: proof, in a cookie that the page cannot read, that this device knew the code.
 * It ends when the organizer changes the code or removes the device, and when the device leaves.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isOrganizerOf } from '#server/events/is-organizer-of.ts';
import { TimedCache } from '#server/platform/cache.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type Attendant, type Grant, type GrantReader } from '#server/platform/http/callers.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { type GrantRules, grantRulesOf } from './attendant-code.sql.ts';

const grants = z.array(
  z.object({ eventId: z.string(), grantId: z.string(), codeVersion: z.number(), expiresAt: z.number() }),
);

export function openGrantReader(deps: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'changes' | 'log'>): GrantReader {
  const rules = cacheGrantRules(deps);
  return async (cookie, eventId) => {
    const grant = unsealGrants(cookie, deps.appSecret).find((one) => one.eventId === eventId);
    if (!grant || grant.expiresAt <= deps.clock.now().getTime()) return null;

    const kept = rules.ready(eventId) ?? (await rules.get(eventId));
    // Nobody is turned away by what may be half a second old: whoever has just entered the new code is ahead of it.
    const current = kept?.codeVersion === grant.codeVersion ? kept : await grantRulesOf(deps.db, eventId);
    return current && isGood(grant, current) ? { eventId, grantId: grant.grantId } : null;
  };
}

const isGood = ({ codeVersion, grantId }: Grant, rules: GrantRules) =>
  rules.codeVersion === codeVersion && !rules.removed.includes(grantId);

const BYTES_OF_RULES = 200;
const BYTES_OF_AN_ID = 100;
const MOST_BYTES = 4 * 1024 * 1024;
/** As long as a grant may live on where the news of its end was lost. */
const LASTS_MS = 3_000;

/** As long as nothing of the event changes: a changed code, or a removed device, ends its grants within half a second. */
function cacheGrantRules({ db, changes, log }: Pick<Deps, 'db' | 'changes' | 'log'>): TimedCache<GrantRules> {
  const kept = new TimedCache<GrantRules>({
    async make(eventId) {
      const rules = await grantRulesOf(db, eventId);
      const bytes = BYTES_OF_RULES + BYTES_OF_AN_ID * (rules?.removed.length ?? 0);
      return rules && { value: rules, bytes, lastsMs: LASTS_MS };
    },
    isTold: () => changes.isLive(),
    onError: (err, eventId) => log.warn({ err, eventId }, 'what ends grants of attendants could not be read'),
    mostBytes: MOST_BYTES,
  });
  changes.onChange((change) => {
    if (change.what === 'event') kept.changed(change.eventId);
    if (change.what === 'anything') kept.allChanged();
  });
  return kept;
}

/** The organizer needs no code at their own door. */
export async function ownsEvent(
  deps: Pick<Deps, 'db'>,
  organizerId: string,
  eventId: string,
): Promise<Attendant | null> {
  return (await isOrganizerOf(deps, organizerId, eventId)) ? { eventId, grantId: organizerId } : null;
}

export function sealGrants(list: readonly Grant[], appSecret: string): string {
  const body = Buffer.from(JSON.stringify(list)).toString('base64url');
  return `${body}.${signatureOf(body, appSecret)}`;
}

export function unsealGrants(cookie: string | undefined, appSecret: string): Grant[] {
  const name = `${appSecret} ${cookie}`;
  const known = opened.get(name);
  if (known) return known;

  const [body = '', signature = ''] = (cookie ?? '').split('.');
  const expected = Buffer.from(signatureOf(body, appSecret));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return [];
  const list = grants.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  remember(name, list);
  return list;
}

/** What cookies say whose signature was right: a device sends the same one with each scan. Cookies never change what they say. */
const opened = new Map<string, Grant[]>();
const OPENED_AT_MOST = 1000;

function remember(name: string, list: Grant[]): void {
  const [oldest] = opened.keys();
  if (opened.size >= OPENED_AT_MOST && oldest !== undefined) opened.delete(oldest);
  opened.set(name, list);
}

function signatureOf(body: string, appSecret: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'attendant grant')).update(body).digest('base64url');
}
