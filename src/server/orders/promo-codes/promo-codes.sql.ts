import { type Insertable, sql, type Updateable } from 'kysely';
import type { PromoCode } from '#domain/sales/promo-codes.ts';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

/** A code that works, or whether it is over: what was reserved with it before can still be paid. */
export interface FoundPromoCode extends PromoCode {
  eventId: string;
  key: string;
  isValid: boolean;
}

/** By their keys; none of a draft. Of codes that are spelled the same, the one that works, or the last one that did. */
export async function findPromoCodes(
  db: Db,
  wanted: readonly { eventId: string; key: string }[],
): Promise<FoundPromoCode[]> {
  const { rows } = await sql<FoundPromoCode>`
    select distinct on (c.event_id, c.key) c.event_id, c.id, c.code, c.key, c.kind, c.value, c.max_per_order,
           c.max_uses - c.uses as uses_left, c.version,
           c.ended_at is null and is_on_sale(c.valid_from, c.valid_until, business_now()) as is_valid,
           case when not c.is_for_all then
             (select coalesce(json_agg(t.ticket_type_id), '[]') from promo_code_types t where t.event_id = c.event_id and t.promo_code_id = c.id)
           end as type_ids
      from unnest(${wanted.map(({ eventId }) => eventId)}::text[], ${wanted.map(({ key }) => key)}::text[]) as wanted (event_id, key)
      join events e on e.id = wanted.event_id and e.is_published
      join promo_codes c on c.event_id = e.id and c.key = wanted.key
     order by c.event_id, c.key, c.ended_at desc nulls first`.execute(db);
  return rows;
}

export async function promoCodeRows(db: Db, eventId: string) {
  return db
    .selectFrom('promoCodes as c')
    .where('c.eventId', '=', eventId)
    .selectAll()
    .select(
      sql<string[]>`coalesce((select json_agg(t.ticket_type_id) from promo_code_types t
                       where t.event_id = c.event_id and t.promo_code_id = c.id), '[]')`.as('typeIds'),
    )
    .select(
      sql<number>`coalesce((select sum(l.discount_cents) from order_lines l
                      join tickets t on t.event_id = l.event_id and t.order_id = l.order_id and t.order_line_id = l.id
                     where l.event_id = c.event_id and l.promo_code_id = c.id and counts_as_sold(t.state)), 0)::bigint`.as(
        'discountCents',
      ),
    )
    .orderBy(sql`c.ended_at is not null`)
    .orderBy('c.createdAt', 'desc')
    .orderBy('c.id')
    .execute();
}

export async function lockPromoCode(tx: Db, eventId: string, id: string) {
  return tx
    .selectFrom('promoCodes')
    .where('eventId', '=', eventId)
    .where('id', '=', id)
    .selectAll()
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function typesOfPromoCode(tx: Db, eventId: string, promoCodeId: string): Promise<string[]> {
  const types = tx.selectFrom('promoCodeTypes').where('eventId', '=', eventId).where('promoCodeId', '=', promoCodeId);
  return (await types.select('ticketTypeId').execute()).map(({ ticketTypeId }) => ticketTypeId);
}

/** Those that work: how many there are, and whether one of them, except for `id`, is spelled like `key`. */
export async function livePromoCodes(tx: Db, eventId: string, { key, id }: { key: string; id: string | null }) {
  const { rows } = await sql<{ count: number; isTaken: boolean }>`
    select count(*)::int as count, coalesce(bool_or(key = ${key} and id is distinct from ${id}::uuid), false) as is_taken
      from promo_codes where event_id = ${eventId} and ended_at is null`.execute(tx);
  return rows[0] ?? { count: 0, isTaken: false };
}

export async function insertPromoCode(tx: Db, code: Insertable<Schema['promoCodes']>): Promise<void> {
  await tx.insertInto('promoCodes').values(code).execute();
}

/** Counts the edit, so that an order which was priced before it is priced again. */
export async function updatePromoCode(
  tx: Db,
  { eventId, id }: { eventId: string; id: string },
  columns: Updateable<Schema['promoCodes']>,
): Promise<void> {
  await tx
    .updateTable('promoCodes')
    .set({ ...columns, version: sql<number>`version + 1` })
    .where('eventId', '=', eventId)
    .where('id', '=', id)
    .execute();
}

export async function replaceTypes(
  tx: Db,
  { eventId, id: promoCodeId }: { eventId: string; id: string },
  typeIds: readonly string[],
): Promise<void> {
  await tx.deleteFrom('promoCodeTypes').where('eventId', '=', eventId).where('promoCodeId', '=', promoCodeId).execute();
  if (typeIds.length === 0) return;
  await tx
    .insertInto('promoCodeTypes')
    .values(typeIds.map((ticketTypeId) => ({ eventId, promoCodeId, ticketTypeId })))
    .execute();
}
