import type { InputOf } from '#contract/endpoint.ts';
import { type Schedule, scheduleOf } from '#contract/event-form.ts';
import {
  type editEvent as call,
  editErrors,
  eventChanged,
  eventErrors,
  eventNotFound,
  eventUpdated,
  movedTooOften,
  quantityBelowSold,
  soldTicketRemoved,
} from '#contract/events.ts';
import { type OnSale, onSaleOf } from '#contract/on-sale.ts';
import { denyEdit } from '#domain/event-schedule.ts';
import { RESCHEDULES_PER_DAY_MAX } from '#domain/limits.ts';
import { denyPlan } from '#domain/plan.ts';
import { AppError, conflict, invalid, notFound } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import {
  clearNames,
  countEventChanges,
  lockOwnEvent,
  lockTicketTypes,
  recordEventChange,
  removeTicketTypes,
  updateEvent,
  updateTicketType,
} from './edit-event.sql.ts';
import { eventColumns } from './event-columns.ts';
import { eventVersion } from './event-version.ts';
import { countActiveEvents, insertTicketTypes, lockOrganizer } from './events.sql.ts';
import { isPaidOut } from './is-paid-out.ts';
import { matchTicketTypes, type TicketTypePlan } from './match-ticket-types.ts';
import { saveWaitingRoom } from './waiting-room/open-room.ts';

type Edit = InputOf<typeof call>;
type LockedEvent = NonNullable<Awaited<ReturnType<typeof lockOwnEvent>>>;
type LockedType = Awaited<ReturnType<typeof lockTicketTypes>>[number];

/** Orders keep the names and prices at which they were made; everything else is as the form says from now on. */
export async function editEvent(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organizerId: string,
  edit: Edit,
): Promise<{ msg: string }> {
  const schedule = scheduleOf(edit, clock.now(), { mayStartInPast: true });
  if (typeof schedule === 'string') throw invalid(schedule);

  await inTransaction(db, async (tx) => {
    const event = await lockOwnEvent(tx, organizerId, edit.eventId);
    if (!event) throw notFound(eventNotFound);
    const types = await lockTicketTypes(tx, event.id);
    const hasSales = types.some((type) => type.reserved > 0);
    const standing = { ...event, hasSales, isPaidOut: await isPaidOut({ db: tx }, event.id) };
    const obstacle = denyEdit(standing, schedule.endsAt, event.now);
    if (obstacle) throw conflict(editErrors[obstacle]);
    denyOlderVersion(edit, eventVersion(event, types));
    await denyBeyondPlan(tx, event, schedule);

    await changeTicketTypes(tx, event, matchTicketTypes(types, edit.tickets));
    const onSale = onSaleAfter(event, edit, schedule);
    await saveWaitingRoom(tx, { eventId: event.id, hasSales, now: event.now }, onSale);
    const next = { ...eventColumns(edit), ...schedule, ...onSale };
    const keptEndsAt = hasSales ? event.latestEndsAt : null;
    await updateEvent(tx, event.id, { ...next, keptEndsAt });
    if (hasSales && isElsewhere(event, next)) await tellBuyers(tx, event);
  });
  return { msg: eventUpdated };
}

/** Two windows may hold the same event open. The later save would undo the earlier one unseen. */
function denyOlderVersion({ version }: Edit, current: string): void {
  if (version === undefined || version === current) return;
  throw new AppError('conflict', eventChanged.msg, undefined, { code: eventChanged.code });
}

/** Whoever edits an event without knowing of these fields leaves them as they are. */
function onSaleAfter(event: LockedEvent, edit: Edit, schedule: Schedule): OnSale {
  const fields = {
    timezone: edit.timezone,
    salesStart: edit.salesStart ?? event.salesStartAt?.toISOString() ?? '',
    useWaitingRoom: edit.useWaitingRoom ?? event.buyersPerMinute !== null,
    buyersPerMinute: edit.buyersPerMinute ?? event.buyersPerMinute ?? '',
  };
  const onSale = onSaleOf(fields, schedule);
  if (typeof onSale === 'string') throw invalid(onSale);
  return onSale;
}

/** An event that was over counts again once it ends in the future. */
async function denyBeyondPlan(tx: Db, event: LockedEvent, { endsAt }: Schedule): Promise<void> {
  if (event.endsAt > event.now || endsAt <= event.now) return;
  await lockOrganizer(tx, event.organizerId);
  const obstacle = denyPlan(await countActiveEvents(tx, event.organizerId));
  if (obstacle) throw conflict(eventErrors[obstacle]);
}

async function changeTicketTypes(tx: Db, event: LockedEvent, plan: TicketTypePlan<LockedType>): Promise<void> {
  const sold = plan.removed.find((type) => type.reserved > 0);
  if (sold) throw conflict(soldTicketRemoved(sold.name));
  const short = plan.kept.find(({ type, columns }) => columns.quantity < type.reserved);
  if (short) throw conflict(quantityBelowSold(short.type.name, short.type.reserved));

  // Names become free before they are given out.
  const removed = plan.removed.map((type) => type.id);
  await removeTicketTypes(tx, event.id, removed, event.now);
  const renamed = plan.kept.filter(({ type, columns }) => type.name.toLowerCase() !== columns.name.toLowerCase());
  const renamedIds = renamed.map(({ type }) => type.id);
  await clearNames(tx, event.id, renamedIds);
  for (const { type, columns } of plan.kept) await updateTicketType(tx, event.id, type.id, columns);
  const added = plan.added.map((columns) => ({ id: newId(), ...columns }));
  await insertTicketTypes(tx, event.id, added);
}

type WhenAndWhere = Pick<LockedEvent, 'street' | 'city' | 'state' | 'postalCode' | 'timezone' | 'startsAt' | 'endsAt'>;

/** Another date or another place. A pin that was moved is still the same address. */
function isElsewhere(before: WhenAndWhere, next: WhenAndWhere): boolean {
  return (
    before.startsAt.getTime() !== next.startsAt.getTime() ||
    before.endsAt.getTime() !== next.endsAt.getTime() ||
    (['street', 'city', 'state', 'postalCode', 'timezone'] as const).some((field) => before[field] !== next[field])
  );
}

/** By a job, since there may be thousands of buyers, and the event is locked here. */
async function tellBuyers(tx: Db, before: LockedEvent): Promise<void> {
  const dayBefore = new Date(before.now.getTime() - 24 * 60 * 60 * 1000);
  if ((await countEventChanges(tx, before.id, dayBefore)) >= RESCHEDULES_PER_DAY_MAX) throw conflict(movedTooOften);
  const { id: eventId, street, city, state, postalCode, timezone, startsAt, endsAt, now: changedAt } = before;
  const id = newId();
  const known = { street, city, state, postalCode, timezone, startsAt, endsAt };
  await recordEventChange(tx, { eventId, id, ...known, changedAt });
  await enqueue(tx, 'announce-event-change', { eventId, changeId: id });
}
