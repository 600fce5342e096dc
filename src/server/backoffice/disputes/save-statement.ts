/** Saves what an organizer adds to the evidence for a dispute, until the evidence starts to be sent. */
import type { saveStatement as endpoint } from '#contract/app/disputes.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { denyEvidence } from '#domain/dispute.ts';
import { ownDisputes as text } from '#messages/disputes.ts';
import { authorize } from '#server/accounts/policies.ts';
import { ownEvent } from '#server/events/authorize-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { findDispute } from './evidence.sql.ts';
import { deleteStatement, lockDispute, putStatement } from './statements.sql.ts';

export async function saveStatement(
  deps: Pick<Deps, 'db'>,
  actor: Actor,
  { disputeId, text: statement }: InputOf<typeof endpoint>,
): Promise<{ msg: string }> {
  authorize(actor, 'dispute.answer');
  const found = await findDispute(deps.db, disputeId);
  if (!found || !(await ownEvent(deps, actor, found.eventId))) throw new AppError('evidence.unknown');

  const dispute = { eventId: found.eventId, disputeId };
  await inTransaction(deps.db, async (tx) => {
    await lockDispute(tx, dispute);
    const current = (await findDispute(tx, disputeId)) ?? found;
    const denial = denyEvidence({ ...current, sentAt: current.attemptedAt }, current.now);
    if (denial) throw new AppError(`evidence.${denial}`);
    if (statement === '') await deleteStatement(tx, dispute);
    else await putStatement(tx, { ...dispute, text: statement, writtenBy: actor.userId });
  });
  return { msg: statement === '' ? text.removed : text.saved };
}
