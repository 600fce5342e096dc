import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { setAdmin } from './accounts.sql.ts';

/** Grants or revokes admin rights. False when no account has this email. */
export function appointAdmin(
  { db }: Pick<Deps, 'db'>,
  { email, isAdmin }: { email: string; isAdmin: boolean },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const account = await setAdmin(tx, email.trim(), isAdmin);
    if (!account) return false;
    const action = isAdmin ? 'appoint-admin' : 'dismiss-admin';
    // By someone with a shell on the server, whose name the product doesn't know.
    await recordAuditEvent(tx, { action, subject: account.id, at: account.now });
    return true;
  });
}
