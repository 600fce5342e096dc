import { checkInUndone, tooLateToUndo } from '#contract/door.ts';
import { conflict } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { lockTicketOfScan, makeValidAgain } from './scans.sql.ts';

/**
 * A guest was let in by mistake: the ticket is good again, as if it had not been read. Only the device that let them in may, and only
 * at once.
 *
 * Not safe to repeat: by the second time the ticket is no more this scan's, and whoever has let it in since must not lose it. A device
 * whose answer was lost is told that it is too late, and sees in its list, within seconds, how the ticket stands.
 */
export async function undoCheckIn(
  { db, clock, tries }: Pick<Deps, 'db' | 'clock' | 'tries'>,
  attendant: Attendant,
  scanId: string,
): Promise<{ msg: string }> {
  const { eventId, grantId } = attendant;
  // A scan that is not found has cost a look at every ticket.
  const guesses = [{ budget: 'door-code', key: grantId }] as const;
  await takeSlot(tries, guesses);
  const found = await inTransaction(db, async (tx) => {
    const ticketId = await lockTicketOfScan(tx, attendant, scanId);
    if (!ticketId) return 'unknown';
    if (!(await makeValidAgain(tx, eventId, ticketId))) return 'too-late';
    await recordAuditEvent(tx, {
      act: 'take-back-scan',
      actorId: grantId,
      subject: ticketId,
      eventId,
      at: clock.now(),
    });
    return 'taken-back';
  });
  if (found === 'taken-back') return { msg: checkInUndone };
  if (found === 'unknown') await countFailure(tries, guesses);
  throw conflict(tooLateToUndo);
}
