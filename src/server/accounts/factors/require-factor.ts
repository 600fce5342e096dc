import { setRequiresFactor } from '#server/accounts/organizations.sql.ts';
import { authorize } from '#server/accounts/policies.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';

/** From then on, members without a second factor see nothing but its set-up. */
export async function requireFactor(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organizer: Organizer,
  isRequired: boolean,
): Promise<void> {
  authorize(organizer, 'organization.require-factor');
  const { organizationId } = organizer;
  await inTransaction(db, async (tx) => {
    await setRequiresFactor(tx, organizationId, isRequired);
    const action = 'require-factor';
    await recordAuditEvent(tx, {
      action,
      by: organizer,
      subject: organizationId,
      params: { isRequired },
      at: clock.now(),
    });
  });
}
