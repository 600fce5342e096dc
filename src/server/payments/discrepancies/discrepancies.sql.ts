import { sql } from 'kysely';
import { type DiscrepancyKind, discrepancyMessages } from '#contract/difference-words.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface Discrepancy {
  kind: DiscrepancyKind;
  subject: string;
  eventId: string | null;
  cents: number;
}

/** @returns whether it was not known yet */
export async function openDiscrepancy(db: Db, difference: Discrepancy): Promise<boolean> {
  const id = newId();
  const words = discrepancyMessages[difference.kind];
  const row = await db
    .insertInto('differences')
    .values({ id, ...difference, words, foundAt: sql<Date>`business_now()`, resolvedAt: null })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject'])
        .where('resolvedAt', 'is', null)
        .doUpdateSet({ cents: difference.cents, eventId: difference.eventId }),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id === id;
}

/** Of these subjects, what was open and is not named as `still` any more. */
export async function resolveDiscrepancies(
  db: Db,
  subjects: readonly string[],
  still: readonly Pick<Discrepancy, 'kind' | 'subject'>[],
): Promise<void> {
  if (subjects.length === 0) return;
  await sql`
    update differences d
       set resolved_at = business_now()
     where d.resolved_at is null
       and d.kind <> 'unknown-order'
       and d.subject = any(${[...subjects]}::text[])
       and not exists (
         select from unnest(${still.map(({ kind }) => kind)}::text[], ${still.map(({ subject }) => subject)}::text[])
                  as s (kind, subject)
          where s.kind = d.kind and s.subject = d.subject)`.execute(db);
}

/** Orders that a paid checkout named and that are here again, with their money. */
export async function resolveUnknownOrders(db: Db): Promise<void> {
  await sql`
    update differences d
       set resolved_at = business_now()
     where d.resolved_at is null
       and d.kind = 'unknown-order'
       and exists (select from orders o
                    where o.session_id = d.subject and o.state in ('paid', 'unfillable', 'quarantined'))`.execute(db);
}
