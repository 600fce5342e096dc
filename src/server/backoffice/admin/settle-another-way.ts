/** Operator action: records that a buyer whose refund failed was paid another way. */
import { operatorActionMessages } from '#messages/operator.ts';
import { readOrderBalances } from '#server/ledger/read-balances.ts';
import { recordOwedPaid } from '#server/ledger/record-movements.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { lockFailedRefund } from './admin.sql.ts';
import { recordOperatorAction } from './record-operator-action.ts';

const action = 'paid-another-way' as const;

export async function settleAnotherWay(
  { db }: Pick<Deps, 'db'>,
  { operatorId, sessionId, subject, note }: { operatorId: string; sessionId: string; subject: string; note: string },
): Promise<{ msg: string }> {
  await inTransaction(db, async (tx) => {
    const refund = await lockFailedRefund(tx, subject);
    if (!refund) throw new AppError('action-item.gone');
    const { eventId, now: at } = refund;
    // Part or all of it may have been paid in the Stripe dashboard.
    const { owedCents } = await readOrderBalances(tx, refund);
    const cents = Math.min(refund.cents, owedCents);
    const isNew = await recordOperatorAction(tx, {
      operatorId,
      sessionId,
      action,
      kind: 'refund-failed',
      subject,
      eventId,
      cents,
      note,
      at,
    });
    if (!isNew) return;
    if (cents === 0) throw new AppError('action-item.gone');
    await recordOwedPaid(tx, { eventId, subjectId: subject, cents, at });
  });
  return { msg: operatorActionMessages[action].done };
}
