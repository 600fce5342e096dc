import type { AuditAction } from '#domain/accounts/audit-actions.ts';
import type { Db } from '#server/platform/database.ts';
import { activityOfEvents, type EventActivity } from './audit.sql.ts';

/** By event, of those with any activity. */
export async function eventActivity(
  db: Db,
  eventIds: readonly string[],
  action: AuditAction,
): Promise<Map<string, EventActivity>> {
  const rows = await activityOfEvents(db, eventIds, action);
  return new Map(rows.map(({ eventId, ...activity }) => [eventId, activity]));
}
