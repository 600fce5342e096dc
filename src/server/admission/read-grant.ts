/**
 * The attendant's grant: proof, in a cookie that the page cannot read, that this device knew the code.
 * It ends when the organizer changes the code.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { deriveKey } from '#server/derive-key.ts';
import { isOrganizerOf } from '#server/events/is-organizer-of.ts';
import { Kept } from '#server/kept.ts';
import { attendantCodeOf } from './admission.sql.ts';

export interface Attendant {
  eventId: string;
  grantId: string;
}

export interface Grant extends Attendant {
  codeVersion: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const grants = z.array(
  z.object({ eventId: z.string(), grantId: z.string(), codeVersion: z.number(), expiresAt: z.number() }),
);

/** Reads cookies of attendants: null where this one's does not let them in at the event. */
export type GrantReader = (cookie: string | undefined, eventId: string) => Promise<Attendant | null>;

export function openGrantReader(deps: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'changes' | 'log'>): GrantReader {
  const versions = keepCodeVersions(deps);
  return async (cookie, eventId) => {
    const grant = unsealGrants(cookie, deps.appSecret).find((one) => one.eventId === eventId);
    if (!grant || grant.expiresAt <= deps.clock.now().getTime()) return null;

    const version = versions.ready(eventId) ?? (await versions.get(eventId));
    // Nobody is turned away by what may be half a second old: whoever has just entered the new code is ahead of it.
    const isGood = version === grant.codeVersion || (await codeVersionOf(deps.db, eventId)) === grant.codeVersion;
    return isGood ? { eventId, grantId: grant.grantId } : null;
  };
}

const BYTES_A_VERSION = 100;
const MOST_BYTES = 1024 * 1024;

const codeVersionOf = async (db: Db, eventId: string) => (await attendantCodeOf(db, eventId))?.attendantCodeVersion;

/** The codes' versions, as long as nothing of the event changes: a changed code ends its grants within half a second. */
function keepCodeVersions({ db, changes, log }: Pick<Deps, 'db' | 'changes' | 'log'>): Kept<number> {
  const kept = new Kept<number>({
    async make(eventId) {
      const version = await codeVersionOf(db, eventId);
      return version ? { value: version, bytes: BYTES_A_VERSION, lastsMs: null } : null;
    },
    isTold: () => changes.isLive(),
    onError: (err, eventId) => log.warn({ err, eventId }, 'the version of an attendant code could not be read'),
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
