import { createHash } from 'node:crypto';
import { EVENT_COLUMNS, TICKET_TYPE_COLUMNS } from './event-columns.ts';
import type { eventRowsOf, ticketTypeRows } from './events.sql.ts';

type EventRow = Awaited<ReturnType<typeof eventRowsOf>>[number];
type TypeRow = Awaited<ReturnType<typeof ticketTypeRows>>[number];

/** Hash of everything in the edit form. Sales, photos and a new attendant code don't change it. */
export function eventVersion(
  event: Pick<EventRow, (typeof EVENT_COLUMNS)[number]>,
  types: readonly Pick<TypeRow, 'id' | (typeof TICKET_TYPE_COLUMNS)[number]>[],
): string {
  const rows = [...types].sort((one, other) => one.position - other.position);
  const form = [
    EVENT_COLUMNS.map((column) => event[column]),
    rows.map((row) => [row.id, ...TICKET_TYPE_COLUMNS.map((column) => row[column])]),
  ];
  return createHash('sha256').update(JSON.stringify(form)).digest('base64url');
}
