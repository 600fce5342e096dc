import { type editEvent as call } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { checkInHoursOf, type StoredHours } from '#contract/forms/check-in-hours.ts';
import { type Schedule, scheduleOf } from '#contract/forms/event-form.ts';
import { type OnSale, onSaleOf } from '#contract/forms/on-sale.ts';
import { orderMaxOf } from '#contract/forms/ticket-sales.ts';
import { type AnnouncedChange, announcedChange, denyEdit } from '#domain/event-schedule.ts';
import { RESCHEDULES_PER_DAY_MAX } from '#domain/limits.ts';
import { denyPlan } from '#domain/plan.ts';
import { eventUpdated } from '#messages/events.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { planOf } from '#server/accounts/plans/plan-of.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { authorizeEvent } from './authorize-event.ts';
import { capacityRowsOf } from './capacities/capacities.sql.ts';
import { changeTicketTypes, rejectStaleVersion } from './change-ticket-types.ts';
import {
  countBuyers,
  countEventChanges,
  lockOwnEvent,
  lockTicketTypes,
  recordEventChange,
  updateEvent,
} from './edit-event.sql.ts';
import { eventColumns, listingOf, type StoredTicketType } from './event-columns.ts';
import { eventVersion } from './event-version.ts';
import { countActiveEvents } from './events.sql.ts';
import { matchTicketTypes } from './match-ticket-types.ts';
import { tellCheckInMembers } from './tell-check-in-members.ts';
import { recordVersion } from './versions/record-version.ts';
import { saveWaitingRoom } from './waiting-room/open-room.ts';

type Edit = InputOf<typeof call>;
type LockedEvent = NonNullable<Awaited<ReturnType<typeof lockOwnEvent>>>;
type LockedType = Awaited<ReturnType<typeof lockTicketTypes>>[number];

/** Existing orders keep their names and prices. */
export async function editEvent(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organizer: Editor,
  edit: Edit,
): Promise<{ msg: string }> {
  await authorizeEvent({ db }, organizer, 'event.edit', edit.eventId);
  const schedule = scheduleOf(edit, clock.now(), { mayStartInPast: true });
  if ('reason' in schedule) throw new AppError('form.invalid', schedule);

  await inTransaction(db, async (tx) => {
    const event = await lockOwnEvent(tx, organizer.organizationId, edit.eventId);
    if (!event) throw new AppError('event.not-found');
    await requireNotSuspended(tx, organizer.organizationId);
    const types = await lockTicketTypes(tx, event.id);
    const hasSales = types.some((type) => type.reserved > 0);
    const state = { ...event, hasSales, isPaidOut: event.payoutRequestedAt !== null };
    const denial = denyEdit(state, schedule.endsAt, event.now);
    if (denial) throw new AppError(`edit.${denial}`);
    rejectStaleVersion(edit, eventVersion(event, types));
    await enforcePlanLimit(tx, event, schedule);

    const { columns: next, plan } = editedEvent(event, types, edit, schedule);
    await changeTicketTypes(tx, event, plan, organizer);
    const isPaused = event.pausedSales === 'all';
    if (event.isPublished) await saveWaitingRoom(tx, { eventId: event.id, hasSales, isPaused, now: event.now }, next);
    const announcedStartsAt = hasSales ? event.latestStartsAt : null;
    const announcedEndsAt = hasSales ? event.latestEndsAt : null;
    await updateEvent(tx, event.id, { ...next, announcedStartsAt, announcedEndsAt });
    if (event.isPublished) await recordVersion(tx, event.id);
    const change = announcedChange(event, next);
    if (event.isPublished) await tellCheckInMembers(tx, event, event, next);
    if (hasSales && change)
      await notifyBuyers(tx, event, { change, isHalfSold: await isHalfSold(tx, event.id, types) }, edit);
    const at = clock.now();
    const audited = { subject: event.id, eventId: event.id, params: { isMoved: change !== null }, at };
    // A draft is saved while it is typed: an event per member and hour says as much.
    const once = event.isPublished ? {} : { once: `${event.id} ${organizer.userId} ${at.toISOString().slice(0, 13)}` };
    await recordAuditEvent(tx, { action: 'edit-event', by: organizer, ...audited, ...once });
    const isMoved = next.startsAt.getTime() !== event.startsAt.getTime();
    if (event.seriesId && isMoved) await enqueue(tx, 'move-waivers', { seriesId: event.seriesId });
    // Check-ins that were in time become early ones.
    if (next.startsAt > event.latestStartsAt) {
      const { id: eventId } = event;
      await enqueue(tx, 'record-early-check-ins', { eventId }, { queue: `early-check-ins ${eventId}` });
    }
  });
  return { msg: eventUpdated };
}

