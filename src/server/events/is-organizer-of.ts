import type { Deps } from '#server/platform/deps.ts';
import { hasEvent } from './events.sql.ts';

/** Callers answer "not found" either way, so that other organizers can't tell whether an event exists. */
export function isOrganizerOf({ db }: Pick<Deps, 'db'>, organizerId: string, eventId: string): Promise<boolean> {
  return hasEvent(db, organizerId, eventId);
}
