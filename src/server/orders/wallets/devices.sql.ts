/** Phones with Apple's wallet that asked for changes. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { PassRef } from './passes.sql.ts';

interface Device {
  deviceId: string;
  pushToken: string;
}

/** One phone after the other, so that none is missed when the pass has just been sent. */
export async function lockPass(tx: Db, { eventId, passId }: PassRef) {
  return tx
    .selectFrom('walletPasses')
    .where('eventId', '=', eventId)
    .where('kind', '=', 'apple')
    .where('passId', '=', passId)
    .select(['handedOutAt', 'updatedAt'])
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function devicesOf(tx: Db, { eventId, passId }: PassRef): Promise<Device[]> {
  return tx
    .selectFrom('walletDevices')
    .where('eventId', '=', eventId)
    .where('passId', '=', passId)
    .select(['deviceId', 'pushToken'])
    .execute();
}

/**
 * The phone may have the pass from any time since it was first handed out. If it has changed since, the phone is notified, also under a
 * new token: the last push may have gone to the one before.
 */
export async function saveDevice(
  tx: Db,
  { eventId, passId }: PassRef,
  { deviceId, pushToken, notifiedAt }: Device & { notifiedAt: Date },
): Promise<void> {
  await sql`
    insert into wallet_devices as known (event_id, pass_id, device_id, push_token, registered_at, notified_at)
    values (${eventId}, ${passId}, ${deviceId}, ${pushToken}, business_now(), ${notifiedAt})
        on conflict (event_id, kind, pass_id, device_id) do update
       set push_token = excluded.push_token, registered_at = excluded.registered_at, notified_at = excluded.notified_at
     where known.push_token <> excluded.push_token`.execute(tx);
  await sql`
    update wallet_passes p set send_at = coalesce(p.send_at, business_now())
      from wallet_devices d
     where p.event_id = ${eventId} and p.kind = 'apple' and p.pass_id = ${passId}
       and d.event_id = p.event_id and d.pass_id = p.pass_id and d.device_id = ${deviceId} and d.notified_at < p.updated_at`.execute(
    tx,
  );
}

export async function removeDevice(db: Db, { eventId, passId }: PassRef, deviceId: string): Promise<void> {
  await db
    .deleteFrom('walletDevices')
    .where('eventId', '=', eventId)
    .where('passId', '=', passId)
    .where('deviceId', '=', deviceId)
    .execute();
}

export interface PassOnDevice {
  passId: string;
  /** When the phone got it, or it last changed. */
  at: Date;
}

export async function passesOn(db: Db, deviceId: string): Promise<PassOnDevice[]> {
  const { rows } = await sql<PassOnDevice>`
    select p.pass_id, greatest(p.updated_at, d.registered_at) as at
      from wallet_devices d
      join wallet_passes p on p.event_id = d.event_id and p.kind = d.kind and p.pass_id = d.pass_id
     where d.device_id = ${deviceId}
     order by p.event_id, p.pass_id`.execute(db);
  return rows;
}
