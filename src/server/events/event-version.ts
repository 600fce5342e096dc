import { createHash } from 'node:crypto';
import type { eventRowsOf, ticketTypeRows } from './events.sql.ts';

const COLUMNS = [
  'title',
  'description',
  'street',
  'city',
  'state',
  'postalCode',
  'timezone',
  'startsAt',
  'endsAt',
  'participants',
  'latitude',
  'longitude',
  'salesStartAt',
  'buyersPerMinute',
] as const;
const TYPE_COLUMNS = ['id', 'name', 'description', 'priceCents', 'quantity'] as const;

type EventRow = Awaited<ReturnType<typeof eventRowsOf>>[number];
type TypeRow = Awaited<ReturnType<typeof ticketTypeRows>>[number];

/** Hash of everything in the edit form. Sales, photos and a new attendant code don't change it. */
export function eventVersion(
  event: Pick<EventRow, (typeof COLUMNS)[number]>,
  types: readonly Pick<TypeRow, 'position' | (typeof TYPE_COLUMNS)[number]>[],
): string {
  const rows = [...types].sort((one, other) => one.position - other.position);
  const form = [COLUMNS.map((column) => event[column]), rows.map((row) => TYPE_COLUMNS.map((column) => row[column]))];
  return createHash('sha256').update(JSON.stringify(form)).digest('base64url');
}
