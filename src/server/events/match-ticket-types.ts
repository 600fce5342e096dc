import type { EventForm } from '#contract/forms/event-form.ts';
import { nameKey } from '#domain/visible-text.ts';
import { ticketTypeColumns } from './event-columns.ts';

type TicketRow = EventForm['tickets'][number];
type TicketColumns = ReturnType<typeof ticketTypeColumns>;

export interface TicketTypePlan<Type> {
  updated: { type: Type; columns: TicketColumns }[];
  added: TicketColumns[];
  removed: Type[];
}

/**
 * Matches form rows to existing ticket types by ID, then by name; other rows are new types. All IDs go first, so that
 * a row can't match by name the type that another row names by ID.
 */
export function matchTicketTypes<Type extends { id: string; name: string }>(
  types: readonly Type[],
  rows: readonly TicketRow[],
): TicketTypePlan<Type> {
  const unmatched = new Set(types);
  const take = (isMatch: (type: Type) => boolean) => {
    const type = [...unmatched].find(isMatch);
    if (type) unmatched.delete(type);
    return type;
  };

  const byId = rows.map((row) => take((type) => type.id === row.ticketId));
  const matches = rows.map((row, position) => {
    const columns = ticketTypeColumns(row, position);
    return { columns, type: byId[position] ?? take((type) => nameKey(type.name) === nameKey(columns.name)) };
  });
  return {
    updated: matches.flatMap(({ type, columns }) => (type ? [{ type, columns }] : [])),
    added: matches.flatMap(({ type, columns }) => (type ? [] : [columns])),
    removed: [...unmatched],
  };
}
