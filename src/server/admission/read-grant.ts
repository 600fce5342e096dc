/**
 * The attendant's grant: proof, in a cookie that the page cannot read, that this device knew the code.
 * It ends when the organizer changes the code.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Deps } from '#server/deps.ts';
import { deriveKey } from '#server/derive-key.ts';
import { isOrganizerOf } from '#server/events/is-organizer-of.ts';
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

export async function readGrant(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  cookie: string | undefined,
  eventId: string,
): Promise<Attendant | null> {
  const grant = unsealGrants(cookie, appSecret).find((one) => one.eventId === eventId);
  if (!grant || grant.expiresAt <= clock.now().getTime()) return null;

  const event = await attendantCodeOf(db, eventId);
  return event?.attendantCodeVersion === grant.codeVersion ? { eventId, grantId: grant.grantId } : null;
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
  const [body = '', signature = ''] = (cookie ?? '').split('.');
  const expected = Buffer.from(signatureOf(body, appSecret));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return [];
  return grants.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
}

function signatureOf(body: string, appSecret: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'attendant grant')).update(body).digest('base64url');
}
