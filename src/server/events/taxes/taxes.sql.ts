import type { IncludedTax } from '#domain/taxes/included-tax.ts';
import type { Db } from '#server/platform/database.ts';

/** Of orders that are made now; nothing if prices include none. */
export async function presentTaxes(
  db: Db,
  eventIds: readonly string[],
): Promise<(IncludedTax & { eventId: string })[]> {
  if (eventIds.length === 0) return [];
  const newest = await db
    .selectFrom('eventTaxes')
    .distinctOn('eventId')
    .where('eventId', 'in', eventIds)
    .select(['eventId', 'rate', 'label'])
    .orderBy('eventId')
    .orderBy('since', 'desc')
    .execute();
  return newest.filter(({ rate }) => rate > 0);
}

export async function insertTax(db: Db, eventId: string, { rate, label }: IncludedTax, since: Date): Promise<void> {
  await db
    .insertInto('eventTaxes')
    .values({ eventId, since, rate, label })
    .onConflict((conflict) => conflict.columns(['eventId', 'since']).doUpdateSet({ rate, label }))
    .execute();
}
