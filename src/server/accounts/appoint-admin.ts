import type { Deps } from '#server/platform/deps.ts';
import { setAdmin } from './accounts.sql.ts';

/** Grants or revokes admin rights. False when no account has this email. */
export function appointAdmin(
  { db }: Pick<Deps, 'db'>,
  { email, isAdmin }: { email: string; isAdmin: boolean },
): Promise<boolean> {
  return setAdmin(db, email.trim(), isAdmin);
}
