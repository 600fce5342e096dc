import { sql } from 'kysely';
import type { Db } from '#server/database.ts';

interface Device {
  id: string;
  name: string;
  endsAt: Date | null;
}

export async function noteSeen(
  db: Db,
  { eventId, grantId, pending }: { eventId: string; grantId: string; pending: number },
): Promise<Device | undefined> {
  const { rows } = await sql<Device>`
    insert into door_devices (event_id, id, name, entered_at, seen_at, pending)
    select ${eventId}, ${grantId}, 'Device ' || count(*) + 1, business_now(), business_now(), ${pending}
      from door_devices where event_id = ${eventId}
    on conflict (event_id, id) do update set seen_at = excluded.seen_at, pending = excluded.pending
     where door_devices.removed_at is null
    returning id, name, ends_at`.execute(db);
  return rows[0];
}
