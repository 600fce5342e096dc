/** How events sell, in the words of lists of events. */
import type { ListedSale } from '#contract/app/sales/organizer-page.ts';
import { FEW_LEFT_MAX, leftAtMost, shownAvailability } from '#domain/availability.ts';
import { closedBecause, isSoldOut } from '#domain/order.ts';
import { ticketTypeRows } from '#server/events/events.sql.ts';
import { openSuccessors } from '#server/events/open-successors.ts';
import type { Deps } from '#server/platform/deps.ts';
import { earliest } from './listing-cache.ts';

type TypeRow = Awaited<ReturnType<typeof ticketTypeRows>>[number];

interface EventRow {
  id: string;
  endsAt: Date;
  salesStartAt: Date | null;
  pausedSales: 'all' | 'paid' | null;
}

export interface ReadSales {
  /** By event. */
  sales: ReadonlyMap<string, ListedSale>;
  /** When this becomes outdated without any edit. */
  changesAt: Date | null;
}

export async function readSales(deps: Pick<Deps, 'db'>, events: readonly EventRow[], now: Date): Promise<ReadSales> {
  const rows = await ticketTypeRows(
    deps.db,
    events.map(({ id }) => id),
  );
  const typesOf = Map.groupBy(rows, ({ eventId }) => eventId);
  const sales = new Map<string, ListedSale>();
  const edges: (Date | null)[] = [];
  for (const event of events) {
    const types = await openSuccessors(deps.db, { id: event.id, now }, typesOf.get(event.id) ?? []);
    sales.set(event.id, saleOf(event, types, now));
    edges.push(
      event.endsAt,
      event.salesStartAt,
      ...types.flatMap(({ salesFrom, salesUntil }) => [salesFrom, salesUntil]),
    );
  }
  return { sales, changesAt: earliest(edges.filter((edge) => edge !== null && edge > now)) };
}

function saleOf(event: EventRow, types: readonly TypeRow[], now: Date): ListedSale {
  const offered = types.filter((type) => !type.isHidden && !type.isAddOn && closedBecause(type, now) !== 'over');
  const left = offered.filter(isLeft);
  const prices = offered.map(({ priceCents }) => priceCents);
  const sale = wordFor(event, left, now);
  return {
    sale,
    opensAt: sale === 'not-yet' ? opensAt(event, left, now) : null,
    fromCents: prices.length > 0 ? Math.min(...prices) : null,
    hasOnePrice: new Set(prices).size === 1 && !offered.some(({ hasNamedPrice }) => hasNamedPrice),
  };
}

/** As the event's page says, from numbers whose changes are announced. */
const isLeft = (type: TypeRow) => !isSoldOut(leftAtMost(shownAvailability(type.availableToBuy)), type);

/** When the first one begins to sell, which its event does, too. Null if that depends on other sales. */
function opensAt({ salesStartAt }: EventRow, left: readonly TypeRow[], now: Date): string | null {
  const moments = left
    .filter((type) => closedBecause(type, now) !== 'waits')
    .map(({ salesFrom }) => Math.max(Number(salesFrom), Number(salesStartAt)));
  return moments.length > 0 ? new Date(Math.min(...moments)).toISOString() : null;
}

function wordFor(event: EventRow, left: readonly TypeRow[], now: Date): ListedSale['sale'] {
  if (event.pausedSales === 'all') return 'paused';
  if (left.length === 0) return 'sold-out';
  const isLater = event.salesStartAt !== null && event.salesStartAt > now;
  if (isLater || left.every((type) => closedBecause(type, now) !== null)) return 'not-yet';
  const sum = left.reduce((total, { availableToBuy }) => total + shownAvailability(availableToBuy), 0);
  return sum <= FEW_LEFT_MAX ? 'few-left' : 'on-sale';
}

/** What a buyer may hope for at one of several dates, best first. */
const BEST_FIRST: readonly ListedSale['sale'][] = ['on-sale', 'few-left', 'not-yet', 'paused', 'sold-out'];

/** How several dates sell, as one. */
export function saleOfAll(dates: readonly ListedSale[]): ListedSale {
  const prices = dates.map(({ fromCents }) => fromCents).filter((cents) => cents !== null);
  const openings = dates.map(({ opensAt }) => opensAt).filter((moment) => moment !== null);
  return {
    sale: BEST_FIRST.find((word) => dates.some(({ sale }) => sale === word)) ?? 'sold-out',
    // All in UTC, so that their texts sort like the times.
    opensAt: openings.toSorted()[0] ?? null,
    fromCents: prices.length > 0 ? Math.min(...prices) : null,
    hasOnePrice: new Set(prices).size === 1 && dates.every(({ hasOnePrice }) => hasOnePrice),
  };
}
