import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

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

/** Any fixed number: it names the locks that only entering a door and changing its code take, one for each event. */
const DEVICES_LOCK = 20_261_123;

/** Until the transaction ends, nobody else enters, and the code stays. Not by the event's row, which each sale holds. */
export async function lockDevices(db: Db, eventId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${DEVICES_LOCK}::int, hashtext(${eventId}))`.execute(db);
}

export interface LiveDevice {
  id: string;
  name: string;
  /** It was not removed. */
  isOpen: boolean;
}

/** Those whose time is not up, removed or not; without the organizer's own. */
export function liveDevicesOf(db: Db, eventId: string): Promise<LiveDevice[]> {
  return db
    .selectFrom('doorDevices')
    .where('eventId', '=', eventId)
    .where('endsAt', '>', sql<Date>`business_now()`)
    .select(['id', 'name', sql<boolean>`removed_at is null`.as('isOpen')])
    .execute();
}

/** A new device, or one that entered the code again. False where the code is another one by now. */
export async function putDevice(
  db: Db,
  { eventId, id, name, endsAt, codeVersion }: OpenDevice & { eventId: string; codeVersion: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into door_devices (event_id, id, name, entered_at, ends_at, seen_at)
    select e.id, ${id}, ${name}, business_now(), ${endsAt}, business_now()
      from events e
     where e.id = ${eventId} and e.attendant_code_version = ${codeVersion}
        on conflict (event_id, id) do update
       set name = excluded.name, ends_at = excluded.ends_at, seen_at = excluded.seen_at
    returning id`.execute(db);
  return rows.length === 1;
}

/** Those that a code has let in. */
export async function endDevicesOf(db: Db, eventId: string): Promise<void> {
  await db
    .updateTable('doorDevices')
    .set({ endsAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('endsAt', '>', sql<Date>`business_now()`)
    .execute();
}

export async function removeDevice(db: Db, { eventId, deviceId }: DeviceKey): Promise<void> {
  await db
    .updateTable('doorDevices')
    .set({ removedAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('id', '=', deviceId)
    .where('removedAt', 'is', null)
    .execute();
}

/** Undefined where the event is not this organizer's, too. */
export function lockDeviceOf(db: Db, organizerId: string, { eventId, deviceId }: DeviceKey) {
  return db
    .selectFrom('doorDevices as d')
    .innerJoin('events as e', 'e.id', 'd.eventId')
    .where('e.organizerId', '=', organizerId)
    .where('d.eventId', '=', eventId)
    .where('d.id', '=', deviceId)
    .select(['d.endsAt', 'd.removedAt'])
    .forUpdate('d')
    .executeTakeFirst();
}
