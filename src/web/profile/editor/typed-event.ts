/** What is typed into the event form: as values, as an event, and completed where it is not valid yet. */
import type { OrganizerEvent } from '#contract/app/events.ts';
import { quantityOf } from '#contract/forms/ticket-types.ts';
import { timezones } from '#contract/forms/timezones.ts';
import { instantOf, localTimeOf } from '#domain/local-time.ts';
import { centsOf, dollarsOf } from '#domain/money.ts';
import { problemOf } from '#messages/forms.ts';
import { previewPane } from '#messages/records/event-editor.ts';
import { timesMeant, withUntouchedTimes } from '#web/profile/event-form/edit-draft.ts';
import type { Draft } from '#web/profile/event-form/event-draft.ts';
import { ticketTypeFields } from '#web/profile/event-form/ticket-type-fields.ts';
import type { EventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { type EventEdit, editEventForm } from '#web/profile/form-schemas.ts';
import { defaultEnd } from '#web/profile/time-and-venue/schedule-preview.ts';
import { nestedValues } from '#web/ui/form/form-values.ts';

const BOXES = ['isListed', 'useWaitingRoom'];
const DAY = 24 * 60 * 60 * 1000;
const { example } = previewPane;

/** Every field by its name, with those of rows in which nothing is typed. */
export function fieldsOf(event: Pick<EventDraft, 'draft' | 'ticketKeys'>): Draft {
  const names = event.ticketKeys.flatMap((_, row) => ticketTypeFields.map(({ name }) => `tickets.${row}.${name}`));
  const fields: Draft = { ...Object.fromEntries(names.map((name) => [name, ''])), ...event.draft };
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== '' || !name.endsWith('Id')));
}

const valuesOf = (fields: Draft) =>
  nestedValues(
    Object.entries(fields).filter(([name, value]) => value !== '' || !BOXES.includes(name)),
    BOXES,
  );

/** The edit, or the names of the fields that aren't valid. */
export function parsed(fields: Draft): { edit: EventEdit } | { broken: readonly string[] } {
  const { success, data, error } = editEventForm.safeParse(valuesOf(fields));
  return success ? { edit: data } : { broken: [...new Set(error.issues.map((issue) => problemOf(issue).field))] };
}

/** Fixing one field can show the next problem: an end before the start, then sales after the end. */
const ATTEMPTS = 5;

/** The edit to show while some fields can't be: those are as stored, or an example. Null if nothing helps. */
export function completed(
  fields: Draft,
  stored: Draft | undefined,
  now: Date,
): { edit: EventEdit; replaced: number } | null {
  const replaced = new Set<string>();
  let next = fields;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const result = parsed(next);
    if ('edit' in result) return { edit: result.edit, replaced: replaced.size };
    const ticketId = (row: string) => next[`tickets.${row}.ticketId`];
    for (const field of result.broken) {
      // Stored, it was valid; together with what is typed now it may not be.
      const isTriedBefore = replaced.has(field);
      replaced.add(field);
      next = {
        ...next,
        [field]: (!isTriedBefore && storedValue(field, stored, ticketId)) || exampleOf(field, next, now),
      };
    }
  }
  return null;
}

const TICKET_FIELD = /^tickets\.(\d+)\.(\w+)$/;

/** Of the same ticket type, whichever row it is in now. */
function storedValue(field: string, stored: Draft | undefined, ticketId: (row: string) => string | undefined) {
  const [, row, name] = TICKET_FIELD.exec(field) ?? [];
  if (row === undefined) return stored?.[field];
  const id = ticketId(row);
  const same = Object.keys(stored ?? {}).find((key) => key.endsWith('.ticketId') && id && stored?.[key] === id);
  return same && stored?.[same.replace('ticketId', name ?? '')];
}

function exampleOf(field: string, { timezone, startDate_startTime: start = '' }: Draft, now: Date): string {
  const [, row, name] = TICKET_FIELD.exec(field) ?? [];
  const { ticketName, ticketDescription, ticketPrice, ticketQuantity, ...ofEvent } = example;
  if (name !== undefined) {
    const ofTicket: Draft = { ticketName: ticketName(Number(row)), ticketDescription, ticketPrice, ticketQuantity };
    return ofTicket[name] ?? '';
  }
  const zone = timezones.find((one) => one === timezone) ?? timezones[0];
  const inAMonth = `${localTimeOf(new Date(now.getTime() + 30 * DAY), zone).slice(0, 10)}T20:00`;
  const times = { timezone: zone, startDate_startTime: inAMonth, endDate_endTime: defaultEnd(start || inAMonth, zone) };
  return { ...ofEvent, ...times }[field] ?? '';
}

/** The stored event as the edit would leave it, to list what changes. */
export function editedOf(stored: OrganizerEvent, edit: EventEdit): OrganizerEvent {
  const { timezone, checkInOpens, checkInCloses } = edit;
  const at = (time: string, repeated: 'earlier' | 'later') => {
    const instant = instantOf(time, timezone, repeated);
    return instant instanceof Date ? instant.toISOString() : time;
  };
  const { startDate_startTime, endDate_endTime, salesStart } = timesMeant(edit, stored);
  const untouched = withUntouchedTimes(edit, stored);
  const { subtitle: _subtitle, venueName: _venue, salesStartAt: _sales, buyersPerMinute: _rate, ...kept } = stored;
  const { title, description, participants, street, city, state, postalCode, latitude, longitude } = edit;
  return {
    ...kept,
    title,
    description,
    participants,
    street,
    city,
    state,
    postalCode,
    latitude,
    longitude,
    timezone,
    ...(edit.subtitle && { subtitle: edit.subtitle }),
    ...(edit.venueName && { venueName: edit.venueName }),
    isListed: edit.isListed ?? stored.isListed,
    startDate_startTime: at(startDate_startTime, 'earlier'),
    endDate_endTime: at(endDate_endTime, 'later'),
    ...(salesStart && { salesStartAt: at(salesStart, 'earlier') }),
    ...(edit.useWaitingRoom && { buyersPerMinute: Number(edit.buyersPerMinute) }),
    ...('checkInOpens' in untouched && { checkInOpensAt: checkInOpens ? at(checkInOpens, 'earlier') : null }),
    ...('checkInCloses' in untouched && { checkInClosesAt: checkInCloses ? at(checkInCloses, 'later') : null }),
    tickets: edit.tickets.map((row, position) => {
      const quantity = quantityOf(row.ticketQuantity) ?? 0;
      const type = stored.tickets.find(({ ticketId }) => ticketId === row.ticketId);
      const added = { ticketId: `added ${position}`, available: quantity, reserved: 0, ticketsSold: 0 };
      const { ticketName, ticketDescription } = row;
      const typed = { ticketName, ticketDescription, ticketPrice: dollarsOf(centsOf(row.ticketPrice) ?? 0) };
      return { ...(type ?? added), ...typed, ticketQuantity: quantity };
    }),
  };
}
