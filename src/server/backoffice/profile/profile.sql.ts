import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';

interface SalesOfAllEvents {
  ticketsOffered: number;
  ticketsSold: number;
  ticketsToScan: number;
  ticketsScanned: number;
  grossCents: number;
}

/** Of the published events that a member was given. */
export async function salesOfAllEvents(
  db: Db,
  { organizationId, onlyEventIds }: Pick<Actor, 'organizationId' | 'onlyEventIds'>,
): Promise<SalesOfAllEvents> {
  // As an array, which both halves of the view are searched by.
  const given = onlyEventIds ? sql`and id = any (${[...onlyEventIds]}::text[])` : sql``;
  const own = sql`array(select id from events where organization_id = ${organizationId} and is_published ${given})`;
  const { rows } = await sql<SalesOfAllEvents>`
    select (select coalesce(sum(quantity), 0)::bigint from ticket_types
             where event_id = any (${own}) and removed_at is null) as tickets_offered,
           coalesce(sum(sold), 0)::bigint as tickets_sold,
           coalesce(sum(sold) filter (where not is_add_on), 0)::bigint as tickets_to_scan,
           coalesce(sum(scanned) filter (where not is_add_on), 0)::bigint as tickets_scanned,
           coalesce(sum(sold * price_cents::bigint), 0)::bigint as gross_cents
      from ticket_totals_now t
      join (select event_id as of_event, id, is_add_on from ticket_types) y on y.of_event = t.event_id and y.id = t.ticket_type_id
     where event_id = any (${own})`.execute(db);
  return rows[0] ?? { ticketsOffered: 0, ticketsSold: 0, ticketsToScan: 0, ticketsScanned: 0, grossCents: 0 };
}
