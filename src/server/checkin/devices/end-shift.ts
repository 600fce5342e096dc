import type { Deps } from '#server/platform/deps.ts';
import { type Attendant } from '#server/platform/http/callers.ts';
import { removeDevice } from './devices.sql.ts';
import { signGrants, verifyGrants } from './grants.ts';

/** The device's new cookie and its lifetime. */
export interface RemainingGrants {
  cookie: string;
  seconds: number;
}

/** Ends the grant on the server, so that a copied cookie stops working too. Returns null if no other grant remains. */
export async function endShift(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  { eventId, deviceId }: Attendant,
  cookie: string | undefined,
): Promise<RemainingGrants | null> {
  await removeDevice(db, { eventId, deviceId });
  const now = clock.now().getTime();
  const others = verifyGrants(cookie, appSecret).filter((one) => one.eventId !== eventId && one.expiresAt > now);
  if (others.length === 0) return null;
  const lastsMs = Math.max(...others.map(({ expiresAt }) => expiresAt)) - now;
  return { cookie: signGrants(others, appSecret), seconds: Math.ceil(lastsMs / 1000) };
}
