/** Deletes a buyer's personal data. Purchases stay in the ledger without the address; those still needed stay unchanged. */

import { type deleteMyRecords } from '#contract/app/privacy.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { recordsDeleted, recordsRetained } from '#messages/privacy.ts';
import { hashSecret } from '#server/accounts/passwords.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { addressHash, erasedAddress } from '#server/platform/erased-address.ts';
import { newId } from '#server/platform/ids.ts';
import type { Erasure } from '#server/platform/ports/erasure-log.ts';
import { countFailure } from '#server/platform/rate-limit.ts';
import { eraseEmails, eraseProofs, erasePurchases, insertErasure } from './erase.sql.ts';
import { eraseHolder, heldTicketsOf } from './held-tickets.sql.ts';
import { logErasure } from './log-erasure.ts';
import { lockPurchases, purchasesOf, subjectsOf, takeRecordsLink } from './purchases.sql.ts';
import { isNeeded, retainedFor } from './read-records.ts';

export async function deleteRecords(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret' | 'erasures' | 'photos' | 'log'>,
  { token, ip }: { token: string; ip: string },
): Promise<ReplyOf<typeof deleteMyRecords>> {
  const { db, clock, rateLimiter, appSecret } = deps;
  const at = clock.now();
  const result = await inTransaction(db, async (tx) => {
    const link = await takeRecordsLink(tx, hashSecret(token), at);
    if (!link) return null;
    const hash = addressHash(appSecret, link.email);
    const erasure: Erasure = { id: newId(), kind: 'buyer', addressHash: hash, accountHash: null, erasedAt: at };
    const counts = await eraseBuyer(tx, { email: link.email, erased: erasedAddress(hash), at });
    await insertErasure(tx, erasure);
    await recordAuditEvent(tx, { action: 'delete-records', subject: hash, at, from: { ip, appSecret } });
    return { ...counts, erasure };
  });
  if (!result) {
    await countFailure(rateLimiter, [{ limit: 'emailed-link', key: ip }]);
    throw new AppError('records-link.unknown');
  }
  await logErasure(deps, result.erasure);
  const { deleted, retained } = result;
  return { msg: retained > 0 ? recordsRetained : recordsDeleted, deleted, retained };
}

/** Applies as of `at`, so that repeating a deletion after a restore does not touch later purchases. */
export async function eraseBuyer(
  tx: Db,
  { email, erased, at }: { email: string; erased: string; at: Date },
): Promise<{ deleted: number; retained: number }> {
  await lockPurchases(tx, email);
  const purchases = await purchasesOf(tx, { email, at, limit: null });
  const orders = purchases.filter((purchase) => retainedFor(purchase, at) === null);
  const retained = purchases.filter((purchase) => !orders.includes(purchase));
  if (orders.length > 0) await erasePurchases(tx, { email, erased, orders });
  const held = await heldTicketsOf(tx, { email, at, limit: null });
  const [needed, over] = [held.filter(isNeeded(at)), held.filter((ticket) => !isNeeded(at)(ticket))];
  await eraseHolder(tx, { erased, tickets: over });
  await eraseProofs(tx, { email, at });
  const except = [...(await subjectsOf(tx, retained)), ...needed.map(({ ticketId }) => ticketId)];
  await eraseEmails(tx, { email, erased, at, except });
  return { deleted: orders.length + over.length, retained: retained.length + needed.length };
}
