import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { lockNamespaces } from '#server/platform/locks.ts';

interface DeviceKey {
  eventId: string;
  deviceId: string;
}

export interface OpenDevice {
  id: string;
  name: string;
  endsAt: Date | null;
}

/** Undefined if the device does not exist or was removed. */
export function markDeviceSeen(
  db: Db,
  { eventId, deviceId }: DeviceKey,
  pending: number,
): Promise<OpenDevice | undefined> {
  return db
    .updateTable('checkInDevices')
    .set({ seenAt: sql<Date>`business_now()`, pending })
    .where('eventId', '=', eventId)
    .where('id', '=', deviceId)
    .where('removedAt', 'is', null)
    .returning(['id', 'name', 'endsAt'])
    .executeTakeFirst();
}

/** The name is empty until the member has entered one. */
export async function memberName(db: Db, userId: string): Promise<{ name: string; email: string }> {
  const { firstName, lastName, email } = await db
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['firstName', 'lastName', 'email'])
    .executeTakeFirstOrThrow();
  return { name: `${firstName ?? ''} ${lastName ?? ''}`.trim(), email };
}

/** Reopens a removed row: members need no code. */
export async function addMemberDevice(
  db: Db,
  { eventId, deviceId }: DeviceKey,
  { name, pending }: { name: string; pending: number },
): Promise<OpenDevice> {
  const { rows } = await sql<OpenDevice>`
    insert into check_in_devices as d (event_id, id, name, entered_at, seen_at, pending)
    values (${eventId}, ${deviceId}, ${name}, business_now(), business_now(), ${pending})
        on conflict (event_id, id) do update
       set name = excluded.name, seen_at = excluded.seen_at, pending = excluded.pending, removed_at = null,
           entered_at = case when d.removed_at is null then d.entered_at else excluded.entered_at end
    returning d.id, d.name, d.ends_at`.execute(db);
  const [device] = rows;
  if (!device) throw new Error('an upsert returned no row');
  return device;
}

/** Serializes device entries and code changes until the transaction ends. Does not lock the event's row, which sales lock. */
export async function lockDevices(db: Db, eventId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNamespaces.checkInDevices}::int, hashtext(${eventId}))`.execute(db);
}

export interface LiveDevice {
  id: string;
  name: string;
  /** Not removed. */
  isOpen: boolean;
  isMember: boolean;
}

/** Devices of members, and those with an unexpired grant, removed or not. */
export function liveDevicesOf(db: Db, eventId: string): Promise<LiveDevice[]> {
  return db
    .selectFrom('checkInDevices')
    .where('eventId', '=', eventId)
    .where((eb) => eb.or([eb('endsAt', 'is', null), eb('endsAt', '>', sql<Date>`business_now()`)]))
    .select(['id', 'name', sql<boolean>`removed_at is null`.as('isOpen'), sql<boolean>`ends_at is null`.as('isMember')])
    .execute();
}

/** Inserts a device, or updates one that entered the code again. False if the code has changed. */
export async function upsertDevice(
  db: Db,
  { eventId, id, name, endsAt, codeVersion }: OpenDevice & { eventId: string; codeVersion: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into check_in_devices (event_id, id, name, entered_at, ends_at, seen_at)
    select e.id, ${id}, ${name}, business_now(), ${endsAt}, business_now()
      from events e
     where e.id = ${eventId} and e.is_published and e.attendant_code_version = ${codeVersion}
        on conflict (event_id, id) do update
       set name = excluded.name, ends_at = excluded.ends_at, seen_at = excluded.seen_at
    returning id`.execute(db);
  return rows.length === 1;
}

/** Expires every device that entered with a code. */
export async function expireDevices(db: Db, eventId: string): Promise<void> {
  await db
    .updateTable('checkInDevices')
    .set({ endsAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('endsAt', '>', sql<Date>`business_now()`)
    .execute();
}

export async function removeDevice(db: Db, { eventId, deviceId }: DeviceKey): Promise<void> {
  await db
    .updateTable('checkInDevices')
    .set({ removedAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('id', '=', deviceId)
    .where('removedAt', 'is', null)
    .execute();
}

/** Undefined also if the event belongs to another organization. */
export function lockDeviceOf(db: Db, organizationId: string, { eventId, deviceId }: DeviceKey) {
  return db
    .selectFrom('checkInDevices as d')
    .innerJoin('events as e', 'e.id', 'd.eventId')
    .where('e.organizationId', '=', organizationId)
    .where('d.eventId', '=', eventId)
    .where('d.id', '=', deviceId)
    .select(['d.endsAt', 'd.removedAt'])
    .forUpdate('d')
    .executeTakeFirst();
}
