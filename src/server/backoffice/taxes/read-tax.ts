import type { EventTax } from '#contract/app/records/event-tax.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { taxOf } from '#domain/taxes/included-tax.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { presentTaxes } from '#server/events/taxes/taxes.sql.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { taxedSales } from './taxes.sql.ts';

export async function readTax({ db }: Pick<Deps, 'db'>, actor: Actor, eventId: string): Promise<EventTax> {
  await authorizeEvent({ db }, actor, 'payout.view', eventId);
  const [[present], shares] = await Promise.all([presentTaxes(db, [eventId]), taxShares(db, eventId)]);
  return {
    tax: present ? { rate: present.rate, label: present.label } : null,
    mayEdit: isAllowed(actor, 'event-tax.edit'),
    shares: shares.map(({ since, ...share }) => ({ since: since.toISOString(), ...share })),
  };
}

/** One for each tax that the event had with sales, newest first. */
export async function taxShares(db: Db, eventId: string) {
  const bySince = Map.groupBy(await taxedSales(db, eventId), ({ since }) => since.getTime());
  return [...bySince.values()].flatMap((sales) => {
    const [first] = sales;
    if (!first) return [];
    return {
      since: first.since,
      rate: first.rate,
      label: first.label,
      tickets: sales.reduce((sum, { quantity }) => sum + quantity, 0),
      grossCents: sales.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0),
      taxCents: taxOf(sales, first),
    };
  });
}
