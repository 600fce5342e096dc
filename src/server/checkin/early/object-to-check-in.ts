/** Records that a buyer wasn't there when their ticket was checked in. The payout waits until an operator decides. */
import { denyObjection } from '#domain/early-check-in.ts';
import { lockEarlyCheckIn, lockEventOfCheckIn, recordObjection } from '#server/orders/core/early-check-ins.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { verifyCheckInToken } from './check-in-link.ts';

export async function objectToCheckIn(
  { db, appSecret, rateLimiter }: Pick<Deps, 'db' | 'appSecret' | 'rateLimiter'>,
  { eventId, token, ip }: { eventId: string; token: string; ip: string },
): Promise<void> {
  const id = verifyCheckInToken(appSecret, eventId, token);
  const isKnown = id !== null && (await inTransaction(db, (tx) => object(tx, { eventId, id, ip, appSecret })));
  if (isKnown) return;
  await consumeLimit(rateLimiter, 'emailed-link', ip);
  throw new AppError('check-in-link.unknown');
}

async function object(
  tx: Deps['db'],
  { eventId, id, ip, appSecret }: { eventId: string; id: string; ip: string } & Pick<Deps, 'appSecret'>,
): Promise<boolean> {
  const event = await lockEventOfCheckIn(tx, eventId);
  const checkIn = event && (await lockEarlyCheckIn(tx, eventId, id));
  if (!checkIn) return false;
  const denial = denyObjection({ ...checkIn, ...event });
  if (denial) throw new AppError(`objection.${denial}`);
  // A repeated click, or a retry after a lost response.
  if (checkIn.objectedAt) return true;
  await recordObjection(tx, eventId, checkIn.id, event.now);
  await recordAuditEvent(tx, {
    action: 'object-to-check-in',
    subject: checkIn.ticketId,
    eventId,
    at: event.now,
    from: { ip, appSecret },
  });
  return true;
}
