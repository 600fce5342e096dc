import { timingSafeEqual } from 'node:crypto';
import { wrongAttendantCode } from '#contract/admission.ts';
import { normalizeCode } from '#domain/codes.ts';
import { signedOut } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type Grant } from '#server/platform/http/callers.ts';
import type { Attempt } from '#server/platform/ports/rate-limiter.ts';
import { countFailure, denyFullQueue, takeSlot } from '#server/platform/rate-limit.ts';
import { attendantCodeOf } from './attendant-code.sql.ts';
import { enterDevice } from './enter-device.ts';
import { sealGrants, unsealGrants } from './grants.ts';

const GRANT_HOURS = 12;
/** An attendant works at a few doors, never at all of them; and a cookie has room for a few. */
const GRANTS_PER_DEVICE = 5;
export const GRANT_SECONDS = GRANT_HOURS * 60 * 60;

interface Entry {
  eventId: string;
  attendantCode: string;
  /** Empty: it is numbered. */
  deviceName: string;
  isSpam: boolean;
  ip: string;
  /** The device's present cookie, whose other grants stay. */
  cookie: string | undefined;
}

/** Answers the device's new cookie. */
export async function enterAttendantCode(
  deps: Pick<Deps, 'db' | 'clock' | 'tries' | 'appSecret'>,
  entry: Entry,
): Promise<string> {
  const { db, clock, appSecret } = deps;
  // The look-up takes one of the few connections that the door has, which nobody gets by guessing on.
  denyFullQueue(deps.tries, attemptsOf(entry, true));
  const event = await attendantCodeOf(db, entry.eventId);
  const guesses = attemptsOf(entry, event !== undefined);
  await takeSlot(deps.tries, guesses);
  const isRight = event && !entry.isSpam && isEqual(normalizeCode(entry.attendantCode), event.attendantCode);
  if (!isRight) {
    await countFailure(deps.tries, guesses);
    throw signedOut(wrongAttendantCode);
  }

  const now = clock.now().getTime();
  const known = unsealGrants(entry.cookie, appSecret).filter((one) => one.expiresAt > now);
  const codeVersion = event.attendantCodeVersion;
  const earlier = known.find((one) => one.eventId === entry.eventId && one.codeVersion === codeVersion);
  const expiresAt = now + GRANT_SECONDS * 1000;
  const grantId = await enterDevice(db, {
    eventId: entry.eventId,
    codeVersion,
    earlierId: earlier?.grantId ?? null,
    name: entry.deviceName,
    endsAt: new Date(expiresAt),
  });
  if (grantId === null) throw signedOut(wrongAttendantCode);

  const grant: Grant = { eventId: entry.eventId, grantId, codeVersion, expiresAt };
  const others = known.filter((one) => one.eventId !== entry.eventId);
  return sealGrants([grant, ...others].slice(0, GRANTS_PER_DEVICE), appSecret);
}

/**
 * Only wrong codes are counted: a queue of attendants with the right one is never locked out. What an event is spared is
 * counted for itself; names of events that somebody makes up all count as one.
 */
function attemptsOf({ eventId, ip }: Entry, isKnown: boolean): Attempt[] {
  const own: Attempt = { budget: 'attendant-code', key: isKnown ? `${ip} ${eventId}` : ip };
  return isKnown ? [own, { budget: 'attendant-code-event', key: eventId, line: own.key }] : [own];
}

/** In bytes: a letter beyond ASCII has the length of one and the bytes of several. */
function isEqual(a: string, b: string): boolean {
  const [typed, right] = [Buffer.from(a), Buffer.from(b)];
  return typed.length === right.length && timingSafeEqual(typed, right);
}
