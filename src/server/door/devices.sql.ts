import { sql } from 'kysely';
import type { Db } from '#server/database.ts';

interface DeviceKey {
  eventId: string;
  deviceId: string;
}

/** What a device that is at the door may know of its own row. */
export interface OpenDevice {
  id: string;
  name: string;
  endsAt: Date | null;
}

/** Undefined where there is no such device, or it was removed. */
export function seeDevice(db: Db, { eventId, deviceId }: DeviceKey, pending: number): Promise<OpenDevice | undefined> {
  return db
    .updateTable('doorDevices')
    .set({ seenAt: sql<Date>`business_now()`, pending })
    .where('eventId', '=', eventId)
    .where('id', '=', deviceId)
    .where('removedAt', 'is', null)
    .returning(['id', 'name', 'endsAt'])
    .executeTakeFirst();
}

/** Undefined for whoever is not the event's organizer. Theirs comes back after it has left: it needs no code. */
export async function seeOrganizersDevice(
  db: Db,
  { eventId, deviceId }: DeviceKey,
  { name, pending }: { name: string; pending: number },
): Promise<OpenDevice | undefined> {
  const { rows } = await sql<OpenDevice>`
    insert into door_devices as d (event_id, id, name, entered_at, seen_at, pending)
    select e.id, e.organizer_id, ${name}, business_now(), business_now(), ${pending}
      from events e
     where e.id = ${eventId} and e.organizer_id = ${deviceId}
        on conflict (event_id, id) do update
       set seen_at = excluded.seen_at, pending = excluded.pending, removed_at = null,
           entered_at = case when d.removed_at is null then d.entered_at else excluded.entered_at end
    returning d.id, d.name, d.ends_at`.execute(db);
  return rows[0];
}
