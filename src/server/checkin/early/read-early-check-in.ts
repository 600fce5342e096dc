/** An early check-in, for the buyer who holds the emailed link. */
import type { EarlyCheckInPage } from '#contract/app/early-check-ins.ts';
import { earlyCheckInState } from '#domain/early-check-in.ts';
import { refundableEnd, settlesAt } from '#domain/settlement.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { verifyCheckInToken } from './check-in-link.ts';
import { earlyCheckInOf } from './early-check-ins.sql.ts';

export async function readEarlyCheckIn(
  { db, appSecret, rateLimiter }: Pick<Deps, 'db' | 'appSecret' | 'rateLimiter'>,
  { eventId, token, ip }: { eventId: string; token: string; ip: string },
): Promise<EarlyCheckInPage> {
  const id = verifyCheckInToken(appSecret, eventId, token);
  const checkIn = id && (await earlyCheckInOf(db, eventId, id));
  if (!checkIn) {
    await consumeLimit(rateLimiter, 'emailed-link', ip);
    throw new AppError('check-in-link.unknown');
  }
  const undoneAt = checkIn.outcome === 'undone' ? checkIn.endedAt : null;
  return {
    state: earlyCheckInState(checkIn),
    eventTitle: checkIn.title,
    timezone: checkIn.timezone,
    ticketName: checkIn.ticketName,
    confirmationNumber: checkIn.confirmationNumber,
    startsAt: checkIn.startsAt.toISOString(),
    scannedAt: checkIn.scannedAt.toISOString(),
    objectedAt: checkIn.objectedAt?.toISOString() ?? null,
    endedAt: checkIn.endedAt?.toISOString() ?? null,
    refundsCloseAt: settlesAt(refundableEnd(checkIn.latestEndsAt, undoneAt)).toISOString(),
  };
}
