/** Copies an event as a draft on its next date: all but its sales, promo codes, devices and attendant code. See docs/decisions/0071. */
import { type duplicateEvent as endpoint } from '#contract/app/sales/event-life.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { nextDate } from '#domain/series/next-date.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { lockToAdd, termsOfDraft } from '#server/events/terms-to-publish.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { copyEvent, readToCopy } from './copy-event.ts';
import { findCopy, lockToCopy } from './life.sql.ts';

type DuplicateDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'refundCosts'>;

/** Idempotent by `duplicateId`: requests wait for the organization's lock, and all but the first find its copy. */
export async function duplicateEvent(
  deps: DuplicateDeps,
  organizer: Organizer,
  { eventId, duplicateId }: InputOf<typeof endpoint>,
): Promise<{ eventId: string }> {
  await authorizeEvent(deps, organizer, 'event.create', eventId);
  if (!organizer.emailVerifiedAt) throw new AppError('auth.email-unverified');
  await consumeLimit(deps.rateLimiter, 'create-event', organizer.userId);
  return inTransaction(deps.db, async (tx) => {
    const original = await lockToCopy(tx, organizer.organizationId, eventId);
    if (!original) throw new AppError('event.not-found');
    await lockToAdd(tx, original.organizationId);
    const earlier = await findCopy(tx, original.organizationId, duplicateId);
    if (earlier !== undefined) return { eventId: earlier };
    const terms = await termsOfDraft(deps, tx, original.organizationId);
    const date = nextDate(original, original.now);
    const own = { ...terms, publishedAt: null, duplicateId };
    const copyId = await copyEvent(tx, await readToCopy(tx, original), { date, own });
    const subject = { subject: copyId, eventId: copyId, at: deps.clock.now() };
    await recordAuditEvent(tx, { action: 'duplicate-event', by: organizer, ...subject });
    return { eventId: copyId };
  });
}
