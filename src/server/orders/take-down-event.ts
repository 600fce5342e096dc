import { authorizeEvent } from '#server/events/authorize-event.ts';
import { makeDraft } from '#server/events/life/make-draft.ts';
import { lockToEdit } from '#server/events/lock-to-edit.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { deleteEndedCheckouts, hasOrders } from './core/drafts.sql.ts';

/** After the end of a reservation, its payment page is closed at Stripe. A payment made before that has arrived by then. */
const CHECKOUT_OVER_MS = 60 * 60 * 1000;

/** Makes a published event a draft again, while nothing of it is sold or being bought. Idempotent. */
export async function takeDownEvent(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  eventId: string,
): Promise<void> {
  await authorizeEvent({ db }, actor, 'event.edit', eventId);
  await consumeLimit(rateLimiter, 'cancel-event', actor.userId);
  await inTransaction(db, async (tx) => {
    // Checkouts that hold a reservation come first, and those that wait find no event.
    const { event } = await lockToEdit(tx, actor, eventId);
    if (!event.isPublished) return;
    await deleteEndedCheckouts(tx, eventId, new Date(event.now.getTime() - CHECKOUT_OVER_MS));
    if (await hasOrders(tx, eventId)) throw new AppError('event.has-sales');
    await makeDraft(tx, event);
    const subject = { subject: eventId, eventId, at: clock.now() };
    await recordAuditEvent(tx, { action: 'take-down-event', by: actor, ...subject });
  });
}
