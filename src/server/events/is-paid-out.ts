import type { Deps } from '#server/platform/deps.ts';
import { hasPayout } from './paid-out.sql.ts';

/** Whether the event's money was asked for: from then on nothing of it goes back to buyers. */
export function isPaidOut({ db }: Pick<Deps, 'db'>, eventId: string): Promise<boolean> {
  return hasPayout(db, eventId);
}
