import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { FileDownload } from '#server/platform/http/mount-file.ts';
import { findDispute } from './evidence.sql.ts';
import { assembleEvidence } from './evidence.ts';
import { evidencePdf } from './evidence-pdf.ts';

/** The evidence as it would be sent now. */
export async function downloadEvidence(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { operatorId, sessionId, disputeId }: { operatorId: string; sessionId: string; disputeId: string },
): Promise<FileDownload> {
  const dispute = await findDispute(db, disputeId);
  if (!dispute) throw new AppError('evidence.unknown');
  const { eventId } = dispute;
  await recordAuditEvent(db, {
    action: 'export-evidence',
    actorId: operatorId,
    sessionId,
    actorKind: 'operator',
    subject: disputeId,
    eventId,
    at: clock.now(),
  });
  return { fileName: 'evidence.pdf', chunks: [await evidencePdf(await assembleEvidence(db, dispute))] };
}
