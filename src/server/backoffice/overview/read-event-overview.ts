/** The *Overview* of an event: constant in cost, however many tickets it has sold. */
import type { eventOverview } from '#contract/app/records/overview.ts';
import { overviewActions } from '#contract/app/records/overview.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { dollarsOf } from '#domain/money.ts';
import { ticketsOffered } from '#domain/sales/offered.ts';
import { PACE_DAYS, paceOf } from '#domain/sales/pace.ts';
import { addDays, dayOf, startOfDay, withEmptyDays } from '#domain/sales/sales-days.ts';
import { accountTroubleOf } from '#server/accounts/payout-account.ts';
import { listOwnDisputes } from '#server/backoffice/disputes/list-own-disputes.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { capacityRowsOf, memberRowsOf } from '#server/events/capacities/capacities.sql.ts';
import { eventUrl, seriesUrl } from '#server/events/event-url.ts';
import { publicEventRow } from '#server/events/events.sql.ts';
import { listPhotos } from '#server/events/photos/list-photos.ts';
import { rollUpSoon } from '#server/events/totals/roll-up-totals.ts';
import { soldByDay, ticketTotals } from '#server/events/totals/ticket-totals.sql.ts';
import { listPayouts } from '#server/payments/payouts/list-payouts.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { type ActivityRow, checkInsOf, countsOf, latestOrders, typesOfEvent } from './overview.sql.ts';
import { ACTIVITIES_SHOWN, readBusiest, readLatestCheckIns, readOrders } from './read-by-count.ts';

type Overview = ReplyOf<typeof eventOverview>;
type Event = NonNullable<Awaited<ReturnType<typeof publicEventRow>>>;

/** Without what the member's role may not see. */
export async function readEventOverview(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'payoutBrakes'>,
  actor: Actor,
  { eventId }: InputOf<typeof eventOverview>,
): Promise<Overview> {
  await authorizeEvent(deps, actor, 'event.view', eventId);
  const { db } = deps;
  const may = overviewActions.filter((action) => isAllowed(actor, action));
  const event = await publicEventRow(db, eventId);
  if (!event) throw new AppError('event.not-found');
  const [figures, payout, needs, { views, unsyncedScans }] = await Promise.all([
    readFigures(deps, event),
    may.includes('payout.view') ? readPayout(deps, eventId) : null,
    readNeeds(deps, actor, event),
    countsOf(db, eventId),
  ]);
  const { issued, scanned, gross, types, ...counted } = figures;
  const phase = phaseOf(event);
  const [orders, activity, busiest] = await Promise.all([
    readOrders(db, eventId, issued),
    may.includes('guest.view') ? readActivity(deps, eventId, scanned) : null,
    phase === 'over' && scanned > 0 ? readBusiest(db, eventId, scanned) : null,
  ]);
  const seesSales = may.includes('sales.view');

  return {
    title: event.title,
    timezone: event.timezone,
    startsAt: event.startsAt.toISOString(),
    endsAt: event.endsAt.toISOString(),
    now: event.now.toISOString(),
    eventUrl: eventUrl(deps, eventId),
    ...(event.seriesId && { seriesUrl: seriesUrl(deps, event.seriesId) }),
    phase,
    may,
    ...counted,
    views,
    orders,
    gross: seesSales ? gross : null,
    payout,
    types: types.map((type) => (seesSales ? type : { ...type, gross: null })),
    activity,
    needs: { ...needs, unsyncedScans },
    busiest: busiest?.quarter ? { ...busiest.quarter, from: busiest.quarter.from.toISOString() } : null,
  };
}

function phaseOf({ cancelledAt, startsAt, endsAt, timezone, now }: Event): Overview['phase'] {
  if (cancelledAt) return 'cancelled';
  if (now >= endsAt) return 'over';
  return dayOf(startsAt, timezone) <= dayOf(now, timezone) ? 'today' : 'ahead';
}

