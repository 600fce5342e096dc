import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export async function attendantCodeOf(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['attendantCode', 'attendantCodeVersion'])
    .executeTakeFirst();
}

export interface GrantRules {
  codeVersion: number;
  /** Devices that were removed, or have left, before their time was up. */
  removed: string[];
}

/** What decides whether a grant is still good. Null where there is no such event. */
export async function grantRulesOf(db: Db, eventId: string): Promise<GrantRules | null> {
  const { rows } = await sql<GrantRules>`
    select e.attendant_code_version as code_version,
           array(select d.id::text from door_devices d
                  where d.event_id = e.id and d.removed_at is not null and d.ends_at > business_now()) as removed
      from events e
     where e.id = ${eventId}`.execute(db);
  return rows[0] ?? null;
}

/** False where the event is not this organizer's. The version ends every grant that was given for the code before. */
export async function setAttendantCode(
  db: Db,
  { eventId, organizerId, attendantCode }: { eventId: string; organizerId: string; attendantCode: string },
): Promise<boolean> {
  const event = await db
    .updateTable('events')
    .set((column) => ({ attendantCode, attendantCodeVersion: column('attendantCodeVersion', '+', 1) }))
    .where('id', '=', eventId)
    .where('organizerId', '=', organizerId)
    .returning('id')
    .executeTakeFirst();
  return event !== undefined;
}
