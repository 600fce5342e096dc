import type { Deps } from '#server/platform/deps.ts';
import { hasEvent } from './events.sql.ts';

/** Whether the event is this organizer's. To everyone else it is as unknown as one that does not exist. */
export function isOrganizerOf({ db }: Pick<Deps, 'db'>, organizerId: string, eventId: string): Promise<boolean> {
  return hasEvent(db, organizerId, eventId);
}
