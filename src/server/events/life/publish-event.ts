import { type publishEvent as endpoint } from '#contract/app/sales/event-life.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
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
import type { Organizer } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';

type PublishDeps = Pick<Deps, 'db' | 'clock' | 'publicUrl' | 'appSecret' | 'rateLimiter' | 'refundCosts'>;

/** Checks what creating a published event checks. Idempotent, because the first response may have been lost. */
export async function publishEvent(
  deps: PublishDeps,
  organizer: Organizer,
  { eventId, affiliateCode }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  await authorizeEvent(deps, organizer, 'event.edit', eventId);
  await consumeLimit(deps.rateLimiter, 'create-event', organizer.userId);
  return inTransaction(deps.db, async (tx) => {
    const { event, types } = await lockToEdit(tx, organizer, eventId);
    const { attendantCode, salesStartAt } = event;
    const feeWaiveStatus = event.isPublished
      ? event.processingFeeWaived
      : await publish(deps, tx, organizer, { event, types, affiliateCode });
    return {
      eventId,
      eventUrl: eventUrl(deps, eventId),
      attendantCode,
      feeWaiveStatus,
      ...(salesStartAt && { salesStartAt: salesStartAt.toISOString() }),
    };
  });
}

/** Returns whether the processing fee is waived. */
async function publish(
  deps: PublishDeps,
  tx: Db,
  organizer: Organizer,
  { event, types, affiliateCode }: EventToEdit & { affiliateCode: string | undefined },
): Promise<boolean> {
  const { id: eventId, organizationId, processingFeeWaived: hasWaiver, now } = event;
  await requireReadyToSell({ db: tx }, organizer, types);
  if (event.startsAt <= now) throw new AppError('event.start-in-past');
  await lockToAdd(tx, organizationId);
  const slot = { organizationId, eventId, affiliateCode, hasWaiver };
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
  return terms.processingFeeWaived;
}
