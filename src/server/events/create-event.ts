import { type createEvent as call } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { checkInHoursOf } from '#contract/forms/check-in-hours.ts';
import { scheduleOf } from '#contract/forms/event-form.ts';
import { onSaleOf } from '#contract/forms/on-sale.ts';
import { orderMaxOf, parseTicketRows } from '#contract/forms/ticket-sales.ts';
import { requireReadyToSell } from '#server/accounts/organization.ts';
import { authorize } from '#server/accounts/policies.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import { newAttendantCode, newId, newPublicId } from '#server/platform/ids.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { eventColumns, listingOf, pricedTypeOf, ticketTypeColumns } from './event-columns.ts';
import { eventUrl } from './event-url.ts';
import { insertEvent } from './events.sql.ts';
import { lockToAdd, termsOfDraft, termsToPublish } from './terms-to-publish.ts';
import { recordVersion } from './versions/record-version.ts';
import { saveWaitingRoom } from './waiting-room/open-room.ts';

/** Publishes it at once, unless it is a draft. A draft needs a verified address only, and takes nothing of the plan. */
export async function createEvent(
  deps: Pick<Deps, 'db' | 'clock' | 'publicUrl' | 'appSecret' | 'rateLimiter' | 'refundCosts'>,
  organizer: Editor,
  { isDraft = false, ...form }: InputOf<typeof call>,
) {
  authorize(organizer, 'event.create');
  await requireReadyToSell(deps, organizer, isDraft ? [] : form.tickets.map(pricedTypeOf));
  const schedule = scheduleOf(form, deps.clock.now(), { mayStartInPast: isDraft });
  if ('reason' in schedule) throw new AppError('form.invalid', schedule);
  const onSale = onSaleOf(form, schedule);
  if ('reason' in onSale) throw new AppError('form.invalid', onSale);
  const hours = checkInHoursOf(form, schedule);
  if ('reason' in hours) throw new AppError('form.invalid', hours);
  const maxPerOrder = orderMaxOf(form.maxPerOrder ?? '');
  const rows = parseTicketRows(form.tickets, { timezone: form.timezone, maxPerOrder });
  if ('reason' in rows) throw new AppError('form.invalid', rows);

  await consumeLimit(deps.rateLimiter, 'create-event', organizer.userId);
  const createdAt = deps.clock.now();
  const event = {
    id: newPublicId(),
    recordId: newId(),
    organizationId: organizer.organizationId,
    attendantCode: newAttendantCode(),
    createdAt,
    publishedAt: isDraft ? null : createdAt,
    ...schedule,
    ...onSale,
    ...hours,
    ...eventColumns(form),
    ...listingOf(form),
    maxPerOrder,
  };
  const ids = rows.map(newId);
  const types = rows.map((row, position) => ({
    id: ids[position] ?? newId(),
    ...ticketTypeColumns(row, position, ids),
  }));
  const processingFeeWaived = await inTransaction(deps.db, async (tx) => {
    const { id: eventId, organizationId } = event;
    await lockToAdd(tx, organizationId);
    const slot = { organizationId, eventId, affiliateCode: form.affiliateCode, seriesId: null };
    const terms = isDraft
      ? await termsOfDraft(deps, tx, organizationId)
      : await termsToPublish(deps, tx, slot, ({ max }) => new AppError('event.too-many-active-events', { max }));
    await insertEvent(tx, { ...event, ...terms }, types);
    if (!isDraft) await recordVersion(tx, eventId);
    if (!isDraft) await saveWaitingRoom(tx, { eventId, hasSales: false, isPaused: false, now: createdAt }, onSale);
    await recordAuditEvent(tx, { action: 'create-event', by: organizer, subject: eventId, eventId, at: createdAt });
    return terms.processingFeeWaived;
  });

  return {
    eventId: event.id,
    eventUrl: eventUrl(deps, event.id),
    attendantCode: isDraft ? '' : event.attendantCode,
    feeWaiveStatus: processingFeeWaived,
    ...(onSale.salesStartAt && { salesStartAt: onSale.salesStartAt.toISOString() }),
  };
}
