import { parseTicketRows } from '#contract/forms/ticket-sales.ts';
import { type TicketRow, ticketRows } from '#contract/forms/ticket-types.ts';
import { centsOf } from '#domain/money.ts';
import { matchNamed } from '#domain/name-key.ts';
import { AppError } from '#server/platform/app-error.ts';
import { parseForm } from '#server/platform/http/read-input.ts';
import { newId } from '#server/platform/ids.ts';
import { type StoredTicketType, ticketTypeColumns, ticketTypeReply } from './event-columns.ts';

type TicketColumns = ReturnType<typeof ticketTypeColumns>;

export interface TicketTypePlan<Type> {
  updated: { type: Type; columns: TicketColumns }[];
  added: (TicketColumns & { id: string })[];
  removed: Type[];
}

/**
 * Matches form rows to existing ticket types; other rows are new types. A matched type keeps the fields that its row omits, and the
 * form's rules hold for the result.
 */
export function matchTicketTypes<Type extends StoredTicketType>(
  types: readonly Type[],
  rows: readonly TicketRow[],
  event: { timezone: string; maxPerOrder: number },
): TicketTypePlan<Type> {
  const named = rows.map(({ ticketId: id, ticketName }) => ({ id, name: ticketName.trim() }));
  const { matched, unmatched } = matchNamed(named, types);
  const complete = rows.map((row, index) => {
    const type = matched[index];
    if (!type) return row;
    const { opensAfter, suggestedPrice, ...stored } = ticketTypeReply(type);
    // A type that waited for one that is removed opens.
    const isAwaited = matched.some((one) => one && one.id === opensAfter);
    // A suggestion below a minimum that rose goes, unless the row has one of its own.
    const isFitting = suggestedPrice !== undefined && (centsOf(suggestedPrice) ?? 0) >= (centsOf(row.ticketPrice) ?? 0);
    const kept = { ...(isAwaited && { opensAfter }), ...(isFitting && { suggestedPrice }) };
    return { ...stored, ...kept, ...row, ticketId: type.id };
  });
  const parsed = parseTicketRows(parseForm(ticketRows, complete, ['tickets']), event);
  if ('reason' in parsed) throw new AppError('form.invalid', parsed);
  const ids = matched.map((type) => type?.id ?? newId());
  const columns = parsed.map((row, position) => ticketTypeColumns(row, position, ids));
  return {
    updated: columns.flatMap((one, index) => (matched[index] ? [{ type: matched[index], columns: one }] : [])),
    added: columns.flatMap((one, index) => (matched[index] ? [] : [{ id: ids[index] ?? newId(), ...one }])),
    removed: unmatched,
  };
}
