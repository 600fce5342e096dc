import { handleReportsTexts } from '#messages/operations/abuse-reports.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { recordOperatorAction } from '../admin/record-operator-action.ts';
import { markHandled } from './reports.sql.ts';

interface Handled {
  operatorId: string;
  sessionId: string;
  eventId: string;
  note: string;
}

/** Operator action: takes the reports of an event off the list. */
export async function handleReports(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { operatorId, sessionId, eventId, note }: Handled,
): Promise<{ msg: string }> {
  const at = clock.now();
  await inTransaction(db, async (tx) => {
    if ((await markHandled(tx, { eventId, handledBy: operatorId, at })) === 0) throw new AppError('action-item.gone');
    await recordOperatorAction(tx, {
      action: 'handle-reports',
      kind: 'event',
      subject: eventId,
      operatorId,
      sessionId,
      eventId,
      note,
      at,
    });
  });
  return { msg: handleReportsTexts.done };
}
