/** The sales report: screen, file and API add up the same cells. */
import type { eventSales } from '#contract/app/records/sales-report.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { salesReport } from '#contract/v1/reports.ts';
import {
  byDay,
  bySplit,
  cellsOfReversal,
  periodWithin,
  type SalesCell,
  type SalesSplit,
  sumOf,
  wholePeriod,
  within,
} from '#domain/reports/sales-report.ts';
import { dayOf } from '#domain/sales/sales-days.ts';
import { nameOfPart } from '#messages/records/sales-report.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import { openOneAtATime } from '#server/platform/batching/one-at-a-time.ts';
import { type Db, perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { eventToReport, partNames, refundedCells, refundsUnderWay, reversals, soldCells } from './sales.sql.ts';

type SalesDeps = Pick<Deps, 'db' | 'clock'>;

/** All of the event. A comp is never reversed, so those of reversals are online. */
export async function salesCells(db: Db, event: { eventId: string; timezone: string }): Promise<SalesCell[]> {
  const [sold, refunded, reversed] = await Promise.all([
    soldCells(db, event),
    refundedCells(db, event),
    reversals(db, event),
  ]);
  return [...sold, ...refunded, ...reversed.flatMap(cellsOfReversal)];
}

export async function readEventSales(
  deps: SalesDeps,
  actor: Actor,
  { eventId, from, until, split }: InputOf<typeof eventSales>,
): Promise<ReplyOf<typeof eventSales>> {
  const { cells, whole, today } = await authorizedCells(deps, actor, eventId);
  const period = periodWithin(whole, { from, until });
  const chosen = within(cells, period);
  const [nameOf, underWay] = await Promise.all([namesOf(deps.db, eventId), refundsUnderWay(deps.db, eventId)]);
  return {
    today,
    whole,
    period,
    hasSales: cells.length > 0,
    totals: sumOf(chosen),
    underWay,
    days: byDay(chosen, period),
    parts: split ? bySplit(chosen, split).map((part) => ({ ...part, name: nameOf(split, part.id) })) : [],
  };
}

export async function readSalesReport(
  deps: SalesDeps,
  actor: Actor,
  { event_id, from, until, split }: InputOf<typeof salesReport>,
): Promise<ReplyOf<typeof salesReport>> {
  const { cells, whole, timezone } = await reportsOf(deps.db)(() => authorizedCells(deps, actor, event_id));
  const period = periodWithin(whole, { from, until });
  const chosen = within(cells, period);
  const nameOf = await namesOf(deps.db, event_id);
  const byDays = [...Map.groupBy(chosen, ({ day }) => day)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const key = split && SPLITS[split];
  return {
    event_id,
    time_zone: timezone,
    ...period,
    totals: figures(sumOf(chosen)),
    data: byDays.flatMap(([day, own]): Row[] => {
      if (!key) return [{ day, part: null, ...figures(sumOf(own)) }];
      return bySplit(own, key).map(({ id, ...sum }) => ({ day, part: { id, name: nameOf(key, id) }, ...figures(sum) }));
    }),
  };
}

/** Of programs, which may ask many times a second. */
const reportsOf = perDatabase((_db: Db) => openOneAtATime({ waitingMax: 20 }));

type Row = ReplyOf<typeof salesReport>['data'][number];

const SPLITS = { ticket_type: 'type', channel: 'channel', link: 'link', promo_code: 'code' } as const;

const figures = (sum: ReturnType<typeof sumOf>) => ({
  tickets: sum.tickets,
  gross_cents: sum.grossCents,
  discount_cents: sum.discountCents,
  refunded_tickets: sum.refundedTickets,
  refunded_cents: sum.refundedCents,
});

async function authorizedCells({ db, clock }: SalesDeps, actor: Actor, eventId: string) {
  await authorizeEvent({ db }, actor, 'sales.view', eventId);
  const event = await eventToReport(db, eventId);
  if (!event) throw new AppError('event.not-found');
  const { timezone, lastDay } = event;
  const cells = await salesCells(db, { eventId, timezone });
  const today = dayOf(clock.now(), timezone);
  return { cells, timezone, today, whole: wholePeriod(cells, today < lastDay ? today : lastDay) };
}

/** Names of parts, removed ones too. */
export async function namesOf(db: Db, eventId: string) {
  const names = new Map((await partNames(db, eventId)).map(({ id, name }) => [id, name]));
  return (split: SalesSplit, id: string | null): string =>
    nameOfPart(split, id, id === null ? undefined : names.get(id));
}