async function readFigures(deps: Pick<Deps, 'db'>, event: Event) {
  const { db } = deps;
  const { id: eventId, timezone, startsAt, endsAt, now } = event;
  const [rows, capacities, members, totals, sales] = await Promise.all([
    typesOfEvent(db, eventId),
    capacityRowsOf(db, eventId),
    memberRowsOf(db, eventId),
    ticketTotals(db, [eventId]),
    soldByDay(db, eventId, timezone),
  ]);
  await rollUpSoon(deps, totals);

  const all = rows.map((type) => {
    const total = totals.find(({ ticketTypeId }) => ticketTypeId === type.id);
    const { sold = 0, scanned = 0, grossCents = 0 } = total ?? {};
    return { ...type, sold, scanned, grossCents };
  });
  const shown = all.filter(({ removedAt, sold }) => removedAt === null || sold > 0);
  const admitting = shown.filter(({ isAddOn }) => !isAddOn);
  const sold = sum(admitting.map((type) => type.sold));
  const checkedIn = sum(admitting.map((type) => type.scanned));
  const seats = capacities.map(({ id, capacity }) => ({
    seats: capacity,
    units: new Map(
      members
        .filter(({ sharedCapacityId }) => sharedCapacityId === id)
        .map(({ ticketTypeId, units }) => [ticketTypeId, units]),
    ),
  }));
  const offered = Math.max(sold, ticketsOffered(admitting.map(stillOffered), seats));

  const today = dayOf(now, timezone);
  const lastDay = dayOf(endsAt, timezone);
  const since = addDays(today, 1 - PACE_DAYS);
  const recent = {
    since: startOfDay(since, timezone),
    sold: sum(sales.filter(({ day }) => day >= since).map((day) => day.sold)),
  };
  const firstSaleAt = sales[0]?.firstHour ?? null;
  return {
    sold,
    offered,
    addOnsSold: sum(shown.filter(({ isAddOn }) => isAddOn).map((type) => type.sold)),
    checkedIn,
    toCheckIn: sold - checkedIn,
    issued: sum(totals.map((total) => total.issued)),
    scanned: sum(all.map((type) => type.scanned)),
    gross: dollarsOf(sum(all.map(({ grossCents }) => grossCents))),
    days: withEmptyDays(sales, today < lastDay ? today : lastDay),
    pace: event.cancelledAt ? null : paceOf({ sold, offered, firstSaleAt, recent, startsAt }, now),
    types: shown.map((type) => ({
      ticketId: type.id,
      ticketName: type.name,
      isAddOn: type.isAddOn,
      sold: type.sold,
      offered: stillOffered(type).quantity,
      gross: dollarsOf(type.grossCents),
    })),
  };
}

/** Of a removed type nothing is offered but what is sold. */
const stillOffered = ({
  id,
  quantity,
  removedAt,
  sold,
}: {
  id: string;
  quantity: number;
  removedAt: Date | null;
  sold: number;
}) => ({
  id,
  quantity: removedAt ? sold : quantity,
});

async function readPayout(deps: Pick<Deps, 'db' | 'payoutBrakes'>, eventId: string): Promise<Overview['payout']> {
  const { state, statement, further, opensAt, paidAt } = (await listPayouts(deps, [eventId]))(eventId);
  if (!statement) return null;
  // In cents: a sum of dollars is inexact.
  const cents = sum([statement, ...further.map((later) => later.statement)].map(({ net }) => Math.round(net * 100)));
  return { state, net: dollarsOf(cents), opensAt, paidAt };
}

async function readNeeds(deps: Pick<Deps, 'db' | 'publicUrl'>, actor: Actor, { id: eventId, organizationId }: Event) {
  const { db } = deps;
  const [photosOf, disputes, trouble] = await Promise.all([
    listPhotos(deps, [eventId]),
    isAllowed(actor, 'dispute.answer') ? listOwnDisputes(db, { ...actor, onlyEventIds: [eventId] }) : [],
    isAllowed(actor, 'payout.view') ? accountTroubleOf(deps, organizationId) : null,
  ]);
  const open = disputes.filter(({ denial }) => denial === null);
  const [first] = open;
  return {
    hasNoPhotos: photosOf(eventId).length === 0,
    dispute: first
      ? { count: open.length, amount: dollarsOf(sum(open.map(({ cents }) => cents))), dueAt: first.dueAt }
      : null,
    accountTrouble: trouble?.kind ?? null,
  };
}

async function readActivity({ db }: Pick<Deps, 'db'>, eventId: string, scanned: number) {
  const [orders, checkIns] = await Promise.all([
    latestOrders(db, eventId, ACTIVITIES_SHOWN),
    scanned > 0 ? readLatestCheckIns(db, eventId, scanned).then((ids) => checkInsOf(db, eventId, ids)) : [],
  ]);
  return [...orders, ...checkIns]
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, ACTIVITIES_SHOWN)
    .map(activityReply);
}

const activityReply = ({ what, at, name, email, tickets, ticketId }: ActivityRow) => ({
  what,
  at: at.toISOString(),
  who: name ?? (isErased(email) ? '' : email),
  tickets,
  ticketId,
});

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
