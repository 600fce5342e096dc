/** Data stored about a buyer's address, and which of it is still needed. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface PurchaseRow {
  eventId: string;
  orderId: string;
  eventTitle: string;
  boughtAt: Date | null;
  buyerName: string | null;
  totalCents: number;
  state: string;
  /** When the event settles; null if it was cancelled. */
  settlesAt: Date | null;
  isSettled: boolean;
  isRefunding: boolean;
  isDisputed: boolean;
}

/** Newest first. Only orders created by `at` are included. */
export async function purchasesOf(
  db: Db,
  { email, at, limit }: { email: string; at: Date; limit: number | null },
): Promise<PurchaseRow[]> {
  const { rows } = await sql<PurchaseRow>`
    select o.event_id, o.id as order_id, e.title as event_title, o.paid_at as bought_at, o.buyer_name, o.total_cents, o.state,
           case when e.cancelled_at is null then settles_at(e.latest_ends_at) end as settles_at,
           o.state in ('paid', 'unfulfillable', 'expired') and owed_to_buyer(o.event_id, o.id) = 0 as is_settled,
           exists (select from tickets t where t.event_id = o.event_id and t.order_id = o.id
                    and (t.state = 'refunding' or e.cancelled_at is not null and counts_as_sold(t.state)))
             or exists (select from refunds r where r.event_id = o.event_id and r.order_id = o.id
                         and (r.state = 'claimed' or r.state = 'sent' and r.cents > 0 and r.settled_at is null)) as is_refunding,
           exists (select from disputes d where d.event_id = o.event_id and d.order_id = o.id
                    and d.state in ('inquiry', 'open')) as is_disputed
      from orders o
      join events e on e.id = o.event_id
     where lower(o.buyer_email) = lower(${email}) and o.created_at <= ${at}
     order by o.created_at desc, o.id desc
     limit ${limit}`.execute(db);
  return rows;
}

/** In the order of the cart. */
export async function ticketsOf(db: Db, orderIds: readonly string[], eventIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return (
    db
      .selectFrom('tickets as t')
      .leftJoin('orderLines as l', (join) =>
        join
          .onRef('l.eventId', '=', 't.eventId')
          .onRef('l.orderId', '=', 't.orderId')
          .onRef('l.id', '=', 't.orderLineId'),
      )
      .where('t.eventId', 'in', [...new Set(eventIds)])
      .where('t.orderId', 'in', orderIds)
      .select(['t.orderId', 't.id', 't.ticketName', 't.priceCents', 't.state', 't.scannedAt'])
      // The number of a transferred ticket is its holder's.
      .select(
        sql<string | null>`case when t.transferred_count = 0 then t.confirmation_number end`.as('confirmationNumber'),
      )
      .orderBy('l.position')
      .orderBy('t.id')
      .execute()
  );
}

export async function refundsOf(db: Db, orderIds: readonly string[], eventIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return db
    .selectFrom('refunds')
    .where('eventId', 'in', [...new Set(eventIds)])
    .where('orderId', 'in', orderIds)
    .select(['orderId', 'id', 'cents', 'state', 'createdAt'])
    .orderBy('id')
    .execute();
}

/** Those of transferred tickets are their holders'. */
export async function guestsOf(db: Db, orderIds: readonly string[], eventIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return db
    .selectFrom('orderGuests as g')
    .innerJoin('orders as o', (join) => join.onRef('o.eventId', '=', 'g.eventId').onRef('o.id', '=', 'g.orderId'))
    .leftJoin('guestForms as f', (join) =>
      join.onRef('f.eventId', '=', 'o.eventId').onRef('f.version', '=', 'o.formVersion'),
    )
    .where('g.eventId', 'in', [...new Set(eventIds)])
    .where('g.orderId', 'in', orderIds)
    .where(
      sql<boolean>`not exists (
        select from tickets t where t.event_id = g.event_id and t.id = g.ticket_id and t.transferred_count > 0)`,
    )
    .select(['g.orderId', 'g.position', 'g.name', 'g.answers', 'g.doorNote', 'f.questions'])
    .orderBy('g.orderId')
    .orderBy('g.position')
    .execute();
}

/** Subjects of emails about these purchases: the orders, their tickets and refunds, and the events and their changes. */
export async function subjectsOf(db: Db, orders: readonly { eventId: string; orderId: string }[]): Promise<string[]> {
  if (orders.length === 0) return [];
  const eventIds = orders.map(({ eventId }) => eventId);
  const orderIds = orders.map(({ orderId }) => orderId);
  const { rows } = await sql<{ subject: string }>`
    with named as (select * from unnest(${eventIds}::text[], ${orderIds}::uuid[]) as n (event_id, order_id))
    select order_id::text as subject from named
    union select event_id from named
    union select t.id::text from tickets t join named n on n.event_id = t.event_id and n.order_id = t.order_id
    union select r.id::text from refunds r join named n on n.event_id = r.event_id and n.order_id = r.order_id
    union select c.id::text from event_changes c where c.event_id = any (${eventIds}::text[])`.execute(db);
  return rows.map(({ subject }) => subject);
}

export function emailsTo(db: Db, email: string, limit: number) {
  return db
    .selectFrom('emailOutbox')
    .where(sql<boolean>`lower(to_address) = lower(${email})`)
    .where('state', '<>', 'not-sent')
    .select(['kind', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
}

export async function hasRecords(db: Db, email: string): Promise<boolean> {
  const { rows } = await sql<{ isRetained: boolean }>`
    select exists (select from orders where lower(buyer_email) = lower(${email}))
        or exists (select from tickets where lower(buyer_email) = lower(${email}) and transferred_count > 0)
        or exists (select from email_outbox where lower(to_address) = lower(${email}))
        or exists (select from users where lower(email) = lower(${email})) as is_retained`.execute(db);
  return rows[0]?.isRetained ?? false;
}

export async function hasAccount(db: Db, email: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from users where lower(email) = lower(${email})) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** Blocks refund requests until the transaction ends. Locks events before orders, like every other module. */
export async function lockPurchases(db: Db, email: string): Promise<void> {
  await sql`
    select id from events where id in (select event_id from orders where lower(buyer_email) = lower(${email}))
     order by id for no key update`.execute(db);
  await sql`select id from orders where lower(buyer_email) = lower(${email}) order by event_id, id for update`.execute(
    db,
  );
}

/** Unexpired links to the address that were created after `createdAfter`, newest first. */
export function recordsLinksTo(db: Db, { email, now, createdAfter }: { email: string; now: Date; createdAfter: Date }) {
  return db
    .selectFrom('privacyLinks')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('expiresAt', '>', now)
    .where('createdAt', '>', createdAfter)
    .select(['id', 'tokenHash'])
    .orderBy('createdAt', 'desc')
    .execute();
}

export async function addRecordsLink(
  db: Db,
  link: { id: string; tokenHash: Buffer; email: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db.insertInto('privacyLinks').values(link).execute();
}

export async function extendRecordsLink(db: Db, tokenHash: Buffer, expiresAt: Date): Promise<void> {
  await db.updateTable('privacyLinks').set({ expiresAt }).where('tokenHash', '=', tokenHash).execute();
}

export function findRecordsLink(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('privacyLinks')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .select(['email', 'expiresAt'])
    .executeTakeFirst();
}

/** Consumes the link: only one concurrent caller gets it. */
export function takeRecordsLink(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .deleteFrom('privacyLinks')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .returning(['email'])
    .executeTakeFirst();
}
