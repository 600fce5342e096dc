/** Adds dates to an event, each an event of its own. See docs/decisions/0076. */
import type { addDates as endpoint } from '#contract/app/sales/event-dates.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { type DateDenial, denyCount, movedToDate, type PlannedDate, planDates } from '#domain/series/recurrence.ts';
import { requireReadyToSell } from '#server/accounts/organization.ts';
import { giveEvents } from '#server/accounts/team/change-members.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { lockOwnEvent } from '#server/events/edit-event.sql.ts';
import { ticketTypeRows } from '#server/events/events.sql.ts';
import { copyEvent, type Original, readToCopy, type ToCopy } from '#server/events/life/copy-event.ts';
import { findCopy, lockToCopy, seriesOf } from '#server/events/life/life.sql.ts';
import { lockToAdd, termsOfDraft, termsToPublish } from '#server/events/terms-to-publish.ts';
import { recordVersion } from '#server/events/versions/record-version.ts';
import { saveWaitingRoom } from '#server/events/waiting-room/open-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { beginSeries, comingDatesOf, datesMadeWith, startsOf } from './series.sql.ts';

type DatesDeps = Pick<Deps, 'db' | 'clock' | 'appSecret' | 'rateLimiter' | 'refundCosts'>;
type Reply = ReplyOf<typeof endpoint>;

/** Idempotent by `requestId`: requests wait for the organization's lock, and all but the first find its dates. */
export async function addDates(
  deps: DatesDeps,
  organizer: Organizer,
  { eventId, dates, requestId, dryRun = false }: InputOf<typeof endpoint>,
): Promise<Reply> {
  await authorizeEvent(deps, organizer, 'event.create', eventId);
  if (!organizer.emailVerifiedAt) throw new AppError('auth.email-unverified');
  await consumeLimit(deps.rateLimiter, dryRun ? 'preview-dates' : 'create-event', organizer.userId);
  return inTransaction(deps.db, async (tx) => {
    const event = await lock(tx, organizer, eventId, dryRun);
    await lockToAdd(tx, event.organizationId);
    const earlier = await findCopy(tx, event.organizationId, requestId);
    if (earlier !== undefined) return repliedBefore(await datesMadeWith(tx, earlier));
    if (event.cancelledAt) throw new AppError('series.cancelled');
    const taken = event.seriesId === null ? [event.startsAt] : await startsOf(tx, event.seriesId);
    const count = denyCount(dates.length, taken.filter((start) => start > event.now).length);
    if (count) throw new AppError(`series.${count}`);
    const planned = planDates(dates, event, { now: event.now, taken });
    if (dryRun) return { dates: planned.map(written), eventIds: [], seriesId: event.seriesId };

    const denied = planned.find(({ denial }) => denial);
    if (denied?.denial) throw new AppError(CODES[denied.denial], { start: denied.start });
    const made = await make(deps, tx, organizer, { event, planned, requestId });
    const subject = { subject: eventId, eventId, params: { dates: planned.length }, at: deps.clock.now() };
    await recordAuditEvent(tx, { action: 'add-dates', by: organizer, ...subject });
    return { ...made, dates: planned.map(written) };
  });
}

const CODES = {
  malformed: 'series.malformed',
  'skipped-hour': 'time.skipped-hour',
  'end-skipped': 'series.end-skipped',
  'in-past': 'series.in-past',
  'too-far': 'series.too-far',
  'date-twice': 'series.date-twice',
} as const satisfies Record<DateDenial, string>;

/** An event that is in no series yet is changed itself. Of a date, sales go on. */
async function lock(tx: Db, { organizationId }: Organizer, eventId: string, dryRun: boolean): Promise<Original> {
  const isChanged = !dryRun && (await seriesOf(tx, organizationId, eventId)) === null;
  const event = await (isChanged ? lockOwnEvent : lockToCopy)(tx, organizationId, eventId);
  if (!event) throw new AppError('event.not-found');
  return event;
}

interface ToMake {
  event: Original;
  planned: readonly PlannedDate[];
  requestId: string;
}

async function make(deps: DatesDeps, tx: Db, organizer: Organizer, { event, planned, requestId }: ToMake) {
  const { id: eventId, organizationId, now, isPublished } = event;
  const seriesId = event.seriesId ?? (await beginSeries(tx, { organizationId, eventId, createdAt: now }));
  const coming = await comingDatesOf(tx, seriesId, now);
  const read = await readToCopy(tx, event);
  const terms = isPublished
    ? await termsOfPublished(deps, tx, organizer, { event, seriesId })
    : await termsOfDraft(deps, tx, organizationId, seriesId);
  const ordered = planned.toSorted((one, other) => Number(one.startsAt) - Number(other.startsAt));
  const eventIds: string[] = [];
  for (const [index, date] of ordered.entries()) {
    const isFirst = index === 0;
    const own = {
      ...terms,
      // One waiver is for one date.
      processingFeeWaived: isFirst && terms.processingFeeWaived,
      duplicateId: isFirst ? requestId : null,
      publishedAt: isPublished ? now : null,
      seriesId,
    };
    eventIds.push(await copyToDate(tx, read, date, own));
  }
  await giveEvents(tx, organizationId, { given: coming.length > 0 ? coming : [eventId], added: eventIds });
  if (isPublished) await enqueue(tx, 'move-waivers', { seriesId });
  return { eventIds, seriesId };
}

/** What publishing an event checks and takes. */
async function termsOfPublished(
  deps: DatesDeps,
  tx: Db,
  organizer: Organizer,
  { event, seriesId }: { event: Original; seriesId: string },
) {
  const { id: eventId, organizationId } = event;
  await requireReadyToSell({ db: tx }, organizer, await ticketTypeRows(tx, [eventId]));
  return termsToPublish(
    deps,
    tx,
    { organizationId, eventId, affiliateCode: undefined, seriesId },
    ({ name, max }) => new AppError('event.too-many-active', { plan: name, max }),
  );
}

async function copyToDate(
  tx: Db,
  read: ToCopy,
  { start, startsAt, endsAt }: PlannedDate,
  own: Parameters<typeof copyEvent>[2]['own'],
): Promise<string> {
  const { original } = read;
  if (!startsAt || !endsAt) throw new Error(`${start} was planned without a denial or a time`);
  const eventId = await copyEvent(tx, read, { date: { start, startsAt, endsAt }, own });
  if (own.publishedAt) {
    await recordVersion(tx, eventId);
    const onSale = {
      salesStartAt: movedToDate(original.salesStartAt, original, start),
      buyersPerMinute: original.buyersPerMinute,
    };
    const isPaused = original.pausedSales === 'all';
    await saveWaitingRoom(tx, { eventId, hasSales: false, isPaused, now: original.now }, onSale);
  }
  return eventId;
}

const written = ({ startsAt, endsAt, ...date }: PlannedDate): Reply['dates'][number] => ({
  ...date,
  startsAt: startsAt?.toISOString() ?? null,
  endsAt: endsAt?.toISOString() ?? null,
});

function repliedBefore(made: Awaited<ReturnType<typeof datesMadeWith>>): Reply {
  return {
    dates: made.map(({ startsAt, endsAt, timezone }) => ({
      start: localTimeOf(startsAt, timezone),
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      denial: null,
      isInDoubledHour: false,
    })),
    eventIds: made.map(({ id }) => id),
    seriesId: made[0]?.seriesId ?? null,
  };
}
