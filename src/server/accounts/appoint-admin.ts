import type { Deps } from '#server/platform/deps.ts';
import { setAdmin } from './accounts.sql.ts';

/** Makes the account with this address an admin's, or an ordinary one again. False when there is none. */
export function appointAdmin(
  { db }: Pick<Deps, 'db'>,
  { email, isAdmin }: { email: string; isAdmin: boolean },
): Promise<boolean> {
  return setAdmin(db, email.trim(), isAdmin);
}
