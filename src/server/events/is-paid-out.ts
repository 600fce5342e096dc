import type { Deps } from '#server/platform/deps.ts';
import { hasPayout } from './paid-out.sql.ts';

/** Whether the payout was requested. Refunds end then. */
export function isPaidOut({ db }: Pick<Deps, 'db'>, eventId: string): Promise<boolean> {
  return hasPayout(db, eventId);
}
