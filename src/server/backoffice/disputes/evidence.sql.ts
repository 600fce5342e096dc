/** Reads what is stored about a disputed order, across the tables of all modules. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** While it is being sent: longer than all of the calls to Stripe and their retries take. */
const SENDING_MINUTES = 5;

export async function findDispute(db: Db, disputeId: string) {
  return db
    .selectFrom('disputes as d')
    .leftJoin('disputeEvidence as s', (join) =>
      join.onRef('s.eventId', '=', 'd.eventId').onRef('s.disputeId', '=', 'd.id'),
    )
    .where('d.id', '=', disputeId)
    .select(['d.eventId', 'd.id', 'd.orderId', 'd.stripeDisputeId', 'd.state', 'd.dueAt', 's.sentAt', 's.attemptedAt'])
    .select(sql<Date>`business_now()`.as('now'))
    .executeTakeFirst();
}

interface Attempt {
  eventId: string;
  disputeId: string;
  sentBy: string;
}

/** One statement decides who sends. @returns false if it was sent, or is being sent */
export async function startEvidence(db: Db, { eventId, disputeId, sentBy }: Attempt): Promise<boolean> {
  const { rows } = await sql`
    insert into dispute_evidence (event_id, dispute_id, sent_by, attempted_at)
    values (${eventId}, ${disputeId}, ${sentBy}, business_now())
    on conflict (event_id, dispute_id) do update
       set sent_by = excluded.sent_by, attempted_at = excluded.attempted_at
     where dispute_evidence.sent_at is null
       and dispute_evidence.attempted_at < business_now() - make_interval(mins => ${SENDING_MINUTES}::integer)
    returning dispute_id`.execute(db);
  return rows.length > 0;
}

export async function markEvidenceSent(db: Db, { eventId, disputeId }: Omit<Attempt, 'sentBy'>): Promise<void> {
  await db
    .updateTable('disputeEvidence')
    .set({ sentAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('disputeId', '=', disputeId)
    .execute();
}

/** The attempt has failed for good, so the next one need not wait. */
export async function dropEvidence(db: Db, { eventId, disputeId }: Omit<Attempt, 'sentBy'>): Promise<void> {
  await db
    .deleteFrom('disputeEvidence')
    .where('eventId', '=', eventId)
    .where('disputeId', '=', disputeId)
    .where('sentAt', 'is', null)
    .execute();
}

export async function statementOf(db: Db, { eventId, disputeId }: Omit<Attempt, 'sentBy'>): Promise<string | null> {
  const statement = await db
    .selectFrom('disputeStatements')
    .where('eventId', '=', eventId)
    .where('disputeId', '=', disputeId)
    .select('text')
    .executeTakeFirst();
  return statement?.text ?? null;
}

interface Order {
  eventId: string;
  orderId: string;
}

/**
 * With what the page showed at the purchase: the order's version. One from before there were versions has what the first edit after it
 * replaced, and otherwise the first version.
 */
export async function purchaseOf(db: Db, { eventId, orderId }: Order) {
  const { rows } = await sql<{
    buyerEmail: string | null;
    paymentId: string | null;
    paidAt: Date | null;
    cents: number;
    title: string;
    description: string;
    organization: string | null;
    street: string;
    city: string;
    state: string;
    postalCode: string;
    venueName: string | null;
    timezone: string;
    startsAt: Date;
    endsAt: Date;
    pageVersion: number | null;
  }>`
    select o.buyer_email, o.payment_id, o.paid_at, coalesce(o.received_cents, o.total_cents) as cents,
           coalesce(t.title, p.title, e.title) as title, coalesce(t.description, p.description, e.description) as description,
           n.name as organization, o.page_version,
           coalesce(c.street, p.street, e.street) as street, coalesce(c.city, p.city, e.city) as city,
           coalesce(c.state, p.state, e.state) as state, coalesce(c.postal_code, p."postalCode", e.postal_code) as postal_code,
           case when c.id is not null then c.venue_name when v.version is not null then p."venueName" else e.venue_name end as venue_name,
           coalesce(c.timezone, p.timezone, e.timezone) as timezone, coalesce(c.starts_at, p."startsAt", e.starts_at) as starts_at,
           coalesce(c.ends_at, p."endsAt", e.ends_at) as ends_at
      from orders o
      join events e on e.id = o.event_id
      join organizations n on n.id = e.organization_id
      left join event_page_versions v on v.event_id = o.event_id and v.version = coalesce(o.page_version, 1)
      left join event_page_contents s on s.event_id = v.event_id and s.hash = v.hash
      left join lateral jsonb_to_record(s.content) as p (title text, description text, street text, city text, state text, "postalCode" text,
                                                         "venueName" text, timezone text, "startsAt" timestamptz, "endsAt" timestamptz) on true
      left join lateral (select * from event_changes
                          where event_id = o.event_id and changed_at > o.created_at and o.page_version is null
                          order by changed_at limit 1) as c on true
      left join lateral (select * from event_texts
                          where event_id = o.event_id and replaced_at > o.created_at and o.page_version is null
                          order by replaced_at limit 1) as t on true
     where o.event_id = ${eventId} and o.id = ${orderId}`.execute(db);
  const [purchase] = rows;
  if (!purchase) throw new Error(`order ${orderId} not found`);
  return purchase;
}

export const linesOf = (db: Db, { eventId, orderId }: Order) =>
  db
    .selectFrom('orderLines')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .select(['ticketName', 'unitPriceCents', 'quantity'])
    .orderBy('position')
    .orderBy('promoCodeId')
    .execute();

/** About the order and its refunds, and those to all buyers of the event. An address is forgotten after a while. */
export async function emailsOf(db: Db, { eventId, orderId }: Order) {
  const { rows } = await sql<{ kind: string; sentAt: Date | null }>`
    select m.kind, m.sent_at
      from email_outbox m
     where m.subject_id = ${orderId}
        or m.subject_id in (select id::text from refunds where event_id = ${eventId} and order_id = ${orderId})
        or m.params ->> 'eventId' = ${eventId} and m.kind in ('event-changed', 'event-cancelled', 'early-check-in')
           and lower(m.to_address) = (select lower(buyer_email) from orders where event_id = ${eventId} and id = ${orderId})
     order by m.created_at, m.id`.execute(db);
  return rows;
}

export const scansOf = (db: Db, { eventId, orderId }: Order) =>
  db
    .selectFrom('tickets as t')
    .leftJoin('checkInDevices as d', (join) =>
      join.onRef('d.eventId', '=', 't.eventId').onRef('d.id', '=', 't.scannedBy'),
    )
    .where('t.eventId', '=', eventId)
    .where('t.orderId', '=', orderId)
    .select(['t.ticketName', 't.confirmationNumber', 't.scannedAt', 'd.name as device'])
    .orderBy('t.id')
    .execute();

export const refundsOf = (db: Db, { eventId, orderId }: Order) =>
  db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .select(['cents', 'reason', 'state', 'createdAt'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
