/** What an operator does for one account from the command line, whether or not the server is running. */
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findCredentials, removeFactorsOf, removeUserSessions, setAdmin } from './accounts.sql.ts';

/** Grants or revokes admin rights. False when no account has this email. */
export function appointAdmin(
  { db }: Pick<Deps, 'db'>,
  { email, isAdmin }: { email: string; isAdmin: boolean },
): Promise<boolean> {
  return setAdmin(db, email.trim(), isAdmin);
}

/** Ends all sessions of a person. False when no account has this email. */
export const endSessionsOf = ({ db }: Pick<Deps, 'db'>, email: string): Promise<boolean> =>
  forAccount(db, email, removeUserSessions);

/** For a person who has lost all second factors and recovery codes. The password alone logs in then. */
export const forgetFactorsOf = ({ db }: Pick<Deps, 'db'>, email: string): Promise<boolean> =>
  forAccount(db, email, async (tx, userId) => {
    await removeFactorsOf(tx, userId);
    await removeUserSessions(tx, userId);
  });

async function forAccount(db: Db, email: string, change: (tx: Db, userId: string) => Promise<void>): Promise<boolean> {
  const account = await findCredentials(db, email.trim());
  if (!account) return false;
  await inTransaction(db, (tx) => change(tx, account.id));
  return true;
}
