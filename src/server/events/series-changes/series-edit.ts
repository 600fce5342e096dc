/** What an edit of one date changes, and what that makes of another date. Both are plain data. */
import { type editEvent as call } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { eventForm } from '#contract/forms/event-form.ts';
import type { TicketRow } from '#contract/forms/ticket-types.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { dollarsOf } from '#domain/money.ts';
import { nameKey } from '#domain/name-key.ts';
import { type DayTime, daysBetween, dayTimeOf, localOf, timeOfDay } from '#domain/series/series-times.ts';
import type { lockOwnEvent, lockTicketTypes } from '#server/events/edit-event.sql.ts';
import { ticketTypeRow } from '#server/events/event-columns.ts';
import { AppError } from '#server/platform/app-error.ts';
import { parseForm } from '#server/platform/http/read-input.ts';

export type Edit = InputOf<typeof call>;
type EventRow = NonNullable<Awaited<ReturnType<typeof lockOwnEvent>>>;
type TypeRow = Awaited<ReturnType<typeof lockTicketTypes>>[number];

/** A date with its ticket types, as stored. */
export interface DateToEdit {
  event: EventRow;
  types: readonly TypeRow[];
}

type SalesTime = 'salesFrom' | 'salesUntil';
type OwnTime = 'salesStart' | 'checkInOpens' | 'checkInCloses';

interface TypeChange {
  /** Before the change: the types of a series have no other thing in common. */
  name: string;
  row: Partial<TicketRow>;
  windows: Partial<Record<SalesTime, DayTime | null>>;
}

type Fields = Record<string, string | number | boolean>;

/** Of the fields that differ, so that a date keeps its own venue or quantity, unless that was edited. */
export interface SeriesEdit {
  fields: Fields;
  dayShift: number;
  startTime: string | null;
  end: DayTime | null;
  times: Partial<Record<OwnTime, DayTime | null>>;
  types: {
    changed: TypeChange[];
    added: TypeChange[];
    removed: string[];
    /** Null unless they were put into another order. */
    order: string[] | null;
  };
}

/** What the job does to a date: by its form, or by what that form changes. */
export interface StoredEdit {
  /** Of the date whose form was edited; null if it is saved already. */
  own: Edit | null;
  others: SeriesEdit;
}

const NO_EDIT: SeriesEdit = {
  fields: {},
  dayShift: 0,
  startTime: null,
  end: null,
  times: {},
  types: { changed: [], added: [], removed: [], order: null },
};

export const titleEdit = (title: string): SeriesEdit => ({ ...NO_EDIT, fields: { title } });

/** The subtitle is left out: it is what tells the dates apart. */
const FIELDS = [
  'title',
  'description',
  'street',
  'city',
  'state',
  'postalCode',
  'timezone',
  'participants',
  'latitude',
  'longitude',
  'isListed',
  'maxPerOrder',
] as const;

