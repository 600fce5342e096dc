/**
 * Operator action: undoes early check-ins, or lets them stand. For one that a buyer objected to, or for all early ones of an event.
 * An undone ticket is valid and refundable again.
 */
import type { ActionItemKind, CheckInDecision } from '#contract/app/action-items.ts';
import { operatorActionMessages } from '#messages/operator.ts';
import {
  emailDecisions,
  keepEarlyCheckIn,
  lockEventOfCheckIn,
  reviewEarlyCheckIns,
  undoEarlyCheckIns,
} from '#server/orders/core/early-check-ins.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findActionItem } from './action-items.sql.ts';
import { isActionRecorded } from './admin.sql.ts';
import { recordOperatorAction } from './record-operator-action.ts';

interface Decision {
  operatorId: string;
  sessionId: string;
  action: CheckInDecision;
  /** An early check-in: the one that its buyer objected to, or one that stands for all of its event. */
  subject: string;
  note: string;
}

const DECIDED: Record<CheckInDecision, ActionItemKind> = {
  'undo-check-in': 'check-in-objection',
  'keep-check-in': 'check-in-objection',
  'undo-check-ins': 'early-check-ins',
  'keep-check-ins': 'early-check-ins',
};

export async function decideEarlyCheckIn({ db }: Pick<Deps, 'db'>, decision: Decision): Promise<{ msg: string }> {
  const { operatorId, sessionId, action, subject, note } = decision;
  const kind = DECIDED[action];
  await inTransaction(db, async (tx) => {
    if (await isActionRecorded(tx, action, subject)) return;
    const eventId = (await findActionItem(tx, kind, subject))?.eventId;
    const event = eventId && (await lockEventOfCheckIn(tx, eventId));
    if (!event || event.payoutRequestedAt) throw new AppError('action-item.gone');

    const { now: at } = event;
    if (!(await recordOperatorAction(tx, { operatorId, sessionId, action, kind, subject, eventId, note, at }))) return;
    await emailDecisions(tx, eventId, await decide(tx, action, eventId, subject));
  });
  return { msg: operatorActionMessages[action].done };
}

/** Returns the check-ins whose buyers are emailed. Each decision is made once: the second operator finds nothing to decide. */
async function decide(tx: Db, action: CheckInDecision, eventId: string, subject: string): Promise<string[]> {
  switch (action) {
    case 'undo-check-in':
      return decidedAny(await undoEarlyCheckIns(tx, eventId, subject));
    case 'keep-check-in':
      return decidedAny(await keepEarlyCheckIn(tx, eventId, subject));
    case 'undo-check-ins': {
      // First, because it locks the tickets, and tickets are locked before their check-ins.
      const undone = await undoEarlyCheckIns(tx, eventId, null);
      decidedAny(await reviewEarlyCheckIns(tx, eventId));
      return undone;
    }
    case 'keep-check-ins':
      // Nobody is emailed: this decides no objection, and the buyers can still object.
      decidedAny(await reviewEarlyCheckIns(tx, eventId));
      return [];
  }
}

function decidedAny(ids: string[]): string[] {
  if (ids.length === 0) throw new AppError('action-item.gone');
  return ids;
}
