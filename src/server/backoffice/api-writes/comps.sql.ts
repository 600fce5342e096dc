import type { Db } from '#server/platform/database.ts';

/** In the order in which they were issued. */
export function ticketsOfComps(db: Db, { eventId, compsId }: { eventId: string; compsId: string }) {
  return db
    .selectFrom('orders as o')
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'o.eventId').onRef('t.orderId', '=', 'o.id'))
    .where('o.eventId', '=', eventId)
    .where('o.compBatchId', '=', compsId)
    .select(['t.id', 't.orderId', 't.ticketTypeId', 't.confirmationNumber'])
    .orderBy('t.id')
    .execute();
}
