import { type createEvent as call } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { checkInHoursOf } from '#contract/forms/check-in-hours.ts';
import { scheduleOf } from '#contract/forms/event-form.ts';
import { onSaleOf } from '#contract/forms/on-sale.ts';
import { orderMaxOf, parseTicketRows } from '#contract/forms/ticket-sales.ts';
import type { EventTerms } from '#domain/payouts/refund-costs.ts';
import { denyPlan } from '#domain/plan.ts';
import { waiveProcessingFee } from '#server/accounts/affiliates/affiliate-codes.ts';
import { lockOrganization, requireReadyToSell } from '#server/accounts/organization.ts';
import { planOf } from '#server/accounts/plans/plan-of.ts';
import { authorize } from '#server/accounts/policies.ts';
import { brakesOf, requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { newAttendantCode, newEventId, newId } from '#server/platform/ids.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { eventColumns, listingOf, pricedTypeOf, ticketTypeColumns } from './event-columns.ts';
import { eventUrl } from './event-url.ts';
import { countActiveEvents, insertEvent } from './events.sql.ts';
import { saveWaitingRoom } from './waiting-room/open-room.ts';

export async function createEvent(
  deps: Pick<Deps, 'db' | 'clock' | 'publicUrl' | 'appSecret' | 'rateLimiter' | 'refundCosts'>,
  organizer: Organizer,
  form: InputOf<typeof call>,
) {
  authorize(organizer, 'event.create');
  await requireReadyToSell(deps, organizer, form.tickets.map(pricedTypeOf));
  const schedule = scheduleOf(form, deps.clock.now(), { mayStartInPast: false });
  if ('reason' in schedule) throw new AppError('form.invalid', schedule);
  const onSale = onSaleOf(form, schedule);
  if ('reason' in onSale) throw new AppError('form.invalid', onSale);
  const hours = checkInHoursOf(form, schedule);
  if ('reason' in hours) throw new AppError('form.invalid', hours);
  const maxPerOrder = orderMaxOf(form.maxPerOrder ?? '');
  const rows = parseTicketRows(form.tickets, { timezone: form.timezone, maxPerOrder });
  if ('reason' in rows) throw new AppError('form.invalid', rows);

  await consumeLimit(deps.rateLimiter, 'create-event', organizer.userId);
  const event = {
    id: newEventId(),
    recordId: newId(),
    organizationId: organizer.organizationId,
    attendantCode: newAttendantCode(),
    createdAt: deps.clock.now(),
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
    if (!(await lockOrganization(tx, event.organizationId))) throw new AppError('session.missing');
    await requireNotSuspended(tx, event.organizationId);
    const { activeEventsMax, terms } = await planOf(tx, event.organizationId);
    const denial = denyPlan(await countActiveEvents(tx, event.organizationId), activeEventsMax);
    if (denial) throw new AppError(`event.${denial}`, { max: activeEventsMax });
    const waiver = { organizationId: event.organizationId, eventId: event.id, affiliateCode: form.affiliateCode };
    const isWaived = await waiveProcessingFee({ db: tx, appSecret: deps.appSecret }, waiver);
    // Stopped between the check of the account and this transaction.
    const { paidSalesStoppedAt } = await brakesOf(tx, event.organizationId);
    const feeTerms: EventTerms = { ...terms, refundCosts: deps.refundCosts };
    const decided = { feeTerms: JSON.stringify(feeTerms), paidSalesStoppedAt, processingFeeWaived: isWaived };
    await insertEvent(tx, { ...event, ...decided }, types);
    await saveWaitingRoom(tx, { eventId: event.id, hasSales: false, isPaused: false, now: event.createdAt }, onSale);
    const { id: eventId, createdAt: at } = event;
    await recordAuditEvent(tx, { action: 'create-event', by: organizer, subject: eventId, eventId, at });
    return isWaived;
  });

  return {
    eventId: event.id,
    eventUrl: eventUrl(deps, event.id),
    attendantCode: event.attendantCode,
    feeWaiveStatus: processingFeeWaived,
    ...(onSale.salesStartAt && { salesStartAt: onSale.salesStartAt.toISOString() }),
  };
}
