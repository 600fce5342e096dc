/** Copies an event as a draft on its next date: all but its sales, promo codes, devices and attendant code. See docs/decisions/0071. */
import { type duplicateEvent as endpoint } from '#contract/app/sales/event-life.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { msToNextDate } from '#domain/sales/next-date.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import {
  capacityRowsOf,
  insertMembers,
  memberRowsOf,
  upsertCapacities,
} from '#server/events/capacities/capacities.sql.ts';
import { updateEvent } from '#server/events/edit-event.sql.ts';
import { insertEvent, ticketTypeRows } from '#server/events/events.sql.ts';
import { currentForm, insertForm } from '#server/events/guest-form/guest-form.sql.ts';
import { findPhotoRows, insertPhotoRows } from '#server/events/photos/photos.sql.ts';
import { lockToAdd, termsOfDraft } from '#server/events/terms-to-publish.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { newAttendantCode, newId, newPublicId } from '#server/platform/ids.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { findCopy, lockToCopy } from './life.sql.ts';

type DuplicateDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'refundCosts'>;
type Original = NonNullable<Awaited<ReturnType<typeof lockToCopy>>>;

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
    const copyId = await copyEvent(tx, original, { ...terms, duplicateId });
    const subject = { subject: copyId, eventId: copyId, at: deps.clock.now() };
    await recordAuditEvent(tx, { action: 'duplicate-event', by: organizer, ...subject });
    return { eventId: copyId };
  });
}

type DraftColumns = Awaited<ReturnType<typeof termsOfDraft>> & { duplicateId: string };

/** Columns are copied unless they are named here, so that a new one is. */
async function copyEvent(tx: Db, original: Original, terms: DraftColumns): Promise<string> {
  const {
    now,
    id: eventId,
    isPublished: _isPublished,
    latestStartsAt: _latestStartsAt,
    latestEndsAt: _latestEndsAt,
    pausedSales: _pausedSales,
    // Of the original's sales.
    announcedStartsAt: _announcedStartsAt,
    announcedEndsAt: _announcedEndsAt,
    cancelledAt: _cancelledAt,
    payoutRequestedAt: _payoutRequestedAt,
    salesStoppedAt: _salesStoppedAt,
    salesStoppedBy: _salesStoppedBy,
    stopReason: _stopReason,
    suspendedAt: _suspendedAt,
    attendantCodeVersion: _attendantCodeVersion,
    seriesId: _seriesId,
    pageVersion: _pageVersion,
    ...columns
  } = original;
  const form = await currentForm(tx, eventId);
  const copyId = newPublicId();
  const ofCopy = { id: copyId, recordId: newId(), attendantCode: newAttendantCode(), createdAt: now };
  const later = postponedBy(msToNextDate(original, now));
  const { startsAt, endsAt, salesStartAt, checkInOpensAt, checkInClosesAt } = original;
  const copy = {
    ...columns,
    ...terms,
    ...ofCopy,
    startsAt: later(startsAt),
    endsAt: later(endsAt),
    salesStartAt: later(salesStartAt),
    checkInOpensAt: later(checkInOpensAt),
    checkInClosesAt: later(checkInClosesAt),
    publishedAt: null,
    formVersion: null,
    hasDoorNotes: form?.questions.some(({ isShownAtDoor }) => isShownAtDoor) ?? false,
  };

  const types = await ticketTypeRows(tx, [eventId]);
  const capacities = await capacityRowsOf(tx, eventId);
  const idOf = newIds([...types, ...capacities]);
  const copiedTypes = types.map(
    ({
      eventId: _eventId,
      isPublished: _isPublished,
      availableToBuy: _availableToBuy,
      available: _available,
      reserved: _reserved,
      openedAt: _openedAt,
      ...type
    }) => ({
      ...type,
      id: idOf(type.id),
      opensAfter: type.opensAfter === null ? null : idOf(type.opensAfter),
      salesFrom: later(type.salesFrom),
      salesUntil: later(type.salesUntil),
    }),
  );
  await insertEvent(tx, copy, copiedTypes);
  await upsertCapacities(
    tx,
    capacities.map(({ free: _free, reserved: _reserved, ...capacity }) => ({
      ...capacity,
      eventId: copyId,
      id: idOf(capacity.id),
    })),
  );
  const members = await memberRowsOf(tx, eventId);
  await insertMembers(
    tx,
    members.map(({ ticketTypeId, sharedCapacityId, units }) => ({
      eventId: copyId,
      ticketTypeId: idOf(ticketTypeId),
      sharedCapacityId: idOf(sharedCapacityId),
      units,
    })),
  );
  // The files are the original's: one is removed once no row names it.
  const photos = await findPhotoRows(tx, eventId);
  await insertPhotoRows(
    tx,
    photos.map((photo) => ({ ...photo, eventId: copyId, id: newId(), createdAt: now })),
  );
  if (form) {
    const questions = form.questions.map((question) => ({
      ...question,
      ticketTypeIds: question.ticketTypeIds && question.ticketTypeIds.map(idOf),
    }));
    await insertForm(tx, { eventId: copyId, version: 1 }, { ...form, questions }, now);
    await updateEvent(tx, copyId, { formVersion: 1 });
  }
  return copyId;
}

function postponedBy(ms: number) {
  return <Time extends Date | null>(time: Time) => (time && new Date(time.getTime() + ms)) as Time;
}

/** The copy's id of each row. A question may name a type that was removed: that one gets an id which no type has. */
function newIds(rows: readonly { id: string }[]): (id: string) => string {
  const ids = new Map(rows.map(({ id }) => [id, newId()]));
  return (id) => ids.get(id) ?? newId();
}
