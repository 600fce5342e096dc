import type { Deps } from '#server/platform/deps.ts';
import { type Attendant } from '#server/platform/http/callers.ts';
import { removeDevice } from './devices.sql.ts';
import { sealGrants, unsealGrants } from './grants.ts';

/** What is left in the device's cookie, and for how long; null where nothing is. */
export interface GrantsLeft {
  cookie: string;
  seconds: number;
}

/** The grant ends everywhere, also where somebody has copied the cookie. */
export async function endShift(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  { eventId, grantId }: Attendant,
  cookie: string | undefined,
): Promise<GrantsLeft | null> {
  await removeDevice(db, { eventId, deviceId: grantId });
  const now = clock.now().getTime();
  const others = unsealGrants(cookie, appSecret).filter((one) => one.eventId !== eventId && one.expiresAt > now);
  if (others.length === 0) return null;
  const lastsMs = Math.max(...others.map(({ expiresAt }) => expiresAt)) - now;
  return { cookie: sealGrants(others, appSecret), seconds: Math.ceil(lastsMs / 1000) };
}
