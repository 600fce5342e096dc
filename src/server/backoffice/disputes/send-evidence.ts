/** Operator action: sends the evidence for a dispute to Stripe, once. A bank takes one submission. */
import { denyEvidence } from '#domain/dispute.ts';
import { evidenceTexts } from '#messages/operations/evidence.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { dropEvidence, findDispute, markEvidenceSent, startEvidence } from './evidence.sql.ts';
import { assembleEvidence } from './evidence.ts';
import { evidencePdf } from './evidence-pdf.ts';

export async function sendEvidence(
  { db, clock, paymentProcessor, log }: Pick<Deps, 'db' | 'clock' | 'paymentProcessor' | 'log'>,
  { operatorId, sessionId, disputeId }: { operatorId: string; sessionId: string; disputeId: string },
): Promise<{ msg: string }> {
  const dispute = await findDispute(db, disputeId);
  if (!dispute) throw new AppError('evidence.unknown');
  const denial = denyEvidence(dispute, dispute.now);
  if (denial) throw new AppError(`evidence.${denial}`);
  const { eventId, stripeDisputeId } = dispute;
  if (!(await startEvidence(db, { eventId, disputeId, sentBy: operatorId }))) throw new AppError('evidence.sent');

  const evidence = await assembleEvidence(db, dispute);
  const pdf = await evidencePdf(evidence);
  const answer = await paymentProcessor.sendEvidence({ stripeDisputeId, pdf, texts: evidence.texts });
  if (answer.denial !== null) {
    log.error({ eventId, disputeId, reason: answer.denial }, 'Stripe refused evidence');
    await dropEvidence(db, { eventId, disputeId });
    throw new AppError('evidence.not-accepted');
  }
  await inTransaction(db, async (tx) => {
    await markEvidenceSent(tx, { eventId, disputeId });
    const at = clock.now();
    await recordAuditEvent(tx, {
      action: 'send-evidence',
      actorId: operatorId,
      sessionId,
      actorKind: 'operator',
      subject: disputeId,
      eventId,
      at,
    });
  });
  return { msg: evidenceTexts.done };
}
