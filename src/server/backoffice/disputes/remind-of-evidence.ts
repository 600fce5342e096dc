import { emailOwners } from '#server/accounts/organization.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { disputesDueSoon } from './statements.sql.ts';

/** Emails the owners once per dispute that they can still add to the evidence: an email with the same subject is queued once. */
export async function remindOfEvidence({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  for (const { organizationId, eventId, disputeId } of await disputesDueSoon(db)) {
    const email = { kind: 'evidence-due', subjectId: disputeId, params: { eventId }, now: clock.now() } as const;
    await inTransaction(db, (tx) => emailOwners(tx, organizationId, email));
  }
}
