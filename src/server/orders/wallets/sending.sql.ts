/** Claims the passes whose wallets have to learn of a change, and records what became of it. */
import { sql } from 'kysely';
import { CLAIM_MINUTES, type PassKind } from '#domain/sales/wallet-passes.ts';
import type { Db } from '#server/platform/database.ts';
import type { PassRef } from './passes.sql.ts';

export interface ClaimedPass extends PassRef {
  updatedAt: Date;
  attempts: number;
  /** Until then no other process notifies its wallets. */
  claimedUntil: Date;
}

interface Claim {
  kinds: readonly PassKind[];
  limit: number;
  perDay: number;
  /** After the event's end. */
  days: number;
}

/** The longest waiting first. A retry doesn't count as another change of the day. Milliseconds, because the process names the claim by its end. */
export async function claimPasses(db: Db, { kinds, limit, perDay, days }: Claim): Promise<ClaimedPass[]> {
  const { rows } = await sql<ClaimedPass>`
    with due as (
      select p.event_id, p.kind, p.pass_id, business_now()::date as today
        from wallet_passes p
        join events e on e.id = p.event_id
       where p.send_at <= business_now() and p.kind = any (${[...kinds]}::text[])
         and (p.attempts > 0 or p.sent_on is distinct from business_now()::date or p.sends < ${perDay})
         and e.latest_ends_at > business_now() - make_interval(days => ${days})
       order by p.send_at limit ${limit}
         for no key update of p skip locked)
    update wallet_passes p
       set send_at = date_trunc('milliseconds', business_now()) + make_interval(mins => ${CLAIM_MINUTES}),
           sends = case when p.attempts > 0 then p.sends when p.sent_on = due.today then p.sends + 1 else 1 end,
           sent_on = case when p.attempts > 0 then p.sent_on else due.today end
      from due
     where p.event_id = due.event_id and p.kind = due.kind and p.pass_id = due.pass_id
    returning p.event_id, p.kind, p.pass_id, p.updated_at, p.attempts, p.send_at as claimed_until`.execute(db);
  return rows;
}

/** Of Apple's passes: the phones that weren't notified of the change. */
export async function devicesToNotify(db: Db, passes: readonly ClaimedPass[]) {
  const { rows } = await sql<{ eventId: string; passId: string; deviceId: string; pushToken: string }>`
    select d.event_id, d.pass_id, d.device_id, d.push_token
      from unnest(${passes.map(({ eventId }) => eventId)}::text[], ${passes.map(({ passId }) => passId)}::text[],
                  ${passes.map(({ updatedAt }) => updatedAt)}::timestamptz[]) as p (event_id, pass_id, updated_at)
      join wallet_devices d on d.event_id = p.event_id and d.pass_id = p.pass_id
     where d.notified_at < p.updated_at
     order by d.event_id, d.pass_id, d.device_id`.execute(db);
  return rows;
}

/** Of the change that was claimed: a later one is sent again. */
export async function markNotified(
  db: Db,
  { eventId, passId, updatedAt }: ClaimedPass,
  { deviceId, pushToken }: { deviceId: string; pushToken: string },
): Promise<void> {
  await db
    .updateTable('walletDevices')
    .set({ notifiedAt: updatedAt })
    .where('eventId', '=', eventId)
    .where('passId', '=', passId)
    .where('deviceId', '=', deviceId)
    .where('pushToken', '=', pushToken)
    .execute();
}

/** Apple no longer knows the phone, with whatever passes of ours. */
export async function removeToken(db: Db, pushToken: string): Promise<void> {
  await db.deleteFrom('walletDevices').where('pushToken', '=', pushToken).execute();
}

/** In a transaction that holds the pass's lock: a phone that registers meanwhile waits, and is notified after it. */
export async function endClaim(tx: Db, pass: ClaimedPass): Promise<void> {
  await sql`
    update wallet_passes p
       set attempts = 0,
           send_at = case when p.updated_at > ${pass.updatedAt}
                            or exists (select from wallet_devices d where d.event_id = p.event_id and d.kind = p.kind
                                          and d.pass_id = p.pass_id and d.notified_at < p.updated_at)
                          then business_now() end
     where p.event_id = ${pass.eventId} and p.kind = ${pass.kind} and p.pass_id = ${pass.passId} and p.send_at = ${pass.claimedUntil}`.execute(
    tx,
  );
}

export async function retryClaim(
  db: Db,
  { eventId, kind, passId, claimedUntil }: ClaimedPass,
  { minutes, attempts }: { minutes: number; attempts: number },
): Promise<void> {
  await sql`
    update wallet_passes
       set attempts = ${attempts}, send_at = business_now() + make_interval(mins => ${minutes})
     where event_id = ${eventId} and kind = ${kind} and pass_id = ${passId} and send_at = ${claimedUntil}`.execute(db);
}
