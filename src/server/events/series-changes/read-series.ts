/** The coming dates of an event's series, with the result of its last change. */
import type { eventSeries } from '#contract/app/sales/series-changes.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { isAllowed, isGiven } from '#domain/accounts/roles.ts';
import { type ErrorCode, errorTexts } from '#messages/errors.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { seriesOf } from '#server/events/life/life.sql.ts';
import { ticketTotals } from '#server/events/totals/ticket-totals.sql.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { comingDates, lastChange } from './series-changes.sql.ts';

type Series = NonNullable<ReplyOf<typeof eventSeries>['series']>;
type Result = NonNullable<Awaited<ReturnType<typeof lastChange>>>['dates'][number];

/** The dates that the member was given. */
export async function readSeries(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  eventId: string,
): Promise<ReplyOf<typeof eventSeries>> {
  await authorizeEvent({ db }, actor, 'event.view', eventId);
  const seriesId = await seriesOf(db, actor.organizationId, eventId);
  if (seriesId === null) return { series: null };
  const change = await lastChange(db, seriesId);
  const coming = await comingDates(db, seriesId);
  const changed = change?.dates ?? [];
  const over = changed.filter((date) => !coming.some((one) => one.eventId === date.eventId));
  const dates = [
    ...coming.map((date) => ({ ...date, isComing: true })),
    ...over.map((date) => ({ ...date, isComing: false, isPublished: true })),
  ]
    .filter((date) => isGiven(actor, date.eventId))
    .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime());
  const totals = await ticketTotals(
    db,
    dates.map((date) => date.eventId),
  );
  return {
    series: {
      mayCancel: isAllowed(actor, 'event.cancel'),
      change: change && { kind: change.kind, isRunning: change.completedAt === null },
      dates: dates.map(({ startsAt, timezone, subtitle, isComing, isPublished, ...date }) => ({
        eventId: date.eventId,
        startsAt: startsAt.toISOString(),
        timezone,
        subtitle,
        isComing,
        isDraft: !isPublished,
        ticketsSold: totals.filter((total) => total.eventId === date.eventId).reduce((sum, { sold }) => sum + sold, 0),
        result: resultOf(changed.find((one) => one.eventId === date.eventId)),
      })),
    },
  };
}

function resultOf(date: Result | undefined): Series['dates'][number]['result'] {
  if (!date) return null;
  if (date.result !== 'denied') return { state: date.result ?? 'waiting', msg: null };
  return { state: 'denied', msg: textOf(date.denial ?? '', date.denialParams ?? {}) };
}

/** Rows store codes. */
function textOf(code: string, params: object): string {
  const isCode = (known: string): known is ErrorCode => known in errorTexts;
  const text: string | ((params: never) => string) = isCode(code) ? errorTexts[code] : code;
  return typeof text === 'string' ? text : text(params as never);
}
