import { type publishEvent as endpoint } from '#contract/app/sales/event-life.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { isGiven } from '#domain/accounts/roles.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { requireReadyToSell } from '#server/accounts/organization.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { updateEvent } from '#server/events/edit-event.sql.ts';
import { eventUrl } from '#server/events/event-url.ts';
import { type EventToEdit, lockToEdit } from '#server/events/lock-to-edit.ts';
import { lockToAdd, termsToPublish } from '#server/events/terms-to-publish.ts';
import { recordVersion } from '#server/events/versions/record-version.ts';
import { saveWaitingRoom } from '#server/events/waiting-room/open-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { draftDatesOf, seriesOf } from './life.sql.ts';

type PublishDeps = Pick<Deps, 'db' | 'clock' | 'publicUrl' | 'appSecret' | 'rateLimiter' | 'refundCosts'>;

/**
 * Checks what creating a published event checks. Idempotent, because the first response may have been lost; `title` is that of
 * an event that was a draft until now.
 */
export async function publishEvent(
  deps: PublishDeps,
  organizer: Editor,
  { eventId, affiliateCode, allDates = false }: InputOf<typeof endpoint>,
): Promise<{ reply: ReplyOf<typeof endpoint>; title: string | null }> {
  await authorizeEvent(deps, organizer, 'event.edit', eventId);
  await consumeLimit(deps.rateLimiter, 'create-event', organizer.userId);
  return inTransaction(deps.db, async (tx) => {
    const drafts = allDates ? await draftsWith(tx, organizer, eventId) : [eventId];
    const locked: EventToEdit[] = [];
    for (const id of drafts) locked.push(await lockToEdit(tx, organizer, id));
    const own = locked.find(({ event }) => event.id === eventId);
    if (!own) throw new AppError('event.not-found');
    const { attendantCode, salesStartAt } = own.event;
    let feeWaiveStatus = own.event.processingFeeWaived;
    // The earliest first: it gets the waiver.
    let code = affiliateCode;
    for (const draft of locked.toSorted((one, other) => Number(one.event.startsAt) - Number(other.event.startsAt))) {
      if (draft.event.isPublished) continue;
      const isWaived = await publish(deps, tx, organizer, {
        ...draft,
        affiliateCode: code,
        isOneOfMany: locked.length > 1,
      });
      code = undefined;
      if (draft === own) feeWaiveStatus = isWaived;
    }
    const reply = {
      eventId,
      eventUrl: eventUrl(deps, eventId),
      attendantCode,
      feeWaiveStatus,
      ...(salesStartAt && { salesStartAt: salesStartAt.toISOString() }),
    };
    return { reply, title: own.event.isPublished ? null : own.event.title };
  });
}

/** This event and all drafts of its series, in the order in which they are locked. */
async function draftsWith(tx: Db, organizer: Editor, eventId: string): Promise<string[]> {
  const seriesId = await seriesOf(tx, organizer.organizationId, eventId);
  const drafts = seriesId === null ? [] : await draftDatesOf(tx, seriesId);
  return [...new Set([...drafts.filter((id) => isGiven(organizer, id)), eventId])].sort();
}

type Publication = EventToEdit & { affiliateCode: string | undefined; isOneOfMany: boolean };

/** Returns whether the processing fee is waived. */
async function publish(
  deps: PublishDeps,
  tx: Db,
  organizer: Editor,
  { event, types, affiliateCode, isOneOfMany }: Publication,
): Promise<boolean> {
  const { id: eventId, organizationId, processingFeeWaived: hasWaiver, now } = event;
  await requireReadyToSell({ db: tx }, organizer, types);
  if (event.startsAt <= now) {
    const start = localTimeOf(event.startsAt, event.timezone);
    throw isOneOfMany ? new AppError('series.in-past', { start }) : new AppError('event.start-in-past');
  }
  await lockToAdd(tx, organizationId);
  const slot = { organizationId, eventId, affiliateCode, hasWaiver, seriesId: event.seriesId };
  const terms = await termsToPublish(
    deps,
    tx,
    slot,
    ({ name, max }) => new AppError('event.too-many-active', { plan: name, max }),
  );
  await updateEvent(tx, eventId, { ...terms, publishedAt: now });
  await recordVersion(tx, eventId);
  await saveWaitingRoom(tx, { eventId, hasSales: false, isPaused: event.pausedSales === 'all', now }, event);
  const subject = { subject: eventId, eventId, at: deps.clock.now() };
  await recordAuditEvent(tx, { action: 'publish-event', by: organizer, ...subject });
  if (event.seriesId) await enqueue(tx, 'move-waivers', { seriesId: event.seriesId });
  return terms.processingFeeWaived;
}