/** @param form which was saved in between; what it omits was not edited */
export function editBetween(before: DateToEdit, after: DateToEdit, form: Edit): SeriesEdit {
  const [old, now] = [before.event, after.event];
  const changed = FIELDS.filter((field) => old[field] !== now[field]).map((field): [string, Fields[string]] => [
    field,
    now[field],
  ]);
  const fields: Fields = {
    ...Object.fromEntries(changed),
    ...(old.venueName !== now.venueName && { venueName: now.venueName ?? '' }),
    ...(old.buyersPerMinute !== now.buyersPerMinute && {
      useWaitingRoom: now.buyersPerMinute !== null,
      buyersPerMinute: now.buyersPerMinute ?? '',
    }),
  };
  const [oldStart, newStart] = [localTimeOf(old.startsAt, old.timezone), localTimeOf(now.startsAt, now.timezone)];
  const oldEnd = dayTimeOf(oldStart, localTimeOf(old.endsAt, old.timezone));
  const newEnd = dayTimeOf(newStart, localTimeOf(now.endsAt, now.timezone));
  const movedTime = (was: Date | null, is: Date | null): DayTime | null | undefined => {
    if (was?.getTime() === is?.getTime()) return undefined;
    if (!is) return null;
    const local = localTimeOf(is, now.timezone);
    return was && localTimeOf(was, old.timezone) === local ? undefined : dayTimeOf(newStart, local);
  };
  const edited = (typed: string | undefined, was: Date | null, is: Date | null) =>
    typed === undefined ? undefined : movedTime(was, is);
  return {
    fields,
    dayShift: daysBetween(oldStart, newStart),
    startTime: timeOfDay(oldStart) === timeOfDay(newStart) ? null : timeOfDay(newStart),
    end: oldEnd.days === newEnd.days && oldEnd.time === newEnd.time ? null : newEnd,
    times: given({
      salesStart: edited(form.salesStart, old.salesStartAt, now.salesStartAt),
      checkInOpens: edited(form.checkInOpens, old.checkInOpensAt, now.checkInOpensAt),
      checkInCloses: edited(form.checkInCloses, old.checkInClosesAt, now.checkInClosesAt),
    }),
    types: typesBetween(before.types, after.types, movedTime),
  };
}

type MovedTime = (was: Date | null, is: Date | null) => DayTime | null | undefined;

function typesBetween(before: readonly TypeRow[], after: readonly TypeRow[], moved: MovedTime): SeriesEdit['types'] {
  const rows = after.map((type) => {
    const was = before.find(({ id }) => id === type.id);
    const row = rowBetween(was, type, nameIn(after));
    const windows = given({
      salesFrom: moved(was?.salesFrom ?? null, type.salesFrom),
      salesUntil: moved(was?.salesUntil ?? null, type.salesUntil),
    });
    return { isNew: was === undefined, name: was?.name ?? type.name, row, windows };
  });
  const isChanged = ({ row, windows }: TypeChange) => Object.keys({ ...row, ...windows }).length > 0;
  const kept = before.filter(({ id }) => after.some((type) => type.id === id)).map(({ id }) => id);
  const keptNow = after.filter(({ id }) => kept.includes(id)).map(({ id }) => id);
  return {
    changed: rows.filter((row) => !row.isNew && isChanged(row)).map(withoutMark),
    added: rows.filter(({ isNew }) => isNew).map(withoutMark),
    removed: before.filter(({ id }) => !kept.includes(id)).map(({ name }) => name),
    order: kept.join() === keptNow.join() ? null : after.map(({ name }) => name),
  };
}

const withoutMark = ({ name, row, windows }: TypeChange): TypeChange => ({ name, row, windows });

const nameIn = (types: readonly TypeRow[]) => (id: string | null) => types.find((type) => type.id === id)?.name ?? '';

const isOfType = (field: string) => field !== 'ticketId' && field !== 'salesFrom' && field !== 'salesUntil';

/** The fields of a form's row that differ, all of them for a new type. The windows and the order of the types are compared apart. */
function rowBetween(was: TypeRow | undefined, is: TypeRow, nameOf: (id: string | null) => string): Partial<TicketRow> {
  const rowOf = (type: TypeRow) => ({ ...ticketTypeRow(type), opensAfter: nameOf(type.opensAfter) });
  const row: TicketRow = rowOf(is);
  const before: Partial<TicketRow> = was ? rowOf(was) : {};
  const fields = (Object.keys(row) as (keyof TicketRow)[]).filter(isOfType);
  const differing = fields.filter((field) => row[field] !== before[field]);
  return differing.reduce<Partial<TicketRow>>((edited, field) => ({ ...edited, [field]: row[field] }), {});
}

/** The form of a date as it is. */
export const formOf = ({ event, types }: DateToEdit): Edit =>
  applyTo({ event, types: types.toSorted((one, other) => one.position - other.position) }, NO_EDIT);

