import { sql } from 'kysely';
import { EVIDENCE_DUE_SOON_DAYS } from '#domain/limits.ts';
import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';

interface Dispute {
  eventId: string;
  disputeId: string;
}

interface OwnDisputeRow {
  disputeId: string;
  title: string;
  timezone: string;
  cents: number;
  reason: string;
  state: 'inquiry' | 'open';
  dueAt: Date | null;
  attemptedAt: Date | null;
  statement: string;
  now: Date;
}

/** Of the events that the member was given. An unfulfillable order's money is owed to the buyer and doesn't concern the organizer. */
export async function undecidedDisputesOf(
  db: Db,
  { organizationId, onlyEventIds }: Pick<Actor, 'organizationId' | 'onlyEventIds'>,
  limit: number,
): Promise<OwnDisputeRow[]> {
  const { rows } = await sql<OwnDisputeRow>`
    select d.id as dispute_id, e.title, e.timezone, d.cents, d.reason, d.state, d.due_at, s.attempted_at,
           coalesce(t.text, '') as statement, business_now() as now
      from events e
      join disputes d on d.event_id = e.id and d.state in ('open', 'inquiry')
      join orders o on o.event_id = d.event_id and o.id = d.order_id and o.state = 'paid'
      left join dispute_evidence s on s.event_id = d.event_id and s.dispute_id = d.id
      left join dispute_statements t on t.event_id = d.event_id and t.dispute_id = d.id
     where e.organization_id = ${organizationId} and (${onlyEventIds}::text[] is null or e.id = any (${onlyEventIds}::text[]))
     order by d.due_at nulls last, d.opened_at, d.id
     limit ${limit}`.execute(db);
  return rows;
}

/** Evidence that starts to be sent waits, and then has what the transaction writes. */
export async function lockDispute(tx: Db, { eventId, disputeId }: Dispute): Promise<void> {
  await sql`select from disputes where event_id = ${eventId} and id = ${disputeId} for update`.execute(tx);
}

export async function putStatement(
  tx: Db,
  { eventId, disputeId, text, writtenBy }: Dispute & { text: string; writtenBy: string },
): Promise<void> {
  await sql`
    insert into dispute_statements (event_id, dispute_id, text, written_by, written_at)
    values (${eventId}, ${disputeId}, ${text}, ${writtenBy}, business_now())
    on conflict (event_id, dispute_id) do update
       set text = excluded.text, written_by = excluded.written_by, written_at = excluded.written_at`.execute(tx);
}

export async function deleteStatement(tx: Db, { eventId, disputeId }: Dispute): Promise<void> {
  await tx.deleteFrom('disputeStatements').where('eventId', '=', eventId).where('disputeId', '=', disputeId).execute();
}

/** Nothing was sent or added yet, and the bank's deadline is near. */
export async function disputesDueSoon(db: Db): Promise<(Dispute & { organizationId: string })[]> {
  const { rows } = await sql<Dispute & { organizationId: string }>`
    select d.event_id, d.id as dispute_id, e.organization_id
      from disputes d
      join events e on e.id = d.event_id
      join orders o on o.event_id = d.event_id and o.id = d.order_id and o.state = 'paid'
     where d.state in ('open', 'inquiry')
       and d.due_at > business_now() and d.due_at < business_now() + make_interval(days => ${EVIDENCE_DUE_SOON_DAYS})
       and not exists (select from dispute_evidence s where s.event_id = d.event_id and s.dispute_id = d.id)
       and not exists (select from dispute_statements t where t.event_id = d.event_id and t.dispute_id = d.id)`.execute(
    db,
  );
  return rows;
}
