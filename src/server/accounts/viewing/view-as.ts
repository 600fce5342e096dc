import { VIEWING_MINUTES } from '#domain/limits.ts';
import { viewingTexts } from '#messages/records/viewing.ts';
import { emailOwners } from '#server/accounts/organization.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { findOrganizationToView, setViewing } from './viewing.sql.ts';

/** The operator's session acts for the organization for a while, and only reads. Its owners are emailed. */
export async function viewAs(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId: actorId, sessionId }: Organizer,
  wanted: string,
): Promise<{ msg: string }> {
  const now = clock.now();
  const actingUntil = new Date(now.getTime() + VIEWING_MINUTES * 60_000);
  await inTransaction(db, async (tx) => {
    const organization = await findOrganizationToView(tx, wanted);
    if (!organization) throw new AppError('view-as.unknown-organization');
    const { id: organizationId } = organization;
    await setViewing(tx, sessionId, { actingAs: organizationId, actingUntil });
    const audited = { actorId, organizationId, sessionId, subject: organizationId, at: now };
    await recordAuditEvent(tx, { action: 'view-as', ...audited });
    await emailOwners(tx, organizationId, { kind: 'viewed-by-support', subjectId: newId(), params: {}, now });
  });
  return { msg: viewingTexts.started };
}

/** The session acts for the operator's own organization again. */
export async function endViewing(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId: actorId, organizationId, sessionId, viewingUntil }: Organizer,
): Promise<{ msg: string }> {
  if (viewingUntil) {
    await inTransaction(db, async (tx) => {
      await setViewing(tx, sessionId, { actingAs: null, actingUntil: null });
      const audited = { actorId, organizationId, sessionId, subject: organizationId, at: clock.now() };
      await recordAuditEvent(tx, { action: 'end-viewing', ...audited });
    });
  }
  return { msg: viewingTexts.ended };
}
