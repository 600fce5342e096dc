import { sql } from 'kysely';
import { SOLD_STATES, type TicketState } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';
import type { NumberedTicket } from '#server/platform/schema/orders.ts';

/** Tickets of guests at no charge who can come, or came. Reads comps only. */
export async function compCounts(db: Db, eventIds: readonly string[]): Promise<Map<string, number>> {
  if (eventIds.length === 0) return new Map();
  const rows = await compTickets(db)
    .where('o.eventId', 'in', eventIds)
    .where('t.state', 'in', SOLD_STATES)
    .groupBy('o.eventId')
    .select(['o.eventId', sql<number>`count(*)::int`.as('comps')])
    .execute();
  return new Map(rows.map(({ eventId, comps }) => [eventId, comps]));
}

export interface CompRow {
  id: string;
  buyerEmail: string | null;
  name: string | null;
  doorNote: string | null;
  confirmationNumber: string;
  ticketName: string;
  state: TicketState;
  disputedAt: Date | null;
}

/** Newest first, withdrawn ones included. */
export async function compRows(
  db: Db,
  { eventId, after, limit }: { eventId: string; after: string | null; limit: number },
): Promise<CompRow[]> {
  const comps = compTickets(db).where('o.eventId', '=', eventId);
  const page = (after === null ? comps : comps.where('t.id', '<', after))
    .select(['t.eventId', 't.orderId'])
    .select(['t.id', 't.buyerEmail', 't.confirmationNumber', 't.ticketName', 't.state', 't.disputedAt'])
    .orderBy('t.id', 'desc')
    .limit(limit);
  return db
    .selectFrom(page.as('c'))
    .innerJoinLateral(sql<NumberedTicket>`tickets_of_order(c.event_id, c.order_id)`.as('n'), (join) =>
      join.onRef('n.ticketId', '=', 'c.id'),
    )
    .leftJoin('orderGuests as g', (join) =>
      join
        .onRef('g.eventId', '=', 'c.eventId')
        .onRef('g.orderId', '=', 'c.orderId')
        .onRef('g.position', '=', 'n.position'),
    )
    .select(['c.id', 'c.buyerEmail', 'g.name', 'g.doorNote', 'c.confirmationNumber', 'c.ticketName'])
    .select(['c.state', 'c.disputedAt'])
    .orderBy('c.id', 'desc')
    .execute();
}

/** Whether tickets of an import are still to be issued. */
export async function hasOpenBatch(db: Db, eventId: string): Promise<boolean> {
  const open = await db
    .selectFrom('compBatches')
    .where('eventId', '=', eventId)
    .where('completedAt', 'is', null)
    .select('id')
    .executeTakeFirst();
  return open !== undefined;
}

const compTickets = (db: Db) =>
  db
    .selectFrom('orders as o')
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'o.eventId').onRef('t.orderId', '=', 'o.id'))
    .where('o.compBatchId', 'is not', null);
