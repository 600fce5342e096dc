import type { Deps } from '#server/platform/deps.ts';
import { hasEvent } from './events.sql.ts';

/** Callers answer "not found" either way, so that other organizations can't tell whether an event exists. */
export function ownsEvent({ db }: Pick<Deps, 'db'>, organizationId: string, eventId: string): Promise<boolean> {
  return hasEvent(db, organizationId, eventId);
}
