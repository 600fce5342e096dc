/** Check-ins long before the start: recorded when a ticket is admitted, objected to by buyers, decided by operators. */
import { sql } from 'kysely';
import type { EarlyCheckInOutcome } from '#domain/early-check-in.ts';
import type { TicketState } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';
import { undoAdmissions } from './admit.sql.ts';

/** Records check-ins that a later start has made early. Those already recorded are skipped. */
export async function recordEarlyCheckIns(db: Db, eventId: string): Promise<void> {
  await sql`
    with scanned as (
      select t.event_id, t.id, t.scanned_at
        from tickets t join events e on e.id = t.event_id
       where t.event_id = ${eventId} and t.state = 'scanned' and is_early_check_in(t.scanned_at, e.latest_starts_at)
       order by t.id for share of t)
    insert into early_check_ins (event_id, id, ticket_id, scanned_at, recorded_at)
    select event_id, new_row_id(), id, scanned_at, business_now() from scanned s
     where not exists (select from early_check_ins c
                        where c.event_id = s.event_id and c.ticket_id = s.id and c.scanned_at = s.scanned_at)`.execute(
    db,
  );
}

/** Blocks cancelling and paying out the event, so that a payout either sees an objection or comes before it. */
export async function lockEventOfCheckIn(tx: Db, eventId: string) {
  return tx
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['cancelledAt', 'payoutRequestedAt', sql<Date>`business_now()`.as('now')])
    .forShare()
    .executeTakeFirst();
}

interface CheckInOfTicket {
  id: string;
  ticketId: string;
  ticketState: TicketState;
  outcome: EarlyCheckInOutcome | null;
  objectedAt: Date | null;
}

/** The ticket's latest early check-in, found by any of them. Locks the ticket against scans, undo and refunds. */
export async function lockEarlyCheckIn(tx: Db, eventId: string, id: string): Promise<CheckInOfTicket | undefined> {
  const { rows } = await sql<{ id: string; ticketState: TicketState }>`
    select t.id, t.state as ticket_state
      from early_check_ins c join tickets t on t.event_id = c.event_id and t.id = c.ticket_id
     where c.event_id = ${eventId} and c.id = ${id}
       for no key update of t`.execute(tx);
  const [ticket] = rows;
  if (!ticket) return undefined;
  const { id: ticketId, ticketState } = ticket;
  // A separate statement: only now is what other transactions did to the ticket visible.
  const latest = await tx
    .selectFrom('earlyCheckIns')
    .where('eventId', '=', eventId)
    .where('ticketId', '=', ticketId)
    .select(['id', 'outcome', 'objectedAt'])
    .orderBy('recordedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest && { ...latest, ticketId, ticketState };
}

export async function recordObjection(tx: Db, eventId: string, id: string, at: Date): Promise<void> {
  await tx
    .updateTable('earlyCheckIns')
    .set({ objectedAt: at })
    .where('eventId', '=', eventId)
    .where('id', '=', id)
    .where('objectedAt', 'is', null)
    .execute();
}

/** Undoes open early check-ins: one, or all of the event. Returns the ids of those check-ins. */
export async function undoEarlyCheckIns(tx: Db, eventId: string, id: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string; ticketId: string }>`
    select c.id, c.ticket_id
      from early_check_ins c
      join tickets t on t.event_id = c.event_id and t.id = c.ticket_id and t.scanned_at = c.scanned_at
     where c.event_id = ${eventId} and c.ended_at is null and (${id}::uuid is null or c.id = ${id}::uuid)
     order by t.id
       for no key update of t, c`.execute(tx);
  const since = sql`'-infinity'::timestamptz`;
  const ticketIds = rows.map(({ ticketId }) => ticketId);
  const undone = new Set(await undoAdmissions(tx, { eventId, ticketIds, since, outcome: 'undone' }));
  return rows.filter(({ ticketId }) => undone.has(ticketId)).map((row) => row.id);
}

/** Lets a check-in stand after an objection. Returns its id, unless it was decided before. */
export async function keepEarlyCheckIn(tx: Db, eventId: string, id: string): Promise<string[]> {
  const kept = await tx
    .updateTable('earlyCheckIns')
    .set({ outcome: 'kept', endedAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning('id')
    .execute();
  return kept.map((row) => row.id);
}

/** Returns the ids of those that were reviewed now. */
export async function reviewEarlyCheckIns(tx: Db, eventId: string): Promise<string[]> {
  const reviewed = await tx
    .updateTable('earlyCheckIns')
    .set({ reviewedAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('reviewedAt', 'is', null)
    .returning('id')
    .execute();
  return reviewed.map((row) => row.id);
}

/** Emails the buyers of decided check-ins. */
export async function emailDecisions(tx: Db, eventId: string, ids: readonly string[]): Promise<void> {
  await sql`
    select queue_emails('early-check-in-decided', array_agg(c.id::text), array_agg(t.buyer_email),
                        array_agg(jsonb_build_object('eventId', c.event_id)), business_now())
      from early_check_ins c
      join tickets t on t.event_id = c.event_id and t.id = c.ticket_id
     where c.event_id = ${eventId} and c.id = any (${[...ids]}::uuid[])`.execute(tx);
}
