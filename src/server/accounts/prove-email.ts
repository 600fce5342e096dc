import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { markEmailVerified, removeFactorsOf, savePerson } from './accounts.sql.ts';
import { addOrganization, organizationSetUpBy, removeOrganization } from './organizations.sql.ts';

/**
 * Marks the address as the user's own. The first proof removes everything that was set up before it: a stranger may have
 * registered the address, and would otherwise be paid for what its owner sells.
 */
export async function proveEmail(tx: Db, user: { id: string; emailVerifiedAt: Date | null }, now: Date): Promise<void> {
  if (user.emailVerifiedAt) return;
  await markEmailVerified(tx, user.id, now);
  await savePerson(tx, user.id, { firstName: null, lastName: null, dateOfBirth: null, phoneNumber: null });
  await removeFactorsOf(tx, user.id);
  const organizationId = await organizationSetUpBy(tx, user.id);
  if (organizationId === null) return;

  // A new organization, because Stripe knows the payout account by the old one's ID. Ends the sessions that act for it.
  await removeOrganization(tx, organizationId);
  await addOrganization(tx, { id: newId(), ownerId: user.id, at: now });
  await recordAuditEvent(tx, { action: 'remove-unproven-set-up', subject: user.id, at: now });
}
