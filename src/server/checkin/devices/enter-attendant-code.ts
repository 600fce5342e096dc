import { timingSafeEqual } from 'node:crypto';

import { normalizeCode } from '#domain/codes.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type Grant } from '#server/platform/http/callers.ts';
import type { Attempt } from '#server/platform/ports/rate-limiter.ts';
import { countFailure, denyFullQueue, takeSlot } from '#server/platform/rate-limit.ts';
import { attendantCodeOf } from './attendant-code.sql.ts';
import { enterDevice } from './enter-device.ts';
import { signGrants, verifyGrants } from './grants.ts';

const GRANT_HOURS = 12;
/** Attendants work at a few events at a time, and a cookie has room for only a few grants. */
const GRANTS_PER_DEVICE = 5;
export const GRANT_SECONDS = GRANT_HOURS * 60 * 60;

interface CodeEntry {
  eventId: string;
  attendantCode: string;
  /** If empty, the device gets a numbered name. */
  deviceName: string;
  isSpam: boolean;
  ip: string;
  /** The device's current cookie; grants for other events are preserved. */
  cookie: string | undefined;
}

/** Returns the device's new cookie. */
export async function enterAttendantCode(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret'>,
  entry: CodeEntry,
): Promise<string> {
  const { db, clock, appSecret } = deps;
  // Rejects before the lookup, so that guessing cannot occupy the connections reserved for check-ins.
  denyFullQueue(deps.rateLimiter, attemptsOf(entry, true));
  const event = await attendantCodeOf(db, entry.eventId);
  const attempts = attemptsOf(entry, event !== undefined);
  await takeSlot(deps.rateLimiter, attempts);
  const isCorrect = event && !entry.isSpam && isSameCode(normalizeCode(entry.attendantCode), event.attendantCode);
  if (!isCorrect) {
    await countFailure(deps.rateLimiter, attempts);
    throw new AppError('attendant-code.wrong');
  }

  const now = clock.now().getTime();
  const grants = verifyGrants(entry.cookie, appSecret).filter((one) => one.expiresAt > now);
  const codeVersion = event.attendantCodeVersion;
  const earlier = grants.find((one) => one.eventId === entry.eventId && one.codeVersion === codeVersion);
  const expiresAt = now + GRANT_SECONDS * 1000;
  const grantId = await enterDevice(db, {
    eventId: entry.eventId,
    codeVersion,
    earlierId: earlier?.grantId ?? null,
    name: entry.deviceName,
    endsAt: new Date(expiresAt),
  });
  if (grantId === null) throw new AppError('attendant-code.wrong');

  const grant: Grant = { eventId: entry.eventId, grantId, codeVersion, expiresAt };
  const others = grants.filter((one) => one.eventId !== entry.eventId);
  return signGrants([grant, ...others].slice(0, GRANTS_PER_DEVICE), appSecret);
}

/**
 * Only wrong codes count, so attendants with the right code are never locked out. Attempts count per address and event,
 * and per event; attempts on events that do not exist share one limit per address.
 */
function attemptsOf({ eventId, ip }: CodeEntry, isKnown: boolean): Attempt[] {
  const own: Attempt = { limit: 'attendant-code', key: isKnown ? `${ip} ${eventId}` : ip };
  return isKnown ? [own, { limit: 'attendant-code-event', key: eventId, queueKey: own.key }] : [own];
}

/** Compares bytes: a non-ASCII character has length one but several bytes, and `timingSafeEqual` throws on a mismatch. */
function isSameCode(a: string, b: string): boolean {
  const [typed, correct] = [Buffer.from(a), Buffer.from(b)];
  return typed.length === correct.length && timingSafeEqual(typed, correct);
}
