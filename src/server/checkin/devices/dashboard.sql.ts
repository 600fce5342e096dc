/** Queries of the check-in dashboard. Each statement reads the event's rows once and returns a bounded number of rows. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

const DEVICES_SHOWN = 400;
const ARRIVALS_SHOWN = 500;
const CONFLICTS_SHOWN = 200;

/** Undefined if the event belongs to another organization. */
export function eventToCheckIn(db: Db, organizationId: string, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizationId', '=', organizationId)
    .select(['title', 'timezone', 'attendantCode', sql<Date>`business_now()`.as('now')])
    .executeTakeFirst();
}

/** `sold` counts valid and scanned tickets. */
export async function checkInCountsOf(db: Db, eventId: string) {
  const { rows } = await sql<{ ticketName: string; isAddOn: boolean; sold: number; admitted: number }>`
    select y.name as ticket_name, y.is_add_on, coalesce(c.sold, 0)::int as sold, coalesce(c.admitted, 0)::int as admitted
      from ticket_types y
      left join (select ticket_type_id,
                        count(*) filter (where state = 'scanned' or may_be_admitted(state, disputed_at, null)) as sold,
                        count(*) filter (where state = 'scanned') as admitted
                   from tickets where event_id = ${eventId} group by ticket_type_id) c on c.ticket_type_id = y.id
     where y.event_id = ${eventId} and (y.removed_at is null or c.sold > 0)
     order by y.position, y.id`.execute(db);
  return rows;
}

/** A ticket of an add-on doesn't admit. */
const admits = (eventId: string) =>
  sql`ticket_type_id not in (select id from ticket_types where event_id = ${eventId} and is_add_on)`;

interface DeviceRow {
  id: string;
  name: string;
  enteredAt: Date;
  seenAt: Date;
  lastScanAt: Date | null;
  admitted: number;
  pending: number;
  state: 'open' | 'removed' | 'ended';
  isMember: boolean;
}

/** Every open device, and the latest of the others. */
export async function devicesOf(db: Db, eventId: string): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`
    with shown as (
      select d.*, case when removed_at is not null then 'removed' when ends_at <= business_now() then 'ended' else 'open' end as state
        from check_in_devices d where event_id = ${eventId}
       order by removed_at is null and coalesce(ends_at > business_now(), true) desc, entered_at desc, id
       limit ${DEVICES_SHOWN})
    select d.id, d.name, d.entered_at, d.seen_at, d.pending, d.state, d.ends_at is null as is_member,
           coalesce(s.admitted, 0)::int as admitted, greatest(s.last_at, o.last_at) as last_scan_at
      from shown d
      left join (select scanned_by, count(*) filter (where ${admits(eventId)}) as admitted, max(scanned_at) as last_at
                   from tickets
                  where event_id = ${eventId} and state = 'scanned' group by scanned_by) s on s.scanned_by = d.id
      left join (select device_id, max(scanned_at) as last_at
                   from offline_scans where event_id = ${eventId} group by device_id) o on o.device_id = d.id
     order by d.entered_at desc, d.id desc`.execute(db);
  return rows;
}

/** The latest intervals, in chronological order. */
export async function arrivalsOf(db: Db, eventId: string) {
  const { rows } = await sql<{ from: Date; admitted: number }>`
    select date_bin('5 minutes', scanned_at, timestamptz '2000-01-01 00:00:00+00') as "from", count(*)::int as admitted
      from tickets
     where event_id = ${eventId} and state = 'scanned' and scanned_at is not null
       and ${admits(eventId)}
     group by 1 order by 1 desc limit ${ARRIVALS_SHOWN}`.execute(db);
  return rows.reverse();
}

interface SyncConflictRow {
  result: 'double' | 'refunded' | 'cancelled' | 'disputed' | 'transferred' | 'outside-hours' | 'unknown';
  ticketName: string | null;
  isAddOn: boolean;
  confirmationNumber: string | null;
  at: Date;
  device: string | null;
  firstAt: Date | null;
  firstDevice: string | null;
}

/** The first check-in is the ticket's own, unless the conflicting scan itself admitted the guest. */
export async function syncConflictsOf(db: Db, eventId: string): Promise<SyncConflictRow[]> {
  const { rows } = await sql<SyncConflictRow>`
    select o.result, t.ticket_name, coalesce(y.is_add_on, false) as is_add_on, t.confirmation_number, o.scanned_at as at, d.name as device,
           t.scanned_at as first_at, f.name as first_device
      from (select * from offline_scans
             where event_id = ${eventId} and result not in ('first', 'again')
             order by received_at desc limit ${CONFLICTS_SHOWN}) o
      left join check_in_devices d on d.event_id = o.event_id and d.id = o.device_id
      left join tickets n on n.event_id = o.event_id and n.id = o.ticket_id
      left join ticket_types y on y.event_id = n.event_id and y.id = n.ticket_type_id
      left join lateral (select n.ticket_name, n.confirmation_number,
                                case when n.scan_id is distinct from o.id then n.scanned_at end as scanned_at) t on true
      left join check_in_devices f on f.event_id = o.event_id and f.id = n.scanned_by and t.scanned_at is not null
     order by o.received_at desc, o.scanned_at desc, o.id`.execute(db);
  return rows;
}
