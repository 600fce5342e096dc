import { sql } from 'kysely';
import type { DiscrepancyKind } from '#domain/discrepancy.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface Discrepancy {
  kind: DiscrepancyKind;
  subject: string;
  eventId: string | null;
  cents: number;
}

/** @returns whether the discrepancy is new */
export async function openDiscrepancy(db: Db, discrepancy: Discrepancy): Promise<boolean> {
  const id = newId();
  const row = await db
    .insertInto('discrepancies')
    .values({ id, ...discrepancy, foundAt: sql<Date>`business_now()`, resolvedAt: null })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject'])
        .where('resolvedAt', 'is', null)
        .doUpdateSet({ cents: discrepancy.cents, eventId: discrepancy.eventId }),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id === id;
}

/** Resolves the open discrepancies of these subjects, except those that are still present. */
export async function resolveDiscrepancies(
  db: Db,
  subjects: readonly string[],
  present: readonly Pick<Discrepancy, 'kind' | 'subject'>[],
): Promise<void> {
  if (subjects.length === 0) return;
  await sql`
    update discrepancies d
       set resolved_at = business_now()
     where d.resolved_at is null
       and d.kind <> 'unknown-order'
       and d.subject = any(${[...subjects]}::text[])
       and not exists (
         select from unnest(${present.map(({ kind }) => kind)}::text[], ${present.map(({ subject }) => subject)}::text[])
                  as s (kind, subject)
          where s.kind = d.kind and s.subject = d.subject)`.execute(db);
}

/** Resolves paid checkouts of unknown orders once the order exists and is paid. */
export async function resolveUnknownOrders(db: Db): Promise<void> {
  await sql`
    update discrepancies d
       set resolved_at = business_now()
     where d.resolved_at is null
       and d.kind = 'unknown-order'
       and exists (select from orders o
                    where o.session_id = d.subject and o.state in ('paid', 'unfulfillable', 'needs-review'))`.execute(
    db,
  );
}
