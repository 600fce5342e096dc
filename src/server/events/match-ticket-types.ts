import type { EventForm } from '#contract/event-form.ts';
import { ticketTypeColumns } from './event-columns.ts';

type TicketRow = EventForm['tickets'][number];
type TicketColumns = ReturnType<typeof ticketTypeColumns>;

export interface TicketTypePlan<Type> {
  kept: { type: Type; columns: TicketColumns }[];
  added: TicketColumns[];
  removed: Type[];
}

/**
 * Which ticket type each row of the form means: the one that it names by id, else the one of its name, else a new one.
 * Ids go first, so that a row cannot take by name what another row means by id.
 */
export function matchTicketTypes<Type extends { id: string; name: string }>(
  types: readonly Type[],
  rows: readonly TicketRow[],
): TicketTypePlan<Type> {
  const free = new Set(types);
  const take = (isMeant: (type: Type) => boolean) => {
    const type = [...free].find(isMeant);
    if (type) free.delete(type);
    return type;
  };

  const byId = rows.map((row) => take((type) => type.id === row.ticketId));
  const matches = rows.map((row, position) => {
    const columns = ticketTypeColumns(row, position);
    return { columns, type: byId[position] ?? take((type) => type.name.toLowerCase() === columns.name.toLowerCase()) };
  });
  return {
    kept: matches.flatMap(({ type, columns }) => (type ? [{ type, columns }] : [])),
    added: matches.flatMap(({ type, columns }) => (type ? [] : [columns])),
    removed: [...free],
  };
}