/** The form of another date, with the change. Throws if the date can't have it. */
export function applyTo({ event, types }: DateToEdit, edit: SeriesEdit): Edit {
  const timezone = String(edit.fields['timezone'] ?? event.timezone);
  const hasOtherZone = timezone !== event.timezone;
  const local = (instant: Date) => localTimeOf(instant, event.timezone);
  const start = local(event.startsAt);
  const isMoved = edit.dayShift !== 0 || hasOtherZone;
  const newStart = localOf(start, { days: edit.dayShift, time: edit.startTime ?? timeOfDay(start) });
  const newEnd = localOf(newStart, edit.end ?? dayTimeOf(start, local(event.endsAt)));
  const timeOf = (time: DayTime | null) => (time === null ? '' : localOf(newStart, time));
  // Read in the other zone, a start of sales keeps its local time.
  const salesStart = hasOtherZone && event.salesStartAt ? { salesStart: local(event.salesStartAt) } : {};
  const times = Object.entries(edit.times).map(([name, time]) => [name, timeOf(time)]);
  const { title, description, street, city, state, postalCode, participants, latitude, longitude } = event;
  const form = parseForm(eventForm, {
    title,
    description,
    street,
    city,
    state,
    postalCode,
    participants,
    latitude,
    longitude,
    timezone,
    ...edit.fields,
    startDate_startTime: isMoved || edit.startTime !== null ? newStart : event.startsAt.toISOString(),
    endDate_endTime: isMoved || edit.end !== null ? newEnd : event.endsAt.toISOString(),
    ...salesStart,
    ...Object.fromEntries(times),
    tickets: rowsOf(types, edit.types, timeOf),
  });
  return { ...form, eventId: event.id };
}

function rowsOf(
  types: readonly TypeRow[],
  { changed, added, removed, order }: SeriesEdit['types'],
  timeOf: (time: DayTime | null) => string,
): TicketRow[] {
  const kept = types.filter(({ name }) => !removed.some((one) => isSame(one, name)));
  const named = (name: string | undefined) => kept.find((type) => name !== undefined && isSame(type.name, name));
  const changes = new Map<TypeRow, TypeChange>();
  for (const change of changed) {
    // By its new name where the date was changed by hand.
    const type = named(change.name) ?? named(change.row.ticketName);
    if (!type) throw new AppError('series-change.type-missing', { name: change.name });
    changes.set(type, change);
  }
  const isNew = (change: TypeChange) => {
    const type = named(change.name);
    if (type) changes.set(type, change);
    return !type;
  };
  const changedRow = (row: TicketRow, change: TypeChange | undefined): TicketRow => {
    const windows = Object.entries(change?.windows ?? {}).map(([name, time]): [string, string] => [name, timeOf(time)]);
    return { ...row, ...change?.row, ...Object.fromEntries(windows) };
  };
  const newRows = added.filter(isNew).map((change) => changedRow(emptyRow(change.name), change));
  const rows = [...kept.map((type) => changedRow(storedRow(type), changes.get(type))), ...newRows];
  if (!order) return rows;
  const positionOf = ({ ticketName }: TicketRow) => {
    const index = order.findIndex((name) => isSame(name, ticketName));
    return index < 0 ? order.length : index;
  };
  return rows.toSorted((one, other) => positionOf(one) - positionOf(other));
}

/** What it omits stays as it is. */
const storedRow = ({ id, name, description, priceCents, quantity }: TypeRow): TicketRow => ({
  ticketId: id,
  ticketName: name,
  ticketDescription: description,
  ticketPrice: dollarsOf(priceCents),
  ticketQuantity: quantity,
});

const emptyRow = (ticketName: string): TicketRow => ({
  ticketName,
  ticketDescription: '',
  ticketPrice: '',
  ticketQuantity: '',
});

const isSame = (name: string, other: string) => nameKey(name) === nameKey(other);

/** Without the fields that are undefined. */
const given = <Value>(fields: Record<string, Value | undefined>): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
