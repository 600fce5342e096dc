/**
 * Operator action: writes off what is left of one debt of an organizer. Denied while its dispute can still be won, because
 * the organizer would then be paid money that was never recovered.
 */
import { operatorActionMessages } from '#messages/operator.ts';
import { recordWriteOff } from '#server/ledger/record-movements.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findActionItem } from './action-items.sql.ts';
import { hasPendingDebtPayout, isActionRecorded, lockDebtor } from './admin.sql.ts';
import { recordOperatorAction } from './record-operator-action.ts';

const action = 'write-off' as const;

export async function writeOffReceivable(
  { db }: Pick<Deps, 'db'>,
  { operatorId, sessionId, subject, note }: { operatorId: string; sessionId: string; subject: string; note: string },
): Promise<{ msg: string }> {
  await inTransaction(db, async (tx) => {
    const debtor = await lockDebtor(tx, subject);
    if (!debtor) throw new AppError('action-item.gone');
    if (await isActionRecorded(tx, action, subject)) return;
    // In this order: a completed payout is already in the ledger that is read next, and the lock blocks new ones.
    if (await hasPendingDebtPayout(tx, debtor.id)) throw new AppError('action-item.payout-under-way');
    if (await findActionItem(tx, 'receivable-disputed', subject)) throw new AppError('action-item.dispute-open');
    const debt = await findActionItem(tx, 'receivable', subject);
    if (!debt?.eventId || !debt.cents) throw new AppError('action-item.gone');

    const { eventId, cents } = debt;
    const { now: at } = debtor;
    await recordOperatorAction(tx, {
      operatorId,
      sessionId,
      action,
      kind: 'receivable',
      subject,
      eventId,
      cents,
      note,
      at,
    });
    await recordWriteOff(tx, { eventId, subjectId: subject, cents, at });
  });
  return { msg: operatorActionMessages[action].done };
}
