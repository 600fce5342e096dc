/** What an operator does for one account: from the command line whether or not the server is running, or on the dashboard. */
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { findCredentials, removeFactorsOf, setAdmin } from './accounts.sql.ts';
import { removeUserSessions } from './sessions.sql.ts';

type Operator = Pick<Organizer, 'userId' | 'sessionId'>;

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

/** Ends all sessions of a person. False when no account has this email. */
export const endSessionsOf = ({ db }: Pick<Deps, 'db'>, email: string, operator?: Operator): Promise<boolean> =>
  forAccount(db, { email, operator }, 'log-out-person', removeUserSessions);

/** For a person who has lost all second factors and recovery codes. The password alone logs in then. */
export const forgetFactorsOf = ({ db }: Pick<Deps, 'db'>, email: string): Promise<boolean> =>
  forAccount(db, { email }, 'forget-factors', async (tx, userId) => {
    await removeFactorsOf(tx, userId);
    await removeUserSessions(tx, userId);
  });

async function forAccount(
  db: Db,
  // Without an operator, someone with a shell on the server.
  { email, operator }: { email: string; operator?: Operator | undefined },
  action: 'log-out-person' | 'forget-factors',
  change: (tx: Db, userId: string) => Promise<void>,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const account = await findCredentials(tx, email.trim());
    if (!account) return false;
    await change(tx, account.id);
    const { userId: actorId = null, sessionId } = operator ?? {};
    const event = { action, actorId, subject: account.id, at: account.now };
    await recordAuditEvent(tx, { ...event, ...(sessionId && { sessionId }) });
    return true;
  });
}
