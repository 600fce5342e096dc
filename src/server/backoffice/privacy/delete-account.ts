/** Deletes an organizer's account, and each organization in which they work alone. The ledger stays, without personal data. */
import { confirmPassword } from '#server/accounts/login/confirm-password.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { accountHash, addressHash, erasedAddress } from '#server/platform/erased-address.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import type { Erasure } from '#server/platform/ports/erasure-log.ts';
import { denyDeletion } from './deny-deletion.ts';
import { eraseOrganization, erasePerson, insertErasure, organizationsOf } from './erase.sql.ts';
import { logErasure } from './log-erasure.ts';
import { lockEventsOf, lockOrganizerToErase } from './organizer.sql.ts';

type DeleteDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'photos' | 'appSecret' | 'erasures' | 'log'>;

export async function deleteAccount(
  deps: DeleteDeps,
  organizer: Organizer,
  { password, ip }: { password: string; ip: string },
): Promise<void> {
  const { userId, email } = organizer;
  const { db, clock, appSecret } = deps;
  const passwordHash = await confirmPassword(deps, organizer, { password, ip });

  const at = clock.now();
  const hashes = { addressHash: addressHash(appSecret, email), accountHash: accountHash(appSecret, userId) };
  const erasure = { id: newId(), kind: 'organizer', ...hashes, erasedAt: at } satisfies Erasure;
  const fileNames = await inTransaction(db, async (tx) => {
    await lockOrganizationsOf(tx, userId);
    if ((await lockOrganizerToErase(tx, userId)) !== passwordHash) throw new AppError('session.missing');
    for (const { organizationId, isAlone, isLastOwner } of await organizationsOf(tx, userId)) {
      if (isLastOwner) throw new AppError('team.last-owner');
      if (isAlone) await requireNotSuspended(tx, organizationId);
      const denial = isAlone ? await denyDeletion(tx, organizationId, at) : null;
      if (denial) throw new AppError(`deletion.${denial}`);
    }

    await recordAuditEvent(tx, {
      action: 'delete-account',
      by: organizer,
      subject: userId,
      at,
      from: { ip, appSecret },
    });
    await insertErasure(tx, erasure);
    return eraseOrganizer(tx, { userId, erased: erasedAddress(erasure.addressHash), at });
  });

  // Rows first, then files. The next round completes what a crash interrupts.
  await logErasure(deps, erasure, fileNames);
}

/** Members come and go under the organization's lock. Events before organizations, in the same order as payouts. */
async function lockOrganizationsOf(tx: Db, userId: string): Promise<void> {
  const own = await organizationsOf(tx, userId);
  for (const { organizationId } of own) await lockEventsOf(tx, organizationId);
  for (const { organizationId } of own) await lockOrganization(tx, organizationId);
}

/** Returns the photos' file names. */
export async function eraseOrganizer(
  tx: Db,
  { userId, erased, at }: { userId: string; erased: string; at: Date },
): Promise<string[]> {
  const fileNames = [];
  for (const { organizationId, isAlone } of await organizationsOf(tx, userId))
    if (isAlone) fileNames.push(...(await eraseOrganization(tx, { organizationId, erased, at })));
  await erasePerson(tx, { userId, erased, at });
  return fileNames;
}
