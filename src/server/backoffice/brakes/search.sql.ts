import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface FoundEventRow {
  eventId: string;
  title: string;
  startsAt: Date;
  timezone: string;
  organization: string | null;
  salesStoppedAt: Date | null;
  stopReason: string | null;
  heldAt: Date | null;
  holdReason: string | null;
  total: number;
}

/** The latest first. Without a query, those with a brake of their own. */
export async function searchEvents(db: Db, q: string, limit: number): Promise<FoundEventRow[]> {
  const isFound =
    q === ''
      ? sql`(e.sales_stopped_at is not null or h.event_id is not null)`
      : sql`(${isEvent(q)} or ${isOrganization(q)})`;
  const { rows } = await sql<FoundEventRow>`
    select e.id as event_id, e.title, e.starts_at, e.timezone, o.name as organization,
           e.sales_stopped_at, e.stop_reason, h.held_at, h.reason as hold_reason, count(*) over ()::int as total
      from events e
      join organizations o on o.id = e.organization_id
      left join payout_holds h on h.event_id = e.id
     where ${isFound}
     order by e.ends_at desc, e.id
     limit ${limit}`.execute(db);
  return rows;
}

export interface FoundOrganizationRow {
  organizationId: string;
  name: string | null;
  ownerEmail: string;
  suspendedAt: Date | null;
  suspendReason: string | null;
  total: number;
}

/** By its own name, ID and owner, or by an event. Without a query, those that are suspended. */
export async function searchOrganizations(db: Db, q: string, limit: number): Promise<FoundOrganizationRow[]> {
  const isFound =
    q === ''
      ? sql`o.suspended_at is not null`
      : sql`(${isOrganization(q)} or exists (select from events e where e.organization_id = o.id and ${isEvent(q)}))`;
  const { rows } = await sql<FoundOrganizationRow>`
    select o.id as organization_id, o.name, owner.email as owner_email, o.suspended_at, o.suspend_reason,
           count(*) over ()::int as total
      from organizations o
      cross join lateral (select u.email from memberships m join users u on u.id = m.user_id
                           where m.organization_id = o.id and m.role = 'owner' order by m.joined_at limit 1) as owner
     where o.erased_at is null and ${isFound}
     order by o.name nulls last, o.id
     limit ${limit}`.execute(db);
  return rows;
}

export interface FoundOrderRow {
  orderId: string;
  eventId: string;
  title: string;
  organization: string | null;
  buyerEmail: string | null;
  state: 'reserved' | 'expired' | 'paid' | 'unfulfillable' | 'needs-review';
  cents: number;
  createdAt: Date;
  paymentId: string | null;
  total: number;
}

/** Each way to name an order has an index, except its ID. */
export async function searchOrders(db: Db, q: string, limit: number): Promise<FoundOrderRow[]> {
  if (q === '') return [];
  const { rows } = await sql<FoundOrderRow>`
    select o.id as order_id, o.event_id, e.title, n.name as organization, o.buyer_email, o.state,
           coalesce(o.received_cents, o.total_cents) as cents, o.created_at, o.payment_id, count(*) over ()::int as total
      from (select event_id, id from orders where id::text = lower(${q})
            union select event_id, id from orders where lower(buyer_email) = lower(${q})
            union select event_id, order_id from tickets where lower(buyer_email) = lower(${q}) and transferred_count > 0
            union select event_id, id from orders where payment_id = ${q}
            union select event_id, id from orders where session_id = ${q}
            union select event_id, order_id from refunds where stripe_refund_id = ${q}
            union select event_id, order_id from disputes where stripe_dispute_id = ${q}) as found
      join orders o using (event_id, id)
      join events e on e.id = o.event_id
      join organizations n on n.id = e.organization_id
     order by o.created_at desc, o.id
     limit ${limit}`.execute(db);
  return rows;
}

const isEvent = (q: string): RawBuilder<boolean> => sql`
  (e.id = ${q} or ${contains(sql`e.title`, q)}
   or exists (select from payouts p where p.event_id = e.id and p.transfer_id = ${q}))`;

const isOrganization = (q: string): RawBuilder<boolean> => sql`
  (o.id::text = lower(${q}) or ${contains(sql`o.name`, q)}
   or exists (select from payout_accounts a where a.organization_id = o.id and a.account_id = ${q})
   or exists (select from memberships m join users u on u.id = m.user_id
               where m.organization_id = o.id and m.role = 'owner' and ${contains(sql`u.email`, q)}))`;

/** Not `like`: a query may contain its wildcards. */
const contains = (column: RawBuilder<unknown>, q: string) => sql`strpos(lower(${column}), lower(${q})) > 0`;
