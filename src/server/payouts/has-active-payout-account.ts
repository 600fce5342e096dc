import type { Deps } from '#server/deps.ts';
import { findPayoutAccount } from './payouts.sql.ts';

/** As the card company last said. */
export async function hasActivePayoutAccount({ db }: Pick<Deps, 'db'>, userId: string): Promise<boolean> {
  const account = await findPayoutAccount(db, userId);
  return account?.isActive ?? false;
}
