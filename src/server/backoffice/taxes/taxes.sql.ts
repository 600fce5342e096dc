import { sql } from 'kysely';
import { SOLD_STATES } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';

interface TaxedSales {
  since: Date;
  rate: number;
  label: string;
  unitPriceCents: number;
  quantity: number;
}

/** Tickets that were sold and not refunded, by the tax of when they were ordered and by price; the newest tax first. */
export async function taxedSales(db: Db, eventId: string): Promise<TaxedSales[]> {
  const { rows } = await sql<TaxedSales>`
    with taxes as (
      select since, rate, label, lead(since, 1, 'infinity') over (order by since) as until
        from event_taxes where event_id = ${eventId})
    select x.since, x.rate, x.label, t.price_cents as unit_price_cents, count(*)::int as quantity
      from taxes x
      join orders o on o.event_id = ${eventId} and o.created_at >= x.since and o.created_at < x.until
      join tickets t on t.event_id = o.event_id and t.order_id = o.id
     where x.rate > 0 and t.price_cents > 0 and t.state = any(${[...SOLD_STATES]}::text[])
     group by x.since, x.rate, x.label, t.price_cents
     order by x.since desc, t.price_cents`.execute(db);
  return rows;
}
