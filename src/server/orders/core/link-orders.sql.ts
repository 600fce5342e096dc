import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { CartOrder } from './stock.sql.ts';

/** Notes which tracking link brought the buyers of reserved orders. */
export async function linkOrders(db: Db, orders: readonly CartOrder[]): Promise<void> {
  await sql`
    update orders o set link_id = l.link_id
      from unnest(${orders.map(({ eventId }) => eventId)}::text[], ${orders.map(({ orderId }) => orderId)}::uuid[],
                  ${orders.map(({ linkId }) => linkId)}::uuid[]) as l (event_id, id, link_id)
     where o.event_id = l.event_id and o.id = l.id`.execute(db);
}
