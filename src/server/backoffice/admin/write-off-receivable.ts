/**
 * An operator gives up what an organizer owes: all that is left of one debt, and never more. Not while its dispute can be
 * won: the organizer would then be paid again what never came back.
 */
import { operatorActionMessages, operatorErrors } from '#contract/stuck.ts';
import { recordWriteOff } from '#server/ledger/record-movements.ts';
import { conflict } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findActionItem } from './action-items.sql.ts';
import { keepsDebtSoon, lockDebtor, wasDone } from './admin.sql.ts';
import { recordOperatorAction } from './record-operator-action.ts';

const action = 'write-off' as const;

export async function writeOffReceivable(
  { db }: Pick<Deps, 'db'>,
  { operatorId, subject, note }: { operatorId: string; subject: string; note: string },
): Promise<{ msg: string }> {
  await inTransaction(db, async (tx) => {
    const debtor = await lockDebtor(tx, subject);
    if (!debtor) throw conflict(operatorErrors.gone);
    if (await wasDone(tx, action, subject)) return;
    // In this order: a payout that is done by now is in the books that are read next, and the lock keeps out new ones.
    if (await keepsDebtSoon(tx, debtor.id)) throw conflict(operatorErrors['payout-under-way']);
    if (await findActionItem(tx, 'receivable-disputed', subject)) throw conflict(operatorErrors['dispute-open']);
    const debt = await findActionItem(tx, 'receivable', subject);
    if (!debt?.eventId || !debt.cents) throw conflict(operatorErrors.gone);

    const { eventId, cents } = debt;
    const { now: at } = debtor;
    await recordOperatorAction(tx, { operatorId, action, kind: 'receivable', subject, eventId, cents, note, at });
    await recordWriteOff(tx, { eventId, subjectId: subject, cents, at });
  });
  return { msg: operatorActionMessages[action].done };
}
