import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** A draft has no code that works. */
export async function attendantCodeOf(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('isPublished', '=', true)
    .select(['attendantCode', 'attendantCodeVersion'])
    .executeTakeFirst();
}

export interface GrantRules {
  codeVersion: number;
  /** Devices that were removed or left before their grant expired. */
  removed: string[];
}

/** `null` if the event does not exist, or is a draft. */
export async function grantRulesOf(db: Db, eventId: string): Promise<GrantRules | null> {
  const { rows } = await sql<GrantRules>`
    select e.attendant_code_version as code_version,
           array(select d.id::text from check_in_devices d
                  where d.event_id = e.id and d.removed_at is not null and d.ends_at > business_now()) as removed
      from events e
     where e.id = ${eventId} and e.is_published`.execute(db);
  return rows[0] ?? null;
}
