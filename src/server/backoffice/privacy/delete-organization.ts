/** Deletes an organization. Its people stay, and so does the ledger, without what names the organization. */
import { lockOrganization } from '#server/accounts/organization.ts';
import { findOrganization } from '#server/accounts/organizations.sql.ts';
import { authorize } from '#server/accounts/policies.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { dissolveTeam } from '#server/accounts/team/change-members.ts';
import { findMember } from '#server/accounts/team/team.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { accountHash, erasedAddress } from '#server/platform/erased-address.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import type { Erasure } from '#server/platform/ports/erasure-log.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { denyDeletion } from './deny-deletion.ts';
import { eraseOrganization, insertErasure } from './erase.sql.ts';
import { logErasure } from './log-erasure.ts';
import { lockEventsOf } from './organizer.sql.ts';

type DeleteDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'photos' | 'appSecret' | 'erasures' | 'log'>;

export async function deleteOrganization(deps: DeleteDeps, owner: Organizer, ip: string): Promise<void> {
  const { db, clock, rateLimiter, appSecret } = deps;
  authorize(owner, 'organization.delete');
  const { organizationId, userId } = owner;
  await consumeLimit(rateLimiter, 'delete-organization', userId);

  const at = clock.now();
  const hash = accountHash(appSecret, organizationId);
  const erasure: Erasure = { id: newId(), kind: 'organization', addressHash: null, accountHash: hash, erasedAt: at };
  const fileNames = await inTransaction(db, async (tx) => {
    await lockEventsOf(tx, organizationId);
    if (!(await lockOrganization(tx, organizationId))) throw new AppError('session.missing');
    // The owner may have been removed while this waited for the locks.
    const member = await findMember(tx, { organizationId, userId });
    if (member?.role !== 'owner') throw new AppError('auth.role-denied', { action: 'organization.delete' });
    await requireNotSuspended(tx, organizationId);
    const denial = await denyDeletion(tx, organizationId, at);
    if (denial) throw new AppError(`deletion.${denial}`);

    await recordAuditEvent(tx, {
      action: 'delete-organization',
      by: owner,
      subject: organizationId,
      at,
      from: { ip, appSecret },
    });
    const { name } = await findOrganization(tx, organizationId);
    const members = await dissolveTeam(tx, organizationId, { at, by: owner });
    await tellMembers(tx, members, { organizationName: name, at });
    await insertErasure(tx, erasure);
    return eraseOrganization(tx, { organizationId, erased: erasedAddress(hash), at });
  });

  // Rows first, then files. The next round completes what a crash interrupts.
  await logErasure(deps, erasure, fileNames);
}

async function tellMembers(
  tx: Db,
  members: readonly { userId: string; email: string }[],
  { organizationName, at }: { organizationName: string | null; at: Date },
): Promise<void> {
  // One that was never set up has no name, and nothing that anyone would miss.
  if (organizationName === null) return;
  for (const { userId, email } of members)
    await queueEmail(tx, {
      kind: 'organization-deleted',
      subjectId: newId(),
      params: { organizationName },
      accountId: userId,
      toAddress: email,
      now: at,
    });
}
