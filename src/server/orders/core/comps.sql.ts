/** Comps: the orders of guests whom members add at no charge. They are reserved and sold like all others, by the functions of this folder. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { lockNamespaces } from '#server/platform/locks.ts';
import type { Schema } from '#server/platform/schema.ts';

type Batch = Schema['compBatches'];

/** False if the event has a batch with this id. */
export async function insertCompBatch(tx: Db, batch: Omit<Batch, 'completedAt'>): Promise<boolean> {
  const inserted = await tx
    .insertInto('compBatches')
    .values(batch)
    .onConflict((conflict) => conflict.columns(['eventId', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** How many tickets the organization gave away since then. Others of its members wait until the transaction ends. */
export async function countCompsSince(tx: Db, organizationId: string, since: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(${lockNamespaces.comps}::integer, hashtext(${organizationId}))`.execute(tx);
  const { tickets } = await tx
    .selectFrom('compBatches as b')
    .innerJoin('events as e', 'e.id', 'b.eventId')
    .where('e.organizationId', '=', organizationId)
    .where('b.createdAt', '>', since)
    .select(sql<number>`coalesce(sum(b.tickets), 0)::integer`.as('tickets'))
    .executeTakeFirstOrThrow();
  return tickets;
}

export async function findCompBatch(db: Db, { eventId, id }: Pick<Batch, 'eventId' | 'id'>): Promise<Batch> {
  return db
    .selectFrom('compBatches')
    .where('eventId', '=', eventId)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow();
}

export interface Comp {
  orderId: string;
  email: string | null;
  /** Of each of its tickets. */
  name: string | null;
  doorNote: string | null;
  ticketTypeId: string;
  ticketName: string;
  /** What the ticket would have cost. */
  listPriceCents: number;
  quantity: number;
}

interface NewComps extends Pick<Batch, 'eventId' | 'createdAt'> {
  batchId: string;
  /** After that, tickets that are not issued yet are released. */
  reservedUntil: Date;
}

/** All of them, or none: then the caller rolls back. */
export async function reserveComps(
  tx: Db,
  { eventId, batchId, createdAt, reservedUntil }: NewComps,
  comps: readonly Comp[],
): Promise<boolean> {
  const { rows } = await sql<{ isReserved: boolean }>`
    select reserve_comps(
      ${eventId}, ${batchId}, ${comps.map(({ orderId }) => orderId)}::uuid[], ${comps.map(({ email }) => email)}::text[],
      ${comps.map(({ ticketTypeId }) => ticketTypeId)}::uuid[], ${comps.map(({ ticketName }) => ticketName)}::text[],
      ${comps.map(({ listPriceCents }) => listPriceCents)}::integer[], ${comps.map(({ quantity }) => quantity)}::integer[],
      ${createdAt}, ${reservedUntil}) as is_reserved`.execute(tx);
  return rows[0]?.isReserved ?? false;
}

/** Who they are for, and what the door should know. */
export async function insertCompGuests(tx: Db, eventId: string, comps: readonly Comp[]): Promise<void> {
  const named = comps.filter(({ name, doorNote }) => name !== null || doorNote !== null);
  if (named.length === 0) return;
  await sql`
    insert into order_guests (event_id, order_id, position, name, answers, door_note)
    select ${eventId}, g.order_id, n.position, g.name, '{}', g.note
      from unnest(${named.map(({ orderId }) => orderId)}::uuid[], ${named.map(({ name }) => name)}::text[],
                  ${named.map(({ doorNote }) => doorNote)}::text[], ${named.map(({ quantity }) => quantity)}::integer[])
             as g (order_id, name, note, quantity)
     cross join lateral generate_series(1, g.quantity) as n (position)`.execute(tx);
}

/** Issues the tickets of reserved comps, at most so many orders, and queues their emails. The caller has locked the event. Returns how many. */
export async function issueComps(
  tx: Db,
  { eventId, id, limit, at }: Pick<Batch, 'eventId' | 'id'> & { limit: number; at: Date },
): Promise<number> {
  const { rows } = await sql<{ issued: number }>`
    with due as materialized (
      select id, buyer_email from orders
       where event_id = ${eventId} and comp_batch_id = ${id} and state = 'reserved'
       order by id
       limit ${limit}
         for no key update),
    counted as (
      select array_agg(id) as ids, array_agg(buyer_email) as emails, count(*)::integer as n from due)
    select n as issued,
           sell_orders(array_fill(${eventId}::text, array[n]), ids, array_fill(null::text, array[n]), array_fill(null::text, array[n]), emails,
                       array_fill(null::text, array[n]), array_fill(0, array[n]), array_fill(null::integer, array[n]), array_fill(null::bytea, array[n]), ${at})
      from counted
     where n > 0`.execute(tx);
  return rows[0]?.issued ?? 0;
}

export async function completeCompBatch(
  tx: Db,
  { eventId, id, at }: Pick<Batch, 'eventId' | 'id'> & { at: Date },
): Promise<void> {
  await tx
    .updateTable('compBatches')
    .set({ completedAt: at })
    .where('eventId', '=', eventId)
    .where('id', '=', id)
    .where('completedAt', 'is', null)
    .execute();
}

/** How many tickets of each type are left, by itself and by its shared capacities. */
export async function typesLeft(db: Db, eventId: string): Promise<{ id: string; name: string; left: number }[]> {
  const { rows } = await sql<{ id: string; name: string; left: number }>`
    select id, name, available_of(event_id, id, available, shares_capacity) as left
      from ticket_types where event_id = ${eventId} and removed_at is null order by position`.execute(db);
  return rows;
}
