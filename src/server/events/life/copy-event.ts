/** Copies an event with what belongs to it, except for its sales, promo codes, devices and attendant code. */
import { withinHours } from '#domain/check-in-hours.ts';
import { type DateTimes, movedToDate } from '#domain/series/recurrence.ts';
import {
  capacityRowsOf,
  insertMembers,
  memberRowsOf,
  upsertCapacities,
} from '#server/events/capacities/capacities.sql.ts';
import type { lockOwnEvent } from '#server/events/edit-event.sql.ts';
import { updateEvent } from '#server/events/edit-event.sql.ts';
import { insertEvent, type NewEvent, ticketTypeRows } from '#server/events/events.sql.ts';
import { currentForm, insertForm } from '#server/events/guest-form/guest-form.sql.ts';
import { findPhotoRows, insertPhotoRows } from '#server/events/photos/photos.sql.ts';
import { insertTax, presentTaxes } from '#server/events/taxes/taxes.sql.ts';
import type { Db } from '#server/platform/database.ts';
import { newAttendantCode, newId, newPublicId } from '#server/platform/ids.ts';

export type Original = NonNullable<Awaited<ReturnType<typeof lockOwnEvent>>>;

type Own = Pick<NewEvent, 'feeTerms' | 'paidSalesStoppedAt' | 'processingFeeWaived' | 'publishedAt' | 'duplicateId'> &
  Partial<Pick<NewEvent, 'seriesId'>>;

export interface Copy {
  date: DateTimes;
  own: Own;
}

/** Everything that copies of one event need, so that many are made from one reading. */
export async function readToCopy(tx: Db, original: Original) {
  const { id: eventId } = original;
  return {
    original,
    types: await ticketTypeRows(tx, [eventId]),
    capacities: await capacityRowsOf(tx, eventId),
    members: await memberRowsOf(tx, eventId),
    // The files are the original's: one is removed once no row names it.
    photos: await findPhotoRows(tx, eventId),
    form: await currentForm(tx, eventId),
    taxes: await presentTaxes(tx, [eventId]),
  };
}

export type ToCopy = Awaited<ReturnType<typeof readToCopy>>;

/** Returns the copy's id. Columns are copied unless they are named here, so that a new one is. */
export async function copyEvent(tx: Db, read: ToCopy, { date, own }: Copy): Promise<string> {
  const { original, form, photos } = read;
  const move = <Time extends Date | null>(time: Time) => movedToDate(time, original, date.start);
  const {
    now,
    id: _id,
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
    // Of its date.
    seriesId: _seriesId,
    pageVersion: _pageVersion,
    subtitle: _subtitle,
    ...columns
  } = original;
  const copyId = newPublicId();
  const { salesStartAt, checkInOpensAt, checkInClosesAt } = original;
  const { startsAt, endsAt } = date;
  // A night with a clock change is an hour longer or shorter.
  const hours = withinHours({ checkInOpensAt: move(checkInOpensAt), checkInClosesAt: move(checkInClosesAt) }, date);
  const copy = {
    ...columns,
    id: copyId,
    recordId: newId(),
    attendantCode: newAttendantCode(),
    createdAt: now,
    startsAt,
    endsAt,
    ...hours,
    salesStartAt: move(salesStartAt),
    formVersion: null,
    hasDoorNotes: form?.questions.some(({ isShownAtDoor }) => isShownAtDoor) ?? false,
    ...own,
  };

  const idOf = newIds([...read.types, ...read.capacities]);
  const copiedTypes = read.types.map(
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
      salesFrom: move(type.salesFrom),
      salesUntil: move(type.salesUntil),
    }),
  );
  await insertEvent(tx, copy, copiedTypes);
  await upsertCapacities(
    tx,
    read.capacities.map(({ free: _free, reserved: _reserved, ...capacity }) => ({
      ...capacity,
      eventId: copyId,
      id: idOf(capacity.id),
    })),
  );
  await insertMembers(
    tx,
    read.members.map(({ ticketTypeId, sharedCapacityId, units }) => ({
      eventId: copyId,
      ticketTypeId: idOf(ticketTypeId),
      sharedCapacityId: idOf(sharedCapacityId),
      units,
    })),
  );
  await insertPhotoRows(
    tx,
    photos.map((photo) => ({ ...photo, eventId: copyId, id: newId(), createdAt: now })),
  );
  for (const tax of read.taxes) await insertTax(tx, copyId, tax, now);
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

/** The copy's id of each row. A question may name a type that was removed: that one gets an id which no type has. */
function newIds(rows: readonly { id: string }[]): (id: string) => string {
  const ids = new Map(rows.map(({ id }) => [id, newId()]));
  return (id) => ids.get(id) ?? newId();
}
