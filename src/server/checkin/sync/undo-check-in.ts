import { UNDO_GRACE_SECONDS, UNDO_SECONDS } from '#domain/limits.ts';
import { checkInUndone } from '#messages/check-in.ts';
import { undoAdmission } from '#server/orders/core/admit.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { lockTicketOfScan, wasAdmittedOffline } from './scans.sql.ts';

/**
 * Makes a ticket valid again after a mistaken check-in. Only the device that scanned it can undo, and only for a few
 * seconds.
 *
 * Not idempotent: by the second request, another scan may have admitted the guest, and that check-in must stand. A device
 * whose response was lost gets "too late", and sees the ticket's state in its list within seconds.
 */
export async function undoCheckIn(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  attendant: Attendant,
  scanId: string,
): Promise<{ msg: string }> {
  const { eventId, deviceId } = attendant;
  // Unknown scan ids count as failed attempts: each lookup reads every ticket of the event.
  const attempts = [{ limit: 'check-in-code', key: deviceId }] as const;
  await takeSlot(rateLimiter, attempts);
  const result = await inTransaction(db, async (tx) => {
    const ticketId = await lockTicketOfScan(tx, attendant, scanId);
    if (!ticketId) return 'unknown';
    const withinSeconds = UNDO_SECONDS + UNDO_GRACE_SECONDS;
    if (await wasAdmittedOffline(tx, eventId, ticketId)) return 'too-late';
    if (!(await undoAdmission(tx, { eventId, ticketId, withinSeconds }))) return 'too-late';
    await recordAuditEvent(tx, {
      action: 'undo-check-in',
      actorId: deviceId,
      actorKind: attendant.isMember ? 'member' : 'attendant',
      subject: ticketId,
      eventId,
      at: clock.now(),
    });
    return 'undone';
  });
  if (result === 'undone') return { msg: checkInUndone };
  if (result === 'unknown') await countFailure(rateLimiter, attempts);
  throw new AppError('check-in.too-late-to-undo');
}
