import { denyCancel } from '#domain/event-schedule.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { authorizeEvent } from './authorize-event.ts';
import { lockOwnEvent, markCancelled } from './edit-event.sql.ts';
import { countIssued } from './totals/ticket-totals.sql.ts';

/**
 * Cancels an event for good. Jobs then expire its open checkouts and refund its buyers. Idempotent, because the first
 * response may have been lost.
 */
export async function cancelEvent(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  eventId: string,
): Promise<void> {
  await consumeLimit(rateLimiter, 'cancel-event', actor.userId);
  await cancelOwnEvent({ db, clock }, actor, eventId);
}

/** Without a limit of its own: for dates that are cancelled together. */
export async function cancelOwnEvent({ db, clock }: Pick<Deps, 'db' | 'clock'>, actor: Actor, eventId: string) {
  await authorizeEvent({ db }, actor, 'event.cancel', eventId);
  await inTransaction(db, async (tx) => {
    const event = await lockOwnEvent(tx, actor.organizationId, eventId);
    if (!event) throw new AppError('event.not-found');
    if (event.cancelledAt) return;
    if (!event.isPublished) throw new AppError('event.is-draft');
    const { endsAt, payoutRequestedAt, now } = event;
    const hasEverSold = (await countIssued(tx, eventId)) > 0;
    const denial = denyCancel({ endsAt, isPaidOut: payoutRequestedAt !== null, hasEverSold }, now);
    if (denial) throw new AppError(`cancel.${denial}`);

    await markCancelled(tx, eventId);
    await recordAuditEvent(tx, {
      action: 'cancel-event',
      by: actor,
      subject: eventId,
      eventId,
      at: clock.now(),
    });
    if (event.seriesId && event.processingFeeWaived) await enqueue(tx, 'move-waivers', { seriesId: event.seriesId });
    await enqueue(tx, 'close-checkouts', { eventId }, { queue: 'settling' });
    await enqueue(tx, 'refund-cancelled-event', { eventId });
  });
}