type FieldsKept = StoredHours & OnSale & Pick<LockedEvent, 'maxPerOrder' | 'venueName' | 'isListed' | 'subtitle'>;

/** What an edit makes of an event and its ticket types. Saves nothing. */
export function editedEvent<Type extends StoredTicketType>(
  event: FieldsKept,
  types: readonly Type[],
  edit: Omit<Edit, 'eventId'>,
  schedule: Schedule,
) {
  const maxPerOrder = edit.maxPerOrder === undefined ? event.maxPerOrder : orderMaxOf(edit.maxPerOrder);
  const plan = matchTicketTypes(types, edit.tickets, { timezone: edit.timezone, maxPerOrder });
  const onSale = mergeOnSale(event, edit, schedule);
  const hours = checkInHoursOf(edit, schedule, event);
  if ('reason' in hours) throw new AppError('form.invalid', hours);
  const columns = { ...eventColumns(edit), ...listingOf(edit, event), ...schedule, ...onSale, ...hours, maxPerOrder };
  return { columns, plan };
}

/** Clients that don't send the on-sale fields leave them unchanged. */
function mergeOnSale(event: OnSale, edit: Omit<Edit, 'eventId'>, schedule: Schedule): OnSale {
  const fields = {
    timezone: edit.timezone,
    salesStart: edit.salesStart ?? event.salesStartAt?.toISOString() ?? '',
    useWaitingRoom: edit.useWaitingRoom ?? event.buyersPerMinute !== null,
    buyersPerMinute: edit.buyersPerMinute ?? event.buyersPerMinute ?? '',
  };
  const onSale = onSaleOf(fields, schedule);
  if ('reason' in onSale) throw new AppError('form.invalid', onSale);
  return onSale;
}

/** A published event that has ended counts toward the plan again once it ends in the future. */
async function enforcePlanLimit(tx: Db, event: LockedEvent, { endsAt }: Schedule): Promise<void> {
  if (!event.isPublished || event.endsAt > event.now || endsAt <= event.now) return;
  await lockOrganization(tx, event.organizationId);
  const { activeEventsMax } = await planOf(tx, event.organizationId);
  const denial = denyPlan(await countActiveEvents(tx, event.organizationId, event.seriesId), activeEventsMax);
  if (denial) throw new AppError(`event.${denial}`, { max: activeEventsMax });
}

/** Without add-ons. Types that share a capacity count once, by it. */
async function isHalfSold(tx: Db, eventId: string, types: readonly LockedType[]): Promise<boolean> {
  const capacities = await capacityRowsOf(tx, eventId);
  const parts = [
    ...types
      .filter(({ sharesCapacity, isAddOn }) => !sharesCapacity && !isAddOn)
      .map(({ reserved, quantity }) => ({ reserved, quantity })),
    ...capacities.map(({ reserved, capacity: quantity }) => ({ reserved, quantity })),
  ];
  const sum = (of: 'reserved' | 'quantity') => parts.reduce((total, part) => total + part[of], 0);
  return 2 * sum('reserved') >= sum('quantity');
}

/** Enqueues a job: there may be thousands of buyers, and the event is locked here. */
async function notifyBuyers(
  tx: Db,
  before: LockedEvent,
  { change: about, isHalfSold }: { change: AnnouncedChange; isHalfSold: boolean },
  { emailsConfirmed }: Edit,
): Promise<void> {
  const dayBefore = new Date(before.now.getTime() - 24 * 60 * 60 * 1000);
  if ((await countEventChanges(tx, before.id, dayBefore)) >= RESCHEDULES_PER_DAY_MAX)
    throw new AppError('edit.moved-too-often');
  const buyers = emailsConfirmed === false ? await countBuyers(tx, before.id) : 0;
  if (buyers > 0) throw new AppError('edit.emails-buyers', { buyers, about });
  const { id: eventId, street, city, state, postalCode, venueName, now: changedAt } = before;
  const { timezone, startsAt, endsAt } = before;
  const id = newId();
  const previous = { street, city, state, postalCode, venueName, timezone, startsAt, endsAt };
  await recordEventChange(tx, { eventId, id, ...previous, changedAt, isHalfSold });
  await enqueue(tx, 'announce-event-change', { eventId, changeId: id });
}
